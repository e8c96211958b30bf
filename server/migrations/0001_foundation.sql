-- Ids are the prefixed text itself, in byte order: TypeIDs sort by the moment they were made.
create extension if not exists btree_gist;

-- The timestamp of every answer: 2026-03-10T14:05:09.123Z
create function iso(instant timestamptz) returns text
  language sql stable parallel safe
  return to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- platform ---------------------------------------------------------------------------------------

create table webhook_events (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  event_name text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  sequence bigint not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  unique (resource_id, sequence, organization_id)
);

create table audit_entries (
  id text collate "C" not null,
  organization_id text collate "C",
  operation text not null,
  resource_id text,
  fields text[] not null,
  credential_id text not null,
  user_id text collate "C",
  trace_id text not null,
  created_at timestamptz not null,
  primary key (id)
);
-- Who did what in an organization, newest first.
create index audit_entries_of_organization on audit_entries (organization_id, created_at desc);

create table idempotency_keys (
  credential_id text not null,
  method text not null,
  path text not null,
  key text not null,
  fingerprint bytea not null,
  status int not null,
  body bytea not null,
  created_at timestamptz not null,
  primary key (credential_id, method, path, key)
);
-- The hourly clean-up takes the oldest.
create index idempotency_keys_by_age on idempotency_keys (created_at);

-- Buckets may be lost in a crash: the limit then starts full.
create unlogged table rate_limits (
  credential_id text primary key,
  tokens double precision not null,
  allowed boolean not null,
  refilled_at timestamptz not null
);

create table turned_days (
  day date primary key,
  turned_at timestamptz not null
);

-- organizations and their credentials ------------------------------------------------------------

