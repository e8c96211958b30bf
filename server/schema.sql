-- The tables after all migrations, written by npm run gen.

CREATE EXTENSION btree_gin;
CREATE EXTENSION btree_gist;
CREATE EXTENSION pg_trgm;

CREATE TABLE affordability_figures (
  year integer NOT NULL,
  required_contribution integer,
  poverty_guidelines integer[],
  assessable_payments integer[],
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT affordability_figures_pkey PRIMARY KEY (year),
  CONSTRAINT affordability_figures_assessable_payments_check CHECK (array_length(assessable_payments, 1) = 2),
  CONSTRAINT affordability_figures_poverty_guidelines_check CHECK (array_length(poverty_guidelines, 1) = 3),
  CONSTRAINT affordability_figures_required_contribution_check CHECK (required_contribution >= 0 AND required_contribution <= 10000),
  CONSTRAINT affordability_figures_year_check CHECK (year >= 2020 AND year <= 2199)
);

CREATE TABLE ale_groups (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT ale_groups_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT ale_groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX ale_groups_of_organization ON ale_groups USING btree (organization_id, id DESC);
CREATE POLICY of_organization ON ale_groups USING (in_scope(organization_id));
ALTER TABLE ale_groups ENABLE ROW LEVEL SECURITY;

CREATE TABLE ale_members (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  ale_group_id text COLLATE "C" NOT NULL,
  ein_employer_id text COLLATE "C" NOT NULL,
  CONSTRAINT ale_members_pkey PRIMARY KEY (employer_id, organization_id),
  CONSTRAINT ale_members_ale_group_id_organization_id_fkey FOREIGN KEY (ale_group_id, organization_id) REFERENCES ale_groups(id, organization_id),
  CONSTRAINT ale_members_ein_employer_id_organization_id_fkey FOREIGN KEY (ein_employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT ale_members_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX ale_members_of_group ON ale_members USING btree (ale_group_id, organization_id);
CREATE POLICY of_organization ON ale_members USING (in_scope(organization_id));
ALTER TABLE ale_members ENABLE ROW LEVEL SECURITY;

CREATE TABLE api_keys (
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C",
  secret_hash bytea NOT NULL,
  rate_limited boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  name text,
  last_four text NOT NULL,
  mode text NOT NULL,
  created_by text COLLATE "C",
  scopes text[] NOT NULL,
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  allowed_origins text[],
  open_to text[],
  rotated_at timestamp with time zone,
  former_secret_hash bytea,
  former_secret_expires_at timestamp with time zone,
  revoked_because text,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_former_secret_hash_key UNIQUE (former_secret_hash),
  CONSTRAINT api_keys_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT api_keys_check CHECK (expires_at > created_at),
  CONSTRAINT api_keys_check1 CHECK (open_to IS NULL OR organization_id IS NULL),
  CONSTRAINT api_keys_mode_check CHECK (mode = ANY (ARRAY['live'::text, 'test'::text])),
  CONSTRAINT api_keys_revoked_because_check CHECK (revoked_because = ANY (ARRAY['requested'::text, 'leaked'::text])),
  CONSTRAINT api_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX api_keys_by_creation ON api_keys USING btree (created_at DESC, id DESC);
CREATE INDEX api_keys_not_revoked ON api_keys USING btree (organization_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_of_organization ON api_keys USING btree (organization_id, created_at DESC, id DESC);
CREATE INDEX api_keys_of_user ON api_keys USING btree (user_id, created_at DESC, id DESC);
CREATE INDEX api_keys_with_origins ON api_keys USING btree (id) WHERE allowed_origins IS NOT NULL AND revoked_at IS NULL;
CREATE POLICY of_organization ON api_keys USING (key_in_scope(organization_id, user_id));
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;

CREATE TABLE assignments (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  client_name text NOT NULL,
  address_line_1 text,
  address_line_2 text,
  city text,
  state text,
  zipcode text,
  county text COLLATE pg_c_utf8,
  starts_on date NOT NULL,
  ends_on date,
  hourly_rate_in_cents bigint,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT assignments_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT assignments_check CHECK (ends_on >= starts_on),
  CONSTRAINT assignments_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE INDEX assignments_of_employee ON assignments USING btree (employee_id, organization_id, starts_on DESC);
CREATE POLICY of_organization ON assignments USING (in_scope(organization_id));
ALTER TABLE assignments ENABLE ROW LEVEL SECURITY;

CREATE TABLE audit_batches (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  day date NOT NULL,
  shard smallint NOT NULL,
  number bigint NOT NULL,
  occurred_at timestamp with time zone[] NOT NULL,
  operations text[] COLLATE "C" NOT NULL,
  resource_ids text[] COLLATE "C" NOT NULL,
  statuses smallint[] NOT NULL,
  actor_kinds text[] COLLATE "C" NOT NULL,
  actor_ids text[] COLLATE "C" NOT NULL,
  user_ids text[] COLLATE "C" NOT NULL,
  addresses text[] NOT NULL,
  trace_ids text[] NOT NULL,
  fields text[] NOT NULL,
  checks integer[] NOT NULL,
  hash bytea NOT NULL,
  began_at timestamp with time zone GENERATED ALWAYS AS (occurred_at[1]) STORED NOT NULL,
  CONSTRAINT audit_batches_pkey PRIMARY KEY (day, organization_id, shard, number)
) PARTITION BY RANGE (day);
CREATE INDEX audit_batches_by_resource ON audit_batches USING gin (resource_ids);
CREATE INDEX audit_batches_in_order ON audit_batches USING btree (began_at DESC, id DESC);
CREATE INDEX audit_batches_of_organization ON audit_batches USING btree (organization_id, began_at DESC, id DESC);
CREATE POLICY of_organization ON audit_batches FOR SELECT USING (in_scope(organization_id));
CREATE POLICY written ON audit_batches FOR INSERT WITH CHECK (organization_id = ''::text OR in_scope(organization_id));
ALTER TABLE audit_batches ENABLE ROW LEVEL SECURITY;

CREATE TABLE audit_batches_other PARTITION OF audit_batches DEFAULT;
ALTER TABLE audit_batches_other ENABLE ROW LEVEL SECURITY;

CREATE TABLE audit_chains (
  day date NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  shard smallint NOT NULL,
  batch_count bigint NOT NULL,
  last_hash bytea NOT NULL,
  CONSTRAINT audit_chains_pkey PRIMARY KEY (day, organization_id, shard)
) PARTITION BY RANGE (day);
CREATE POLICY of_organization ON audit_chains USING (organization_id = ''::text OR in_scope(organization_id));
ALTER TABLE audit_chains ENABLE ROW LEVEL SECURITY;

CREATE TABLE audit_chains_other PARTITION OF audit_chains DEFAULT;
ALTER TABLE audit_chains_other ENABLE ROW LEVEL SECURITY;

CREATE TABLE audit_seals (
  day date NOT NULL,
  chain_count bigint NOT NULL,
  batch_count bigint NOT NULL,
  digest bytea NOT NULL,
  seal bytea NOT NULL,
  CONSTRAINT audit_seals_pkey PRIMARY KEY (day)
);

CREATE TABLE beneficiary_designations (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  designated_at timestamp with time zone NOT NULL,
  actor text NOT NULL,
  actor_id text COLLATE "C",
  beneficiaries jsonb NOT NULL,
  CONSTRAINT beneficiary_designations_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT beneficiary_designations_actor_check CHECK (actor = ANY (ARRAY['employee'::text, 'partner'::text, 'operator'::text, 'rule'::text])),
  CONSTRAINT beneficiary_designations_benefit_id_organization_id_fkey FOREIGN KEY (benefit_id, organization_id) REFERENCES benefit_products(id, organization_id),
  CONSTRAINT beneficiary_designations_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE INDEX beneficiary_designations_of_employee ON beneficiary_designations USING btree (employee_id, organization_id, benefit_id, designated_at);
CREATE POLICY of_organization ON beneficiary_designations USING (in_scope(organization_id));
ALTER TABLE beneficiary_designations ENABLE ROW LEVEL SECURITY;

CREATE TABLE benefit_eligibility_policies (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  classification text NOT NULL,
  waiting_period text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  archived_at timestamp with time zone,
  effective_on date NOT NULL,
  archived_on date,
  employee_classes text[] NOT NULL,
  compensation_types text[],
  benefit_ids text[] DEFAULT '{}'::text[] NOT NULL,
  start_alignment text DEFAULT 'exact'::text NOT NULL,
  service_credit_weeks integer DEFAULT 13 NOT NULL,
  service_credit_from date DEFAULT '-infinity'::date NOT NULL,
  eligibility_basis text DEFAULT 'employee_class'::text NOT NULL,
  CONSTRAINT benefit_eligibility_policies_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT benefit_eligibility_policies_classification_check CHECK (classification = ANY (ARRAY['full_time'::text, 'part_time'::text, 'all'::text])),
  CONSTRAINT benefit_eligibility_policies_eligibility_basis_check CHECK (eligibility_basis = ANY (ARRAY['employee_class'::text, 'measured'::text])),
  CONSTRAINT benefit_eligibility_policies_employee_classes_check CHECK (employee_classes <> '{}'::text[]),
  CONSTRAINT benefit_eligibility_policies_service_credit_weeks_check CHECK (service_credit_weeks >= 0 AND service_credit_weeks <= 52),
  CONSTRAINT benefit_eligibility_policies_start_alignment_check CHECK (start_alignment = ANY (ARRAY['exact'::text, 'first_of_month'::text])),
  CONSTRAINT benefit_eligibility_policies_waiting_period_check CHECK (waiting_period = ANY (ARRAY['first_of_following_month'::text, '30_days'::text, '60_days'::text, 'none'::text])),
  CONSTRAINT benefit_eligibility_policies_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE UNIQUE INDEX active_policy_of_employer ON benefit_eligibility_policies USING btree (employer_id, organization_id) WHERE archived_at IS NULL AND benefit_ids = '{}'::text[];
CREATE INDEX own_policies_of_employer ON benefit_eligibility_policies USING btree (employer_id, organization_id) WHERE benefit_ids <> '{}'::text[];
CREATE INDEX policies_of_employer ON benefit_eligibility_policies USING btree (employer_id, organization_id, effective_on);
CREATE POLICY of_organization ON benefit_eligibility_policies USING (in_scope(organization_id));
ALTER TABLE benefit_eligibility_policies ENABLE ROW LEVEL SECURITY;

CREATE TABLE benefit_plan_years (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  year integer NOT NULL,
  coverage_start date NOT NULL,
  coverage_end date NOT NULL,
  open_enrollment_start date,
  open_enrollment_end date,
  offered_states text[] DEFAULT '{}'::text[] NOT NULL,
  eligible_count bigint DEFAULT 0 NOT NULL,
  enrolled_count bigint DEFAULT 0 NOT NULL,
  enrollment_count bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  renewal text DEFAULT 'active'::text NOT NULL,
  plan_successors jsonb DEFAULT '{}'::jsonb NOT NULL,
  renewed_on date,
  as_opened jsonb,
  amended_count integer DEFAULT 0 NOT NULL,
  renewal_due_on date GENERATED ALWAYS AS (renewal_due_on(open_enrollment_end, coverage_start)) STORED,
  CONSTRAINT benefit_plan_years_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT benefit_plan_years_check CHECK (coverage_end > coverage_start),
  CONSTRAINT benefit_plan_years_check1 CHECK (open_enrollment_end >= open_enrollment_start),
  CONSTRAINT benefit_plan_years_check2 CHECK ((open_enrollment_start IS NULL) = (open_enrollment_end IS NULL)),
  CONSTRAINT benefit_plan_years_renewal_check CHECK (renewal = ANY (ARRAY['passive'::text, 'active'::text])),
  CONSTRAINT benefit_plan_years_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX benefit_plan_years_by_end ON benefit_plan_years USING btree (coverage_end, organization_id);
CREATE INDEX benefit_plan_years_by_start ON benefit_plan_years USING btree (coverage_start, organization_id);
CREATE INDEX benefit_plan_years_by_window_start ON benefit_plan_years USING btree (open_enrollment_start, organization_id) WHERE open_enrollment_start IS NOT NULL;
CREATE INDEX benefit_plan_years_of_employer ON benefit_plan_years USING btree (employer_id, organization_id, coverage_start DESC);
CREATE INDEX benefit_plan_years_of_end ON benefit_plan_years USING btree (organization_id, coverage_end) WHERE coverage_end > '-infinity'::date;
CREATE INDEX benefit_plan_years_of_window_end ON benefit_plan_years USING btree (organization_id, open_enrollment_end) WHERE open_enrollment_end > '-infinity'::date;
CREATE INDEX benefit_plan_years_to_renew ON benefit_plan_years USING btree (renewal_due_on, organization_id) WHERE renewal = 'passive'::text AND renewed_on IS NULL;
CREATE POLICY of_organization ON benefit_plan_years USING (in_scope(organization_id));
ALTER TABLE benefit_plan_years ENABLE ROW LEVEL SECURITY;

CREATE TABLE benefit_products (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  product_code text NOT NULL,
  category text NOT NULL,
  family text GENERATED ALWAYS AS (
CASE
    WHEN product_code = ANY (ARRAY['EBA'::text, 'MEC'::text, 'MEC2'::text, 'MEC_PLUS'::text]) THEN 'mec'::text
    WHEN product_code ~~ 'MVP%'::text THEN 'mvp'::text
    WHEN product_code ~~ 'ICHRA%'::text THEN 'ichra'::text
    WHEN product_code = ANY (ARRAY['VPC'::text, 'VPC_CORE'::text]) THEN 'vpc'::text
    WHEN product_code = 'VD'::text THEN 'dental'::text
    ELSE 'vision'::text
END) STORED NOT NULL,
  name text COLLATE pg_c_utf8 NOT NULL,
  takes_beneficiaries boolean DEFAULT false NOT NULL,
  required_dependent_fields text[] DEFAULT '{}'::text[] NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  name_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(name)) STORED,
  CONSTRAINT benefit_products_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT benefit_products_category_check CHECK (category = ANY (ARRAY['Medical'::text, 'Dental'::text, 'Vision'::text, 'Hospital'::text])),
  CONSTRAINT benefit_products_product_code_check CHECK (product_code = ANY (ARRAY['EBA'::text, 'VPC'::text, 'VPC_CORE'::text, 'MEC'::text, 'MEC2'::text, 'MEC_PLUS'::text, 'MVP'::text, 'MVP2'::text, 'MVPSL'::text, 'MVPSL2'::text, 'VD'::text, 'VV'::text, 'ICHRA'::text, 'ICHRA_PREMIUM_PLUS'::text, 'ICHRA_REIMBURSEMENT_ONLY'::text])),
  CONSTRAINT benefit_products_required_dependent_fields_check CHECK (required_dependent_fields <@ '{address,gender,verification}'::text[]),
  CONSTRAINT benefit_products_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX benefit_products_name ON benefit_products USING btree (name_key, organization_id);
CREATE INDEX benefit_products_of_organization ON benefit_products USING btree (organization_id, name, id);
CREATE POLICY of_organization ON benefit_products USING (in_scope(organization_id));
ALTER TABLE benefit_products ENABLE ROW LEVEL SECURITY;

CREATE TABLE billing_systems (
  organization_id text COLLATE "C" NOT NULL,
  billing_system text NOT NULL,
  stripe_secret_key_sealed bytea,
  stripe_webhook_secret_sealed bytea,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT billing_systems_pkey PRIMARY KEY (organization_id),
  CONSTRAINT billing_systems_billing_system_check CHECK (billing_system = ANY (ARRAY['built_in'::text, 'stripe'::text])),
  CONSTRAINT billing_systems_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE POLICY of_organization ON billing_systems USING (in_scope(organization_id));
ALTER TABLE billing_systems ENABLE ROW LEVEL SECURITY;

CREATE TABLE book_counts (
  organization_id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  employer_count bigint NOT NULL,
  stage text COLLATE "C" GENERATED ALWAYS AS (split_part(kind, '|'::text, 1)) STORED NOT NULL,
  hris_status text COLLATE "C" GENERATED ALWAYS AS (split_part(kind, '|'::text, 2)) STORED NOT NULL,
  families text COLLATE "C" GENERATED ALWAYS AS (split_part(kind, '|'::text, 3)) STORED NOT NULL,
  provider text COLLATE "C" GENERATED ALWAYS AS (substr(kind, length((split_part(kind, '|'::text, 1) || split_part(kind, '|'::text, 2)) || split_part(kind, '|'::text, 3)) + 4)) STORED NOT NULL,
  CONSTRAINT book_counts_pkey PRIMARY KEY (organization_id, kind, slot)
);
CREATE POLICY of_organization ON book_counts USING (in_scope(organization_id));
ALTER TABLE book_counts ENABLE ROW LEVEL SECURITY;

CREATE TABLE book_entries (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  stage text COLLATE "C" NOT NULL,
  families text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  hris_status text COLLATE "C" NOT NULL,
  kind text COLLATE "C" GENERATED ALWAYS AS ((((((stage || '|'::text) || hris_status) || '|'::text) || families) || '|'::text) || provider) STORED NOT NULL,
  valid_from date NOT NULL,
  valid_until date NOT NULL,
  CONSTRAINT book_entries_pkey PRIMARY KEY (employer_id, organization_id),
  CONSTRAINT book_entries_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX book_entries_by_beginning ON book_entries USING btree (organization_id, valid_from) INCLUDE (employer_id, kind);
CREATE INDEX book_entries_by_end ON book_entries USING btree (organization_id, valid_until) INCLUDE (employer_id, kind);
CREATE INDEX book_entries_of_kind ON book_entries USING btree (organization_id, kind, created_at DESC, employer_id DESC) INCLUDE (valid_from, valid_until);
CREATE INDEX book_entries_of_kind_anywhere ON book_entries USING btree (kind, created_at DESC, employer_id DESC) INCLUDE (organization_id, valid_from, valid_until);
CREATE POLICY of_organization ON book_entries USING (in_scope(organization_id));
ALTER TABLE book_entries ENABLE ROW LEVEL SECURITY;

CREATE TABLE bounced_addresses (
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" NOT NULL,
  smtp_status integer NOT NULL,
  bounced_at timestamp with time zone NOT NULL,
  CONSTRAINT bounced_addresses_pkey PRIMARY KEY (member_id, organization_id)
);
CREATE POLICY of_organization ON bounced_addresses USING (in_scope(organization_id));
ALTER TABLE bounced_addresses ENABLE ROW LEVEL SECURITY;

CREATE TABLE carriers (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE pg_c_utf8 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  name_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(name)) STORED,
  CONSTRAINT carriers_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT carriers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE UNIQUE INDEX carriers_name ON carriers USING btree (name_key, organization_id);
CREATE INDEX carriers_of_organization ON carriers USING btree (organization_id, name, id);
CREATE POLICY of_organization ON carriers USING (in_scope(organization_id));
ALTER TABLE carriers ENABLE ROW LEVEL SECURITY;

CREATE TABLE census_changes (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  differences jsonb,
  reported json,
  CONSTRAINT census_changes_pkey PRIMARY KEY (census_sync_id, organization_id, employee_id),
  CONSTRAINT census_changes_one_of_both CHECK ((differences IS NULL) <> (reported IS NULL))
);
CREATE POLICY of_organization ON census_changes USING (in_scope(organization_id));
ALTER TABLE census_changes ENABLE ROW LEVEL SECURITY;

CREATE TABLE census_chunks (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  first_index integer NOT NULL,
  rows json NOT NULL,
  CONSTRAINT census_chunks_pkey PRIMARY KEY (census_sync_id, organization_id, first_index),
  CONSTRAINT census_chunks_census_sync_id_organization_id_fkey FOREIGN KEY (census_sync_id, organization_id) REFERENCES census_syncs(id, organization_id)
);
CREATE POLICY of_organization ON census_chunks USING (in_scope(organization_id));
ALTER TABLE census_chunks ENABLE ROW LEVEL SECURITY;

CREATE TABLE census_failures (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  index integer NOT NULL,
  reference_id text,
  field text,
  reason text NOT NULL,
  CONSTRAINT census_failures_pkey PRIMARY KEY (census_sync_id, organization_id, index),
  CONSTRAINT census_failures_census_sync_id_organization_id_fkey FOREIGN KEY (census_sync_id, organization_id) REFERENCES census_syncs(id, organization_id)
);
CREATE POLICY of_organization ON census_failures USING (in_scope(organization_id));
ALTER TABLE census_failures ENABLE ROW LEVEL SECURITY;

CREATE TABLE census_seen (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  member_ids text[] COLLATE "C" NOT NULL,
  claimed_ids text[] COLLATE "C" NOT NULL,
  CONSTRAINT census_seen_pkey PRIMARY KEY (census_sync_id, organization_id, "position")
);
CREATE POLICY of_organization ON census_seen USING (in_scope(organization_id));
ALTER TABLE census_seen ENABLE ROW LEVEL SECURITY;

CREATE TABLE census_syncs (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  mode text NOT NULL,
  row_count integer NOT NULL,
  processed_count integer DEFAULT 0 NOT NULL,
  created_count integer DEFAULT 0 NOT NULL,
  updated_count integer DEFAULT 0 NOT NULL,
  unchanged_count integer DEFAULT 0 NOT NULL,
  rehired_count integer DEFAULT 0 NOT NULL,
  terminated_count integer DEFAULT 0 NOT NULL,
  failed_count integer DEFAULT 0 NOT NULL,
  roster_count integer,
  missing_count integer,
  accepted_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  held_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  completed_at timestamp with time zone,
  failed_at timestamp with time zone,
  origin text DEFAULT 'api'::text NOT NULL,
  completion_task text,
  has_unmatched_rows boolean DEFAULT false NOT NULL,
  CONSTRAINT census_syncs_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT census_syncs_mode_check CHECK (mode = ANY (ARRAY['merge'::text, 'replace'::text])),
  CONSTRAINT census_syncs_origin_check CHECK (origin = ANY (ARRAY['api'::text, 'hris'::text])),
  CONSTRAINT census_syncs_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX census_syncs_of_employer ON census_syncs USING btree (employer_id, organization_id, accepted_at, id);
CREATE INDEX census_syncs_waiting ON census_syncs USING btree (employer_id, organization_id, accepted_at) WHERE completed_at IS NULL AND failed_at IS NULL;
CREATE POLICY of_organization ON census_syncs USING (in_scope(organization_id));
ALTER TABLE census_syncs ENABLE ROW LEVEL SECURITY;

CREATE TABLE census_warnings (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  index integer NOT NULL,
  reference_id text,
  field text NOT NULL,
  reason text NOT NULL,
  CONSTRAINT census_warnings_pkey PRIMARY KEY (census_sync_id, organization_id, index, field),
  CONSTRAINT census_warnings_census_sync_id_organization_id_fkey FOREIGN KEY (census_sync_id, organization_id) REFERENCES census_syncs(id, organization_id)
);
CREATE POLICY of_organization ON census_warnings USING (in_scope(organization_id));
ALTER TABLE census_warnings ENABLE ROW LEVEL SECURITY;

CREATE TABLE covered_dependents (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  dependent_id text COLLATE "C" NOT NULL,
  covered_until date,
  CONSTRAINT covered_dependents_pkey PRIMARY KEY (enrollment_id, organization_id, effective_on, dependent_id),
  CONSTRAINT covered_dependents_dependent_id_organization_id_fkey FOREIGN KEY (dependent_id, organization_id) REFERENCES dependents(id, organization_id),
  CONSTRAINT covered_dependents_enrollment_id_organization_id_effective_fkey FOREIGN KEY (enrollment_id, organization_id, effective_on) REFERENCES elections(enrollment_id, organization_id, effective_on) ON DELETE CASCADE
);
CREATE INDEX covered_dependents_by_end ON covered_dependents USING btree (organization_id, covered_until, dependent_id) WHERE covered_until IS NOT NULL;
CREATE INDEX covered_dependents_of_dependent ON covered_dependents USING btree (dependent_id, organization_id);
CREATE POLICY of_organization ON covered_dependents USING (in_scope(organization_id));
ALTER TABLE covered_dependents ENABLE ROW LEVEL SECURITY;

CREATE TABLE credential_usage (
  day date NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  operation text COLLATE "C" NOT NULL,
  request_count bigint NOT NULL,
  refused_count bigint NOT NULL,
  limited_count bigint NOT NULL,
  failed_count bigint NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  CONSTRAINT credential_usage_pkey PRIMARY KEY (credential_id, day, operation, organization_id)
);
CREATE INDEX credential_usage_by_day ON credential_usage USING btree (day);
CREATE INDEX credential_usage_failed ON credential_usage USING btree (day) WHERE failed_count > 0;
CREATE INDEX credential_usage_of_organization ON credential_usage USING btree (organization_id, day DESC);

CREATE TABLE deduction_balances (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  year integer NOT NULL,
  tax_classification text NOT NULL,
  collected_in_cents bigint NOT NULL,
  adjusted_in_cents bigint DEFAULT 0 NOT NULL,
  arrears_in_cents bigint DEFAULT 0 NOT NULL,
  taxed_months smallint DEFAULT 0 NOT NULL,
  CONSTRAINT deduction_balances_pkey PRIMARY KEY (enrollment_id, year, organization_id, tax_classification),
  CONSTRAINT deduction_balances_tax_classification_check CHECK (tax_classification = ANY (ARRAY['Pre-tax'::text, 'Post-tax'::text]))
);
CREATE POLICY of_organization ON deduction_balances USING (in_scope(organization_id));
ALTER TABLE deduction_balances ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines (
  organization_id text COLLATE "C" NOT NULL,
  statement_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  year integer NOT NULL,
  kind text NOT NULL,
  amount_in_cents bigint NOT NULL,
  benefit_name text NOT NULL,
  tax_classification text NOT NULL,
  reason text,
  corrected_period_start_date date,
  corrected_period_end_date date,
  CONSTRAINT deduction_lines_pkey PRIMARY KEY (statement_id, employee_id, enrollment_id, year, kind, tax_classification, organization_id),
  CONSTRAINT deduction_lines_amount_in_cents_check CHECK (amount_in_cents <> 0),
  CONSTRAINT deduction_lines_check CHECK (kind <> 'deduction'::text OR amount_in_cents > 0),
  CONSTRAINT deduction_lines_check1 CHECK (num_nulls(corrected_period_start_date, corrected_period_end_date) = ANY (ARRAY[0, 2])),
  CONSTRAINT deduction_lines_check2 CHECK ((kind = 'correction'::text) = (corrected_period_start_date IS NOT NULL)),
  CONSTRAINT deduction_lines_kind_check CHECK (kind = ANY (ARRAY['deduction'::text, 'correction'::text, 'manual_adjustment'::text, 'arrears'::text])),
  CONSTRAINT deduction_lines_tax_classification_check CHECK (tax_classification = ANY (ARRAY['Pre-tax'::text, 'Post-tax'::text]))
) PARTITION BY HASH (organization_id);
CREATE INDEX deduction_lines_of_employee ON deduction_lines USING btree (employee_id, organization_id, year);
CREATE POLICY of_organization ON deduction_lines USING (in_scope(organization_id));
ALTER TABLE deduction_lines ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_0 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 0);
ALTER TABLE deduction_lines_0 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_1 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 1);
ALTER TABLE deduction_lines_1 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_2 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 2);
ALTER TABLE deduction_lines_2 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_3 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 3);
ALTER TABLE deduction_lines_3 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_4 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 4);
ALTER TABLE deduction_lines_4 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_5 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 5);
ALTER TABLE deduction_lines_5 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_6 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 6);
ALTER TABLE deduction_lines_6 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_lines_7 PARTITION OF deduction_lines FOR VALUES WITH (modulus 8, remainder 7);
ALTER TABLE deduction_lines_7 ENABLE ROW LEVEL SECURITY;

CREATE TABLE deduction_statements (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  year integer NOT NULL,
  period_start_date date NOT NULL,
  period_end_date date NOT NULL,
  frequency text NOT NULL,
  first_pay_date date,
  deduction_method text NOT NULL,
  number integer NOT NULL,
  period_count integer NOT NULL,
  through_employee_id text COLLATE "C",
  employee_count bigint DEFAULT 0 NOT NULL,
  line_count bigint DEFAULT 0 NOT NULL,
  total_in_cents bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  generated_at timestamp with time zone,
  deductions_per_year integer,
  publishing_after text COLLATE "C",
  CONSTRAINT deduction_statements_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT deduction_statements_employer_id_organization_id_period_end_key UNIQUE (employer_id, organization_id, period_end_date),
  CONSTRAINT deduction_statements_check CHECK (period_end_date >= period_start_date),
  CONSTRAINT deduction_statements_check1 CHECK (number >= 1 AND number <= period_count),
  CONSTRAINT deduction_statements_deduction_method_check CHECK (deduction_method = ANY (ARRAY['annualized'::text, 'per_month'::text])),
  CONSTRAINT deduction_statements_frequency_check CHECK (frequency = ANY (ARRAY['weekly'::text, 'bi_weekly'::text, 'semi_monthly'::text, 'monthly'::text])),
  CONSTRAINT deduction_statements_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX deduction_statements_in_order ON deduction_statements USING btree (organization_id, period_end_date DESC, id DESC) WHERE period_end_date > '-infinity'::date;
CREATE INDEX deduction_statements_of_activity ON deduction_statements USING btree (organization_id, generated_at DESC, id DESC) WHERE generated_at IS NOT NULL AND line_count > 0;
CREATE INDEX deduction_statements_open ON deduction_statements USING btree (employer_id, organization_id, period_end_date) WHERE generated_at IS NULL OR publishing_after IS NOT NULL;
CREATE POLICY of_organization ON deduction_statements USING (in_scope(organization_id));
ALTER TABLE deduction_statements ENABLE ROW LEVEL SECURITY;

CREATE TABLE dependent_attachments (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  dependent_id text COLLATE "C" NOT NULL,
  file_name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT dependent_attachments_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT dependent_attachments_dependent_id_organization_id_fkey FOREIGN KEY (dependent_id, organization_id) REFERENCES dependents(id, organization_id),
  CONSTRAINT dependent_attachments_id_organization_id_fkey FOREIGN KEY (id, organization_id) REFERENCES files(id, organization_id) ON DELETE CASCADE
);
CREATE INDEX dependent_attachments_of_dependent ON dependent_attachments USING btree (dependent_id, organization_id, created_at, id);
CREATE POLICY of_organization ON dependent_attachments USING (in_scope(organization_id));
ALTER TABLE dependent_attachments ENABLE ROW LEVEL SECURITY;

CREATE TABLE dependent_coverage_ends (
  organization_id text COLLATE "C" NOT NULL,
  dependent_id text COLLATE "C" NOT NULL,
  covered_until date NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT dependent_coverage_ends_pkey PRIMARY KEY (dependent_id, organization_id, covered_until),
  CONSTRAINT dependent_coverage_ends_dependent_id_organization_id_fkey FOREIGN KEY (dependent_id, organization_id) REFERENCES dependents(id, organization_id)
);
CREATE POLICY of_organization ON dependent_coverage_ends USING (in_scope(organization_id));
ALTER TABLE dependent_coverage_ends ENABLE ROW LEVEL SECURITY;

CREATE TABLE dependents (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  relationship text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  suffix text,
  date_of_birth date NOT NULL,
  gender text,
  ended_on date,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  disabled_until date,
  disabled_reason text,
  address_line_1 text,
  address_line_2 text,
  city text,
  state text,
  zipcode text,
  verification text DEFAULT 'unverified'::text NOT NULL,
  verification_decided_at timestamp with time zone,
  verification_reason text,
  name_key text COLLATE "C" GENERATED ALWAYS AS ((searchable_name(first_name) || ' '::text) || searchable_name(last_name)) STORED,
  last_name_key text COLLATE "C" GENERATED ALWAYS AS (searchable_name(last_name)) STORED,
  CONSTRAINT dependents_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT dependents_relationship_check CHECK (relationship = ANY (ARRAY['spouse'::text, 'domestic_partner'::text, 'child'::text])),
  CONSTRAINT dependents_verification_check CHECK (verification = ANY (ARRAY['unverified'::text, 'pending'::text, 'verified'::text, 'rejected'::text])),
  CONSTRAINT dependents_member_id_organization_id_fkey FOREIGN KEY (member_id, organization_id) REFERENCES members(id, organization_id)
);
CREATE INDEX dependents_by_last_name ON dependents USING btree (organization_id, last_name_key, id) WHERE last_name_key > ''::text;
CREATE INDEX dependents_by_last_name_anywhere ON dependents USING btree (last_name_key, organization_id, id);
CREATE INDEX dependents_by_name ON dependents USING btree (organization_id, name_key, id) WHERE name_key > ''::text;
CREATE INDEX dependents_of_member ON dependents USING btree (member_id, organization_id, created_at);
CREATE INDEX dependents_to_verify ON dependents USING btree (organization_id, member_id) WHERE verification = 'pending'::text AND ended_on IS NULL;
CREATE UNIQUE INDEX one_spouse ON dependents USING btree (member_id, organization_id) WHERE (relationship = ANY (ARRAY['spouse'::text, 'domestic_partner'::text])) AND ended_on IS NULL;
CREATE POLICY of_organization ON dependents USING (in_scope(organization_id));
ALTER TABLE dependents ENABLE ROW LEVEL SECURITY;

CREATE TABLE derived_forms (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  tax_year integer NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  urgency integer NOT NULL,
  last_name text NOT NULL,
  state text,
  exceptions text[] NOT NULL,
  item jsonb NOT NULL,
  content text NOT NULL,
  content_hash text NOT NULL,
  derived_at timestamp with time zone NOT NULL,
  CONSTRAINT derived_forms_pkey PRIMARY KEY (employer_id, organization_id, tax_year, member_id)
);
CREATE INDEX derived_forms_by_urgency ON derived_forms USING btree (employer_id, organization_id, tax_year, urgency, last_name, member_id);
CREATE INDEX derived_forms_of_member ON derived_forms USING btree (member_id, organization_id);
CREATE POLICY of_organization ON derived_forms USING (in_scope(organization_id));
ALTER TABLE derived_forms ENABLE ROW LEVEL SECURITY;

CREATE TABLE directory_counts (
  of_table text NOT NULL,
  shard smallint NOT NULL,
  row_count bigint NOT NULL,
  CONSTRAINT directory_counts_pkey PRIMARY KEY (of_table, shard)
);

CREATE TABLE document_receipts (
  organization_id text COLLATE "C" NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  reported_by text NOT NULL,
  CONSTRAINT document_receipts_pkey PRIMARY KEY (document_id, organization_id, employee_id),
  CONSTRAINT document_receipts_reported_by_check CHECK (reported_by = ANY (ARRAY['employee'::text, 'partner'::text])),
  CONSTRAINT document_receipts_document_id_organization_id_fkey FOREIGN KEY (document_id, organization_id) REFERENCES documents(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT document_receipts_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id) ON DELETE CASCADE
);
CREATE INDEX document_receipts_of_employee ON document_receipts USING btree (employee_id, organization_id, document_id);
CREATE POLICY of_organization ON document_receipts USING (in_scope(organization_id));
ALTER TABLE document_receipts ENABLE ROW LEVEL SECURITY;

CREATE TABLE documents (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  series_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  employer_id text COLLATE "C",
  plan_year_id text COLLATE "C",
  plan_id text COLLATE "C",
  kind text NOT NULL,
  title text COLLATE pg_c_utf8 NOT NULL,
  language text NOT NULL,
  audience text NOT NULL,
  is_required_at_election boolean NOT NULL,
  file_name text NOT NULL,
  effective_on date NOT NULL,
  replaced_on date,
  withdrawn_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT documents_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT documents_audience_check CHECK (audience = ANY (ARRAY['members'::text, 'employees'::text, 'public'::text])),
  CONSTRAINT documents_check CHECK (employer_id IS NULL OR plan_id IS NULL),
  CONSTRAINT documents_check1 CHECK (plan_year_id IS NULL OR employer_id IS NOT NULL),
  CONSTRAINT documents_kind_check CHECK (kind = ANY (ARRAY['sbc'::text, 'spd'::text, 'summary'::text, 'guide'::text, 'notice'::text, 'form'::text])),
  CONSTRAINT documents_language_check CHECK (language = ANY (ARRAY['en'::text, 'es'::text])),
  CONSTRAINT documents_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT documents_id_organization_id_fkey FOREIGN KEY (id, organization_id) REFERENCES files(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT documents_plan_id_organization_id_fkey FOREIGN KEY (plan_id, organization_id) REFERENCES plans(id, organization_id),
  CONSTRAINT documents_plan_year_id_organization_id_fkey FOREIGN KEY (plan_year_id, organization_id) REFERENCES benefit_plan_years(id, organization_id)
);
CREATE INDEX documents_of_organization ON documents USING btree (organization_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX documents_versions ON documents USING btree (series_id, organization_id, language, version);
CREATE POLICY of_organization ON documents USING (in_scope(organization_id));
ALTER TABLE documents ENABLE ROW LEVEL SECURITY;

CREATE TABLE elections (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  coverage_tier text NOT NULL,
  tier_id text COLLATE "C",
  premium_in_cents bigint NOT NULL,
  employer_contribution_in_cents bigint NOT NULL,
  employee_deduction_in_cents bigint NOT NULL,
  elected_at timestamp with time zone NOT NULL,
  bought_on_exchange boolean,
  individual_plan_name text,
  elected_by text,
  follows boolean DEFAULT false NOT NULL,
  domestic_partner_share_in_cents bigint DEFAULT 0 NOT NULL,
  amendment_id text COLLATE "C",
  as_elected jsonb,
  removed_dependent_ids text[] DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT elections_pkey PRIMARY KEY (enrollment_id, organization_id, effective_on),
  CONSTRAINT elections_check CHECK (premium_in_cents = (employer_contribution_in_cents + employee_deduction_in_cents) OR individual_plan_name IS NOT NULL AND employee_deduction_in_cents = 0 AND employer_contribution_in_cents <= premium_in_cents),
  CONSTRAINT elections_check1 CHECK (domestic_partner_share_in_cents >= 0 AND domestic_partner_share_in_cents <= employee_deduction_in_cents),
  CONSTRAINT elections_coverage_tier_check CHECK (coverage_tier = ANY (ARRAY['EE'::text, 'ES'::text, 'EC'::text, 'EF'::text])),
  CONSTRAINT elections_elected_by_check CHECK (elected_by = ANY (ARRAY['employee'::text, 'partner'::text, 'operator'::text, 'renewal'::text, 'return'::text])),
  CONSTRAINT elections_enrollment_id_organization_id_fkey FOREIGN KEY (enrollment_id, organization_id) REFERENCES enrollments(id, organization_id),
  CONSTRAINT elections_plan_id_organization_id_fkey FOREIGN KEY (plan_id, organization_id) REFERENCES plans(id, organization_id)
);
CREATE INDEX elections_of_plan ON elections USING btree (plan_id, organization_id);
CREATE POLICY of_organization ON elections USING (in_scope(organization_id));
ALTER TABLE elections ENABLE ROW LEVEL SECURITY;

CREATE TABLE electronic_deliveries (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  given_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  CONSTRAINT electronic_deliveries_pkey PRIMARY KEY (member_id, organization_id, employer_id),
  CONSTRAINT electronic_deliveries_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT electronic_deliveries_member_id_organization_id_fkey FOREIGN KEY (member_id, organization_id) REFERENCES members(id, organization_id)
);
CREATE POLICY of_organization ON electronic_deliveries USING (in_scope(organization_id));
ALTER TABLE electronic_deliveries ENABLE ROW LEVEL SECURITY;

CREATE TABLE eligibility_statuses (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  eligible boolean NOT NULL,
  due_on date,
  settled_by date,
  CONSTRAINT eligibility_statuses_pkey PRIMARY KEY (employee_id, organization_id)
);
CREATE INDEX eligibility_statuses_due ON eligibility_statuses USING btree (organization_id, due_on) WHERE due_on IS NOT NULL;
CREATE POLICY of_organization ON eligibility_statuses USING (in_scope(organization_id));
ALTER TABLE eligibility_statuses ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_bargaining_units (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  bargaining_unit text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_bargaining_units_pkey PRIMARY KEY (employee_id, organization_id, effective_on)
);
CREATE POLICY of_organization ON employee_bargaining_units USING (in_scope(organization_id));
ALTER TABLE employee_bargaining_units ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_classifications (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  employee_class text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_classifications_pkey PRIMARY KEY (employee_id, organization_id, effective_on),
  CONSTRAINT employee_classifications_employee_class_check CHECK (employee_class = ANY (ARRAY['Full Time'::text, 'Part Time'::text, 'Temporary'::text, 'Intern'::text, 'Seasonal'::text, 'Individual Contractor'::text]))
);
CREATE POLICY of_organization ON employee_classifications USING (in_scope(organization_id));
ALTER TABLE employee_classifications ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_compensations (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  compensation_type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_compensations_pkey PRIMARY KEY (employee_id, organization_id, effective_on),
  CONSTRAINT employee_compensations_compensation_type_check CHECK (compensation_type = ANY (ARRAY['Salary'::text, 'Hourly'::text]))
);
CREATE POLICY of_organization ON employee_compensations USING (in_scope(organization_id));
ALTER TABLE employee_compensations ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_corrections (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  action text NOT NULL,
  effective_on date NOT NULL,
  reason text,
  credential_id text NOT NULL,
  corrected_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_corrections_pkey PRIMARY KEY (employee_id, organization_id, "position"),
  CONSTRAINT employee_corrections_action_check CHECK (action = ANY (ARRAY['terminated'::text, 'reinstated'::text, 'corrected'::text])),
  CONSTRAINT employee_corrections_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE POLICY of_organization ON employee_corrections USING (in_scope(organization_id));
ALTER TABLE employee_corrections ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_eligibilities (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  anchored_on date NOT NULL,
  waited_on date NOT NULL,
  policy_id text COLLATE "C" NOT NULL,
  lost_on date,
  covered_until date,
  known_on date NOT NULL,
  scope text COLLATE "C" DEFAULT ''::text NOT NULL,
  service_from date,
  CONSTRAINT employee_eligibilities_pkey PRIMARY KEY (employee_id, organization_id, scope, anchored_on),
  CONSTRAINT employee_eligibilities_check CHECK (lost_on > anchored_on)
);
CREATE POLICY of_organization ON employee_eligibilities USING (in_scope(organization_id));
ALTER TABLE employee_eligibilities ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_measurements (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  is_full_time boolean,
  due_on date,
  is_trending boolean NOT NULL,
  measured_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_measurements_pkey PRIMARY KEY (employee_id, organization_id)
);
CREATE INDEX measurements_of_employer ON employee_measurements USING btree (employer_id, organization_id, employee_id);
CREATE INDEX trending_employees ON employee_measurements USING btree (organization_id, employer_id) WHERE is_trending;
CREATE POLICY of_organization ON employee_measurements USING (in_scope(organization_id));
ALTER TABLE employee_measurements ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_tax_facts (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  tax_year integer NOT NULL,
  w2_wages_in_cents bigint,
  multiemployer_months integer[] NOT NULL,
  continuation jsonb,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_tax_facts_pkey PRIMARY KEY (employee_id, organization_id, tax_year),
  CONSTRAINT employee_tax_facts_tax_year_check CHECK (tax_year >= 2020 AND tax_year <= 2199),
  CONSTRAINT employee_tax_facts_w2_wages_in_cents_check CHECK (w2_wages_in_cents >= 0),
  CONSTRAINT employee_tax_facts_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE POLICY of_organization ON employee_tax_facts USING (in_scope(organization_id));
ALTER TABLE employee_tax_facts ENABLE ROW LEVEL SECURITY;

CREATE TABLE employee_wages (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  monthly_wage_in_cents bigint NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_wages_pkey PRIMARY KEY (employee_id, organization_id, effective_on),
  CONSTRAINT employee_wages_monthly_wage_in_cents_check CHECK (monthly_wage_in_cents >= 0),
  CONSTRAINT employee_wages_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE POLICY of_organization ON employee_wages USING (in_scope(organization_id));
ALTER TABLE employee_wages ENABLE ROW LEVEL SECURITY;

CREATE TABLE employees (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  reference_id text,
  hired_on date,
  terminated_on date,
  termination_reason text,
  employed daterange GENERATED ALWAYS AS (daterange(hired_on, terminated_on, '[]'::text)) STORED NOT NULL,
  known_at timestamp with time zone NOT NULL,
  deactivated_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  report_hash text NOT NULL,
  search_key text COLLATE "C" DEFAULT ''::text NOT NULL,
  absent_on date,
  reported_last_day date,
  reference_key text COLLATE "C" GENERATED ALWAYS AS (employer_id || reference_id) STORED,
  roster_number bigint NOT NULL,
  CONSTRAINT employees_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT one_employment_at_a_time EXCLUDE USING gist ((member_id || employer_id) WITH =, employed WITH &&)
);
CREATE INDEX employees_by_letters ON employees USING gin (((employer_id || '|'::text) || organization_id), search_key gin_trgm_ops) WITH (gin_pending_list_limit='512');
CREATE INDEX employees_by_reference ON employees USING btree (reference_key, organization_id) WHERE reference_key IS NOT NULL;
CREATE INDEX employees_by_report ON employees USING btree (report_hash, organization_id);
CREATE INDEX employees_of_member ON employees USING btree (member_id, organization_id);
CREATE INDEX employees_of_reference ON employees USING btree (reference_id, organization_id) WHERE reference_id IS NOT NULL;
CREATE UNIQUE INDEX employees_roster ON employees USING btree (employer_id, organization_id, roster_number DESC) INCLUDE (id, terminated_on, search_key);
CREATE INDEX employees_terminated ON employees USING btree (employer_id, organization_id, roster_number DESC) INCLUDE (id, terminated_on) WHERE terminated_on IS NOT NULL;
CREATE INDEX employees_to_deactivate ON employees USING btree (organization_id, terminated_on) WHERE terminated_on IS NOT NULL AND deactivated_at IS NULL;
CREATE UNIQUE INDEX one_holder_of_a_reference ON employees USING btree (reference_id, employer_id, organization_id) WHERE terminated_on IS NULL;
CREATE POLICY of_organization ON employees USING (in_scope(organization_id));
ALTER TABLE employees ENABLE ROW LEVEL SECURITY;

CREATE TABLE employer_admins (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  name text,
  phone text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  id text COLLATE "C" NOT NULL,
  email_key text COLLATE "C" GENERATED ALWAYS AS (lower(email)) STORED,
  CONSTRAINT employer_admins_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT employer_admins_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX employer_admins_by_email ON employer_admins USING btree (email_key, organization_id) WHERE disabled_at IS NULL;
CREATE UNIQUE INDEX employer_admins_email ON employer_admins USING btree (employer_id, email_key, organization_id);
CREATE POLICY of_organization ON employer_admins USING (in_scope(organization_id));
ALTER TABLE employer_admins ENABLE ROW LEVEL SECURITY;

CREATE TABLE employer_benefits (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  first_coverage_start date NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  coverage_start date NOT NULL,
  coverage_end date NOT NULL,
  latest_coverage_end date,
  open_enrollment_start date,
  open_enrollment_end date,
  families text[] NOT NULL,
  valid_from date NOT NULL,
  valid_until date NOT NULL,
  CONSTRAINT employer_benefits_pkey PRIMARY KEY (employer_id, organization_id),
  CONSTRAINT employer_benefits_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX employer_benefits_of_organization ON employer_benefits USING btree (organization_id, valid_until);
CREATE POLICY of_organization ON employer_benefits USING (in_scope(organization_id));
ALTER TABLE employer_benefits ENABLE ROW LEVEL SECURITY;

CREATE TABLE employer_subscriptions (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  started_on date NOT NULL,
  ended_on date,
  span daterange GENERATED ALWAYS AS (daterange(started_on, ended_on)) STORED NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employer_subscriptions_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT one_subscription_at_a_time UNIQUE (organization_id, employer_id, span WITHOUT OVERLAPS),
  CONSTRAINT employer_subscriptions_check CHECK (ended_on > started_on),
  CONSTRAINT employer_subscriptions_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX employer_subscriptions_by_start ON employer_subscriptions USING btree (started_on, organization_id);
CREATE INDEX employer_subscriptions_of_employer ON employer_subscriptions USING btree (employer_id, organization_id, started_on);
CREATE POLICY of_organization ON employer_subscriptions USING (in_scope(organization_id));
ALTER TABLE employer_subscriptions ENABLE ROW LEVEL SECURITY;

CREATE TABLE employers (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text COLLATE pg_c_utf8 NOT NULL,
  legal_name text COLLATE pg_c_utf8 NOT NULL,
  ein_sealed bytea NOT NULL,
  ein_hash bytea NOT NULL,
  ein_last_four text NOT NULL,
  reference_id text,
  email text NOT NULL,
  phone_number text,
  owner_user_id text COLLATE "C",
  active boolean DEFAULT true NOT NULL,
  address_line_1 text NOT NULL,
  address_line_2 text,
  city text NOT NULL,
  state text NOT NULL,
  zipcode text NOT NULL,
  pay_frequency text DEFAULT 'bi_weekly'::text NOT NULL,
  first_pay_date date,
  payroll_calendar_set_at timestamp with time zone,
  deduction_method text DEFAULT 'annualized'::text NOT NULL,
  census_mode text DEFAULT 'merge'::text NOT NULL,
  census_values jsonb DEFAULT '[]'::jsonb NOT NULL,
  employee_count bigint DEFAULT 0 NOT NULL,
  subscription_ended_on date,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  administered_from date,
  correction_reach_months integer DEFAULT 3 NOT NULL,
  final_deductions text DEFAULT 'collect'::text NOT NULL,
  arrears_limit_percent integer DEFAULT 100 NOT NULL,
  deductions_per_year integer,
  name_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(name)) STORED,
  legal_name_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(legal_name)) STORED,
  email_key text COLLATE "C" GENERATED ALWAYS AS (lower(email)) STORED,
  CONSTRAINT employers_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT employers_ein UNIQUE (ein_hash, organization_id),
  CONSTRAINT employers_arrears_limit_percent_check CHECK (arrears_limit_percent >= 0 AND arrears_limit_percent <= 500),
  CONSTRAINT employers_census_mode_check CHECK (census_mode = ANY (ARRAY['merge'::text, 'replace'::text])),
  CONSTRAINT employers_check CHECK (deductions_per_year IS NULL OR pay_frequency = 'bi_weekly'::text AND deductions_per_year = 24 OR pay_frequency = 'weekly'::text AND deductions_per_year = 48),
  CONSTRAINT employers_correction_reach_months_check CHECK (correction_reach_months >= 0 AND correction_reach_months <= 12),
  CONSTRAINT employers_deduction_method_check CHECK (deduction_method = ANY (ARRAY['annualized'::text, 'per_month'::text])),
  CONSTRAINT employers_ein_last_four_check CHECK (ein_last_four ~ '^\d{4}$'::text),
  CONSTRAINT employers_final_deductions_check CHECK (final_deductions = ANY (ARRAY['collect'::text, 'waive'::text])),
  CONSTRAINT employers_pay_frequency_check CHECK (pay_frequency = ANY (ARRAY['weekly'::text, 'bi_weekly'::text, 'semi_monthly'::text, 'monthly'::text])),
  CONSTRAINT employers_phone_number_check CHECK (phone_number ~ '^\d{10}$'::text),
  CONSTRAINT employers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX employers_book ON employers USING btree (organization_id, created_at DESC, id DESC) INCLUDE (subscription_ended_on) WHERE created_at > '-infinity'::timestamp with time zone;
CREATE INDEX employers_by_letters ON employers USING gin ((organization_id || '|'::text), name_key gin_trgm_ops, legal_name_key gin_trgm_ops) WITH (gin_pending_list_limit='512');
CREATE UNIQUE INDEX employers_email ON employers USING btree (email_key, organization_id);
CREATE UNIQUE INDEX employers_legal_name ON employers USING btree (legal_name_key, organization_id);
CREATE UNIQUE INDEX employers_name ON employers USING btree (name_key, organization_id);
CREATE UNIQUE INDEX employers_phone ON employers USING btree (phone_number, organization_id);
CREATE INDEX employers_whole_book ON employers USING btree (created_at DESC, id DESC) INCLUDE (organization_id, subscription_ended_on);
CREATE POLICY of_organization ON employers USING (in_scope(organization_id));
ALTER TABLE employers ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_agreements (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C",
  version integer NOT NULL,
  text_en text NOT NULL,
  text_es text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT enrollment_agreements_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT enrollment_agreements_plan_year_id_organization_id_fkey FOREIGN KEY (plan_year_id, organization_id) REFERENCES benefit_plan_years(id, organization_id)
);
CREATE UNIQUE INDEX enrollment_agreements_version ON enrollment_agreements USING btree (organization_id, plan_year_id, version) NULLS NOT DISTINCT;
CREATE POLICY of_organization ON enrollment_agreements USING (in_scope(organization_id));
ALTER TABLE enrollment_agreements ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_confirmations (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  submitted_at timestamp with time zone NOT NULL,
  language text NOT NULL,
  enrollment_ids text[] NOT NULL,
  document_sealed bytea,
  sha256 text,
  CONSTRAINT enrollment_confirmations_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT enrollment_confirmations_check CHECK ((document_sealed IS NULL) = (sha256 IS NOT NULL)),
  CONSTRAINT enrollment_confirmations_language_check CHECK (language = ANY (ARRAY['en'::text, 'es'::text])),
  CONSTRAINT enrollment_confirmations_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE INDEX enrollment_confirmations_of_employee ON enrollment_confirmations USING btree (employee_id, organization_id, submitted_at);
CREATE INDEX enrollment_confirmations_to_render ON enrollment_confirmations USING btree (organization_id) WHERE document_sealed IS NOT NULL;
CREATE POLICY of_organization ON enrollment_confirmations USING (in_scope(organization_id));
ALTER TABLE enrollment_confirmations ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_corrections (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  reason text NOT NULL,
  changes jsonb NOT NULL,
  corrected_at timestamp with time zone NOT NULL,
  CONSTRAINT enrollment_corrections_pkey PRIMARY KEY (enrollment_id, organization_id, "position"),
  CONSTRAINT enrollment_corrections_enrollment_id_organization_id_fkey FOREIGN KEY (enrollment_id, organization_id) REFERENCES enrollments(id, organization_id)
);
CREATE POLICY of_organization ON enrollment_corrections USING (in_scope(organization_id));
ALTER TABLE enrollment_corrections ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_drafts (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  plan_year_ids text[] NOT NULL,
  window_ends_on date NOT NULL,
  dependent_ids text[] NOT NULL,
  answers jsonb NOT NULL,
  saved_at timestamp with time zone NOT NULL,
  CONSTRAINT enrollment_drafts_pkey PRIMARY KEY (employee_id, organization_id),
  CONSTRAINT enrollment_drafts_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE INDEX enrollment_drafts_by_end ON enrollment_drafts USING btree (organization_id, window_ends_on);
CREATE POLICY of_organization ON enrollment_drafts USING (in_scope(organization_id));
ALTER TABLE enrollment_drafts ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_evidence (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  action text NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  actor text NOT NULL,
  actor_id text COLLATE "C",
  reason text,
  window_kind text,
  window_start date,
  window_end date,
  life_event_id text COLLATE "C",
  coverage_start date NOT NULL,
  coverage_end date,
  answer text,
  elections jsonb,
  offered jsonb,
  reason_code text,
  operation text,
  reported_by text NOT NULL,
  reported_by_id text COLLATE "C",
  CONSTRAINT enrollment_evidence_pkey PRIMARY KEY (enrollment_id, organization_id, "position"),
  CONSTRAINT enrollment_evidence_actor_check CHECK (actor = ANY (ARRAY['employee'::text, 'partner'::text, 'operator'::text, 'renewal'::text, 'rule'::text])),
  CONSTRAINT enrollment_evidence_answer_check CHECK (answer = ANY (ARRAY['enrolled'::text, 'waived'::text])),
  CONSTRAINT enrollment_evidence_reported_by_check CHECK (reported_by = ANY (ARRAY['employee'::text, 'partner'::text, 'operator'::text, 'rule'::text])),
  CONSTRAINT enrollment_evidence_window_kind_check CHECK (window_kind = ANY (ARRAY['grant'::text, 'open_enrollment'::text, 'life_event'::text]))
);
CREATE POLICY of_organization ON enrollment_evidence USING (in_scope(organization_id));
ALTER TABLE enrollment_evidence ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_message_settings (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_messages text,
  sender_name text,
  reply_to text,
  dashboard_url text,
  language text DEFAULT 'both'::text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT enrollment_message_settings_pkey PRIMARY KEY (organization_id),
  CONSTRAINT enrollment_message_settings_enrollment_messages_check CHECK (enrollment_messages = ANY (ARRAY['send'::text, 'events'::text])),
  CONSTRAINT enrollment_message_settings_language_check CHECK (language = ANY (ARRAY['en'::text, 'es'::text, 'both'::text]))
);
CREATE POLICY of_organization ON enrollment_message_settings USING (in_scope(organization_id));
ALTER TABLE enrollment_message_settings ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_messages (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  occasion text NOT NULL,
  due_on date NOT NULL,
  status text NOT NULL,
  email text,
  reason text,
  smtp_status integer,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  link_expires_at timestamp with time zone,
  link_used_at timestamp with time zone,
  CONSTRAINT enrollment_messages_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT enrollment_messages_kind_check CHECK (kind = ANY (ARRAY['invitation'::text, 'reminder'::text])),
  CONSTRAINT enrollment_messages_occasion_check CHECK (occasion = ANY (ARRAY['request'::text, 'opening'::text, 'half_way'::text, 'three_days_before'::text, 'one_day_before'::text])),
  CONSTRAINT enrollment_messages_status_check CHECK (status = ANY (ARRAY['published'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'cancelled'::text])),
  CONSTRAINT enrollment_messages_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id),
  CONSTRAINT enrollment_messages_plan_year_id_organization_id_fkey FOREIGN KEY (plan_year_id, organization_id) REFERENCES benefit_plan_years(id, organization_id)
);
CREATE INDEX enrollment_messages_of_employer ON enrollment_messages USING btree (employer_id, organization_id, id DESC);
CREATE UNIQUE INDEX enrollment_messages_once_a_day ON enrollment_messages USING btree (employee_id, organization_id, plan_year_id, due_on);
CREATE POLICY of_organization ON enrollment_messages USING (in_scope(organization_id));
ALTER TABLE enrollment_messages ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_schedules (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  opening boolean NOT NULL,
  half_way boolean NOT NULL,
  three_days_before boolean NOT NULL,
  one_day_before boolean NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT enrollment_schedules_pkey PRIMARY KEY (employer_id, organization_id),
  CONSTRAINT enrollment_schedules_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX enrollment_schedules_in_use ON enrollment_schedules USING btree (organization_id, employer_id) WHERE opening OR half_way OR three_days_before OR one_day_before;
CREATE POLICY of_organization ON enrollment_schedules USING (in_scope(organization_id));
ALTER TABLE enrollment_schedules ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollment_signatures (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  signed_at timestamp with time zone NOT NULL,
  name text NOT NULL,
  pre_tax_consent boolean NOT NULL,
  language text NOT NULL,
  agreements jsonb NOT NULL,
  enrollment_ids text[] NOT NULL,
  address text,
  CONSTRAINT enrollment_signatures_pkey PRIMARY KEY (employee_id, organization_id, signed_at),
  CONSTRAINT enrollment_signatures_language_check CHECK (language = ANY (ARRAY['en'::text, 'es'::text])),
  CONSTRAINT enrollment_signatures_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE POLICY of_organization ON enrollment_signatures USING (in_scope(organization_id));
ALTER TABLE enrollment_signatures ENABLE ROW LEVEL SECURITY;

CREATE TABLE enrollments (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  anchored_on date NOT NULL,
  granted_on date NOT NULL,
  window_ends_on date NOT NULL,
  coverage_start date NOT NULL,
  coverage_end date,
  coverage_start_fixed boolean DEFAULT false NOT NULL,
  coverage_end_fixed boolean DEFAULT false NOT NULL,
  answer text,
  answered_at timestamp with time zone,
  waiver_reason text,
  inactive_on date,
  terminated_at timestamp with time zone,
  counted_as text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  elected_by text,
  ended_on date,
  ended_by text,
  choice integer DEFAULT 0 NOT NULL,
  resumption_withdrawn_on date,
  waiver_code text,
  granted_for date NOT NULL,
  CONSTRAINT enrollments_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT enrollments_answer_check CHECK (answer = ANY (ARRAY['enrolled'::text, 'waived'::text])),
  CONSTRAINT enrollments_check CHECK ((answer IS NULL) = (answered_at IS NULL)),
  CONSTRAINT enrollments_check1 CHECK (elected_by IS NULL OR answer IS NOT NULL),
  CONSTRAINT enrollments_counted_as_check CHECK (counted_as = ANY (ARRAY['enrolled'::text, 'eligible'::text])),
  CONSTRAINT enrollments_elected_by_check CHECK (elected_by = ANY (ARRAY['employee'::text, 'partner'::text, 'operator'::text, 'renewal'::text, 'return'::text])),
  CONSTRAINT enrollments_ended_by_check CHECK (ended_by = ANY (ARRAY['loss'::text, 'duplicate'::text, 'offer'::text, 'operator'::text, 'plan_year'::text]))
);
CREATE INDEX enrollments_inactive_in_order ON enrollments USING btree (organization_id, inactive_on, employee_id) WHERE inactive_on IS NOT NULL;
CREATE INDEX enrollments_of_employee ON enrollments USING btree (employee_id, organization_id, created_at DESC, id DESC);
CREATE INDEX enrollments_of_plan_year ON enrollments USING btree (plan_year_id, organization_id, created_at DESC, id DESC) INCLUDE (employee_id, answer, inactive_on, window_ends_on);
CREATE INDEX enrollments_resumed ON enrollments USING btree (employee_id, organization_id) WHERE elected_by = 'return'::text OR resumption_withdrawn_on IS NOT NULL;
CREATE POLICY of_organization ON enrollments USING (in_scope(organization_id));
ALTER TABLE enrollments ENABLE ROW LEVEL SECURITY;

CREATE TABLE export_deliveries (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  scheduled_export_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  due_on date NOT NULL,
  status text NOT NULL,
  reason text,
  smtp_status integer,
  row_count integer,
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  CONSTRAINT export_deliveries_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT export_deliveries_status_check CHECK (status = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'not_sent'::text, 'failed'::text])),
  CONSTRAINT export_deliveries_scheduled_export_id_organization_id_fkey FOREIGN KEY (scheduled_export_id, organization_id) REFERENCES scheduled_exports(id, organization_id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX export_deliveries_once_a_day ON export_deliveries USING btree (scheduled_export_id, organization_id, due_on, user_id);
CREATE POLICY of_organization ON export_deliveries USING (in_scope(organization_id));
ALTER TABLE export_deliveries ENABLE ROW LEVEL SECURITY;

CREATE TABLE file_pieces (
  organization_id text COLLATE "C" NOT NULL,
  file_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  content_sealed bytea NOT NULL,
  CONSTRAINT file_pieces_pkey PRIMARY KEY (file_id, organization_id, "position"),
  CONSTRAINT file_pieces_file_id_organization_id_fkey FOREIGN KEY (file_id, organization_id) REFERENCES files(id, organization_id) ON DELETE CASCADE
);
CREATE POLICY of_organization ON file_pieces USING (in_scope(organization_id));
ALTER TABLE file_pieces ENABLE ROW LEVEL SECURITY;

CREATE TABLE files (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  content_type text NOT NULL,
  bytes integer NOT NULL,
  sha256 text NOT NULL,
  scan text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT files_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT files_scan_check CHECK (scan = ANY (ARRAY['none'::text, 'waiting'::text, 'clean'::text, 'refused'::text]))
);
CREATE POLICY of_organization ON files USING (in_scope(organization_id));
ALTER TABLE files ENABLE ROW LEVEL SECURITY;

CREATE TABLE form_1095c_overrides (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  tax_year integer NOT NULL,
  months jsonb NOT NULL,
  reason text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT form_1095c_overrides_pkey PRIMARY KEY (employee_id, organization_id, tax_year),
  CONSTRAINT form_1095c_overrides_tax_year_check CHECK (tax_year >= 2020 AND tax_year <= 2199),
  CONSTRAINT form_1095c_overrides_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE POLICY of_organization ON form_1095c_overrides USING (in_scope(organization_id));
ALTER TABLE form_1095c_overrides ENABLE ROW LEVEL SECURITY;

CREATE TABLE form_transmissions (
  organization_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  tax_year integer NOT NULL,
  number integer NOT NULL,
  type text NOT NULL,
  is_test boolean NOT NULL,
  form_count integer NOT NULL,
  header_sealed bytea NOT NULL,
  made_at timestamp with time zone NOT NULL,
  status text,
  receipt_id text,
  errors jsonb DEFAULT '[]'::jsonb NOT NULL,
  acknowledged_at timestamp with time zone,
  CONSTRAINT form_transmissions_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT form_transmissions_status_check CHECK (status = ANY (ARRAY['accepted'::text, 'accepted_with_errors'::text, 'rejected'::text])),
  CONSTRAINT form_transmissions_type_check CHECK (type = ANY (ARRAY['O'::text, 'R'::text, 'C'::text])),
  CONSTRAINT form_transmissions_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE UNIQUE INDEX form_transmissions_of_employer ON form_transmissions USING btree (employer_id, organization_id, tax_year, number DESC);
CREATE INDEX form_transmissions_of_organization ON form_transmissions USING btree (organization_id);
CREATE POLICY of_organization ON form_transmissions USING (in_scope(organization_id));
ALTER TABLE form_transmissions ENABLE ROW LEVEL SECURITY;

CREATE TABLE form_years (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  tax_year integer NOT NULL,
  has_conditional_spouse_offer boolean DEFAULT false NOT NULL,
  uses_98_percent_method boolean DEFAULT false NOT NULL,
  form_type text DEFAULT '1095-C'::text NOT NULL,
  contact jsonb,
  derived_at timestamp with time zone,
  counts jsonb,
  missing_count integer,
  furnish_by date,
  file_by date,
  released_at timestamp with time zone,
  CONSTRAINT form_years_pkey PRIMARY KEY (employer_id, organization_id, tax_year),
  CONSTRAINT form_years_form_type_check CHECK (form_type = ANY (ARRAY['1095-B'::text, '1095-C'::text])),
  CONSTRAINT form_years_tax_year_check CHECK (tax_year >= 2020 AND tax_year <= 2199),
  CONSTRAINT form_years_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX form_years_of_organization ON form_years USING btree (organization_id, tax_year);
CREATE POLICY of_organization ON form_years USING (in_scope(organization_id));
ALTER TABLE form_years ENABLE ROW LEVEL SECURITY;

CREATE TABLE former_homes (
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  left_on date NOT NULL,
  state text NOT NULL,
  county text COLLATE pg_c_utf8,
  zipcode text NOT NULL,
  CONSTRAINT former_homes_pkey PRIMARY KEY (member_id, organization_id, left_on),
  CONSTRAINT former_homes_member_id_organization_id_fkey FOREIGN KEY (member_id, organization_id) REFERENCES members(id, organization_id)
);
CREATE POLICY of_organization ON former_homes USING (in_scope(organization_id));
ALTER TABLE former_homes ENABLE ROW LEVEL SECURITY;

CREATE TABLE group_member_chunks (
  organization_id text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  first_index integer NOT NULL,
  rows json,
  added_ids text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT group_member_chunks_pkey PRIMARY KEY (request_id, organization_id, first_index),
  CONSTRAINT group_member_chunks_request_id_organization_id_fkey FOREIGN KEY (request_id, organization_id) REFERENCES group_member_syncs(id, organization_id)
);
CREATE POLICY of_organization ON group_member_chunks USING (in_scope(organization_id));
ALTER TABLE group_member_chunks ENABLE ROW LEVEL SECURITY;

CREATE TABLE group_member_failures (
  organization_id text COLLATE "C" NOT NULL,
  request_id text COLLATE "C" NOT NULL,
  index integer NOT NULL,
  operation text NOT NULL,
  reason text NOT NULL,
  reference_id text NOT NULL,
  CONSTRAINT group_member_failures_pkey PRIMARY KEY (request_id, organization_id, index),
  CONSTRAINT group_member_failures_operation_check CHECK (operation = ANY (ARRAY['add'::text, 'remove'::text])),
  CONSTRAINT group_member_failures_request_id_organization_id_fkey FOREIGN KEY (request_id, organization_id) REFERENCES group_member_syncs(id, organization_id)
);
CREATE POLICY of_organization ON group_member_failures USING (in_scope(organization_id));
ALTER TABLE group_member_failures ENABLE ROW LEVEL SECURITY;

CREATE TABLE group_member_syncs (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  accepted_at timestamp with time zone NOT NULL,
  started_at timestamp with time zone,
  completed_at timestamp with time zone,
  removed_ids text[] COLLATE "C" DEFAULT '{}'::text[] NOT NULL,
  CONSTRAINT group_member_syncs_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT group_member_syncs_group_id_position_organization_id_key UNIQUE (group_id, "position", organization_id),
  CONSTRAINT group_member_syncs_group_id_organization_id_fkey FOREIGN KEY (group_id, organization_id) REFERENCES groups(id, organization_id)
);
CREATE INDEX group_member_syncs_in_order ON group_member_syncs USING btree (accepted_at DESC, id DESC) INCLUDE (organization_id, group_id);
CREATE INDEX group_member_syncs_of_organization ON group_member_syncs USING btree (organization_id, accepted_at DESC, id DESC);
CREATE INDEX group_member_syncs_under_way ON group_member_syncs USING btree (accepted_at DESC, id DESC) INCLUDE (organization_id, group_id) WHERE completed_at IS NULL;
CREATE INDEX group_member_syncs_waiting ON group_member_syncs USING btree (group_id, "position", organization_id) WHERE completed_at IS NULL;
CREATE POLICY of_organization ON group_member_syncs USING (in_scope(organization_id));
ALTER TABLE group_member_syncs ENABLE ROW LEVEL SECURITY;

CREATE TABLE group_members (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  group_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  reference_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  joined_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  left_at timestamp with time zone,
  reference_key text COLLATE "C" GENERATED ALWAYS AS (group_id || reference_id) STORED,
  CONSTRAINT group_members_pkey PRIMARY KEY (id, organization_id)
);
CREATE INDEX former_group_members_by_reference ON group_members USING btree (reference_key, organization_id) WHERE left_at IS NOT NULL;
CREATE UNIQUE INDEX group_members_by_reference ON group_members USING btree (reference_key, organization_id) WHERE left_at IS NULL;
CREATE INDEX group_members_of_group ON group_members USING btree (group_id, joined_at DESC, id DESC, organization_id) WHERE left_at IS NULL;
CREATE UNIQUE INDEX one_group_at_a_time ON group_members USING btree (member_id, organization_id) WHERE left_at IS NULL;
CREATE POLICY of_organization ON group_members USING (in_scope(organization_id));
ALTER TABLE group_members ENABLE ROW LEVEL SECURITY;

CREATE TABLE groups (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  external_reference_id text COLLATE "C" NOT NULL,
  member_count bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT groups_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT groups_external_reference UNIQUE (external_reference_id, organization_id),
  CONSTRAINT groups_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX groups_of_all ON groups USING btree (created_at DESC, id DESC) INCLUDE (organization_id);
CREATE INDEX groups_of_organization ON groups USING btree (organization_id, created_at DESC, id DESC);
CREATE POLICY of_organization ON groups USING (in_scope(organization_id));
ALTER TABLE groups ENABLE ROW LEVEL SECURITY;

CREATE TABLE hours_of_service (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  period_starts_on date NOT NULL,
  period_ends_on date NOT NULL,
  kind text NOT NULL,
  hundredths integer NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT hours_of_service_pkey PRIMARY KEY (employee_id, organization_id, period_starts_on, kind),
  CONSTRAINT hours_of_service_check CHECK (period_ends_on >= period_starts_on),
  CONSTRAINT hours_of_service_hundredths_check CHECK (hundredths >= 0),
  CONSTRAINT hours_of_service_kind_check CHECK (kind = ANY (ARRAY['worked'::text, 'paid_leave'::text, 'special_unpaid_leave'::text, 'employment_break'::text]))
);
CREATE INDEX hours_of_employer ON hours_of_service USING btree (employer_id, organization_id, period_starts_on) WHERE employer_id IS NOT NULL;
CREATE POLICY of_organization ON hours_of_service USING (in_scope(organization_id));
ALTER TABLE hours_of_service ENABLE ROW LEVEL SECURITY;

CREATE TABLE hours_reports (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  origin text NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  period_starts_on date,
  period_ends_on date,
  row_count integer NOT NULL,
  added_count integer NOT NULL,
  changed_count integer NOT NULL,
  removed_count integer NOT NULL,
  unchanged_count integer NOT NULL,
  late_count integer NOT NULL,
  failed_count integer NOT NULL,
  failures json NOT NULL,
  CONSTRAINT hours_reports_pkey PRIMARY KEY (employer_id, organization_id, id),
  CONSTRAINT hours_reports_origin_check CHECK (origin = ANY (ARRAY['api'::text, 'hris'::text])),
  CONSTRAINT hours_reports_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE POLICY of_organization ON hours_reports USING (in_scope(organization_id));
ALTER TABLE hours_reports ENABLE ROW LEVEL SECURITY;

CREATE TABLE hris_connections (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  source text NOT NULL,
  provider text NOT NULL,
  provider_label text NOT NULL,
  access_sealed bytea,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  connected_at timestamp with time zone NOT NULL,
  paused_at timestamp with time zone,
  access_lost_at timestamp with time zone,
  disconnected_at timestamp with time zone,
  last_attempt_at timestamp with time zone,
  last_synced_at timestamp with time zone,
  synced_row_count integer,
  last_error_code text,
  last_error_message text,
  next_sync_on date,
  status text GENERATED ALWAYS AS (
CASE
    WHEN paused_at IS NOT NULL THEN 'paused'::text
    WHEN access_lost_at IS NOT NULL THEN 'inactive'::text
    WHEN last_synced_at IS NULL THEN 'pending'::text
    ELSE 'active'::text
END) STORED NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT hris_connections_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT hris_connections_source_check CHECK (source = ANY (ARRAY['finch'::text, 'csv'::text, 'sandbox'::text])),
  CONSTRAINT hris_connections_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE UNIQUE INDEX hris_connection_of_employer ON hris_connections USING btree (employer_id, organization_id) WHERE disconnected_at IS NULL;
CREATE INDEX hris_connections_by_provider ON hris_connections USING btree (provider, organization_id) INCLUDE (employer_id) WHERE disconnected_at IS NULL AND provider > ''::text;
CREATE INDEX hris_connections_due ON hris_connections USING btree (organization_id, next_sync_on) WHERE next_sync_on IS NOT NULL;
CREATE INDEX hris_connections_failing ON hris_connections USING btree (connected_at DESC, id DESC) INCLUDE (organization_id, employer_id) WHERE disconnected_at IS NULL AND last_error_code IS NOT NULL;
CREATE INDEX hris_connections_in_order ON hris_connections USING btree (connected_at DESC, id DESC) INCLUDE (organization_id, employer_id) WHERE disconnected_at IS NULL;
CREATE INDEX hris_connections_of_employer ON hris_connections USING btree (employer_id, organization_id, connected_at DESC);
CREATE INDEX hris_connections_of_organization ON hris_connections USING btree (organization_id, provider) WHERE disconnected_at IS NULL AND provider > ''::text;
CREATE POLICY of_organization ON hris_connections USING (in_scope(organization_id));
ALTER TABLE hris_connections ENABLE ROW LEVEL SECURITY;

CREATE TABLE hris_run_hours (
  organization_id text COLLATE "C" NOT NULL,
  run_id text COLLATE "C" NOT NULL,
  first_index integer NOT NULL,
  rows json NOT NULL,
  CONSTRAINT hris_run_hours_pkey PRIMARY KEY (run_id, organization_id, first_index),
  CONSTRAINT hris_run_hours_run_id_organization_id_fkey FOREIGN KEY (run_id, organization_id) REFERENCES hris_runs(id, organization_id)
);
CREATE POLICY of_organization ON hris_run_hours USING (in_scope(organization_id));
ALTER TABLE hris_run_hours ENABLE ROW LEVEL SECURITY;

CREATE TABLE hris_runs (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  cause text NOT NULL,
  requested_at timestamp with time zone NOT NULL,
  attempt_count integer DEFAULT 0 NOT NULL,
  fetched_at timestamp with time zone,
  census_sync_id text COLLATE "C",
  error_code text,
  error_message text,
  ended_at timestamp with time zone,
  CONSTRAINT hris_runs_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT hris_runs_cause_check CHECK (cause = ANY (ARRAY['schedule'::text, 'operator'::text, 'upload'::text, 'drop'::text])),
  CONSTRAINT hris_runs_check CHECK (census_sync_id IS NOT NULL OR fetched_at IS NULL),
  CONSTRAINT hris_runs_census_sync_id_organization_id_fkey FOREIGN KEY (census_sync_id, organization_id) REFERENCES census_syncs(id, organization_id),
  CONSTRAINT hris_runs_connection_id_organization_id_fkey FOREIGN KEY (connection_id, organization_id) REFERENCES hris_connections(id, organization_id)
);
CREATE UNIQUE INDEX hris_run_to_fetch ON hris_runs USING btree (connection_id, organization_id) WHERE census_sync_id IS NULL AND ended_at IS NULL;
CREATE INDEX hris_runs_of_connection ON hris_runs USING btree (connection_id, organization_id, requested_at DESC, id DESC);
CREATE INDEX hris_runs_to_settle ON hris_runs USING btree (employer_id, organization_id) WHERE ended_at IS NULL;
CREATE POLICY of_organization ON hris_runs USING (in_scope(organization_id));
ALTER TABLE hris_runs ENABLE ROW LEVEL SECURITY;

CREATE TABLE ichra_allowances (
  organization_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  employee_class text,
  min_age integer,
  max_age integer,
  state text,
  coverage_tier text,
  allowance_in_cents bigint NOT NULL,
  CONSTRAINT ichra_allowances_pkey PRIMARY KEY (plan_id, organization_id, "position"),
  CONSTRAINT ichra_allowances_allowance_in_cents_check CHECK (allowance_in_cents >= 0),
  CONSTRAINT ichra_allowances_coverage_tier_check CHECK (coverage_tier = ANY (ARRAY['EE'::text, 'ES'::text, 'EC'::text, 'EF'::text])),
  CONSTRAINT ichra_allowances_employee_class_check CHECK (employee_class = ANY (ARRAY['Full Time'::text, 'Part Time'::text, 'Temporary'::text, 'Intern'::text, 'Seasonal'::text, 'Individual Contractor'::text])),
  CONSTRAINT ichra_allowances_plan_id_organization_id_fkey FOREIGN KEY (plan_id, organization_id) REFERENCES plans(id, organization_id)
);
CREATE POLICY of_organization ON ichra_allowances USING (in_scope(organization_id));
ALTER TABLE ichra_allowances ENABLE ROW LEVEL SECURITY;

CREATE TABLE idempotency_keys (
  credential_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  body bytea,
  created_at timestamp with time zone NOT NULL,
  organization_id text COLLATE "C",
  holds_secret boolean DEFAULT false NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (credential_id, method, path, key, created_at)
) PARTITION BY RANGE (created_at);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_with_secret ON idempotency_keys USING btree (created_at) WHERE holds_secret AND body IS NOT NULL;

CREATE TABLE idempotency_keys_other PARTITION OF idempotency_keys DEFAULT;

CREATE TABLE installation (
  is_only boolean DEFAULT true NOT NULL,
  kind text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  CONSTRAINT installation_pkey PRIMARY KEY (is_only),
  CONSTRAINT installation_is_only_check CHECK (is_only),
  CONSTRAINT installation_kind_check CHECK (kind = ANY (ARRAY['sandbox'::text, 'live'::text]))
);

CREATE TABLE invoice_counters (
  organization_id text COLLATE "C" NOT NULL,
  invoice_count bigint NOT NULL,
  CONSTRAINT invoice_counters_pkey PRIMARY KEY (organization_id),
  CONSTRAINT invoice_counters_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE POLICY of_organization ON invoice_counters USING (in_scope(organization_id));
ALTER TABLE invoice_counters ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines (
  organization_id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  month date NOT NULL,
  kind text NOT NULL,
  employee_name text NOT NULL,
  benefit_name text NOT NULL,
  plan_name text NOT NULL,
  coverage_tier text NOT NULL,
  premium_in_cents bigint NOT NULL,
  employer_contribution_in_cents bigint NOT NULL,
  employee_deduction_in_cents bigint NOT NULL,
  CONSTRAINT invoice_lines_pkey PRIMARY KEY (invoice_id, organization_id, "position"),
  CONSTRAINT invoice_lines_check CHECK (premium_in_cents = (employer_contribution_in_cents + employee_deduction_in_cents)),
  CONSTRAINT invoice_lines_kind_check CHECK (kind = ANY (ARRAY['coverage'::text, 'adjustment'::text, 'manual_adjustment'::text]))
) PARTITION BY HASH (organization_id);
CREATE INDEX invoice_lines_by_hand ON invoice_lines USING btree (enrollment_id, organization_id) WHERE kind = 'manual_adjustment'::text;
CREATE INDEX invoice_lines_of_enrollment ON invoice_lines USING btree (enrollment_id, organization_id, month);
CREATE POLICY of_organization ON invoice_lines USING (in_scope(organization_id));
ALTER TABLE invoice_lines ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_0 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 0);
ALTER TABLE invoice_lines_0 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_1 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 1);
ALTER TABLE invoice_lines_1 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_2 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 2);
ALTER TABLE invoice_lines_2 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_3 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 3);
ALTER TABLE invoice_lines_3 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_4 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 4);
ALTER TABLE invoice_lines_4 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_5 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 5);
ALTER TABLE invoice_lines_5 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_6 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 6);
ALTER TABLE invoice_lines_6 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_lines_7 PARTITION OF invoice_lines FOR VALUES WITH (modulus 8, remainder 7);
ALTER TABLE invoice_lines_7 ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_pdfs (
  organization_id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C" NOT NULL,
  pdf bytea NOT NULL,
  rendered_at timestamp with time zone NOT NULL,
  rendered_state text DEFAULT 'due'::text NOT NULL,
  CONSTRAINT invoice_pdfs_pkey PRIMARY KEY (invoice_id, organization_id),
  CONSTRAINT invoice_pdfs_invoice_id_organization_id_fkey FOREIGN KEY (invoice_id, organization_id) REFERENCES invoices(invoice_id, organization_id)
);
CREATE POLICY of_organization ON invoice_pdfs USING (in_scope(organization_id));
ALTER TABLE invoice_pdfs ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoice_runs (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  period date NOT NULL,
  through_employee_id text COLLATE "C",
  invoice_id text COLLATE "C",
  finished_at timestamp with time zone,
  CONSTRAINT invoice_runs_pkey PRIMARY KEY (employer_id, organization_id, period),
  CONSTRAINT invoice_runs_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT invoice_runs_invoice_id_organization_id_fkey FOREIGN KEY (invoice_id, organization_id) REFERENCES invoices(invoice_id, organization_id)
);
CREATE INDEX invoice_runs_unfinished ON invoice_runs USING btree (organization_id, employer_id, period) WHERE finished_at IS NULL;
CREATE POLICY of_organization ON invoice_runs USING (in_scope(organization_id));
ALTER TABLE invoice_runs ENABLE ROW LEVEL SECURITY;

CREATE TABLE invoices (
  invoice_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  period date NOT NULL,
  line_count bigint DEFAULT 0 NOT NULL,
  total_in_cents bigint DEFAULT 0 NOT NULL,
  employer_contribution_in_cents bigint DEFAULT 0 NOT NULL,
  employee_deduction_in_cents bigint DEFAULT 0 NOT NULL,
  employer_name text NOT NULL,
  employer_legal_name text NOT NULL,
  address_line_1 text NOT NULL,
  address_line_2 text,
  city text NOT NULL,
  state text NOT NULL,
  zipcode text NOT NULL,
  drafted_at timestamp with time zone,
  drafted_on date,
  issued_at timestamp with time zone,
  issued_on date,
  due_on date,
  paid_at timestamp with time zone,
  paid_on date,
  voided_at timestamp with time zone,
  voided_on date,
  billing_system text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  void_reason text,
  CONSTRAINT invoices_pkey PRIMARY KEY (invoice_id, organization_id),
  CONSTRAINT invoices_billing_system_check CHECK (billing_system = ANY (ARRAY['built_in'::text, 'stripe'::text])),
  CONSTRAINT invoices_check CHECK (total_in_cents = (employer_contribution_in_cents + employee_deduction_in_cents)),
  CONSTRAINT invoices_check1 CHECK ((drafted_at IS NULL) = (drafted_on IS NULL)),
  CONSTRAINT invoices_check2 CHECK ((issued_at IS NULL) = (issued_on IS NULL) AND (issued_at IS NULL) = (due_on IS NULL)),
  CONSTRAINT invoices_check3 CHECK ((paid_at IS NULL) = (paid_on IS NULL)),
  CONSTRAINT invoices_check4 CHECK ((voided_at IS NULL) = (voided_on IS NULL)),
  CONSTRAINT invoices_check5 CHECK (issued_at IS NULL OR drafted_at IS NOT NULL),
  CONSTRAINT invoices_check6 CHECK (paid_at IS NULL OR issued_at IS NOT NULL AND voided_at IS NULL),
  CONSTRAINT invoices_check7 CHECK (void_reason IS NULL OR voided_at IS NOT NULL),
  CONSTRAINT invoices_period_check CHECK (EXTRACT(day FROM period) = 1::numeric),
  CONSTRAINT invoices_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX invoices_in_order ON invoices USING btree (organization_id, period DESC, number DESC) WHERE period > '-infinity'::date;
CREATE INDEX invoices_of_employer ON invoices USING btree (employer_id, organization_id, period DESC, number DESC);
CREATE INDEX invoices_open_at_stripe ON invoices USING btree (organization_id, invoice_id) WHERE billing_system = 'stripe'::text AND issued_at IS NOT NULL AND paid_at IS NULL AND voided_at IS NULL;
CREATE INDEX invoices_owed ON invoices USING btree (organization_id, period DESC, number DESC) INCLUDE (due_on, employer_id, total_in_cents) WHERE issued_at IS NOT NULL AND paid_at IS NULL AND voided_at IS NULL;
CREATE INDEX invoices_to_issue ON invoices USING btree (organization_id, drafted_on) WHERE drafted_at IS NOT NULL AND issued_at IS NULL AND voided_at IS NULL;
CREATE UNIQUE INDEX one_live_invoice ON invoices USING btree (employer_id, period, organization_id) WHERE voided_at IS NULL;
CREATE POLICY of_organization ON invoices USING (in_scope(organization_id));
ALTER TABLE invoices ENABLE ROW LEVEL SECURITY;

CREATE TABLE life_event_attachments (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  life_event_id text COLLATE "C" NOT NULL,
  file_name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT life_event_attachments_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT life_event_attachments_id_organization_id_fkey FOREIGN KEY (id, organization_id) REFERENCES files(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT life_event_attachments_life_event_id_organization_id_fkey FOREIGN KEY (life_event_id, organization_id) REFERENCES qualifying_life_events(id, organization_id)
);
CREATE INDEX life_event_attachments_of_event ON life_event_attachments USING btree (life_event_id, organization_id, created_at, id);
CREATE POLICY of_organization ON life_event_attachments USING (in_scope(organization_id));
ALTER TABLE life_event_attachments ENABLE ROW LEVEL SECURITY;

CREATE TABLE lowest_cost_silver_premiums (
  state text NOT NULL,
  county text COLLATE pg_c_utf8 NOT NULL,
  county_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(county)) STORED NOT NULL,
  effective_on date NOT NULL,
  min_age integer NOT NULL,
  max_age integer,
  premium_in_cents bigint NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT lowest_cost_silver_premiums_pkey PRIMARY KEY (state, county_key, effective_on, min_age)
);
CREATE INDEX lowest_cost_silver_premiums_changed ON lowest_cost_silver_premiums USING btree (updated_at, state);

CREATE TABLE mail_minutes (
  sender text COLLATE "C" NOT NULL,
  minute timestamp with time zone NOT NULL,
  mail_count integer NOT NULL,
  CONSTRAINT mail_minutes_pkey PRIMARY KEY (sender, minute)
);
CREATE INDEX mail_minutes_by_time ON mail_minutes USING btree (minute);

CREATE TABLE manual_adjustments (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  month date NOT NULL,
  employer_contribution_in_cents bigint NOT NULL,
  employee_deduction_in_cents bigint NOT NULL,
  tax_classification text NOT NULL,
  reason text NOT NULL,
  booked_on date NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT manual_adjustments_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT manual_adjustments_check CHECK (employer_contribution_in_cents <> 0 OR employee_deduction_in_cents <> 0),
  CONSTRAINT manual_adjustments_month_check CHECK (EXTRACT(day FROM month) = 1::numeric),
  CONSTRAINT manual_adjustments_tax_classification_check CHECK (tax_classification = ANY (ARRAY['Pre-tax'::text, 'Post-tax'::text])),
  CONSTRAINT manual_adjustments_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT manual_adjustments_enrollment_id_organization_id_fkey FOREIGN KEY (enrollment_id, organization_id) REFERENCES enrollments(id, organization_id)
);
CREATE INDEX manual_adjustments_of_employer ON manual_adjustments USING btree (employer_id, organization_id, created_at DESC, id DESC);
CREATE INDEX manual_adjustments_of_enrollment ON manual_adjustments USING btree (enrollment_id, organization_id);
CREATE POLICY of_organization ON manual_adjustments USING (in_scope(organization_id));
ALTER TABLE manual_adjustments ENABLE ROW LEVEL SECURITY;

CREATE TABLE measured_statuses (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  starts_on date NOT NULL,
  ends_on date,
  is_full_time boolean NOT NULL,
  reason text NOT NULL,
  decided_on date,
  CONSTRAINT measured_statuses_pkey PRIMARY KEY (employee_id, organization_id, starts_on),
  CONSTRAINT measured_statuses_check CHECK (ends_on >= starts_on)
);
CREATE POLICY of_organization ON measured_statuses USING (in_scope(organization_id));
ALTER TABLE measured_statuses ENABLE ROW LEVEL SECURITY;

CREATE TABLE measurement_policies (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  compensation_type text,
  state text,
  bargaining_unit text,
  is_collectively_bargained boolean,
  effective_on date,
  method text NOT NULL,
  standard_starts_on date,
  standard_months integer NOT NULL,
  administrative_months integer NOT NULL,
  stability_months integer NOT NULL,
  initial_months integer NOT NULL,
  initial_starts text NOT NULL,
  initial_administrative_months integer NOT NULL,
  by_weeks boolean NOT NULL,
  uses_payroll_periods boolean NOT NULL,
  educational boolean NOT NULL,
  parity boolean NOT NULL,
  CONSTRAINT measurement_policies_pkey PRIMARY KEY (employer_id, organization_id, "position"),
  CONSTRAINT measurement_policies_administrative_months_check CHECK (administrative_months >= 0 AND administrative_months <= 2),
  CONSTRAINT measurement_policies_check CHECK (method = 'monthly'::text OR standard_starts_on IS NOT NULL),
  CONSTRAINT measurement_policies_check1 CHECK (bargaining_unit IS NULL OR is_collectively_bargained),
  CONSTRAINT measurement_policies_compensation_type_check CHECK (compensation_type = ANY (ARRAY['Salary'::text, 'Hourly'::text])),
  CONSTRAINT measurement_policies_initial_administrative_months_check CHECK (initial_administrative_months >= 0 AND initial_administrative_months <= 2),
  CONSTRAINT measurement_policies_initial_months_check CHECK (initial_months >= 3 AND initial_months <= 12),
  CONSTRAINT measurement_policies_initial_starts_check CHECK (initial_starts = ANY (ARRAY['start_date'::text, 'first_of_month'::text])),
  CONSTRAINT measurement_policies_method_check CHECK (method = ANY (ARRAY['monthly'::text, 'look_back'::text])),
  CONSTRAINT measurement_policies_stability_months_check CHECK (stability_months >= 6 AND stability_months <= 12),
  CONSTRAINT measurement_policies_standard_months_check CHECK (standard_months >= 3 AND standard_months <= 12),
  CONSTRAINT measurement_policies_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX measurement_policies_of_organization ON measurement_policies USING btree (organization_id, employer_id);
CREATE POLICY of_organization ON measurement_policies USING (in_scope(organization_id));
ALTER TABLE measurement_policies ENABLE ROW LEVEL SECURITY;

CREATE TABLE member_invitations (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  invited_by text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  accepted_by text COLLATE "C",
  revoked_at timestamp with time zone,
  CONSTRAINT member_invitations_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT member_invitations_secret_hash_organization_id_key UNIQUE (secret_hash, organization_id),
  CONSTRAINT member_invitations_role_check CHECK (role = ANY (ARRAY['ADMIN'::text, 'OPERATIONS'::text, 'SALES'::text, 'ENROLLMENT_AGENT'::text])),
  CONSTRAINT member_invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id),
  CONSTRAINT member_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  CONSTRAINT member_invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX member_invitations_of_organization ON member_invitations USING btree (organization_id, created_at DESC, id DESC);
CREATE POLICY of_organization ON member_invitations USING (in_scope(organization_id));
ALTER TABLE member_invitations ENABLE ROW LEVEL SECURITY;

CREATE TABLE members (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  name_key text NOT NULL,
  suffix text,
  email text,
  phone text,
  date_of_birth date NOT NULL,
  gender text,
  address_line_1 text,
  address_line_2 text,
  city text,
  state text,
  zipcode text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  moved_on date,
  county text COLLATE pg_c_utf8,
  email_key text COLLATE "C" GENERATED ALWAYS AS (lower(email)) STORED,
  comparable_name text COLLATE "C" GENERATED ALWAYS AS (comparable_name(name_key)) STORED,
  last_name_key text COLLATE "C" GENERATED ALWAYS AS (split_part(name_key, '|'::text, 2)) STORED,
  CONSTRAINT members_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT members_phone_check CHECK (phone ~ '^\d{10}$'::text)
);
CREATE INDEX members_by_birth_and_name ON members USING btree (date_of_birth, comparable_name, organization_id);
CREATE INDEX members_by_last_name ON members USING btree (last_name_key, organization_id, id);
CREATE INDEX members_by_letters ON members USING gin ((organization_id || '|'::text), search_key(name_key, email) gin_trgm_ops) WITH (gin_pending_list_limit='512');
CREATE UNIQUE INDEX members_email ON members USING btree (email_key, organization_id);
CREATE INDEX members_in_order ON members USING btree (organization_id, created_at DESC, id DESC) INCLUDE (name_key, email) WHERE created_at > '-infinity'::timestamp with time zone;
CREATE INDEX members_phone ON members USING btree (phone, organization_id);
CREATE POLICY of_organization ON members USING (in_scope(organization_id));
ALTER TABLE members ENABLE ROW LEVEL SECURITY;

CREATE TABLE memberships (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  founded_by text COLLATE "C",
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT memberships_role_check CHECK (role = ANY (ARRAY['ADMIN'::text, 'OPERATIONS'::text, 'SALES'::text, 'ENROLLMENT_AGENT'::text])),
  CONSTRAINT memberships_founded_by_fkey FOREIGN KEY (founded_by) REFERENCES api_keys(id),
  CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX memberships_of_user ON memberships USING btree (user_id);
CREATE POLICY of_organization ON memberships USING (in_scope(organization_id));
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;

CREATE TABLE migrations (
  name text NOT NULL,
  hash text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE TABLE note_mentions (
  note_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  done_at timestamp with time zone,
  CONSTRAINT note_mentions_pkey PRIMARY KEY (note_id, organization_id, user_id),
  CONSTRAINT note_mentions_note_id_organization_id_fkey FOREIGN KEY (note_id, organization_id) REFERENCES notes(id, organization_id) ON DELETE CASCADE
);
CREATE INDEX note_mentions_open ON note_mentions USING btree (organization_id, user_id, note_id) WHERE done_at IS NULL;
CREATE POLICY of_organization ON note_mentions USING (in_scope(organization_id));
ALTER TABLE note_mentions ENABLE ROW LEVEL SECURITY;

CREATE TABLE notes (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C",
  author_user_id text COLLATE "C" NOT NULL,
  by_operator boolean NOT NULL,
  text text NOT NULL,
  shared_with_employer boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  edited_at timestamp with time zone,
  CONSTRAINT notes_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT notes_text_check CHECK (length(text) >= 1 AND length(text) <= 4000),
  CONSTRAINT notes_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id) ON DELETE CASCADE,
  CONSTRAINT notes_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id) ON DELETE CASCADE
);
CREATE INDEX notes_of_employee ON notes USING btree (employee_id, organization_id, id DESC) WHERE employee_id IS NOT NULL;
CREATE INDEX notes_of_employer ON notes USING btree (employer_id, organization_id, id DESC) WHERE employee_id IS NULL;
CREATE POLICY of_organization ON notes USING (in_scope(organization_id));
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;

CREATE TABLE operator_invitations (
  id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  invited_by text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  accepted_at timestamp with time zone,
  accepted_by text COLLATE "C",
  revoked_at timestamp with time zone,
  CONSTRAINT operator_invitations_pkey PRIMARY KEY (id),
  CONSTRAINT operator_invitations_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT operator_invitations_role_check CHECK (role = ANY (ARRAY['owner'::text, 'operations'::text, 'billing'::text, 'support'::text])),
  CONSTRAINT operator_invitations_accepted_by_fkey FOREIGN KEY (accepted_by) REFERENCES users(id),
  CONSTRAINT operator_invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id)
);
CREATE INDEX operator_invitations_by_start ON operator_invitations USING btree (created_at DESC, id DESC);

CREATE TABLE operator_keys (
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  secret_hash bytea NOT NULL,
  last_four text NOT NULL,
  created_by text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT operator_keys_pkey PRIMARY KEY (id),
  CONSTRAINT operator_keys_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT operator_keys_check CHECK (expires_at > created_at),
  CONSTRAINT operator_keys_created_by_fkey FOREIGN KEY (created_by) REFERENCES users(id),
  CONSTRAINT operator_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES operators(user_id)
);
CREATE INDEX operator_keys_of_operator ON operator_keys USING btree (user_id, created_at);

CREATE TABLE operators (
  user_id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT operators_pkey PRIMARY KEY (user_id),
  CONSTRAINT operators_role_check CHECK (role = ANY (ARRAY['owner'::text, 'operations'::text, 'billing'::text, 'support'::text])),
  CONSTRAINT operators_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE organization_counts (
  organization_id text COLLATE "C" NOT NULL,
  slot smallint NOT NULL,
  employer_count bigint DEFAULT 0 NOT NULL,
  member_count bigint DEFAULT 0 NOT NULL,
  CONSTRAINT organization_counts_pkey PRIMARY KEY (organization_id, slot)
);
CREATE POLICY of_organization ON organization_counts USING (in_scope(organization_id));
ALTER TABLE organization_counts ENABLE ROW LEVEL SECURITY;

CREATE TABLE organizations (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text,
  idp_provider text NOT NULL,
  idp_org_id text,
  super_in boolean DEFAULT false NOT NULL,
  sandbox boolean DEFAULT false NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  clock_offset_days integer DEFAULT 0 NOT NULL,
  daily_run_on date,
  daily_run_progress jsonb,
  name_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(name COLLATE pg_c_utf8)) STORED,
  accent_color text,
  display_names jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_accent_color_check CHECK (accent_color ~ '^#[0-9a-f]{6}$'::text),
  CONSTRAINT organizations_clock_offset_days_check CHECK (clock_offset_days >= 0),
  CONSTRAINT organizations_idp_provider_check CHECK (idp_provider = ANY (ARRAY['service'::text, 'external_idp'::text]))
);
CREATE INDEX organizations_by_daily_run ON organizations USING btree (daily_run_on);
CREATE INDEX organizations_by_kind ON organizations USING btree (sandbox, id);
CREATE INDEX organizations_by_name ON organizations USING btree (name_key, id);
CREATE INDEX organizations_in_order ON organizations USING btree (created_at DESC, id DESC);
CREATE INDEX organizations_with_clock ON organizations USING btree (id) WHERE clock_offset_days > 0;
CREATE POLICY of_organization ON organizations USING (in_scope(id));
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;

CREATE TABLE payroll_actuals (
  organization_id text COLLATE "C" NOT NULL,
  statement_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  requested_in_cents bigint NOT NULL,
  taken_in_cents bigint NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT payroll_actuals_pkey PRIMARY KEY (statement_id, employee_id, enrollment_id, organization_id),
  CONSTRAINT payroll_actuals_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id),
  CONSTRAINT payroll_actuals_enrollment_id_organization_id_fkey FOREIGN KEY (enrollment_id, organization_id) REFERENCES enrollments(id, organization_id),
  CONSTRAINT payroll_actuals_statement_id_organization_id_fkey FOREIGN KEY (statement_id, organization_id) REFERENCES deduction_statements(id, organization_id)
);
CREATE INDEX payroll_actuals_of_employee ON payroll_actuals USING btree (employee_id, organization_id);
CREATE POLICY of_organization ON payroll_actuals USING (in_scope(organization_id));
ALTER TABLE payroll_actuals ENABLE ROW LEVEL SECURITY;

CREATE TABLE payroll_shortfalls (
  organization_id text COLLATE "C" NOT NULL,
  enrollment_id text COLLATE "C" NOT NULL,
  shortfall_in_cents bigint NOT NULL,
  CONSTRAINT payroll_shortfalls_pkey PRIMARY KEY (enrollment_id, organization_id),
  CONSTRAINT payroll_shortfalls_enrollment_id_organization_id_fkey FOREIGN KEY (enrollment_id, organization_id) REFERENCES enrollments(id, organization_id)
);
CREATE POLICY of_organization ON payroll_shortfalls USING (in_scope(organization_id));
ALTER TABLE payroll_shortfalls ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_area_rates (
  organization_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  state text NOT NULL,
  county text COLLATE pg_c_utf8 NOT NULL,
  county_key text COLLATE pg_c_utf8 GENERATED ALWAYS AS (lower(county)) STORED NOT NULL,
  effective_on date NOT NULL,
  version integer NOT NULL,
  rates jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT plan_area_rates_pkey PRIMARY KEY (plan_id, organization_id, state, county_key, effective_on, version),
  CONSTRAINT plan_area_rates_plan_id_organization_id_fkey FOREIGN KEY (plan_id, organization_id) REFERENCES plans(id, organization_id)
);
CREATE POLICY of_organization ON plan_area_rates USING (in_scope(organization_id));
ALTER TABLE plan_area_rates ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_tier_rates (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  coverage_tier text NOT NULL,
  effective_on date NOT NULL,
  premium_in_cents bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT plan_tier_rates_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT plan_tier_rates_plan_id_coverage_tier_effective_on_organiza_key UNIQUE (plan_id, coverage_tier, effective_on, organization_id),
  CONSTRAINT plan_tier_rates_coverage_tier_check CHECK (coverage_tier = ANY (ARRAY['EE'::text, 'ES'::text, 'EC'::text, 'EF'::text])),
  CONSTRAINT plan_tier_rates_premium_in_cents_check CHECK (premium_in_cents >= 0),
  CONSTRAINT plan_tier_rates_plan_id_organization_id_fkey FOREIGN KEY (plan_id, organization_id) REFERENCES plans(id, organization_id)
);
CREATE POLICY of_organization ON plan_tier_rates USING (in_scope(organization_id));
ALTER TABLE plan_tier_rates ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_year_amendments (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  effective_on date NOT NULL,
  reason text NOT NULL,
  input jsonb NOT NULL,
  terms jsonb NOT NULL,
  reported_at timestamp with time zone NOT NULL,
  withdrawn_at timestamp with time zone,
  withdrawal_reason text,
  CONSTRAINT plan_year_amendments_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT plan_year_amendments_plan_year_id_organization_id_position_key UNIQUE (plan_year_id, organization_id, "position"),
  CONSTRAINT plan_year_amendments_check CHECK ((withdrawn_at IS NULL) = (withdrawal_reason IS NULL)),
  CONSTRAINT plan_year_amendments_plan_year_id_organization_id_fkey FOREIGN KEY (plan_year_id, organization_id) REFERENCES benefit_plan_years(id, organization_id)
);
CREATE POLICY of_organization ON plan_year_amendments USING (in_scope(organization_id));
ALTER TABLE plan_year_amendments ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_year_benefits (
  organization_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  "position" integer NOT NULL,
  starts_on date NOT NULL,
  withdrawn_at timestamp with time zone,
  eligible_count bigint DEFAULT 0 NOT NULL,
  enrolled_count bigint DEFAULT 0 NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  during daterange NOT NULL,
  ends_on date,
  closed_plans jsonb DEFAULT '{}'::jsonb NOT NULL,
  choice_group text,
  CONSTRAINT plan_year_benefits_pkey PRIMARY KEY (plan_year_id, organization_id, benefit_id),
  CONSTRAINT one_plan_year_of_a_benefit_at_a_time EXCLUDE USING gist (((benefit_id || employer_id) || organization_id) WITH =, during WITH &&) WHERE (withdrawn_at IS NULL),
  CONSTRAINT plan_year_benefits_benefit_id_organization_id_fkey FOREIGN KEY (benefit_id, organization_id) REFERENCES benefit_products(id, organization_id),
  CONSTRAINT plan_year_benefits_plan_year_id_organization_id_fkey FOREIGN KEY (plan_year_id, organization_id) REFERENCES benefit_plan_years(id, organization_id)
);
CREATE INDEX plan_year_benefits_of_benefit ON plan_year_benefits USING btree (benefit_id, plan_year_id, organization_id);
CREATE POLICY of_organization ON plan_year_benefits USING (in_scope(organization_id));
ALTER TABLE plan_year_benefits ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_year_contributions (
  organization_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  until date NOT NULL,
  contribution_strategy jsonb NOT NULL,
  CONSTRAINT plan_year_contributions_pkey PRIMARY KEY (plan_year_id, organization_id, benefit_id, effective_on),
  CONSTRAINT plan_year_contributions_check CHECK (effective_on < until),
  CONSTRAINT plan_year_contributions_plan_year_id_organization_id_benef_fkey FOREIGN KEY (plan_year_id, organization_id, benefit_id) REFERENCES plan_year_benefits(plan_year_id, organization_id, benefit_id)
);
CREATE POLICY of_organization ON plan_year_contributions USING (in_scope(organization_id));
ALTER TABLE plan_year_contributions ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_year_rates (
  organization_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  plan_id text COLLATE "C" NOT NULL,
  coverage_tier text NOT NULL,
  tier_id text COLLATE "C",
  premium_in_cents bigint NOT NULL,
  min_contribution_in_cents bigint NOT NULL,
  max_contribution_in_cents bigint NOT NULL,
  pricing text DEFAULT 'tier'::text NOT NULL,
  area_version integer,
  effective_on date NOT NULL,
  until date NOT NULL,
  priced_on date,
  amendment_id text COLLATE "C",
  CONSTRAINT plan_year_rates_pkey PRIMARY KEY (plan_year_id, organization_id, plan_id, coverage_tier, effective_on),
  CONSTRAINT plan_year_rates_check CHECK (max_contribution_in_cents >= min_contribution_in_cents AND (pricing <> 'tier'::text OR max_contribution_in_cents <= premium_in_cents AND tier_id IS NOT NULL)),
  CONSTRAINT plan_year_rates_check1 CHECK ((pricing = 'area'::text) = (area_version IS NOT NULL)),
  CONSTRAINT plan_year_rates_check2 CHECK (effective_on < until),
  CONSTRAINT plan_year_rates_coverage_tier_check CHECK (coverage_tier = ANY (ARRAY['EE'::text, 'ES'::text, 'EC'::text, 'EF'::text])),
  CONSTRAINT plan_year_rates_min_contribution_in_cents_check CHECK (min_contribution_in_cents >= 0),
  CONSTRAINT plan_year_rates_premium_in_cents_check CHECK (premium_in_cents >= 0),
  CONSTRAINT plan_year_rates_pricing_check CHECK (pricing = ANY (ARRAY['tier'::text, 'area'::text, 'reported'::text])),
  CONSTRAINT plan_year_rates_plan_id_organization_id_fkey FOREIGN KEY (plan_id, organization_id) REFERENCES plans(id, organization_id),
  CONSTRAINT plan_year_rates_plan_year_id_organization_id_benefit_id_fkey FOREIGN KEY (plan_year_id, organization_id, benefit_id) REFERENCES plan_year_benefits(plan_year_id, organization_id, benefit_id)
);
CREATE INDEX plan_year_rates_of_plan ON plan_year_rates USING btree (plan_id, organization_id);
CREATE POLICY of_organization ON plan_year_rates USING (in_scope(organization_id));
ALTER TABLE plan_year_rates ENABLE ROW LEVEL SECURITY;

CREATE TABLE plan_year_requests (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  coverage_start date NOT NULL,
  coverage_end date,
  open_enrollment_start date,
  open_enrollment_end date,
  plan_ids text[] NOT NULL,
  message text,
  requested_at timestamp with time zone NOT NULL,
  CONSTRAINT plan_year_requests_pkey PRIMARY KEY (employer_id, organization_id),
  CONSTRAINT plan_year_requests_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE POLICY of_organization ON plan_year_requests USING (in_scope(organization_id));
ALTER TABLE plan_year_requests ENABLE ROW LEVEL SECURITY;

CREATE TABLE plans (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  benefit_id text COLLATE "C" NOT NULL,
  carrier_id text COLLATE "C" NOT NULL,
  name text COLLATE pg_c_utf8 NOT NULL,
  network_names text[] DEFAULT '{}'::text[] NOT NULL,
  spd_file_url text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  partial_month_rule text DEFAULT 'full_month_on_first'::text NOT NULL,
  facts jsonb DEFAULT '{"copays": [], "id_card_url": null, "metal_level": null, "hsa_eligible": null, "deductible_in_cents": null, "member_services_url": null, "member_services_phone": null, "coinsurance_percentage": null, "provider_directory_url": null, "family_deductible_in_cents": null, "out_of_pocket_limit_in_cents": null, "out_of_network_deductible_in_cents": null, "family_out_of_pocket_limit_in_cents": null, "out_of_network_coinsurance_percentage": null, "out_of_network_out_of_pocket_limit_in_cents": null}'::jsonb NOT NULL,
  minimum_essential boolean NOT NULL,
  minimum_value boolean NOT NULL,
  self_insured boolean NOT NULL,
  CONSTRAINT plans_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT plans_partial_month_rule_check CHECK (partial_month_rule = ANY (ARRAY['full_month_on_first'::text, '15th_rule'::text, 'daily'::text])),
  CONSTRAINT plans_benefit_id_organization_id_fkey FOREIGN KEY (benefit_id, organization_id) REFERENCES benefit_products(id, organization_id),
  CONSTRAINT plans_carrier_id_organization_id_fkey FOREIGN KEY (carrier_id, organization_id) REFERENCES carriers(id, organization_id)
);
CREATE INDEX plans_in_order ON plans USING btree (name, id) INCLUDE (organization_id);
CREATE UNIQUE INDEX plans_name ON plans USING btree (lower(name), benefit_id, organization_id);
CREATE INDEX plans_of_benefit ON plans USING btree (benefit_id, organization_id);
CREATE INDEX plans_of_organization ON plans USING btree (organization_id, name, id);
CREATE POLICY of_organization ON plans USING (in_scope(organization_id));
ALTER TABLE plans ENABLE ROW LEVEL SECURITY;

CREATE TABLE qualifying_life_events (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  type text NOT NULL,
  occurred_on date NOT NULL,
  description text,
  decision text,
  decided_at timestamp with time zone,
  decision_reason text,
  window_start date,
  window_end date,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT qualifying_life_events_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT qualifying_life_events_check CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CONSTRAINT qualifying_life_events_check1 CHECK ((decision = 'approved'::text) = (window_start IS NOT NULL) OR decision IS NULL),
  CONSTRAINT qualifying_life_events_decision_check CHECK (decision = ANY (ARRAY['approved'::text, 'declined'::text])),
  CONSTRAINT qualifying_life_events_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);
CREATE INDEX life_events_in_order ON qualifying_life_events USING btree (created_at, id) INCLUDE (organization_id, employer_id, employee_id, decision);
CREATE INDEX life_events_of_employee ON qualifying_life_events USING btree (employee_id, organization_id, created_at DESC);
CREATE INDEX life_events_of_organization ON qualifying_life_events USING btree (organization_id, created_at, id) WHERE created_at > '-infinity'::timestamp with time zone;
CREATE INDEX life_events_to_decide ON qualifying_life_events USING btree (created_at, id) WHERE decision IS NULL;
CREATE INDEX life_events_with_window ON qualifying_life_events USING btree (employer_id, organization_id, window_end) INCLUDE (employee_id) WHERE decision = 'approved'::text AND window_end > '-infinity'::date;
CREATE POLICY of_organization ON qualifying_life_events USING (in_scope(organization_id));
ALTER TABLE qualifying_life_events ENABLE ROW LEVEL SECURITY;

CREATE UNLOGGED TABLE rate_limits (
  credential_id text NOT NULL,
  tokens double precision NOT NULL,
  allowed boolean NOT NULL,
  refilled_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (credential_id)
);
CREATE INDEX rate_limits_by_age ON rate_limits USING btree (created_at);

CREATE TABLE released_forms (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  tax_year integer NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  version integer NOT NULL,
  "position" integer NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  content_hash text NOT NULL,
  employer_hash text NOT NULL,
  is_due boolean NOT NULL,
  document_sealed bytea NOT NULL,
  released_at timestamp with time zone NOT NULL,
  notice text,
  transmission_id text COLLATE "C",
  record_number integer,
  mailed_on date,
  mailed_by text COLLATE "C",
  CONSTRAINT released_forms_pkey PRIMARY KEY (employer_id, organization_id, tax_year, member_id, version),
  CONSTRAINT released_forms_notice_check CHECK (notice = ANY (ARRAY['published'::text, 'queued'::text, 'sending'::text, 'sent'::text, 'failed'::text])),
  CONSTRAINT released_forms_position_check CHECK ("position" > 0),
  CONSTRAINT released_forms_record_number_check CHECK (record_number > 0),
  CONSTRAINT released_forms_version_check CHECK (version > 0),
  CONSTRAINT released_forms_member_id_organization_id_fkey FOREIGN KEY (member_id, organization_id) REFERENCES members(id, organization_id)
) WITH (fillfactor=50, toast_tuple_target=128);
CREATE UNIQUE INDEX released_forms_by_position ON released_forms USING btree (employer_id, organization_id, tax_year, "position");
CREATE INDEX released_forms_of_member ON released_forms USING btree (member_id, organization_id, tax_year DESC, version DESC);
CREATE INDEX released_forms_of_organization ON released_forms USING btree (organization_id);
CREATE INDEX released_forms_of_transmission ON released_forms USING btree (transmission_id, organization_id, record_number) WHERE transmission_id IS NOT NULL;
CREATE POLICY of_organization ON released_forms USING (in_scope(organization_id));
ALTER TABLE released_forms ENABLE ROW LEVEL SECURITY;

CREATE TABLE reminder_unsubscribes (
  organization_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  CONSTRAINT reminder_unsubscribes_pkey PRIMARY KEY (member_id, organization_id)
);
CREATE POLICY of_organization ON reminder_unsubscribes USING (in_scope(organization_id));
ALTER TABLE reminder_unsubscribes ENABLE ROW LEVEL SECURITY;

CREATE TABLE renewal_proposals (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  plan_year_id text COLLATE "C" NOT NULL,
  proposal jsonb NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT renewal_proposals_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT renewal_proposals_plan_year_id_organization_id_fkey FOREIGN KEY (plan_year_id, organization_id) REFERENCES benefit_plan_years(id, organization_id)
);
CREATE INDEX renewal_proposals_of_plan_year ON renewal_proposals USING btree (plan_year_id, organization_id, id DESC);
CREATE POLICY of_organization ON renewal_proposals USING (in_scope(organization_id));
ALTER TABLE renewal_proposals ENABLE ROW LEVEL SECURITY;

CREATE TABLE replica_heartbeats (
  id boolean DEFAULT true NOT NULL,
  heartbeat uuid NOT NULL,
  written_at timestamp with time zone NOT NULL,
  CONSTRAINT replica_heartbeats_pkey PRIMARY KEY (id),
  CONSTRAINT replica_heartbeats_id_check CHECK (id)
);

CREATE TABLE roster_terminations (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  terminated_on date NOT NULL,
  employee_count bigint NOT NULL,
  CONSTRAINT roster_terminations_pkey PRIMARY KEY (employer_id, organization_id, terminated_on),
  CONSTRAINT roster_terminations_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE POLICY of_organization ON roster_terminations USING (in_scope(organization_id));
ALTER TABLE roster_terminations ENABLE ROW LEVEL SECURITY;

CREATE TABLE scheduled_exports (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  list text NOT NULL,
  parameters jsonb NOT NULL,
  format text NOT NULL,
  frequency text NOT NULL,
  recipient_user_ids text[] NOT NULL,
  next_on date NOT NULL,
  latest_on date,
  created_by text COLLATE "C",
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT scheduled_exports_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT scheduled_exports_format_check CHECK (format = ANY (ARRAY['csv'::text, 'xlsx'::text])),
  CONSTRAINT scheduled_exports_frequency_check CHECK (frequency = ANY (ARRAY['daily'::text, 'weekly'::text, 'monthly'::text])),
  CONSTRAINT scheduled_exports_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX scheduled_exports_due ON scheduled_exports USING btree (organization_id, next_on);
CREATE INDEX scheduled_exports_of_organization ON scheduled_exports USING btree (organization_id, id DESC);
CREATE POLICY of_organization ON scheduled_exports USING (in_scope(organization_id));
ALTER TABLE scheduled_exports ENABLE ROW LEVEL SECURITY;

CREATE TABLE schema_definitions (
  name text NOT NULL,
  hash text NOT NULL,
  version text NOT NULL,
  CONSTRAINT schema_definitions_pkey PRIMARY KEY (name)
);

CREATE TABLE secret_keys (
  secret text NOT NULL,
  id text NOT NULL,
  check_value bytea NOT NULL,
  recorded_at timestamp with time zone NOT NULL,
  audit_from date,
  retired_at timestamp with time zone,
  key_sealed bytea,
  CONSTRAINT secret_keys_pkey PRIMARY KEY (secret, id),
  CONSTRAINT secret_keys_check CHECK ((audit_from IS NOT NULL) = (secret = 'HASH_KEY'::text)),
  CONSTRAINT secret_keys_check1 CHECK ((key_sealed IS NOT NULL) = (secret = 'HASH_KEY'::text AND retired_at IS NOT NULL)),
  CONSTRAINT secret_keys_secret_check CHECK (secret = ANY (ARRAY['ENCRYPTION_KEYS'::text, 'HASH_KEY'::text, 'TOKEN_KEY'::text]))
);

CREATE TABLE service_processes (
  id text NOT NULL,
  role text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  known_keys text[] NOT NULL,
  used_keys text[] NOT NULL,
  records_writes boolean DEFAULT false NOT NULL,
  CONSTRAINT service_processes_pkey PRIMARY KEY (id)
);

CREATE TABLE sessions (
  id text COLLATE "C" NOT NULL,
  secret_hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  signed_in_with text NOT NULL,
  user_agent text,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  signed_in_at timestamp with time zone NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT sessions_check CHECK (expires_at > created_at),
  CONSTRAINT sessions_signed_in_with_check CHECK (signed_in_with = ANY (ARRAY['openid'::text, 'sandbox'::text])),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX sessions_by_end ON sessions USING btree (expires_at);
CREATE INDEX sessions_by_start ON sessions USING btree (created_at DESC, id DESC);
CREATE INDEX sessions_of_user ON sessions USING btree (user_id, created_at DESC, id DESC);

CREATE TABLE stripe_customers (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  stripe_customer_id text,
  requested_at timestamp with time zone NOT NULL,
  failure_count integer DEFAULT 0 NOT NULL,
  CONSTRAINT stripe_customers_pkey PRIMARY KEY (employer_id, organization_id),
  CONSTRAINT stripe_customers_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE POLICY of_organization ON stripe_customers USING (in_scope(organization_id));
ALTER TABLE stripe_customers ENABLE ROW LEVEL SECURITY;

CREATE TABLE stripe_invoices (
  organization_id text COLLATE "C" NOT NULL,
  invoice_id text COLLATE "C" NOT NULL,
  stripe_invoice_id text,
  requested_at timestamp with time zone,
  finalized_at timestamp with time zone,
  failure_count integer DEFAULT 0 NOT NULL,
  mirrored_at timestamp with time zone,
  payment_url text,
  CONSTRAINT stripe_invoices_pkey PRIMARY KEY (invoice_id, organization_id),
  CONSTRAINT stripe_invoices_invoice_id_organization_id_fkey FOREIGN KEY (invoice_id, organization_id) REFERENCES invoices(invoice_id, organization_id)
);
CREATE INDEX stripe_invoices_behind ON stripe_invoices USING btree (organization_id, invoice_id) WHERE mirrored_at IS NULL;
CREATE POLICY of_organization ON stripe_invoices USING (in_scope(organization_id));
ALTER TABLE stripe_invoices ENABLE ROW LEVEL SECURITY;

CREATE TABLE tasks (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C",
  kind text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  details jsonb NOT NULL,
  opened_at timestamp with time zone NOT NULL,
  closed_at timestamp with time zone,
  CONSTRAINT tasks_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT tasks_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT tasks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX tasks_in_order ON tasks USING btree (opened_at, id) INCLUDE (organization_id, employer_id, kind) WHERE closed_at IS NULL;
CREATE INDEX tasks_of_employer ON tasks USING btree (employer_id, organization_id, opened_at, id) WHERE closed_at IS NULL;
CREATE INDEX tasks_of_organization ON tasks USING btree (organization_id, opened_at, id) WHERE closed_at IS NULL;
CREATE UNIQUE INDEX tasks_once ON tasks USING btree (resource_id, kind, organization_id) WHERE closed_at IS NULL;
CREATE POLICY of_organization ON tasks USING (in_scope(organization_id));
ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;

CREATE TABLE tax_identifiers (
  organization_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL,
  last_four text NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT tax_identifiers_pkey PRIMARY KEY (person_id, organization_id),
  CONSTRAINT tax_identifiers_last_four_check CHECK (last_four ~ '^\d{4}$'::text),
  CONSTRAINT tax_identifiers_member_id_organization_id_fkey FOREIGN KEY (member_id, organization_id) REFERENCES members(id, organization_id)
);
CREATE INDEX tax_identifiers_of_organization ON tax_identifiers USING btree (organization_id, person_id);
CREATE POLICY of_organization ON tax_identifiers USING (in_scope(organization_id));
ALTER TABLE tax_identifiers ENABLE ROW LEVEL SECURITY;

CREATE TABLE two_phase_commits (
  id integer NOT NULL,
  CONSTRAINT two_phase_commits_pkey PRIMARY KEY (id)
);

CREATE TABLE unsharding_steps (
  "position" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  statement text NOT NULL,
  CONSTRAINT unsharding_steps_pkey PRIMARY KEY ("position")
);

CREATE TABLE user_identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT user_identities_pkey PRIMARY KEY (issuer, subject),
  CONSTRAINT user_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX identities_of_user ON user_identities USING btree (user_id);

CREATE TABLE users (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  email text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);
CREATE INDEX users_by_email ON users USING btree (lower(email), id);
CREATE INDEX users_by_name ON users USING btree (lower(name COLLATE pg_c_utf8), id);
CREATE INDEX users_in_order ON users USING btree (created_at DESC, id DESC);

CREATE TABLE webhook_deliveries (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  subscription_id text COLLATE "C" NOT NULL,
  webhook_event_id text COLLATE "C" NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  due_at timestamp with time zone,
  claimed_at timestamp with time zone,
  started_at timestamp with time zone,
  delivered_at timestamp with time zone,
  failed_at timestamp with time zone,
  response_status integer,
  response_body text,
  failure_reason text DEFAULT ''::text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT webhook_deliveries_check CHECK ((due_at IS NULL) = (delivered_at IS NOT NULL OR failed_at IS NOT NULL))
) PARTITION BY RANGE (id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries USING btree (subscription_id, due_at) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries USING btree (subscription_id, failed_at DESC, id DESC) WHERE failed_at IS NOT NULL;
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries USING btree (webhook_event_id, organization_id, subscription_id);
CREATE POLICY of_organization ON webhook_deliveries USING (in_scope(organization_id));
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_deliveries_other PARTITION OF webhook_deliveries DEFAULT;
ALTER TABLE webhook_deliveries_other ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_event_counts (
  organization_id text COLLATE "C" NOT NULL,
  event_name text NOT NULL,
  slot smallint NOT NULL,
  event_count bigint NOT NULL,
  CONSTRAINT webhook_event_counts_pkey PRIMARY KEY (organization_id, event_name, slot)
);
CREATE POLICY of_organization ON webhook_event_counts USING (in_scope(organization_id));
ALTER TABLE webhook_event_counts ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_event_positions (
  organization_id text COLLATE "C" NOT NULL,
  last_position bigint NOT NULL,
  CONSTRAINT webhook_event_positions_pkey PRIMARY KEY (organization_id)
);
CREATE POLICY of_organization ON webhook_event_positions USING (in_scope(organization_id));
ALTER TABLE webhook_event_positions ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  event_name text NOT NULL,
  resource_type text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  "position" bigint,
  employer_id text COLLATE "C" NOT NULL,
  trace_id text COLLATE "C",
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT webhook_events_resource_id_sequence_organization_id_key UNIQUE (resource_id, sequence, organization_id)
) PARTITION BY HASH (organization_id);
CREATE INDEX webhook_events_by_name ON webhook_events USING btree (organization_id, event_name, created_at, id);
CREATE INDEX webhook_events_in_order ON webhook_events USING btree (organization_id, "position") WHERE "position" IS NOT NULL;
CREATE INDEX webhook_events_of_activity ON webhook_events USING btree (organization_id, created_at, id) WHERE event_name <> 'employee.deduction_created'::text;
CREATE INDEX webhook_events_of_employer ON webhook_events USING btree (organization_id, employer_id, created_at, id) WHERE employer_id > ''::text;
CREATE INDEX webhook_events_of_employer_activity ON webhook_events USING btree (organization_id, employer_id, created_at, id) WHERE employer_id > ''::text AND event_name <> 'employee.deduction_created'::text;
CREATE INDEX webhook_events_of_organization ON webhook_events USING btree (organization_id, created_at, id);
CREATE INDEX webhook_events_of_trace ON webhook_events USING btree (organization_id, trace_id) WHERE trace_id IS NOT NULL;
CREATE INDEX webhook_events_without_position ON webhook_events USING btree (organization_id, created_at, id) WHERE "position" IS NULL;
CREATE POLICY of_organization ON webhook_events USING (in_scope(organization_id));
ALTER TABLE webhook_events ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_0 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 0);
ALTER TABLE webhook_events_0 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_1 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 1);
ALTER TABLE webhook_events_1 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_2 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 2);
ALTER TABLE webhook_events_2 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_3 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 3);
ALTER TABLE webhook_events_3 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_4 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 4);
ALTER TABLE webhook_events_4 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_5 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 5);
ALTER TABLE webhook_events_5 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_6 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 6);
ALTER TABLE webhook_events_6 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_events_7 PARTITION OF webhook_events FOR VALUES WITH (modulus 8, remainder 7);
ALTER TABLE webhook_events_7 ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_outbox (
  webhook_event_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  event_name text NOT NULL,
  CONSTRAINT webhook_outbox_pkey PRIMARY KEY (webhook_event_id, organization_id)
);
CREATE INDEX webhook_outbox_of_organization ON webhook_outbox USING btree (organization_id, webhook_event_id);
CREATE POLICY of_organization ON webhook_outbox USING (in_scope(organization_id));
ALTER TABLE webhook_outbox ENABLE ROW LEVEL SECURITY;

CREATE TABLE webhook_subscriptions (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  url text NOT NULL,
  event_names text[] NOT NULL,
  description text,
  secret_sealed bytea,
  former_secret_sealed bytea,
  former_secret_until timestamp with time zone,
  failing_since timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_reason text,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT webhook_subscriptions_check CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CONSTRAINT webhook_subscriptions_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['requested'::text, 'gone'::text, 'failing'::text])),
  CONSTRAINT webhook_subscriptions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX webhook_subscriptions_disabled ON webhook_subscriptions USING btree (disabled_at DESC, id DESC) WHERE disabled_at IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_ended ON webhook_subscriptions USING btree (GREATEST(disabled_at, deleted_at)) WHERE disabled_at IS NOT NULL OR deleted_at IS NOT NULL;
CREATE INDEX webhook_subscriptions_failing ON webhook_subscriptions USING btree (created_at DESC, id DESC) INCLUDE (organization_id) WHERE failing_since IS NOT NULL AND disabled_at IS NULL AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_in_order ON webhook_subscriptions USING btree (created_at DESC, id DESC) INCLUDE (organization_id) WHERE deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_of_organization ON webhook_subscriptions USING btree (organization_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE POLICY of_organization ON webhook_subscriptions USING (in_scope(organization_id));
ALTER TABLE webhook_subscriptions ENABLE ROW LEVEL SECURITY;

CREATE UNLOGGED TABLE write_positions (
  writer_id text COLLATE "C" NOT NULL,
  "position" bigint NOT NULL,
  written_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT write_positions_pkey PRIMARY KEY (writer_id)
);
CREATE INDEX write_positions_by_age ON write_positions USING btree (written_at);
