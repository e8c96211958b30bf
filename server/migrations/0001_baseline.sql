-- The schema of version 0.1.0. Functions and triggers are in functions.sql files next to their modules, and row-level
-- security policies in database/schema/row-level-security.ts (docs/design/data/schema.md).

create extension if not exists btree_gin;
create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- Functions that stored values depend on. They are here and not in a functions.sql, because a changed function makes
-- the stored values wrong: only a migration can change both.

-- A name without apostrophes, hyphens and invisible characters. Removes the same characters as searchableName of
-- kernel/person-names.ts.
create function without_signs(name text) returns text language sql immutable strict parallel safe
  return translate(name,
    E'''`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u2018\u2019\u201b\u2032-\u058a\u05be\u2010'
    '\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b'
    '\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe00\ufe01\ufe02\ufe03'
    '\ufe04\ufe05\ufe06\ufe07\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f\ufeff', '');

-- The first name, last name or both for comparison, also without spaces.
create function comparable_name(name_key text) returns text language sql immutable strict parallel safe
  return replace(without_signs(name_key), ' ', '');

-- A name as it is searched: in lower case, without accents and signs, and with single spaces. Like searchableName of
-- kernel/person-names.ts.
create function searchable_name(name text) returns text language sql immutable parallel safe return
  btrim(regexp_replace(without_signs(
    replace(replace(replace(replace(
      translate(lower(upper(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') collate pg_c_utf8)),
                'łøđðħ', 'loddh'),
      'þ', 'th'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss')), '\s+', ' ', 'g'));

-- The searchable text of a person: the name and the email.
create function search_key(name_key text, email text) returns text
  language sql immutable parallel safe
  return replace(name_key, '|', ' ') || e'\n' || coalesce(lower(email), '');

-- The day on which a plan year is renewed: the day after open enrollment, or its own first day.
create function renewal_due_on(open_enrollment_end date, coverage_start date) returns date
  language sql immutable parallel safe
  return coalesce(open_enrollment_end + 1, coverage_start);

-- access: organizations and users -----------------------------------------------------------------------------------

-- A partner: a payroll company, broker or staffing platform. The tenant of every row with an organization_id.
create table organizations (
  id text collate "C" primary key,
  name text not null,
  type text,
  idp_provider text not null check (idp_provider in ('service', 'external_idp')),
  idp_org_id text,
  super_in boolean not null default false,
  sandbox boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  clock_offset_days integer not null default 0 check (clock_offset_days >= 0),
  daily_run_on date,
  daily_run_progress jsonb,
  name_key text collate pg_c_utf8 generated always as (lower(name collate pg_c_utf8)) stored,
  accent_color text check (accent_color ~ '^#[0-9a-f]{6}$'),
  display_names jsonb not null default '[]'
);
-- The hourly schedule finds the organizations whose daily run is due.
create index organizations_by_daily_run on organizations (daily_run_on);
-- Lists and counts the sandbox organizations, or the live ones.
create index organizations_by_kind on organizations (sandbox, id);
-- Operators search organizations by the beginning of their name.
create index organizations_by_name on organizations (name_key, id);
-- Operators list all organizations, newest first.
create index organizations_in_order on organizations (created_at desc, id desc);
-- Authentication reads the sandboxes whose test clock is ahead.
create index organizations_with_clock on organizations (id) where clock_offset_days > 0;

-- A person who signs in or owns API keys: a member of organizations or an operator.
create table users (
  id text collate "C" primary key,
  name text not null,
  email text,
  created_at timestamptz not null
);
-- The search of operators finds a user by email address.
create index users_by_email on users (lower(email), id);
-- Operators search users by the beginning of their name.
create index users_by_name on users (lower(name collate pg_c_utf8), id);
-- Operators list all users, newest first.
create index users_in_order on users (created_at desc, id desc);

-- The role of a user in an organization, until ended_at.
create table memberships (
  organization_id text collate "C" not null references organizations,
  user_id text collate "C" not null references users,
  role text not null check (role in ('ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT')),
  created_at timestamptz not null,
  ended_at timestamptz,
  founded_by text collate "C",
  primary key (organization_id, user_id)
);
-- Sign-in finds the organizations and roles of a user.
create index memberships_of_user on memberships (user_id);

-- A part of the number of rows of a table (organizations, users). The parts add up, so that lists of all rows need no
-- count. Concurrent writers use different parts.
create table directory_counts (
  of_table text not null,
  shard smallint not null,
  row_count bigint not null,
  primary key (of_table, shard)
);
-- Counters must not be missing while there are no rows.
insert into directory_counts (of_table, shard, row_count) values ('organizations', 0, 0), ('users', 0, 0);

-- A part of the numbers of employers and people of an organization. The parts add up, and concurrent writers use
-- different parts.
create table organization_counts (
  organization_id text collate "C" not null,
  slot smallint not null,
  employer_count bigint not null default 0,
  member_count bigint not null default 0,
  primary key (organization_id, slot)
);

-- access: operators -------------------------------------------------------------------------------------------------

-- A user who operates the installation, with a role.
create table operators (
  user_id text collate "C" primary key references users,
  role text not null check (role in ('owner', 'operations', 'billing', 'support')),
  created_at timestamptz not null,
  ended_at timestamptz
);

-- An API key of an operator.
create table operator_keys (
  id text collate "C" primary key,
  user_id text collate "C" not null references operators,
  name text not null,
  secret_hash bytea not null unique,
  last_four text not null,
  created_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  check (expires_at > created_at)
);
-- Lists the keys of an operator.
create index operator_keys_of_operator on operator_keys (user_id, created_at);

-- access: invitations -----------------------------------------------------------------------------------------------

-- An invitation to become an operator.
create table operator_invitations (
  id text collate "C" primary key,
  secret_hash bytea not null unique,
  name text not null,
  email text not null,
  role text not null check (role in ('owner', 'operations', 'billing', 'support')),
  invited_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C" references users,
  revoked_at timestamptz
);
-- Lists the invitations of operators, newest first.
create index operator_invitations_by_start on operator_invitations (created_at desc, id desc);

-- An invitation to become a member of an organization.
create table member_invitations (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  secret_hash bytea not null,
  name text not null,
  email text not null,
  role text not null check (role in ('ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT')),
  invited_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C" references users,
  revoked_at timestamptz,
  primary key (id, organization_id),
  unique (secret_hash, organization_id)
);
-- Lists the invitations of an organization, newest first.
create index member_invitations_of_organization on member_invitations (organization_id, created_at desc, id desc);

-- access: sessions --------------------------------------------------------------------------------------------------

-- A browser session. The cookie holds a secret; the row holds its hash.
create table sessions (
  id text collate "C" primary key,
  secret_hash bytea not null unique,
  user_id text collate "C" not null references users,
  signed_in_with text not null check (signed_in_with in ('openid', 'sandbox')),
  user_agent text,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  signed_in_at timestamptz not null,
  check (expires_at > created_at)
);
-- The cleanup deletes expired sessions.
create index sessions_by_end on sessions (expires_at);
-- Operators list all sessions, newest first.
create index sessions_by_start on sessions (created_at desc, id desc);
-- Lists the sessions of a user, newest first, and ends them together.
create index sessions_of_user on sessions (user_id, created_at desc, id desc);

-- An account at an identity provider, and its user.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id text collate "C" not null references users,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
-- Finds whether a user has signed in before.
create index identities_of_user on user_identities (user_id);

-- access: API keys, usage and audit ---------------------------------------------------------------------------------

-- An API key of a partner. Null organization_id: it reaches every organization of its owner.
create table api_keys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users,
  organization_id text collate "C" references organizations,
  secret_hash bytea not null unique,
  rate_limited boolean not null,
  created_at timestamptz not null,
  revoked_at timestamptz,
  name text,
  last_four text not null,
  mode text not null check (mode in ('live', 'test')),
  created_by text collate "C" references users,
  scopes text[] not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  allowed_origins text[],
  open_to text[],
  rotated_at timestamptz,
  former_secret_hash bytea unique,
  former_secret_expires_at timestamptz,
  revoked_because text check (revoked_because in ('requested', 'leaked')),
  check (expires_at > created_at),
  check (open_to is null or organization_id is null)
);
-- Operators list all API keys, newest first.
create index api_keys_by_creation on api_keys (created_at desc, id desc);
-- Counts the active keys of an organization against their limit.
create index api_keys_not_revoked on api_keys (organization_id) where revoked_at is null;
-- Lists the API keys of an organization, newest first.
create index api_keys_of_organization on api_keys (organization_id, created_at desc, id desc);
-- Lists the API keys that a user created, newest first.
create index api_keys_of_user on api_keys (user_id, created_at desc, id desc);
-- Reads the browser origins that active keys allow.
create index api_keys_with_origins on api_keys (id) where allowed_origins is not null and revoked_at is null;
alter table memberships add foreign key (founded_by) references api_keys;

-- How often a credential called an operation on a UTC day. Kept for 90 days. Empty organization_id: no organization.
create table credential_usage (
  day date not null,
  organization_id text collate "C" not null,
  credential_id text collate "C" not null,
  operation text collate "C" not null,
  request_count bigint not null,
  refused_count bigint not null,
  limited_count bigint not null,
  failed_count bigint not null,
  last_used_at timestamptz not null,
  primary key (credential_id, day, operation, organization_id)
);
-- The cleanup deletes the usage of past days.
create index credential_usage_by_day on credential_usage (day);
-- The overview of operators sums the failed requests of recent days.
create index credential_usage_failed on credential_usage (day) where failed_count > 0;
-- Shows the usage of an organization, latest day first.
create index credential_usage_of_organization on credential_usage (organization_id, day desc);

-- A batch of audit entries of one organization that were written together, one array per field. A write has its own
-- batch in its transaction; reads share one per moment. A read then costs a few array elements, not a row with its
-- index entries.
create table audit_batches (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  day date not null,
  shard smallint not null,
  number bigint not null,
  occurred_at timestamptz[] not null,
  operations text[] collate "C" not null,
  resource_ids text[] collate "C" not null,
  statuses smallint[] not null,
  actor_kinds text[] collate "C" not null,
  actor_ids text[] collate "C" not null,
  user_ids text[] collate "C" not null,
  addresses text[] not null,
  trace_ids text[] not null,
  fields text[] not null,
  checks integer[] not null,
  hash bytea not null,
  began_at timestamptz not null generated always as (occurred_at[1]) stored,
  primary key (day, organization_id, shard, number)
) partition by range (day);
-- Finds the audit entries of a resource.
create index audit_batches_by_resource on audit_batches using gin (resource_ids);
-- Operators list all audit entries, newest first.
create index audit_batches_in_order on audit_batches (began_at desc, id desc);
-- Lists the audit entries of an organization, newest first.
create index audit_batches_of_organization on audit_batches (organization_id, began_at desc, id desc);
create table audit_batches_other partition of audit_batches default;

-- The end of a chain of audit batches. A writer that appends to a chain locks its row until the end of the
-- transaction.
create table audit_chains (
  day date not null,
  organization_id text collate "C" not null,
  shard smallint not null,
  batch_count bigint not null,
  last_hash bytea not null,
  primary key (day, organization_id, shard)
) partition by range (day);
create table audit_chains_other partition of audit_chains default;

-- A finished day of the audit log: the number of its chains, a digest of their ends, and a seal over it and the
-- previous seal.
create table audit_seals (
  day date primary key,
  chain_count bigint not null,
  batch_count bigint not null,
  digest bytea not null,
  seal bytea not null
);

-- directory: employers ----------------------------------------------------------------------------------------------

-- A company that offers benefits to its employees.
create table employers (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text collate pg_c_utf8 not null,
  legal_name text collate pg_c_utf8 not null,
  ein_sealed bytea not null,
  ein_hash bytea not null,
  ein_last_four text not null check (ein_last_four ~ '^\d{4}$'),
  reference_id text,
  email text not null,
  phone_number text check (phone_number ~ '^\d{10}$'),
  -- The member of the organization responsible for the employer.
  owner_user_id text collate "C",
  active boolean not null default true,
  address_line_1 text not null,
  address_line_2 text,
  city text not null,
  state text not null,
  zipcode text not null,
  pay_frequency text not null default 'bi_weekly',
  first_pay_date date,
  payroll_calendar_set_at timestamptz,
  deduction_method text not null default 'annualized' check (deduction_method in ('annualized', 'per_month')),
  census_mode text not null default 'merge' check (census_mode in ('merge', 'replace')),
  census_values jsonb not null default '[]',
  employee_count bigint not null default 0,
  subscription_ended_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  administered_from date,
  correction_reach_months integer not null default 3,
  final_deductions text not null default 'collect' check (final_deductions in ('collect', 'waive')),
  arrears_limit_percent integer not null default 100,
  deductions_per_year integer,
  name_key text collate pg_c_utf8 generated always as (lower(name)) stored,
  legal_name_key text collate pg_c_utf8 generated always as (lower(legal_name)) stored,
  email_key text collate "C" generated always as (lower(email)) stored,
  primary key (id, organization_id),
  constraint employers_ein unique (ein_hash, organization_id),
  check (arrears_limit_percent >= 0 and arrears_limit_percent <= 500),
  check (deductions_per_year is null or pay_frequency = 'bi_weekly' and deductions_per_year = 24 or pay_frequency =
    'weekly' and deductions_per_year = 48),
  check (correction_reach_months >= 0 and correction_reach_months <= 12),
  check (pay_frequency in ('weekly', 'bi_weekly', 'semi_monthly', 'monthly'))
);
-- Pages through the employer book of an organization, newest first, without reading the table.
create index employers_book on employers (organization_id, created_at desc, id desc)
  include (subscription_ended_on)
  where created_at > '-infinity';
-- Searches the employers of an organization by any part of their names.
create index employers_by_letters on employers using gin ((organization_id || '|'), name_key gin_trgm_ops,
  legal_name_key gin_trgm_ops) with (gin_pending_list_limit = 512);
-- No two employers of an organization have the same email address.
create unique index employers_email on employers (email_key, organization_id);
-- No two employers of an organization have the same legal name.
create unique index employers_legal_name on employers (legal_name_key, organization_id);
-- No two employers of an organization have the same name.
create unique index employers_name on employers (name_key, organization_id);
-- No two employers of an organization have the same phone number.
create unique index employers_phone on employers (phone_number, organization_id);
-- Pages through the employers of all organizations, newest first.
create index employers_whole_book on employers (created_at desc, id desc)
  include (organization_id, subscription_ended_on);

-- A contact of an employer.
create table employer_admins (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  email text not null,
  name text,
  phone text,
  disabled_at timestamptz,
  created_at timestamptz not null,
  id text collate "C" not null,
  email_key text collate "C" generated always as (lower(email)) stored,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- Finds the employers whose active administrator has an email address.
create index employer_admins_by_email on employer_admins (email_key, organization_id) where disabled_at is null;
-- An employer has each administrator once.
create unique index employer_admins_email on employer_admins (employer_id, email_key, organization_id);

-- A period in which an employer uses the service.
create table employer_subscriptions (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  started_on date not null,
  ended_on date,
  span daterange not null generated always as (daterange(started_on, ended_on)) stored,
  created_at timestamptz not null,
  primary key (id, organization_id),
  constraint one_subscription_at_a_time unique (organization_id, employer_id, span without overlaps),
  check (ended_on > started_on),
  foreign key (employer_id, organization_id) references employers
);
-- The daily run finds the subscriptions that begin on a day.
create index employer_subscriptions_by_start on employer_subscriptions (started_on, organization_id);
-- Reads the subscriptions of an employer in order.
create index employer_subscriptions_of_employer on employer_subscriptions (employer_id, organization_id, started_on);

-- The filterable state of an employer in the book. Correct from valid_from until before valid_until; on other days
-- book_entry_on computes it.
create table book_entries (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  created_at timestamptz not null,
  stage text collate "C" not null,
  families text collate "C" not null,
  provider text collate "C" not null,
  hris_status text collate "C" not null,
  kind text collate "C" not null generated always as (stage || '|' || hris_status || '|' || families || '|' ||
    provider) stored,
  valid_from date not null,
  valid_until date not null,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- The daily run finds the book entries that become valid on a day.
create index book_entries_by_beginning on book_entries (organization_id, valid_from) include (employer_id, kind);
-- The daily run finds the book entries whose validity has ended.
create index book_entries_by_end on book_entries (organization_id, valid_until) include (employer_id, kind);
-- Filters the employer book of an organization by kind, newest first.
create index book_entries_of_kind on book_entries (organization_id, kind, created_at desc, employer_id desc)
  include (valid_from, valid_until);
-- Filters the employers of all organizations by kind, newest first.
create index book_entries_of_kind_anywhere on book_entries (kind, created_at desc, employer_id desc)
  include (organization_id, valid_from, valid_until);

-- The number of book entries of a kind: the sum over its slots, one of which may be negative. A kind is a combination
-- of stage, HRIS status, benefit families and provider.
create table book_counts (
  organization_id text collate "C" not null,
  kind text collate "C" not null,
  slot smallint not null,
  employer_count bigint not null,
  stage text collate "C" not null generated always as (split_part(kind, '|', 1)) stored,
  hris_status text collate "C" not null generated always as (split_part(kind, '|', 2)) stored,
  families text collate "C" not null generated always as (split_part(kind, '|', 3)) stored,
  provider text collate "C" not null generated always as (substr(kind, length(split_part(kind, '|', 1) ||
    split_part(kind, '|', 2) || split_part(kind, '|', 3)) + 4)) stored,
  primary key (organization_id, kind, slot)
);

-- directory: catalog ------------------------------------------------------------------------------------------------

-- An insurance carrier.
create table carriers (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text collate pg_c_utf8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_key text collate pg_c_utf8 generated always as (lower(name)) stored,
  primary key (id, organization_id)
);
-- No two carriers of an organization have the same name.
create unique index carriers_name on carriers (name_key, organization_id);
-- Lists the carriers of an organization by name.
create index carriers_of_organization on carriers (organization_id, name, id);

-- A benefit of the catalog, for example a dental product. Its plans are what employees elect.
create table benefit_products (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  product_code text not null,
  category text not null check (category in ('Medical', 'Dental', 'Vision', 'Hospital')),
  family text not null generated always as (
    case
      when product_code in ('EBA', 'MEC', 'MEC2', 'MEC_PLUS') then 'mec'
      when product_code like 'MVP%' then 'mvp'
      when product_code like 'ICHRA%' then 'ichra'
      when product_code in ('VPC', 'VPC_CORE') then 'vpc'
      when product_code = 'VD' then 'dental'
      else 'vision'
    end) stored,
  name text collate pg_c_utf8 not null,
  takes_beneficiaries boolean not null default false,
  required_dependent_fields text[] not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  name_key text collate pg_c_utf8 generated always as (lower(name)) stored,
  primary key (id, organization_id),
  check (product_code in ('EBA', 'VPC', 'VPC_CORE', 'MEC', 'MEC2', 'MEC_PLUS', 'MVP', 'MVP2', 'MVPSL', 'MVPSL2', 'VD',
    'VV', 'ICHRA', 'ICHRA_PREMIUM_PLUS', 'ICHRA_REIMBURSEMENT_ONLY')),
  check (required_dependent_fields <@ '{address,gender,verification}')
);
-- No two benefits of an organization have the same name.
create unique index benefit_products_name on benefit_products (name_key, organization_id);
-- Lists the benefits of an organization by name.
create index benefit_products_of_organization on benefit_products (organization_id, name, id);

-- A plan of a benefit, with its carrier.
create table plans (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  benefit_id text collate "C" not null,
  carrier_id text collate "C" not null,
  name text collate pg_c_utf8 not null,
  network_names text[] not null default '{}',
  spd_file_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  partial_month_rule text not null default 'full_month_on_first',
  facts jsonb not null default
    '{"copays": [], "metal_level": null, "hsa_eligible": null, "id_card_url": null,
      "deductible_in_cents": null, "member_services_url": null,
      "member_services_phone": null, "coinsurance_percentage": null, "provider_directory_url": null,
      "family_deductible_in_cents": null, "out_of_pocket_limit_in_cents": null,
      "out_of_network_deductible_in_cents": null, "family_out_of_pocket_limit_in_cents": null,
      "out_of_network_coinsurance_percentage": null, "out_of_network_out_of_pocket_limit_in_cents": null}',
  minimum_essential boolean not null,
  minimum_value boolean not null,
  self_insured boolean not null,
  primary key (id, organization_id),
  check (partial_month_rule in ('full_month_on_first', '15th_rule', 'daily')),
  foreign key (benefit_id, organization_id) references benefit_products,
  foreign key (carrier_id, organization_id) references carriers
);
-- Lists the plans of all organizations of a caller by name.
create index plans_in_order on plans (name, id) include (organization_id);
-- No two plans of a benefit have the same name.
create unique index plans_name on plans (lower(name), benefit_id, organization_id);
-- Reads the plans of a benefit.
create index plans_of_benefit on plans (benefit_id, organization_id);
-- Lists the plans of an organization by name.
create index plans_of_organization on plans (organization_id, name, id);

-- The monthly premium of a plan in a coverage tier, from a day until the next row.
create table plan_tier_rates (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  plan_id text collate "C" not null,
  coverage_tier text not null check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  effective_on date not null,
  premium_in_cents bigint not null check (premium_in_cents >= 0),
  created_at timestamptz not null,
  primary key (id, organization_id),
  unique (plan_id, coverage_tier, effective_on, organization_id),
  foreign key (plan_id, organization_id) references plans
);

-- The premiums of a plan by age in a rating area, starting on a day. An import that changes a premium adds a version,
-- so that plan years keep the version they were opened with.
create table plan_area_rates (
  organization_id text collate "C" not null,
  plan_id text collate "C" not null,
  state text not null,
  county text collate pg_c_utf8 not null,
  county_key text collate pg_c_utf8 not null generated always as (lower(county)) stored,
  effective_on date not null,
  version integer not null,
  rates jsonb not null,
  created_at timestamptz not null,
  primary key (plan_id, organization_id, state, county_key, effective_on, version),
  foreign key (plan_id, organization_id) references plans
);

-- The usual monthly ICHRA allowance of a plan, by class, age, state and tier. Null matches every value.
create table ichra_allowances (
  organization_id text collate "C" not null,
  plan_id text collate "C" not null,
  position integer not null,
  employee_class text,
  min_age integer,
  max_age integer,
  state text,
  coverage_tier text check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  allowance_in_cents bigint not null check (allowance_in_cents >= 0),
  primary key (plan_id, organization_id, position),
  check (employee_class in ('Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal', 'Individual Contractor')),
  foreign key (plan_id, organization_id) references plans
);

-- directory: people -------------------------------------------------------------------------------------------------

-- A person: an employee, a group member or both.
create table members (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  first_name text not null,
  last_name text not null,
  name_key text not null,
  suffix text,
  email text,
  phone text check (phone ~ '^\d{10}$'),
  date_of_birth date not null,
  gender text,
  address_line_1 text,
  address_line_2 text,
  city text,
  state text,
  zipcode text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  moved_on date,
  county text collate pg_c_utf8,
  email_key text collate "C" generated always as (lower(email)) stored,
  comparable_name text collate "C" generated always as (comparable_name(name_key)) stored,
  last_name_key text collate "C" generated always as (split_part(name_key, '|', 2)) stored,
  primary key (id, organization_id)
);
-- Matching finds the people with a name and date of birth.
create index members_by_birth_and_name on members (date_of_birth, comparable_name, organization_id);
-- Operators search people by the beginning of their last name.
create index members_by_last_name on members (last_name_key, organization_id, id);
-- Searches the people of an organization by any part of their name or email address.
create index members_by_letters on members using gin ((organization_id || '|'), search_key(name_key, email)
  gin_trgm_ops) with (gin_pending_list_limit = 512);
-- No two people of an organization have the same email address.
create unique index members_email on members (email_key, organization_id);
-- Lists the people of an organization, newest first, and searches them by short parts of their names. The condition is
-- true for every row, and keeps other queries from using the index.
create index members_in_order on members (organization_id, created_at desc, id desc) include (name_key, email)
  where created_at > '-infinity';
-- Matching finds the people with a phone number.
create index members_phone on members (phone, organization_id);

-- Earlier homes of people: where a person lived until the day before `left_on`.
create table former_homes (
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  left_on date not null,
  state text not null,
  county text collate pg_c_utf8,
  zipcode text not null,
  primary key (member_id, organization_id, left_on),
  foreign key (member_id, organization_id) references members
);

-- directory: ICHRA --------------------------------------------------------------------------------------------------

-- The lowest-cost silver premium of a rating area by age, starting on the first of a month. Public figures for all
-- organizations.
create table lowest_cost_silver_premiums (
  state text not null,
  county text collate pg_c_utf8 not null,
  county_key text collate pg_c_utf8 not null generated always as (lower(county)) stored,
  effective_on date not null,
  min_age integer not null,
  max_age integer,
  premium_in_cents bigint not null,
  updated_at timestamptz not null,
  primary key (state, county_key, effective_on, min_age)
);
-- The daily run finds premiums that changed since the tax forms were derived.
create index lowest_cost_silver_premiums_changed on lowest_cost_silver_premiums (updated_at, state);

-- The federal affordability figures of a year that an operator entered before a release contains them.
create table affordability_figures (
  year integer primary key check (year >= 2020 and year <= 2199),
  required_contribution integer check (required_contribution >= 0 and required_contribution <= 10000),
  poverty_guidelines integer[] check (array_length(poverty_guidelines, 1) = 3),
  assessable_payments integer[] check (array_length(assessable_payments, 1) = 2),
  updated_at timestamptz not null
);

-- directory: tasks --------------------------------------------------------------------------------------------------

-- Work for an operator, open until closed_at. The details hold ids, days and numbers, and no personal data.
create table tasks (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  employer_id text collate "C",
  kind text not null,
  resource_id text collate "C" not null,
  details jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- Operators list the open tasks of all organizations, oldest first.
create index tasks_in_order on tasks (opened_at, id)
  include (organization_id, employer_id, kind)
  where closed_at is null;
-- Lists the open tasks of an employer, oldest first.
create index tasks_of_employer on tasks (employer_id, organization_id, opened_at, id) where closed_at is null;
-- Lists the open tasks of an organization, oldest first.
create index tasks_of_organization on tasks (organization_id, opened_at, id) where closed_at is null;
-- A resource has at most one open task of each kind.
create unique index tasks_once on tasks (resource_id, kind, organization_id) where closed_at is null;

-- directory: files --------------------------------------------------------------------------------------------------

-- An uploaded file. It has the id of the record that it belongs to. scan is the result of the virus scanner, or none
-- without a scanner.
create table files (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  content_type text not null,
  bytes integer not null,
  sha256 text not null,
  scan text not null check (scan in ('none', 'waiting', 'clean', 'refused')),
  created_at timestamptz not null,
  primary key (id, organization_id)
);

-- A piece of a file, encrypted. A file that the scanner refused has none.
create table file_pieces (
  organization_id text collate "C" not null,
  file_id text collate "C" not null,
  position integer not null,
  content_sealed bytea storage external not null,
  primary key (file_id, organization_id, position),
  foreign key (file_id, organization_id) references files on delete cascade
);

-- roster: employees -------------------------------------------------------------------------------------------------

-- An employment of a person at an employer. A rehire is another row.
create table employees (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  member_id text collate "C" not null,
  reference_id text,
  hired_on date,
  terminated_on date,
  termination_reason text,
  employed daterange not null generated always as (daterange(hired_on, terminated_on, '[]')) stored,
  known_at timestamptz not null,
  deactivated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  report_hash text not null,
  search_key text collate "C" not null default '',
  absent_on date,
  reported_last_day date,
  reference_key text collate "C" generated always as (employer_id || reference_id) stored,
  roster_number bigint not null,
  primary key (id, organization_id),
  constraint one_employment_at_a_time exclude using gist ((member_id || employer_id) with =, employed with &&)
);
-- Searches the roster of an employer by any part of a name or email address.
create index employees_by_letters on employees using gin ((employer_id || '|' || organization_id), search_key
  gin_trgm_ops) with (gin_pending_list_limit = 512);
-- A hire or census row finds the people who hold or held its reference at the employer.
create index employees_by_reference on employees (reference_key, organization_id) where reference_key is not null;
-- A census row finds the people whose last report had the same details.
create index employees_by_report on employees (report_hash, organization_id);
-- Reads the employments of a person.
create index employees_of_member on employees (member_id, organization_id);
-- Searches people by their exact reference at any employer.
create index employees_of_reference on employees (reference_id, organization_id) where reference_id is not null;
-- Numbers the roster of an employer without gaps, and pages through it without reading the table.
create unique index employees_roster on employees (employer_id, organization_id, roster_number desc)
  include (id, terminated_on, search_key);
-- Pages through the former employees of an employer, newest first.
create index employees_terminated on employees (employer_id, organization_id, roster_number desc)
  include (id, terminated_on)
  where terminated_on is not null;
-- The daily run finds the employments whose end is past but not published.
create index employees_to_deactivate on employees (organization_id, terminated_on)
  where terminated_on is not null and deactivated_at is null;
-- One current employee of an employer holds a reference.
create unique index one_holder_of_a_reference on employees (reference_id, employer_id, organization_id)
  where terminated_on is null;

-- The number of employments at an employer by their last day. The number of terminated ones on any day is a sum over
-- days, regardless of the size of the roster.
create table roster_terminations (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  terminated_on date not null,
  employee_count bigint not null,
  primary key (employer_id, organization_id, terminated_on),
  foreign key (employer_id, organization_id) references employers
);

-- The class of an employee from a day until the next row.
create table employee_classifications (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  employee_class text not null,
  created_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on),
  check (employee_class in ('Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal', 'Individual Contractor'))
);

-- The compensation type of an employee from a day until the next row.
create table employee_compensations (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  compensation_type text not null check (compensation_type in ('Salary', 'Hourly')),
  created_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on)
);

-- The bargaining unit of an employee from a day until the next row: the employees under one collective bargaining
-- agreement. Null from the day on which the employee leaves the unit. Without a row, the employee is in no unit.
create table employee_bargaining_units (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  bargaining_unit text,
  created_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on)
);

-- The monthly wage of an employee starting on a day, for ICHRA affordability.
create table employee_wages (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  monthly_wage_in_cents bigint not null check (monthly_wage_in_cents >= 0),
  updated_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on),
  foreign key (employee_id, organization_id) references employees
);

-- A correction of an employment, and its reason. Append-only.
create table employee_corrections (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  position bigint not null,
  action text not null check (action in ('terminated', 'reinstated', 'corrected')),
  effective_on date not null,
  reason text,
  credential_id text not null,
  corrected_at timestamptz not null,
  primary key (employee_id, organization_id, position),
  foreign key (employee_id, organization_id) references employees
);

-- roster: census ----------------------------------------------------------------------------------------------------

-- A census: the reported roster of an employer and the counts of its result.
create table census_syncs (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  mode text not null check (mode in ('merge', 'replace')),
  row_count integer not null,
  processed_count integer not null default 0,
  created_count integer not null default 0,
  updated_count integer not null default 0,
  unchanged_count integer not null default 0,
  rehired_count integer not null default 0,
  terminated_count integer not null default 0,
  failed_count integer not null default 0,
  roster_count integer,
  missing_count integer,
  accepted_at timestamptz not null,
  started_at timestamptz,
  held_at timestamptz,
  confirmed_at timestamptz,
  completed_at timestamptz,
  failed_at timestamptz,
  origin text not null default 'api' check (origin in ('api', 'hris')),
  completion_task text,
  has_unmatched_rows boolean not null default false,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- Lists the censuses of an employer, and finds one that was accepted later.
create index census_syncs_of_employer on census_syncs (employer_id, organization_id, accepted_at, id);
-- The job of an employer finds the oldest census to process.
create index census_syncs_waiting on census_syncs (employer_id, organization_id, accepted_at)
  where completed_at is null and failed_at is null;

-- Rows of a census that wait to be processed. Deleted when they are done, so that no personal data remains.
create table census_chunks (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  first_index integer not null,
  rows json storage external not null,
  primary key (census_sync_id, organization_id, first_index),
  foreign key (census_sync_id, organization_id) references census_syncs
);

-- A census row that failed, and the reason.
create table census_failures (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  index integer not null,
  reference_id text,
  field text,
  reason text not null,
  primary key (census_sync_id, organization_id, index),
  foreign key (census_sync_id, organization_id) references census_syncs
);

-- People that a chunk of a replacing census contained. All others are missing from it.
create table census_seen (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  position integer not null,
  member_ids text[] collate "C" not null,
  claimed_ids text[] collate "C" not null,
  primary key (census_sync_id, organization_id, position)
);

-- A warning about a census row that was accepted.
create table census_warnings (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  index integer not null,
  reference_id text,
  field text not null,
  reason text not null,
  primary key (census_sync_id, organization_id, index, field),
  foreign key (census_sync_id, organization_id) references census_syncs
);

-- The changes of an employee by a census of a payroll system, field by field.
create table census_changes (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  employee_id text collate "C" not null,
  differences jsonb,
  -- The reported fields of a new employee. Null for others, see differences.
  reported json,
  primary key (census_sync_id, organization_id, employee_id),
  constraint census_changes_one_of_both check ((differences is null) <> (reported is null))
);

-- roster: groups ----------------------------------------------------------------------------------------------------

-- A group of people with coverage but without an employer, such as an association.
create table groups (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text not null,
  external_reference_id text collate "C" not null,
  member_count bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  constraint groups_external_reference unique (external_reference_id, organization_id)
);
-- Lists the groups of all organizations of a caller, newest first.
create index groups_of_all on groups (created_at desc, id desc) include (organization_id);
-- Lists the groups of an organization, newest first.
create index groups_of_organization on groups (organization_id, created_at desc, id desc);

-- A membership in a group. A person who rejoins has another row.
create table group_members (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  group_id text collate "C" not null,
  member_id text collate "C" not null,
  reference_id text collate "C" not null,
  plan_id text collate "C" not null,
  joined_at timestamptz not null,
  updated_at timestamptz not null,
  left_at timestamptz,
  reference_key text collate "C" generated always as (group_id || reference_id) stored,
  primary key (id, organization_id)
);
-- A sync finds the people who left the group with a reference.
create index former_group_members_by_reference on group_members (reference_key, organization_id)
  where left_at is not null;
-- A reference belongs to one present member of a group, whom a sync finds by it.
create unique index group_members_by_reference on group_members (reference_key, organization_id) where left_at is null;
-- Lists the present members of a group, newest first.
create index group_members_of_group on group_members (group_id, joined_at desc, id desc, organization_id)
  where left_at is null;
-- A person is a present member of at most one group.
create unique index one_group_at_a_time on group_members (member_id, organization_id) where left_at is null;

-- A request to add or remove many group members.
create table group_member_syncs (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  group_id text collate "C" not null,
  position bigint not null,
  accepted_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  removed_ids text[] collate "C" not null default '{}',
  primary key (id, organization_id),
  unique (group_id, position, organization_id),
  foreign key (group_id, organization_id) references groups
);
-- Operators list all member syncs, newest first.
create index group_member_syncs_in_order on group_member_syncs (accepted_at desc, id desc)
  include (organization_id, group_id);
-- Operators list the member syncs of an organization, newest first.
create index group_member_syncs_of_organization on group_member_syncs (organization_id, accepted_at desc, id desc);
-- Operators list the member syncs that are not completed.
create index group_member_syncs_under_way on group_member_syncs (accepted_at desc, id desc)
  include (organization_id, group_id)
  where completed_at is null;
-- The job of a group finds its oldest sync to process.
create index group_member_syncs_waiting on group_member_syncs (group_id, position, organization_id)
  where completed_at is null;

-- Rows of a member sync. The rows are deleted when they are done, so that no personal data remains; the added ids stay.
create table group_member_chunks (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  first_index integer not null,
  rows json storage external,
  added_ids text[] collate "C" not null default '{}',
  primary key (request_id, organization_id, first_index),
  foreign key (request_id, organization_id) references group_member_syncs
);

-- A row of a member sync that failed, and the reason.
create table group_member_failures (
  organization_id text collate "C" not null,
  request_id text collate "C" not null,
  index integer not null,
  operation text not null check (operation in ('add', 'remove')),
  reason text not null,
  reference_id text not null,
  primary key (request_id, organization_id, index),
  foreign key (request_id, organization_id) references group_member_syncs
);

-- roster: HRIS ------------------------------------------------------------------------------------------------------

-- The connection of an employer to the payroll system that maintains its roster. An employer has one at a time; past
-- connections stay.
create table hris_connections (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  source text not null check (source in ('finch', 'csv', 'sandbox')),
  provider text not null,
  provider_label text not null,
  access_sealed bytea,
  settings jsonb not null default '{}',
  connected_at timestamptz not null,
  paused_at timestamptz,
  access_lost_at timestamptz,
  disconnected_at timestamptz,
  last_attempt_at timestamptz,
  last_synced_at timestamptz,
  synced_row_count integer,
  last_error_code text,
  last_error_message text,
  next_sync_on date,
  status text not null generated always as (
    case
      when paused_at is not null then 'paused'
      when access_lost_at is not null then 'inactive'
      when last_synced_at is null then 'pending'
      else 'active'
    end) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- An employer has at most one HRIS connection at a time.
create unique index hris_connection_of_employer on hris_connections (employer_id, organization_id)
  where disconnected_at is null;
-- Filters the employer book by the payroll system of employers.
create index hris_connections_by_provider on hris_connections (provider, organization_id)
  include (employer_id)
  where disconnected_at is null and provider > '';
-- The daily run finds the connections to sync.
create index hris_connections_due on hris_connections (organization_id, next_sync_on) where next_sync_on is not null;
-- Operators list the connections whose last sync failed.
create index hris_connections_failing on hris_connections (connected_at desc, id desc)
  include (organization_id, employer_id)
  where disconnected_at is null and last_error_code is not null;
-- Operators list all connections, newest first.
create index hris_connections_in_order on hris_connections (connected_at desc, id desc)
  include (organization_id, employer_id)
  where disconnected_at is null;
-- Lists the present and former connections of an employer, newest first.
create index hris_connections_of_employer on hris_connections (employer_id, organization_id, connected_at desc);
-- Lists the payroll systems of the employers of an organization.
create index hris_connections_of_organization on hris_connections (organization_id, provider)
  where disconnected_at is null and provider > '';

-- A run of a connection: it fetches the roster and passes it to a census.
create table hris_runs (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  connection_id text collate "C" not null,
  employer_id text collate "C" not null,
  cause text not null check (cause in ('schedule', 'operator', 'upload', 'drop')),
  requested_at timestamptz not null,
  attempt_count integer not null default 0,
  fetched_at timestamptz,
  census_sync_id text collate "C",
  error_code text,
  error_message text,
  ended_at timestamptz,
  primary key (id, organization_id),
  check (census_sync_id is not null or fetched_at is null),
  foreign key (census_sync_id, organization_id) references census_syncs,
  foreign key (connection_id, organization_id) references hris_connections
);
-- A connection has at most one run that waits to be fetched.
create unique index hris_run_to_fetch on hris_runs (connection_id, organization_id)
  where census_sync_id is null and ended_at is null;
-- Lists the runs of a connection, newest first.
create index hris_runs_of_connection on hris_runs (connection_id, organization_id, requested_at desc, id desc);
-- Finds the runs of an employer with an outcome that is not saved at their connection yet.
create index hris_runs_to_settle on hris_runs (employer_id, organization_id) where ended_at is null;

-- The hours that a run fetched, until its people are on the roster and a job records them.
create table hris_run_hours (
  organization_id text collate "C" not null,
  run_id text collate "C" not null,
  first_index integer not null,
  rows json storage external not null,
  primary key (run_id, organization_id, first_index),
  foreign key (run_id, organization_id) references hris_runs
);

-- directory: scheduled exports --------------------------------------------------------------------------------------

-- A list that members of an organization receive as a file by email. next_on is the next day on which it is due.
create table scheduled_exports (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text not null,
  list text not null,
  parameters jsonb not null,
  format text not null check (format in ('csv', 'xlsx')),
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  recipient_user_ids text[] not null,
  next_on date not null,
  latest_on date,
  created_by text collate "C",
  created_at timestamptz not null,
  primary key (id, organization_id)
);
-- Lists the exports of an organization, newest first.
create index scheduled_exports_of_organization on scheduled_exports (organization_id, id desc);
-- The daily run finds the exports that are due.
create index scheduled_exports_due on scheduled_exports (organization_id, next_on);

-- The file of a recipient on a day. It is sent at most once.
create table export_deliveries (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  scheduled_export_id text collate "C" not null,
  user_id text collate "C" not null,
  due_on date not null,
  status text not null check (status in ('queued', 'sending', 'sent', 'not_sent', 'failed')),
  reason text,
  smtp_status integer,
  row_count integer,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (id, organization_id),
  foreign key (scheduled_export_id, organization_id) references scheduled_exports on delete cascade
);
-- A recipient gets at most one file of an export a day. Also finds the latest deliveries of an export.
create unique index export_deliveries_once_a_day on export_deliveries (scheduled_export_id, organization_id, due_on,
  user_id);

-- directory: notes --------------------------------------------------------------------------------------------------

-- A note of a member or an operator about an employer, or about an employee. Deleted with its subject.
create table notes (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C",
  author_user_id text collate "C" not null,
  by_operator boolean not null,
  text text not null check (length(text) between 1 and 4000),
  shared_with_employer boolean not null,
  created_at timestamptz not null,
  edited_at timestamptz,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers on delete cascade,
  foreign key (employee_id, organization_id) references employees on delete cascade
);
-- Lists the notes about an employee, newest first.
create index notes_of_employee on notes (employee_id, organization_id, id desc) where employee_id is not null;
-- Lists the notes about an employer, newest first.
create index notes_of_employer on notes (employer_id, organization_id, id desc) where employee_id is null;

-- A member whom a note mentions. The task of the member is open until done_at.
create table note_mentions (
  note_id text collate "C" not null,
  organization_id text collate "C" not null,
  user_id text collate "C" not null,
  created_at timestamptz not null,
  done_at timestamptz,
  primary key (note_id, organization_id, user_id),
  foreign key (note_id, organization_id) references notes on delete cascade
);
-- Lists the open mentions of a member.
create index note_mentions_open on note_mentions (organization_id, user_id, note_id) where done_at is null;

-- coverage: eligibility ---------------------------------------------------------------------------------------------

-- A rule of an employer: which classes of employees are eligible after which waiting period. Empty benefit_ids: for
-- all benefits without a policy of their own.
create table benefit_eligibility_policies (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  classification text not null check (classification in ('full_time', 'part_time', 'all')),
  waiting_period text not null check (waiting_period in ('first_of_following_month', '30_days', '60_days', 'none')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  effective_on date not null,
  archived_on date,
  employee_classes text[] not null check (employee_classes <> '{}'),
  compensation_types text[],
  benefit_ids text[] not null default '{}',
  start_alignment text not null default 'exact' check (start_alignment in ('exact', 'first_of_month')),
  service_credit_weeks integer not null default 13 check (service_credit_weeks >= 0 and service_credit_weeks <= 52),
  service_credit_from date not null default '-infinity',
  eligibility_basis text not null default 'employee_class' check (eligibility_basis in ('employee_class', 'measured')),
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- An employer has at most one active policy for benefits without a policy of their own.
create unique index active_policy_of_employer on benefit_eligibility_policies (employer_id, organization_id)
  where archived_at is null and benefit_ids = '{}';
-- Finds the policies of an employer for specific benefits.
create index own_policies_of_employer on benefit_eligibility_policies (employer_id, organization_id)
  where benefit_ids <> '{}';
-- Finds the policies of an employer that are in force on a day.
create index policies_of_employer on benefit_eligibility_policies (employer_id, organization_id, effective_on);

-- A period in which an employee is eligible, computed from employment, classes and policies.
create table employee_eligibilities (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  anchored_on date not null,
  waited_on date not null,
  policy_id text collate "C" not null,
  lost_on date,
  covered_until date,
  known_on date not null,
  scope text collate "C" not null default '',
  service_from date,
  primary key (employee_id, organization_id, scope, anchored_on),
  check (lost_on > anchored_on)
);

-- The last published eligibility of an employee, and the next day on which it can change by time alone.
create table eligibility_statuses (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  eligible boolean not null,
  due_on date,
  settled_by date,
  primary key (employee_id, organization_id)
);
-- The daily run finds the employees whose eligibility changes today.
create index eligibility_statuses_due on eligibility_statuses (organization_id, due_on) where due_on is not null;

-- coverage: employer setup -------------------------------------------------------------------------------------------

-- A plan year that a partner requested from the operator, until it is opened or the request is withdrawn.
create table plan_year_requests (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  coverage_start date not null,
  coverage_end date,
  open_enrollment_start date,
  open_enrollment_end date,
  plan_ids text[] not null,
  message text,
  requested_at timestamptz not null,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);

-- coverage: plan years ----------------------------------------------------------------------------------------------

-- A plan year of an employer.
create table benefit_plan_years (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  year integer not null,
  coverage_start date not null,
  coverage_end date not null,
  open_enrollment_start date,
  open_enrollment_end date,
  offered_states text[] not null default '{}',
  eligible_count bigint not null default 0,
  enrolled_count bigint not null default 0,
  enrollment_count bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  renewal text not null default 'active' check (renewal in ('passive', 'active')),
  plan_successors jsonb not null default '{}',
  renewed_on date,
  -- The end and the offers before the first amendment. Null if there is no amendment.
  as_opened jsonb,
  -- The number of amendments and withdrawals of amendments.
  amended_count integer not null default 0,
  renewal_due_on date generated always as (renewal_due_on(open_enrollment_end, coverage_start)) stored,
  primary key (id, organization_id),
  check (coverage_end > coverage_start),
  check (open_enrollment_end >= open_enrollment_start),
  check ((open_enrollment_start is null) = (open_enrollment_end is null)),
  foreign key (employer_id, organization_id) references employers
);
-- The daily run finds the plan years that ended.
create index benefit_plan_years_by_end on benefit_plan_years (coverage_end, organization_id);
-- The daily run finds the plan years that begin.
create index benefit_plan_years_by_start on benefit_plan_years (coverage_start, organization_id);
-- The daily run finds the open enrollments that begin.
create index benefit_plan_years_by_window_start on benefit_plan_years (open_enrollment_start, organization_id)
  where open_enrollment_start is not null;
-- Finds the open enrollments of an organization that end soon, for its tasks. The condition on `-infinity` keeps other
-- reads from using the index.
create index benefit_plan_years_of_window_end on benefit_plan_years (organization_id, open_enrollment_end)
  where open_enrollment_end > '-infinity';
-- Finds the plan years of an organization that end soon, for its tasks.
create index benefit_plan_years_of_end on benefit_plan_years (organization_id, coverage_end)
  where coverage_end > '-infinity';
-- Lists the plan years of an employer, latest first.
create index benefit_plan_years_of_employer on benefit_plan_years (employer_id, organization_id, coverage_start desc);
-- The daily run finds the plan years whose renewal is due.
create index benefit_plan_years_to_renew on benefit_plan_years (renewal_due_on, organization_id)
  where renewal = 'passive' and renewed_on is null;

-- A benefit that a plan year offers.
create table plan_year_benefits (
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  position integer not null,
  starts_on date not null,
  withdrawn_at timestamptz,
  eligible_count bigint not null default 0,
  enrolled_count bigint not null default 0,
  employer_id text collate "C" not null,
  during daterange not null,
  ends_on date,
  closed_plans jsonb not null default '{}',
  choice_group text,
  primary key (plan_year_id, organization_id, benefit_id),
  constraint one_plan_year_of_a_benefit_at_a_time exclude using gist ((benefit_id || employer_id || organization_id)
    with =, during with &&) where (withdrawn_at is null),
  foreign key (benefit_id, organization_id) references benefit_products,
  foreign key (plan_year_id, organization_id) references benefit_plan_years
);
-- Finds the plan years that offer a benefit.
create index plan_year_benefits_of_benefit on plan_year_benefits (benefit_id, plan_year_id, organization_id);

-- The price of a plan in a tier of a plan year, copied from the catalog when the plan year was opened or changed. An
-- ICHRA contribution depends on the person, so it has a least and a most.
create table plan_year_rates (
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  plan_id text collate "C" not null,
  coverage_tier text not null check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  tier_id text collate "C",
  premium_in_cents bigint not null check (premium_in_cents >= 0),
  min_contribution_in_cents bigint not null check (min_contribution_in_cents >= 0),
  max_contribution_in_cents bigint not null,
  pricing text not null default 'tier' check (pricing in ('tier', 'area', 'reported')),
  area_version integer,
  effective_on date not null,
  until date not null,
  -- The day that selects the price lists by age and area. Null: the first day of the plan year.
  priced_on date,
  -- The last amendment that changed the price. Null: the plan year was opened with it.
  amendment_id text collate "C",
  primary key (plan_year_id, organization_id, plan_id, coverage_tier, effective_on),
  check (max_contribution_in_cents >= min_contribution_in_cents and (pricing <> 'tier' or
    max_contribution_in_cents <= premium_in_cents and tier_id is not null)),
  check ((pricing = 'area') = (area_version is not null)),
  check (effective_on < until),
  foreign key (plan_id, organization_id) references plans,
  foreign key (plan_year_id, organization_id, benefit_id) references plan_year_benefits
);
-- PostgreSQL checks the reference to a plan when the plan changes.
create index plan_year_rates_of_plan on plan_year_rates (plan_id, organization_id);

-- The contribution of the employer to a benefit of a plan year, from a day until another.
create table plan_year_contributions (
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  effective_on date not null,
  until date not null,
  contribution_strategy jsonb not null,
  primary key (plan_year_id, organization_id, benefit_id, effective_on),
  check (effective_on < until),
  foreign key (plan_year_id, organization_id, benefit_id) references plan_year_benefits
);

-- An amendment of a running plan year: the input, and its meaning at the catalog prices of that time (terms). The
-- offers of a plan year follow from what it was opened with and from all amendments that are not withdrawn.
create table plan_year_amendments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  position integer not null,
  effective_on date not null,
  reason text not null,
  input jsonb not null,
  terms jsonb not null,
  reported_at timestamptz not null,
  withdrawn_at timestamptz,
  withdrawal_reason text,
  primary key (id, organization_id),
  unique (plan_year_id, organization_id, position),
  check ((withdrawn_at is null) = (withdrawal_reason is null)),
  foreign key (plan_year_id, organization_id) references benefit_plan_years
);

-- The cost of the next plan year by scenario, as it was calculated for an employer.
create table renewal_proposals (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  proposal jsonb not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (plan_year_id, organization_id) references benefit_plan_years
);
-- Lists the proposals of a plan year, newest first.
create index renewal_proposals_of_plan_year on renewal_proposals (plan_year_id, organization_id, id desc);

-- A summary of the plan years of an employer for the book. Correct from valid_from until before valid_until; on other
-- days employer_benefits_on computes it.
create table employer_benefits (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  first_coverage_start date not null,
  -- Of the running plan years the first with medical benefits, otherwise the first. If none runs: the next, or the
  -- last one.
  plan_year_id text collate "C" not null,
  coverage_start date not null,
  coverage_end date not null,
  -- The first end of the running plan years, or the last end of the past ones. Null before the first plan year.
  latest_coverage_end date,
  open_enrollment_start date,
  open_enrollment_end date,
  families text[] not null,
  valid_from date not null,
  valid_until date not null,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- The daily run finds the employers whose current benefits change.
create index employer_benefits_of_organization on employer_benefits (organization_id, valid_until);

-- coverage: dependents ----------------------------------------------------------------------------------------------

-- A dependent of a person.
create table dependents (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  relationship text not null check (relationship in ('spouse', 'domestic_partner', 'child')),
  first_name text not null,
  last_name text not null,
  suffix text,
  date_of_birth date not null,
  gender text,
  ended_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  disabled_until date,
  disabled_reason text,
  address_line_1 text,
  address_line_2 text,
  city text,
  state text,
  zipcode text,
  verification text not null default 'unverified',
  verification_decided_at timestamptz,
  verification_reason text,
  name_key text collate "C" generated always as ((searchable_name(first_name) || ' ') || searchable_name(last_name)) stored,
  last_name_key text collate "C" generated always as (searchable_name(last_name)) stored,
  primary key (id, organization_id),
  check (verification in ('unverified', 'pending', 'verified', 'rejected')),
  foreign key (member_id, organization_id) references members
);
-- Searches the dependents of an organization by the beginning of their last name.
create index dependents_by_last_name on dependents (organization_id, last_name_key, id) where last_name_key > '';
-- Operators search dependents by the beginning of their last name.
create index dependents_by_last_name_anywhere on dependents (last_name_key, organization_id, id);
-- Searches the dependents of an organization by the beginning of their full name.
create index dependents_by_name on dependents (organization_id, name_key, id) where name_key > '';
-- Lists the dependents of a person in the order in which they were added.
create index dependents_of_member on dependents (member_id, organization_id, created_at);
-- Lists the dependents whose documents wait for a decision.
create index dependents_to_verify on dependents (organization_id, member_id)
  where verification = 'pending' and ended_on is null;
-- A person has at most one current spouse or domestic partner.
create unique index one_spouse on dependents (member_id, organization_id)
  where (relationship in ('spouse', 'domestic_partner')) and ended_on is null;

-- A document that proves the relationship of a dependent. Its file has the same id.
create table dependent_attachments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  dependent_id text collate "C" not null,
  file_name text not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (id, organization_id) references files on delete cascade,
  foreign key (dependent_id, organization_id) references dependents
);
-- Lists the documents of a dependent in order.
create index dependent_attachments_of_dependent
  on dependent_attachments (dependent_id, organization_id, created_at, id);

-- A published end of the coverage of a dependent: announced ahead, and ended on its day.
create table dependent_coverage_ends (
  organization_id text collate "C" not null,
  dependent_id text collate "C" not null,
  covered_until date not null,
  ended_at timestamptz,
  primary key (dependent_id, organization_id, covered_until),
  foreign key (dependent_id, organization_id) references dependents
);

-- directory: documents ----------------------------------------------------------------------------------------------

-- A version of a document of the library in one language. Its file has the same id. It concerns the organization, or an
-- employer, a plan year or a plan. replaced_on is the day from which the next version is shown.
create table documents (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  series_id text collate "C" not null,
  version integer not null,
  employer_id text collate "C",
  plan_year_id text collate "C",
  plan_id text collate "C",
  kind text not null check (kind in ('sbc', 'spd', 'summary', 'guide', 'notice', 'form')),
  title text collate pg_c_utf8 not null,
  language text not null check (language in ('en', 'es')),
  audience text not null check (audience in ('members', 'employees', 'public')),
  is_required_at_election boolean not null,
  file_name text not null,
  effective_on date not null,
  replaced_on date,
  withdrawn_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  check (employer_id is null or plan_id is null),
  check (plan_year_id is null or employer_id is not null),
  foreign key (id, organization_id) references files on delete cascade,
  foreign key (employer_id, organization_id) references employers,
  foreign key (plan_year_id, organization_id) references benefit_plan_years,
  foreign key (plan_id, organization_id) references plans
);
-- Versions in a language are numbered, and lists the versions of a document.
create unique index documents_versions on documents (series_id, organization_id, language, version);
-- Lists the library of an organization, newest first.
create index documents_of_organization on documents (organization_id, created_at desc, id desc);

-- The first time at which an employee opened a version of a document, with a token of their own or as the partner
-- reported it.
create table document_receipts (
  organization_id text collate "C" not null,
  document_id text collate "C" not null,
  employee_id text collate "C" not null,
  opened_at timestamptz not null,
  reported_by text not null check (reported_by in ('employee', 'partner')),
  primary key (document_id, organization_id, employee_id),
  foreign key (document_id, organization_id) references documents on delete cascade,
  foreign key (employee_id, organization_id) references employees on delete cascade
);
-- Reads the documents that an employee opened.
create index document_receipts_of_employee on document_receipts (employee_id, organization_id, document_id);

-- coverage: enrollments ---------------------------------------------------------------------------------------------

-- The coverage of an employee in a benefit of a plan year, from the grant on: pending, elected, waived or ended.
create table enrollments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  anchored_on date not null,
  granted_on date not null,
  window_ends_on date not null,
  coverage_start date not null,
  coverage_end date,
  coverage_start_fixed boolean not null default false,
  coverage_end_fixed boolean not null default false,
  answer text check (answer in ('enrolled', 'waived')),
  answered_at timestamptz,
  waiver_reason text,
  inactive_on date,
  terminated_at timestamptz,
  counted_as text check (counted_as in ('enrolled', 'eligible')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  elected_by text check (elected_by in ('employee', 'partner', 'operator', 'renewal', 'return')),
  ended_on date,
  ended_by text check (ended_by in ('loss', 'duplicate', 'offer', 'operator', 'plan_year')),
  choice integer not null default 0,
  resumption_withdrawn_on date,
  waiver_code text,
  granted_for date not null,
  primary key (id, organization_id),
  check ((answer is null) = (answered_at is null)),
  check (elected_by is null or answer is not null)
);
-- The daily run finds the enrollments that become inactive.
create index enrollments_inactive_in_order on enrollments (organization_id, inactive_on, employee_id)
  where inactive_on is not null;
-- Lists the enrollments of an employee, newest first.
create index enrollments_of_employee on enrollments (employee_id, organization_id, created_at desc, id desc);
-- Lists and counts the enrollments of a plan year without reading the table.
create index enrollments_of_plan_year on enrollments (plan_year_id, organization_id, created_at desc, id desc)
  include (employee_id, answer, inactive_on, window_ends_on);
-- A recalculation finds the resumed and withdrawn elections of an employee.
create index enrollments_resumed on enrollments (employee_id, organization_id)
  where elected_by = 'return' or resumption_withdrawn_on is not null;

-- An elected plan, tier and monthly cost of an enrollment, from a day until the next row. The first has -infinity and
-- applies from the first day of coverage, wherever that moves.
create table elections (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  effective_on date not null,
  plan_id text collate "C" not null,
  coverage_tier text not null check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  tier_id text collate "C",
  premium_in_cents bigint not null,
  employer_contribution_in_cents bigint not null,
  employee_deduction_in_cents bigint not null,
  elected_at timestamptz not null,
  bought_on_exchange boolean,
  individual_plan_name text,
  elected_by text check (elected_by in ('employee', 'partner', 'operator', 'renewal', 'return')),
  follows boolean not null default false,
  domestic_partner_share_in_cents bigint not null default 0,
  amendment_id text collate "C",
  as_elected jsonb,
  removed_dependent_ids text[] not null default '{}',
  primary key (enrollment_id, organization_id, effective_on),
  check (premium_in_cents = (employer_contribution_in_cents + employee_deduction_in_cents) or individual_plan_name is
    not null and employee_deduction_in_cents = 0 and employer_contribution_in_cents <= premium_in_cents),
  check (domestic_partner_share_in_cents >= 0 and domestic_partner_share_in_cents <= employee_deduction_in_cents),
  foreign key (enrollment_id, organization_id) references enrollments,
  foreign key (plan_id, organization_id) references plans
);
-- PostgreSQL checks the reference to a plan when the plan changes.
create index elections_of_plan on elections (plan_id, organization_id);

-- A dependent that an election covers, until covered_until or as long as the election applies.
create table covered_dependents (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  effective_on date not null,
  dependent_id text collate "C" not null,
  covered_until date,
  primary key (enrollment_id, organization_id, effective_on, dependent_id),
  foreign key (dependent_id, organization_id) references dependents,
  foreign key (enrollment_id, organization_id, effective_on) references elections on delete cascade
);
-- The daily run finds the dependents whose coverage ends or is about to end.
create index covered_dependents_by_end on covered_dependents (organization_id, covered_until, dependent_id)
  where covered_until is not null;
-- Finds the enrollments that cover a dependent.
create index covered_dependents_of_dependent on covered_dependents (dependent_id, organization_id);

-- A correction of an enrollment by an operator, and its reason. Append-only.
create table enrollment_corrections (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  position integer not null,
  reason text not null,
  changes jsonb not null,
  corrected_at timestamptz not null,
  primary key (enrollment_id, organization_id, position),
  foreign key (enrollment_id, organization_id) references enrollments
);

-- An event in the life of an enrollment: when, by whom, why, and the coverage and cost of that time. Append-only. A
-- grant has no row; the enrollment itself records it.
create table enrollment_evidence (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  position integer not null,
  action text not null,
  recorded_at timestamptz not null,
  actor text not null check (actor in ('employee', 'partner', 'operator', 'renewal', 'rule')),
  actor_id text collate "C",
  reason text,
  window_kind text check (window_kind in ('grant', 'open_enrollment', 'life_event')),
  window_start date,
  window_end date,
  life_event_id text collate "C",
  coverage_start date not null,
  coverage_end date,
  answer text check (answer in ('enrolled', 'waived')),
  elections jsonb,
  offered jsonb,
  reason_code text,
  operation text,
  reported_by text not null check (reported_by in ('employee', 'partner', 'operator', 'rule')),
  reported_by_id text collate "C",
  primary key (enrollment_id, organization_id, position)
);

-- coverage: enrollment messages ---------------------------------------------------------------------------------------

-- How an organization reaches employees about enrollment. Without a row, the defaults apply.
create table enrollment_message_settings (
  organization_id text collate "C" primary key,
  enrollment_messages text check (enrollment_messages in ('send', 'events')),
  sender_name text,
  reply_to text,
  dashboard_url text,
  language text not null default 'both' check (language in ('en', 'es', 'both')),
  updated_at timestamptz not null
);

-- The days on which employees of an employer get messages without a request.
create table enrollment_schedules (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  opening boolean not null,
  half_way boolean not null,
  three_days_before boolean not null,
  one_day_before boolean not null,
  updated_at timestamptz not null,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- The schedules that the daily run follows.
create index enrollment_schedules_in_use on enrollment_schedules (organization_id, employer_id)
  where opening or half_way or three_days_before or one_day_before;

-- A message to an employee about a plan year, at most one a day. The address is null if the partner sends it.
create table enrollment_messages (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  member_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  kind text not null check (kind in ('invitation', 'reminder')),
  occasion text not null
    check (occasion in ('request', 'opening', 'half_way', 'three_days_before', 'one_day_before')),
  due_on date not null,
  status text not null check (status in ('published', 'queued', 'sending', 'sent', 'failed', 'cancelled')),
  email text,
  reason text,
  smtp_status integer,
  created_at timestamptz not null,
  finished_at timestamptz,
  link_expires_at timestamptz,
  link_used_at timestamptz,
  primary key (id, organization_id),
  foreign key (employee_id, organization_id) references employees,
  foreign key (plan_year_id, organization_id) references benefit_plan_years
);
-- An employee gets at most one message about a plan year per day. Also finds the last message to an employee.
create unique index enrollment_messages_once_a_day on enrollment_messages (employee_id, organization_id,
  plan_year_id, due_on);
-- The messages of an employer, newest first.
create index enrollment_messages_of_employer on enrollment_messages (employer_id, organization_id, id desc);

-- The unfinished election of an employee. `plan_year_ids` are the plan years with a window that was open when it was
-- saved, and `window_ends_on` is the last day of those windows.
create table enrollment_drafts (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  plan_year_ids text[] not null,
  window_ends_on date not null,
  dependent_ids text[] not null,
  answers jsonb not null,
  saved_at timestamptz not null,
  primary key (employee_id, organization_id),
  foreign key (employee_id, organization_id) references employees
);
-- The daily run finds the drafts of closed windows.
create index enrollment_drafts_by_end on enrollment_drafts (organization_id, window_ends_on);

-- A version of the text that employees sign with their elections. Without a plan year, it applies to the organization.
create table enrollment_agreements (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  plan_year_id text collate "C",
  version integer not null,
  text_en text not null,
  text_es text not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (plan_year_id, organization_id) references benefit_plan_years
);
-- Finds the current text, and numbers the next version.
create unique index enrollment_agreements_version on enrollment_agreements (organization_id, plan_year_id,
  version) nulls not distinct;

-- The signature of an employee on the elections and waivers that were submitted at that time. `agreements` has the
-- texts as the employee read them.
create table enrollment_signatures (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  signed_at timestamptz not null,
  name text not null,
  pre_tax_consent boolean not null,
  language text not null check (language in ('en', 'es')),
  agreements jsonb not null,
  enrollment_ids text[] not null,
  address text,
  primary key (employee_id, organization_id, signed_at),
  foreign key (employee_id, organization_id) references employees
);

-- The beneficiaries of an employee for a benefit. The latest designation applies, in all plan years.
create table beneficiary_designations (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  employee_id text collate "C" not null,
  benefit_id text collate "C" not null,
  designated_at timestamptz not null,
  actor text not null check (actor in ('employee', 'partner', 'operator', 'rule')),
  actor_id text collate "C",
  beneficiaries jsonb not null,
  primary key (id, organization_id),
  foreign key (employee_id, organization_id) references employees,
  foreign key (benefit_id, organization_id) references benefit_products
);
-- Finds the latest designation for a benefit.
create index beneficiary_designations_of_employee
  on beneficiary_designations (employee_id, organization_id, benefit_id, designated_at);

-- The confirmation of submitted elections and waivers. Its PDF is the file with the same id. Until a job has rendered
-- the PDF, document_sealed has the contents and sha256 is null.
create table enrollment_confirmations (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  employee_id text collate "C" not null,
  submitted_at timestamptz not null,
  language text not null check (language in ('en', 'es')),
  enrollment_ids text[] not null,
  document_sealed bytea storage external,
  sha256 text,
  primary key (id, organization_id),
  foreign key (employee_id, organization_id) references employees,
  check ((document_sealed is null) = (sha256 is not null))
);
-- Lists the confirmations of an employee, and finds those of an entry in the history.
create index enrollment_confirmations_of_employee
  on enrollment_confirmations (employee_id, organization_id, submitted_at);
-- Finds contents to encrypt again.
create index enrollment_confirmations_to_render on enrollment_confirmations (organization_id)
  where document_sealed is not null;

-- An email address that a mail server refused permanently, until the address of the person changes.
create table bounced_addresses (
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  email_key text collate "C" not null,
  smtp_status integer not null,
  bounced_at timestamptz not null,
  primary key (member_id, organization_id)
);

-- A person who unsubscribed from reminders.
create table reminder_unsubscribes (
  organization_id text collate "C" not null,
  member_id text collate "C" not null,
  primary key (member_id, organization_id)
);

-- coverage: life events ---------------------------------------------------------------------------------------------

-- A life event of an employee that can open a special enrollment window.
create table qualifying_life_events (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  type text not null,
  occurred_on date not null,
  description text,
  decision text check (decision in ('approved', 'declined')),
  decided_at timestamptz,
  decision_reason text,
  window_start date,
  window_end date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  check ((decision is null) = (decided_at is null)),
  check ((decision = 'approved') = (window_start is not null) or decision is null),
  foreign key (employee_id, organization_id) references employees
);
-- Operators list all life events, oldest first.
create index life_events_in_order on qualifying_life_events (created_at, id)
  include (organization_id, employer_id, employee_id, decision);
-- Lists the life events of an employee, newest first.
create index life_events_of_employee on qualifying_life_events (employee_id, organization_id, created_at desc);
-- Operators list the life events of an organization, oldest first.
create index life_events_of_organization on qualifying_life_events (organization_id, created_at, id)
  where created_at > '-infinity';
-- Operators list the life events that wait for a decision.
create index life_events_to_decide on qualifying_life_events (created_at, id) where decision is null;
-- Finds the employees of an employer whose life event has an open window.
create index life_events_with_window on qualifying_life_events (employer_id, organization_id, window_end)
  include (employee_id)
  where decision = 'approved' and window_end > '-infinity';

-- A document that proves a life event. Its file has the same id.
create table life_event_attachments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  life_event_id text collate "C" not null,
  file_name text not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (id, organization_id) references files on delete cascade,
  foreign key (life_event_id, organization_id) references qualifying_life_events
);
-- Lists the documents of a life event in order.
create index life_event_attachments_of_event on life_event_attachments (life_event_id, organization_id, created_at, id);

-- money: deductions -------------------------------------------------------------------------------------------------

-- The payroll deductions of an employer for a pay period. Written in chunks of employees; visible and final from
-- generated_at on.
create table deduction_statements (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  year integer not null,
  period_start_date date not null,
  period_end_date date not null,
  frequency text not null check (frequency in ('weekly', 'bi_weekly', 'semi_monthly', 'monthly')),
  first_pay_date date,
  deduction_method text not null check (deduction_method in ('annualized', 'per_month')),
  number integer not null,
  period_count integer not null,
  through_employee_id text collate "C",
  employee_count bigint not null default 0,
  line_count bigint not null default 0,
  total_in_cents bigint not null default 0,
  created_at timestamptz not null,
  generated_at timestamptz,
  deductions_per_year integer,
  publishing_after text collate "C",
  primary key (id, organization_id),
  unique (employer_id, organization_id, period_end_date),
  check (period_end_date >= period_start_date),
  check (number >= 1 and number <= period_count),
  foreign key (employer_id, organization_id) references employers
);
-- Lists the statements of an organization, latest period first.
create index deduction_statements_in_order on deduction_statements (organization_id, period_end_date desc, id desc)
  where period_end_date > '-infinity';
-- Lists the paydays in the activity of an organization, latest first.
create index deduction_statements_of_activity on deduction_statements (organization_id, generated_at desc, id desc)
  where generated_at is not null and line_count > 0;
-- Finds the statements of an employer that are being generated or published.
create index deduction_statements_open on deduction_statements (employer_id, organization_id, period_end_date)
  where generated_at is null or publishing_after is not null;

-- A deduction for an enrollment and a year: the amount of the period, or a correction of past periods.
create table deduction_lines (
  organization_id text collate "C" not null,
  statement_id text collate "C" not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  year integer not null,
  kind text not null check (kind in ('deduction', 'correction', 'manual_adjustment', 'arrears')),
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  benefit_name text not null,
  tax_classification text not null check (tax_classification in ('Pre-tax', 'Post-tax')),
  reason text,
  corrected_period_start_date date,
  corrected_period_end_date date,
  primary key (statement_id, employee_id, enrollment_id, year, kind, tax_classification, organization_id),
  check (kind <> 'deduction' or amount_in_cents > 0),
  check (num_nulls(corrected_period_start_date, corrected_period_end_date) in (0, 2)),
  check ((kind = 'correction') = (corrected_period_start_date is not null))
) partition by hash (organization_id);
-- Reads the lines of an employee in a year.
create index deduction_lines_of_employee on deduction_lines (employee_id, organization_id, year);
create table deduction_lines_0 partition of deduction_lines for values with (modulus 8, remainder 0);
create table deduction_lines_1 partition of deduction_lines for values with (modulus 8, remainder 1);
create table deduction_lines_2 partition of deduction_lines for values with (modulus 8, remainder 2);
create table deduction_lines_3 partition of deduction_lines for values with (modulus 8, remainder 3);
create table deduction_lines_4 partition of deduction_lines for values with (modulus 8, remainder 4);
create table deduction_lines_5 partition of deduction_lines for values with (modulus 8, remainder 5);
create table deduction_lines_6 partition of deduction_lines for values with (modulus 8, remainder 6);
create table deduction_lines_7 partition of deduction_lines for values with (modulus 8, remainder 7);

-- The amounts collected for an enrollment in a year, by tax: scheduled amounts, manual adjustments and arrears.
create table deduction_balances (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  year integer not null,
  tax_classification text not null check (tax_classification in ('Pre-tax', 'Post-tax')),
  collected_in_cents bigint not null,
  adjusted_in_cents bigint not null default 0,
  arrears_in_cents bigint not null default 0,
  taxed_months smallint not null default 0,
  primary key (enrollment_id, year, organization_id, tax_classification)
);

-- money: billing ----------------------------------------------------------------------------------------------------

-- Where the invoices of an organization are collected. Without a row: built in.
create table billing_systems (
  organization_id text collate "C" primary key references organizations,
  billing_system text not null check (billing_system in ('built_in', 'stripe')),
  stripe_secret_key_sealed bytea,
  stripe_webhook_secret_sealed bytea,
  updated_at timestamptz not null
);

-- The number of the last invoice of an organization. The transaction that writes an invoice increments it, without
-- gaps.
create table invoice_counters (
  organization_id text collate "C" primary key references organizations,
  invoice_count bigint not null
);

-- The invoice of an employer for a month: the difference between the cost of its enrollments and the amounts billed
-- before.
create table invoices (
  invoice_id text collate "C" not null,
  organization_id text collate "C" not null,
  number bigint not null,
  employer_id text collate "C" not null,
  period date not null check (extract(day from period) = 1),
  line_count bigint not null default 0,
  total_in_cents bigint not null default 0,
  employer_contribution_in_cents bigint not null default 0,
  employee_deduction_in_cents bigint not null default 0,
  employer_name text not null,
  employer_legal_name text not null,
  address_line_1 text not null,
  address_line_2 text,
  city text not null,
  state text not null,
  zipcode text not null,
  drafted_at timestamptz,
  drafted_on date,
  issued_at timestamptz,
  issued_on date,
  due_on date,
  paid_at timestamptz,
  paid_on date,
  voided_at timestamptz,
  voided_on date,
  billing_system text not null check (billing_system in ('built_in', 'stripe')),
  created_at timestamptz not null,
  void_reason text,
  primary key (invoice_id, organization_id),
  check (total_in_cents = (employer_contribution_in_cents + employee_deduction_in_cents)),
  check ((drafted_at is null) = (drafted_on is null)),
  check ((issued_at is null) = (issued_on is null) and (issued_at is null) = (due_on is null)),
  check ((paid_at is null) = (paid_on is null)),
  check ((voided_at is null) = (voided_on is null)),
  check (issued_at is null or drafted_at is not null),
  check (paid_at is null or issued_at is not null and voided_at is null),
  check (void_reason is null or voided_at is not null),
  foreign key (employer_id, organization_id) references employers
);
-- Lists the invoices of an organization, latest month first.
create index invoices_in_order on invoices (organization_id, period desc, number desc) where period > '-infinity';
-- Lists the invoices of an employer, latest month first.
create index invoices_of_employer on invoices (employer_id, organization_id, period desc, number desc);
-- The daily run finds the open invoices whose payment it reads from Stripe.
create index invoices_open_at_stripe on invoices (organization_id, invoice_id)
  where billing_system = 'stripe' and issued_at is not null and paid_at is null and voided_at is null;
-- Lists the open and overdue invoices of an organization, latest month first, and sums them by employer and age.
create index invoices_owed on invoices (organization_id, period desc, number desc)
  include (due_on, employer_id, total_in_cents)
  where issued_at is not null and paid_at is null and voided_at is null;
-- The daily run finds the drafts to issue.
create index invoices_to_issue on invoices (organization_id, drafted_on)
  where drafted_at is not null and issued_at is null and voided_at is null;
-- An employer has at most one invoice for a month that is not void.
create unique index one_live_invoice on invoices (employer_id, period, organization_id) where voided_at is null;

-- The amount of an enrollment and a month, with the names of that time. Never changes.
create table invoice_lines (
  organization_id text collate "C" not null,
  invoice_id text collate "C" not null,
  position bigint not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  month date not null,
  kind text not null check (kind in ('coverage', 'adjustment', 'manual_adjustment')),
  employee_name text not null,
  benefit_name text not null,
  plan_name text not null,
  coverage_tier text not null,
  premium_in_cents bigint not null,
  employer_contribution_in_cents bigint not null,
  employee_deduction_in_cents bigint not null,
  primary key (invoice_id, organization_id, position),
  check (premium_in_cents = (employer_contribution_in_cents + employee_deduction_in_cents))
) partition by hash (organization_id);
-- Reads what invoices billed of the manual adjustments of an enrollment.
create index invoice_lines_by_hand on invoice_lines (enrollment_id, organization_id) where kind = 'manual_adjustment';
-- Reads what invoices billed for an enrollment by month.
create index invoice_lines_of_enrollment on invoice_lines (enrollment_id, organization_id, month);
create table invoice_lines_0 partition of invoice_lines for values with (modulus 8, remainder 0);
create table invoice_lines_1 partition of invoice_lines for values with (modulus 8, remainder 1);
create table invoice_lines_2 partition of invoice_lines for values with (modulus 8, remainder 2);
create table invoice_lines_3 partition of invoice_lines for values with (modulus 8, remainder 3);
create table invoice_lines_4 partition of invoice_lines for values with (modulus 8, remainder 4);
create table invoice_lines_5 partition of invoice_lines for values with (modulus 8, remainder 5);
create table invoice_lines_6 partition of invoice_lines for values with (modulus 8, remainder 6);
create table invoice_lines_7 partition of invoice_lines for values with (modulus 8, remainder 7);

-- The progress of writing an invoice. Employees are processed in the order of their ids.
create table invoice_runs (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  period date not null,
  through_employee_id text collate "C",
  invoice_id text collate "C",
  finished_at timestamptz,
  primary key (employer_id, organization_id, period),
  foreign key (employer_id, organization_id) references employers,
  foreign key (invoice_id, organization_id) references invoices
);
-- The daily run and the job find the invoices that are still to be drafted.
create index invoice_runs_unfinished on invoice_runs (organization_id, employer_id, period) where finished_at is null;

-- The rendered PDF of an invoice.
create table invoice_pdfs (
  organization_id text collate "C" not null,
  invoice_id text collate "C" not null,
  pdf bytea storage external not null,
  rendered_at timestamptz not null,
  rendered_state text not null default 'due',
  primary key (invoice_id, organization_id),
  foreign key (invoice_id, organization_id) references invoices
);

-- money: manual adjustments, payroll actuals and Stripe -------------------------------------------------------------

-- An amount that an operator booked for an enrollment and a month outside the correction window. Immutable; the
-- opposite amount reverses it.
create table manual_adjustments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  month date not null check (extract(day from month) = 1),
  employer_contribution_in_cents bigint not null,
  employee_deduction_in_cents bigint not null,
  tax_classification text not null check (tax_classification in ('Pre-tax', 'Post-tax')),
  reason text not null,
  booked_on date not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  check (employer_contribution_in_cents <> 0 or employee_deduction_in_cents <> 0),
  foreign key (employer_id, organization_id) references employers,
  foreign key (enrollment_id, organization_id) references enrollments
);
-- Lists the manual adjustments of an employer, newest first.
create index manual_adjustments_of_employer on manual_adjustments (employer_id, organization_id, created_at desc, id
  desc);
-- Reads the manual adjustments of an enrollment.
create index manual_adjustments_of_enrollment on manual_adjustments (enrollment_id, organization_id);

-- The amount that payroll reported as taken for an enrollment in a pay period, with the requested amount.
create table payroll_actuals (
  organization_id text collate "C" not null,
  statement_id text collate "C" not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  requested_in_cents bigint not null,
  taken_in_cents bigint not null,
  reported_at timestamptz not null,
  primary key (statement_id, employee_id, enrollment_id, organization_id),
  foreign key (employee_id, organization_id) references employees,
  foreign key (enrollment_id, organization_id) references enrollments,
  foreign key (statement_id, organization_id) references deduction_statements
);
-- Reads the amounts that payroll reported for an employee.
create index payroll_actuals_of_employee on payroll_actuals (employee_id, organization_id);

-- The amount by which payroll took less than requested for an enrollment, over all statements.
create table payroll_shortfalls (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  shortfall_in_cents bigint not null,
  primary key (enrollment_id, organization_id),
  foreign key (enrollment_id, organization_id) references enrollments
);

-- An employer as a customer at Stripe.
create table stripe_customers (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  stripe_customer_id text,
  requested_at timestamptz not null,
  failure_count integer not null default 0,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);

-- An invoice at Stripe.
create table stripe_invoices (
  organization_id text collate "C" not null,
  invoice_id text collate "C" not null,
  stripe_invoice_id text,
  requested_at timestamptz,
  finalized_at timestamptz,
  failure_count integer not null default 0,
  mirrored_at timestamptz,
  payment_url text,
  primary key (invoice_id, organization_id),
  foreign key (invoice_id, organization_id) references invoices
);
-- The daily run finds the invoices that may be outdated at Stripe.
create index stripe_invoices_behind on stripe_invoices (organization_id, invoice_id) where mirrored_at is null;

-- events: webhooks --------------------------------------------------------------------------------------------------

-- A webhook endpoint of an organization.
create table webhook_subscriptions (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  url text not null,
  event_names text[] not null,
  description text,
  secret_sealed bytea,
  former_secret_sealed bytea,
  former_secret_until timestamptz,
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  check ((disabled_at is null) = (disabled_reason is null))
);
-- Operators list the disabled subscriptions, latest first.
create index webhook_subscriptions_disabled on webhook_subscriptions (disabled_at desc, id desc)
  where disabled_at is not null and deleted_at is null;
-- The cleanup finds the subscriptions that ended.
create index webhook_subscriptions_ended on webhook_subscriptions (greatest(disabled_at, deleted_at))
  where disabled_at is not null or deleted_at is not null;
-- Operators list the active subscriptions that fail.
create index webhook_subscriptions_failing on webhook_subscriptions (created_at desc, id desc)
  include (organization_id)
  where failing_since is not null and disabled_at is null and deleted_at is null;
-- Operators list all subscriptions, newest first.
create index webhook_subscriptions_in_order on webhook_subscriptions (created_at desc, id desc)
  include (organization_id)
  where deleted_at is null;
-- Lists the subscriptions of an organization, newest first.
create index webhook_subscriptions_of_organization on webhook_subscriptions (organization_id, created_at desc, id
  desc)
  where deleted_at is null;

-- A delivery of an event to a subscription, partitioned by id, which contains the time.
create table webhook_deliveries (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  subscription_id text collate "C" not null,
  webhook_event_id text collate "C" not null,
  attempts integer not null default 0,
  due_at timestamptz,
  claimed_at timestamptz,
  started_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  response_status integer,
  response_body text,
  failure_reason text not null default '',
  created_at timestamptz not null,
  primary key (id, organization_id),
  check ((due_at is null) = (delivered_at is not null or failed_at is not null))
) partition by range (id);
-- The worker finds the next deliveries of a subscription.
create index webhook_deliveries_due on webhook_deliveries (subscription_id, due_at) where due_at is not null;
-- Lists the failed deliveries of a subscription, latest first.
create index webhook_deliveries_failed on webhook_deliveries (subscription_id, failed_at desc, id desc)
  where failed_at is not null;
-- Lists the deliveries of an event.
create index webhook_deliveries_of_event on webhook_deliveries (webhook_event_id, organization_id, subscription_id);
create table webhook_deliveries_other partition of webhook_deliveries default;

-- runtime: events ---------------------------------------------------------------------------------------------------

-- An event about a resource. Its position is null until a reader follows the events of the organization.
create table webhook_events (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  event_name text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  sequence bigint not null,
  created_at timestamptz not null,
  position bigint,
  employer_id text collate "C" not null,
  trace_id text collate "C",
  primary key (id, organization_id),
  unique (resource_id, sequence, organization_id)
) partition by hash (organization_id);
-- Lists the events of an organization that have a given name, in order.
create index webhook_events_by_name on webhook_events (organization_id, event_name, created_at, id);
-- Readers that follow the events of an organization continue after a position.
create index webhook_events_in_order on webhook_events (organization_id, position) where position is not null;
-- Lists the events of an employer in order.
create index webhook_events_of_employer on webhook_events (organization_id, employer_id, created_at, id)
  where employer_id > '';
-- Lists the events of an organization in order.
create index webhook_events_of_organization on webhook_events (organization_id, created_at, id);
-- Lists the activity of an employer, in which the deductions of a payday are one entry.
create index webhook_events_of_employer_activity on webhook_events (organization_id, employer_id, created_at, id)
  where employer_id > '' and event_name <> 'employee.deduction_created';
-- Lists the activity of an organization, in which the deductions of a payday are one entry.
create index webhook_events_of_activity on webhook_events (organization_id, created_at, id)
  where event_name <> 'employee.deduction_created';
-- Finds the events of a request by its trace id.
create index webhook_events_of_trace on webhook_events (organization_id, trace_id) where trace_id is not null;
-- Finds the events that have no position yet, to number them.
create index webhook_events_without_position on webhook_events (organization_id, created_at, id) where position is null;
create table webhook_events_0 partition of webhook_events for values with (modulus 8, remainder 0);
create table webhook_events_1 partition of webhook_events for values with (modulus 8, remainder 1);
create table webhook_events_2 partition of webhook_events for values with (modulus 8, remainder 2);
create table webhook_events_3 partition of webhook_events for values with (modulus 8, remainder 3);
create table webhook_events_4 partition of webhook_events for values with (modulus 8, remainder 4);
create table webhook_events_5 partition of webhook_events for values with (modulus 8, remainder 5);
create table webhook_events_6 partition of webhook_events for values with (modulus 8, remainder 6);
create table webhook_events_7 partition of webhook_events for values with (modulus 8, remainder 7);

-- A part of the number of events of an organization with a name, so that lists need no count. The parts add up, and
-- concurrent writers use different parts.
create table webhook_event_counts (
  organization_id text collate "C" not null,
  event_name text not null,
  slot smallint not null,
  event_count bigint not null,
  primary key (organization_id, event_name, slot)
);

-- The last position of an event of an organization. Readers who follow the events lock the row while they number
-- committed events, so that a visible position has no invisible one before it.
create table webhook_event_positions (
  organization_id text collate "C" primary key,
  last_position bigint not null
);

-- An event without deliveries yet. A separate row, because events are immutable and commit in another order than
-- their ids.
create table webhook_outbox (
  webhook_event_id text collate "C" not null,
  organization_id text collate "C" not null,
  event_name text not null,
  primary key (webhook_event_id, organization_id)
);
-- Finds the events of an organization that wait for a worker.
create index webhook_outbox_of_organization on webhook_outbox (organization_id, webhook_event_id);

-- runtime: requests, keys and processes -----------------------------------------------------------------------------

-- The stored response of a request with an idempotency key, for 24 hours. A lock on the key makes it unique.
create table idempotency_keys (
  credential_id text not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  status integer not null,
  body bytea,
  created_at timestamptz not null,
  organization_id text collate "C",
  holds_secret boolean not null default false,
  primary key (credential_id, method, path, key, created_at)
) partition by range (created_at);
-- The cleanup deletes old keys.
create index idempotency_keys_by_age on idempotency_keys (created_at);
-- The cleanup deletes stored responses that contain a secret earlier than others.
create index idempotency_keys_with_secret on idempotency_keys (created_at) where holds_secret and body is not null;
create table idempotency_keys_other partition of idempotency_keys default;

-- The token bucket of a credential. Unlogged: after a crash, buckets are full.
create unlogged table rate_limits (
  credential_id text primary key,
  tokens double precision not null,
  allowed boolean not null,
  refilled_at timestamptz not null,
  created_at timestamptz not null default now()
);
-- The cleanup deletes old rate limits.
create index rate_limits_by_age on rate_limits (created_at);

-- The emails of a sender, an organization, that are planned in a minute. The total of all senders is limited too.
create table mail_minutes (
  sender text collate "C" not null,
  minute timestamptz not null,
  mail_count integer not null,
  primary key (sender, minute)
);
-- The emails of all senders in the coming minutes.
create index mail_minutes_by_time on mail_minutes (minute);

-- The only row: the kind of installation that this database belongs to, set at the first start.
create table installation (
  is_only boolean primary key default true check (is_only),
  kind text not null check (kind in ('sandbox', 'live')),
  started_at timestamptz not null
);

-- A secret key that protects values in this database, with a value that only this key produces.
create table secret_keys (
  secret text not null check (secret in ('ENCRYPTION_KEYS', 'HASH_KEY', 'TOKEN_KEY')),
  id text not null,
  check_value bytea not null,
  recorded_at timestamptz not null,
  audit_from date,
  retired_at timestamptz,
  key_sealed bytea,
  primary key (secret, id),
  check ((audit_from is not null) = (secret = 'HASH_KEY')),
  check ((key_sealed is not null) = (secret = 'HASH_KEY' and retired_at is not null))
);

-- A running process and the secret keys that it knows, so that keys can be rotated while processes run.
create table service_processes (
  id text primary key,
  role text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  known_keys text[] not null,
  used_keys text[] not null,
  records_writes boolean not null default false
);

-- database: migrations, replicas and sharding -----------------------------------------------------------------------

-- A function, trigger or view of a functions.sql file, as it was created: the hash of its text, and the version of the
-- service that created it.
create table schema_definitions (
  name text primary key,
  hash text not null,
  version text not null
);

-- The heartbeat of the primary: the only row, changed every second while replicas are in use. A replica with this value
-- has replayed our log up to that moment.
create table replica_heartbeats (
  id boolean primary key default true check (id),
  heartbeat uuid not null,
  written_at timestamptz not null
);

-- The log position of the last commit of an organization or a credential; `*` is the one for all others. A replica is
-- used only after it has replayed that position. Unlogged: after a crash no replica is used until `*` is set again.
create unlogged table write_positions (
  writer_id text collate "C" primary key,
  position bigint not null,
  written_at timestamptz not null default now()
);
-- The cleanup deletes old positions.
create index write_positions_by_age on write_positions (written_at);

-- For sharded databases only: a statement that restores a part of the schema that Citus does not support, in order.
create table unsharding_steps (
  position bigint generated always as identity primary key,
  statement text not null
);

-- For sharded databases only: one row while they are sharded. A delete that matches no row makes Citus commit on all
-- servers.
create table two_phase_commits (
  id integer primary key
);

-- aca: hours of service, ALE groups and assignments ------------------------------------------------------------------

-- The hours of service of an employee in a period, by kind. The periods of an employee and a kind do not overlap. Has
-- no foreign keys, because a report may have 100,000 rows; the report matches each row to an employee of the employer.
create table hours_of_service (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  employer_id text collate "C" not null,
  period_starts_on date not null,
  period_ends_on date not null,
  kind text not null check (kind in ('worked', 'paid_leave', 'special_unpaid_leave', 'employment_break')),
  hundredths integer not null check (hundredths >= 0),
  reported_at timestamptz not null,
  primary key (employee_id, organization_id, period_starts_on, kind),
  check (period_ends_on >= period_starts_on)
);
-- Pages through the hours of an employer, latest period first. PostgreSQL stores equal keys once, so the index is
-- small. Its condition is always true. It keeps PostgreSQL from scanning this index for each employee, which seems as
-- cheap as the primary key while the statistics are those of an emptied table.
create index hours_of_employer on hours_of_service (employer_id, organization_id, period_starts_on)
  where employer_id is not null;

-- A report of hours of service, with the periods and the number of its rows, and the first rows that failed. The
-- periods are null if all rows failed.
create table hours_reports (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  origin text not null check (origin in ('api', 'hris')),
  reported_at timestamptz not null,
  period_starts_on date,
  period_ends_on date,
  row_count integer not null,
  added_count integer not null,
  changed_count integer not null,
  removed_count integer not null,
  unchanged_count integer not null,
  late_count integer not null,
  failed_count integer not null,
  failures json not null,
  primary key (employer_id, organization_id, id),
  foreign key (employer_id, organization_id) references employers
);

-- An aggregated ALE group: employers that count as one employer when the law determines whether they are an applicable
-- large employer.
create table ale_groups (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id)
);
-- Lists the groups of an organization, newest first.
create index ale_groups_of_organization on ale_groups (organization_id, id desc);

-- An employer of an aggregated ALE group. `ein_employer_id`: the employer whose EIN its people work under. Employers
-- with the same one form an ALE member.
create table ale_members (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  ale_group_id text collate "C" not null,
  ein_employer_id text collate "C" not null,
  primary key (employer_id, organization_id),
  foreign key (ale_group_id, organization_id) references ale_groups,
  foreign key (employer_id, organization_id) references employers,
  foreign key (ein_employer_id, organization_id) references employers
);
-- Reads the employers of a group.
create index ale_members_of_group on ale_members (ale_group_id, organization_id);

-- Work of an employee at a client of the employer, with the worksite.
create table assignments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  client_name text not null,
  address_line_1 text,
  address_line_2 text,
  city text,
  state text,
  zipcode text,
  county text collate pg_c_utf8,
  starts_on date not null,
  ends_on date,
  hourly_rate_in_cents bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employee_id, organization_id) references employees,
  check (ends_on >= starts_on)
);
-- Reads the assignments of an employee, latest first.
create index assignments_of_employee on assignments (employee_id, organization_id, starts_on desc);

-- aca: tax identifiers and forms -------------------------------------------------------------------------------------

-- The encrypted tax identifier of a person. `person_id` is the member itself, or a dependent of the member.
create table tax_identifiers (
  organization_id text collate "C" not null,
  person_id text collate "C" not null,
  member_id text collate "C" not null,
  sealed bytea not null,
  last_four text not null check (last_four ~ '^\d{4}$'),
  updated_at timestamptz not null,
  primary key (person_id, organization_id),
  foreign key (member_id, organization_id) references members
);
-- A key rotation reads the tax identifiers of an organization in order.
create index tax_identifiers_of_organization on tax_identifiers (organization_id, person_id);

-- Cells of Form 1095-C of an employee and a tax year that a person set instead of the derived ones, and the reason.
create table form_1095c_overrides (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  tax_year integer not null check (tax_year >= 2020 and tax_year <= 2199),
  months jsonb not null,
  reason text not null,
  updated_at timestamptz not null,
  primary key (employee_id, organization_id, tax_year),
  foreign key (employee_id, organization_id) references employees
);

-- Facts about an employment and a tax year that only the employer knows: the wages in box 1 of Form W-2, and the months
-- (1 to 12) with contributions to a multiemployer plan that offers affordable coverage. `continuation`: the periods of
-- COBRA, each with its months, whether the employee is enrolled, and the monthly premium. Null without any.
create table employee_tax_facts (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  tax_year integer not null check (tax_year >= 2020 and tax_year <= 2199),
  w2_wages_in_cents bigint check (w2_wages_in_cents >= 0),
  multiemployer_months integer[] not null,
  continuation jsonb,
  updated_at timestamptz not null,
  primary key (employee_id, organization_id, tax_year),
  foreign key (employee_id, organization_id) references employees
);

-- The forms of an EIN and a tax year: 1095-C, or 1095-B if the employer is not an applicable large employer.
-- `employer_id` is the employer with the EIN. `derived_at` and `counts` are those of
-- the last derivation, with the number of forms without a tax identifier. `furnish_by` is the last day to furnish the
-- forms, and `released_at` the time of the last release.
create table form_years (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  tax_year integer not null check (tax_year >= 2020 and tax_year <= 2199),
  has_conditional_spouse_offer boolean not null default false,
  uses_98_percent_method boolean not null default false,
  form_type text not null default '1095-C' check (form_type in ('1095-B', '1095-C')),
  -- The person whom the IRS may call: `first_name`, `last_name` and `phone_number`. Null if none is named.
  contact jsonb,
  derived_at timestamptz,
  counts jsonb,
  missing_count integer,
  furnish_by date,
  file_by date,
  released_at timestamptz,
  primary key (employer_id, organization_id, tax_year),
  foreign key (employer_id, organization_id) references employers
);
-- Lists the tasks of an organization: forms to release or to file, and missing tax identifiers.
create index form_years_of_organization on form_years (organization_id, tax_year);

-- The forms that are due for an EIN and a tax year, as they were last derived. `item` is the row of the review,
-- and `content` the text of the document. Has no foreign keys, because it is written for all employees of an employer
-- at once.
create table derived_forms (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  tax_year integer not null,
  member_id text collate "C" not null,
  employee_id text collate "C" not null,
  urgency integer not null,
  last_name text not null,
  state text,
  exceptions text[] not null,
  item jsonb not null,
  content text not null,
  content_hash text not null,
  derived_at timestamptz not null,
  primary key (employer_id, organization_id, tax_year, member_id)
);
-- Finds the forms of a person.
create index derived_forms_of_member on derived_forms (member_id, organization_id);
-- Pages through the review of an employer, the most urgent exceptions first.
create index derived_forms_by_urgency on derived_forms
  (employer_id, organization_id, tax_year, urgency, last_name, member_id);

-- The encrypted content of a form that was released to a person. A later version is a corrected form. `position`
-- counts the forms of an EIN and a tax year in the order of their releases. `employer_hash` identifies the name, EIN
-- and address of the employer on the form. `is_due` is false for a corrected form of a person who needed none. Rows
-- never change, except for new encryption keys, the notice, the transmission and the mailing. The document is stored
-- outside of the row, and pages have room for a second version of each row, so that recording a mailing updates no index.
-- This reduced the CPU time for 20,000 forms from 1.3 s to 0.5 s.
create table released_forms (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  tax_year integer not null,
  member_id text collate "C" not null,
  version integer not null check (version > 0),
  position integer not null check (position > 0),
  employee_id text collate "C" not null,
  content_hash text not null,
  employer_hash text not null,
  is_due boolean not null,
  document_sealed bytea storage external not null,
  released_at timestamptz not null,
  -- The notice to an employee who consents to electronic delivery. `published`: only the event, because the
  -- organization notifies its people. `failed`: the form must be furnished on paper. Null before the notice and without
  -- a consent.
  notice text check (notice in ('published', 'queued', 'sending', 'sent', 'failed')),
  -- The transmission that files the form with the IRS, and the number of the form in it. Null if none does.
  transmission_id text collate "C",
  record_number integer check (record_number > 0),
  -- The day on which the paper form was mailed, and the user who recorded it. Null if it was not, and for the API.
  mailed_on date,
  mailed_by text collate "C",
  primary key (employer_id, organization_id, tax_year, member_id, version),
  foreign key (member_id, organization_id) references members
) with (fillfactor = 50, toast_tuple_target = 128);
-- Lists the released forms of a person.
create index released_forms_of_member on released_forms (member_id, organization_id, tax_year desc, version desc);
-- Reads a part of the print file.
create unique index released_forms_by_position on released_forms (employer_id, organization_id, tax_year, position);
-- A key rotation reads the released forms of an organization.
create index released_forms_of_organization on released_forms (organization_id);
-- Reads the forms of a transmission in order, and the form that an error of the IRS names.
create index released_forms_of_transmission on released_forms (transmission_id, organization_id, record_number)
  where transmission_id is not null;

-- The consent of a person to receive the tax forms of an EIN only electronically. `employer_id` is the employer with
-- the EIN.
create table electronic_deliveries (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  member_id text collate "C" not null,
  given_at timestamptz not null,
  withdrawn_at timestamptz,
  primary key (member_id, organization_id, employer_id),
  foreign key (member_id, organization_id) references members,
  foreign key (employer_id, organization_id) references employers
);

-- A file of released forms for the IRS. `number` counts those of an EIN and a tax year. `header_sealed` is the
-- encrypted transmittal with the transmitter. The last four columns come from the acknowledgement of the IRS.
create table form_transmissions (
  organization_id text collate "C" not null,
  id text collate "C" not null,
  employer_id text collate "C" not null,
  tax_year integer not null,
  number integer not null,
  type text not null check (type in ('O', 'R', 'C')),
  is_test boolean not null,
  form_count integer not null,
  header_sealed bytea not null,
  made_at timestamptz not null,
  status text check (status in ('accepted', 'accepted_with_errors', 'rejected')),
  receipt_id text,
  errors jsonb not null default '[]',
  acknowledged_at timestamptz,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- Lists the transmissions of an EIN, latest first.
create unique index form_transmissions_of_employer on form_transmissions
  (employer_id, organization_id, tax_year, number desc);
-- A key rotation reads the transmissions of an organization.
create index form_transmissions_of_organization on form_transmissions (organization_id);

-- aca: measurement ---------------------------------------------------------------------------------------------------

-- How an employer determines the full-time status of a category of employees: those with a compensation type, in a
-- state, in a bargaining unit, or in any or no unit. All employees if these are null. Null without a first day.
create table measurement_policies (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  position integer not null,
  compensation_type text check (compensation_type in ('Salary', 'Hourly')),
  state text,
  bargaining_unit text,
  is_collectively_bargained boolean,
  effective_on date,
  method text not null check (method in ('monthly', 'look_back')),
  standard_starts_on date,
  standard_months integer not null check (standard_months between 3 and 12),
  administrative_months integer not null check (administrative_months between 0 and 2),
  stability_months integer not null check (stability_months between 6 and 12),
  initial_months integer not null check (initial_months between 3 and 12),
  initial_starts text not null check (initial_starts in ('start_date', 'first_of_month')),
  initial_administrative_months integer not null check (initial_administrative_months between 0 and 2),
  by_weeks boolean not null,
  uses_payroll_periods boolean not null,
  educational boolean not null,
  parity boolean not null,
  primary key (employer_id, organization_id, position),
  foreign key (employer_id, organization_id) references employers,
  check (method = 'monthly' or standard_starts_on is not null),
  check (bargaining_unit is null or is_collectively_bargained)
);
-- The daily run finds the organizations and employers that measure hours.
create index measurement_policies_of_organization on measurement_policies (organization_id, employer_id);

-- The full-time status of an employee on days of employment, derived from hours of service. `decided_on` is the first
-- day after the measurement that decided it, if there was one. Has no foreign keys, because it is written for all
-- employees of an employer at once.
create table measured_statuses (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  employer_id text collate "C" not null,
  starts_on date not null,
  ends_on date,
  is_full_time boolean not null,
  reason text not null,
  decided_on date,
  primary key (employee_id, organization_id, starts_on),
  check (ends_on >= starts_on)
);

-- The last measurement of an employee: the status on that day, the next day on which it can change by itself, and
-- whether the hours so far are full-time although the status is not.
create table employee_measurements (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  employer_id text collate "C" not null,
  is_full_time boolean,
  due_on date,
  is_trending boolean not null,
  measured_at timestamptz not null,
  primary key (employee_id, organization_id)
);
-- Counts the employees of an employer who trend towards full-time status.
create index trending_employees on employee_measurements (organization_id, employer_id) where is_trending;
-- Pages through the measured employees of an employer, latest hire first.
create index measurements_of_employer on employee_measurements (employer_id, organization_id, employee_id);