create table organizations (
  id text collate "C" primary key,
  name text not null,
  type text,
  idp_provider text not null check (idp_provider in ('service', 'external_idp')),
  idp_org_id text,
  super_in boolean not null default false,
  sandbox boolean not null default false,
  employer_count bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- The turn of the day asks the identity provider again for those it has not confirmed.
create index organizations_to_mirror on organizations (id) where idp_org_id is null;

create table users (
  id text collate "C" primary key,
  name text not null,
  email text,
  created_at timestamptz not null
);

create table memberships (
  organization_id text collate "C" not null references organizations,
  user_id text collate "C" not null references users,
  role text not null check (role in ('ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT')),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (organization_id, user_id)
);
create index memberships_of_user on memberships (user_id);

create table api_keys (
  id text collate "C" primary key,
  user_id text collate "C" not null references users,
  organization_id text collate "C" references organizations,
  secret_hash bytea not null unique,
  rate_limited boolean not null,
  created_at timestamptz not null,
  revoked_at timestamptz
);

-- employers --------------------------------------------------------------------------------------

create table employers (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  -- compared without case, in every language, whatever the locale of the database
  name text collate pg_c_utf8 not null,
  legal_name text collate pg_c_utf8 not null,
  ein_sealed bytea not null,
  ein_hash bytea not null,
  ein_last_four text not null check (ein_last_four ~ '^\d{4}$'),
  reference_id text,
  email text not null,
  phone_number text check (phone_number ~ '^\d{10}$'),
  active boolean not null default true,
  address_line_1 text not null,
  address_line_2 text,
  city text not null,
  state text not null,
  zipcode text not null,
  pay_frequency text not null default 'bi_weekly' check (pay_frequency in ('weekly', 'bi_weekly', 'semi_monthly', 'monthly')),
  first_pay_date date,
  deduction_method text not null default 'annualized' check (deduction_method in ('annualized', 'per_month')),
  census_mode text not null default 'merge' check (census_mode in ('merge', 'replace')),
  employee_count bigint not null default 0,
  -- the end of the latest subscription, kept by whoever writes subscriptions: the book would ask for it per row
  subscription_ended_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  constraint employers_ein unique (ein_hash, organization_id)
);
create unique index employers_name on employers (lower(name), organization_id);
create unique index employers_legal_name on employers (lower(legal_name), organization_id);
create unique index employers_email on employers (lower(email), organization_id);
create unique index employers_phone on employers (phone_number, organization_id);
-- The book, newest first: of one organization, and of all for a super caller. The end of the subscription goes
-- along so that a page of keys without the cancelled is read from the index alone.
create index employers_book on employers (organization_id, created_at desc, id desc) include (subscription_ended_on);
create index employers_whole_book on employers (created_at desc, id desc) include (organization_id, subscription_ended_on);
-- The total of the book counts those whose subscription ended.
create index employers_by_subscription_end on employers (organization_id, subscription_ended_on) where subscription_ended_on is not null;

create table employer_admins (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  email text not null,
  name text,
  phone text,
  disabled_at timestamptz,
  created_at timestamptz not null,
  foreign key (employer_id, organization_id) references employers
);
create unique index employer_admins_email on employer_admins (employer_id, lower(email), organization_id);
-- Search of the book by the contact e-mail of an admin who is not disabled.
create index employer_admins_by_email on employer_admins (lower(email), organization_id) where disabled_at is null;

create table employer_subscriptions (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  started_on date not null,
  -- the first day without it
  ended_on date check (ended_on > started_on),
  span daterange not null generated always as (daterange(started_on, ended_on)) stored,
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers,
  constraint one_subscription_at_a_time unique (organization_id, employer_id, span without overlaps)
);
-- The turn of the day notes those that begin.
create index employer_subscriptions_by_start on employer_subscriptions (started_on);
create index employer_subscriptions_of_employer on employer_subscriptions (employer_id, organization_id, started_on);

create table benefit_eligibility_policies (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  classification text not null check (classification in ('full_time', 'part_time', 'all')),
  waiting_period text not null check (waiting_period in ('first_of_following_month', '30_days', '60_days', 'none')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- One active policy per employer.
create unique index active_policy_of_employer on benefit_eligibility_policies (employer_id, organization_id) where archived_at is null;

-- people -----------------------------------------------------------------------------------------

create table members (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  first_name text not null,
  last_name text not null,
  -- both names without case and accents: how people are told apart and searched
  name_key text not null,
  suffix text,
  email text not null,
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
  primary key (id, organization_id)
);
-- What tells rows apart comes first and the organization last: before a table's first ANALYZE the planner takes
-- any index it has a value for, and one that begins with the organization would be read for the whole of it.
create unique index members_email on members (lower(email), organization_id);
create unique index members_phone on members (phone, organization_id);
create index members_by_birth_and_name on members (date_of_birth, name_key, organization_id);

create table employees (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  member_id text collate "C" not null,
  reference_id text,
  hired_on date,
  -- the last day employed
  terminated_on date,
  termination_reason text,
  employed daterange not null generated always as (daterange(hired_on, terminated_on, '[]')) stored,
  -- when we were told of it: for a row of a census the acceptance, however long it waited
  known_at timestamptz not null,
  -- when the end of the employment was told to the world
  deactivated_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers,
  foreign key (member_id, organization_id) references members,
  -- Over an expression and not "without overlaps" over the columns: on young tables the planner would take that
  -- GiST index for reads by employer, which it can't narrow by, and read the whole of it.
  constraint one_employment_at_a_time exclude using gist ((member_id || employer_id) with =, employed with &&)
);
-- The roster, newest first.
create index employees_roster on employees (employer_id, organization_id, created_at desc, id desc);
create index employees_of_member on employees (member_id, organization_id);
create index employees_by_reference on employees (reference_id, employer_id, organization_id) where reference_id is not null;
-- One present holder of a reference; former ones keep theirs.
create unique index one_holder_of_a_reference on employees (reference_id, employer_id, organization_id) where terminated_on is null;
-- The turn of the day announces those whose last day is past.
create index employees_to_deactivate on employees (terminated_on) where terminated_on is not null and deactivated_at is null;

-- Effective-dated history: a row holds from its day until the next row's.
create table employee_classifications (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  employee_class text not null check (employee_class in ('Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal', 'Individual Contractor')),
  created_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on),
  foreign key (employee_id, organization_id) references employees
);

create table employee_compensations (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  compensation_type text not null check (compensation_type in ('Salary', 'Hourly')),
  created_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on),
  foreign key (employee_id, organization_id) references employees
);

-- census -----------------------------------------------------------------------------------------

create table census_syncs (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  mode text not null check (mode in ('merge', 'replace')),
  row_count int not null,
  processed_count int not null default 0,
  created_count int not null default 0,
  updated_count int not null default 0,
  unchanged_count int not null default 0,
  rehired_count int not null default 0,
  terminated_count int not null default 0,
  failed_count int not null default 0,
  -- how many active employees the roster held before the first row
  roster_count int,
  -- how many would be ended, when the brake held the sync
  missing_count int,
  accepted_at timestamptz not null,
  started_at timestamptz,
  held_at timestamptz,
  confirmed_at timestamptz,
  completed_at timestamptz,
  failed_at timestamptz,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- An employer's censuses run in the order of acceptance.
create index census_syncs_waiting on census_syncs (employer_id, organization_id, accepted_at)
  where completed_at is null and failed_at is null;

-- The rows still to be processed; a chunk goes when it is done, so no personal data stays.
create table census_chunks (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  first_index int not null,
  rows jsonb not null,
  primary key (census_sync_id, organization_id, first_index),
  foreign key (census_sync_id, organization_id) references census_syncs
);

create table census_failures (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  index int not null,
  reference_id text,
  field text,
  reason text not null,
  primary key (census_sync_id, organization_id, index),
  foreign key (census_sync_id, organization_id) references census_syncs
);

-- Who a replacing census has seen: the others are missing from it.
create table census_seen (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  member_id text collate "C" not null,
  -- a row was taken as this person's: no later row can be
  claimed boolean not null,
  primary key (census_sync_id, organization_id, member_id),
  foreign key (census_sync_id, organization_id) references census_syncs
);
