-- The schema after all migrations, written by npm run gen.
SET check_function_bodies = off;

CREATE EXTENSION IF NOT EXISTS btree_gist WITH SCHEMA public;

CREATE OR REPLACE FUNCTION iso(instant timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN to_char((instant AT TIME ZONE 'UTC'::text), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'::text);

CREATE TABLE organizations (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  type text,
  idp_provider text NOT NULL,
  idp_org_id text,
  super_in boolean DEFAULT false NOT NULL,
  sandbox boolean DEFAULT false NOT NULL,
  employer_count bigint DEFAULT 0 NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_idp_provider_check CHECK (idp_provider = ANY (ARRAY['service'::text, 'external_idp'::text]))
);
CREATE INDEX organizations_to_mirror ON organizations USING btree (id) WHERE idp_org_id IS NULL;

CREATE TABLE users (
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  email text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id)
);

CREATE TABLE api_keys (
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C",
  secret_hash bytea NOT NULL,
  rate_limited boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_secret_hash_key UNIQUE (secret_hash),
  CONSTRAINT api_keys_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT api_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

CREATE TABLE audit_entries (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C",
  operation text NOT NULL,
  resource_id text,
  fields text[] NOT NULL,
  credential_id text NOT NULL,
  user_id text COLLATE "C",
  trace_id text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_entries_of_organization ON audit_entries USING btree (organization_id, created_at DESC);

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
  active boolean DEFAULT true NOT NULL,
  address_line_1 text NOT NULL,
  address_line_2 text,
  city text NOT NULL,
  state text NOT NULL,
  zipcode text NOT NULL,
  pay_frequency text DEFAULT 'bi_weekly'::text NOT NULL,
  first_pay_date date,
  deduction_method text DEFAULT 'annualized'::text NOT NULL,
  census_mode text DEFAULT 'merge'::text NOT NULL,
  employee_count bigint DEFAULT 0 NOT NULL,
  subscription_ended_on date,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT employers_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT employers_ein UNIQUE (ein_hash, organization_id),
  CONSTRAINT employers_census_mode_check CHECK (census_mode = ANY (ARRAY['merge'::text, 'replace'::text])),
  CONSTRAINT employers_deduction_method_check CHECK (deduction_method = ANY (ARRAY['annualized'::text, 'per_month'::text])),
  CONSTRAINT employers_ein_last_four_check CHECK (ein_last_four ~ '^\d{4}$'::text),
  CONSTRAINT employers_pay_frequency_check CHECK (pay_frequency = ANY (ARRAY['weekly'::text, 'bi_weekly'::text, 'semi_monthly'::text, 'monthly'::text])),
  CONSTRAINT employers_phone_number_check CHECK (phone_number ~ '^\d{10}$'::text),
  CONSTRAINT employers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX employers_book ON employers USING btree (organization_id, created_at DESC, id DESC) INCLUDE (subscription_ended_on);
CREATE INDEX employers_by_subscription_end ON employers USING btree (organization_id, subscription_ended_on) WHERE subscription_ended_on IS NOT NULL;
CREATE UNIQUE INDEX employers_email ON employers USING btree (lower(email), organization_id);
CREATE UNIQUE INDEX employers_legal_name ON employers USING btree (lower(legal_name), organization_id);
CREATE UNIQUE INDEX employers_name ON employers USING btree (lower(name), organization_id);
CREATE UNIQUE INDEX employers_phone ON employers USING btree (phone_number, organization_id);
CREATE INDEX employers_whole_book ON employers USING btree (created_at DESC, id DESC) INCLUDE (organization_id, subscription_ended_on);

CREATE TABLE benefit_eligibility_policies (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  classification text NOT NULL,
  waiting_period text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  archived_at timestamp with time zone,
  CONSTRAINT benefit_eligibility_policies_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT benefit_eligibility_policies_classification_check CHECK (classification = ANY (ARRAY['full_time'::text, 'part_time'::text, 'all'::text])),
  CONSTRAINT benefit_eligibility_policies_waiting_period_check CHECK (waiting_period = ANY (ARRAY['first_of_following_month'::text, '30_days'::text, '60_days'::text, 'none'::text])),
  CONSTRAINT benefit_eligibility_policies_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE UNIQUE INDEX active_policy_of_employer ON benefit_eligibility_policies USING btree (employer_id, organization_id) WHERE archived_at IS NULL;

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
  CONSTRAINT census_syncs_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT census_syncs_mode_check CHECK (mode = ANY (ARRAY['merge'::text, 'replace'::text])),
  CONSTRAINT census_syncs_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX census_syncs_waiting ON census_syncs USING btree (employer_id, organization_id, accepted_at) WHERE completed_at IS NULL AND failed_at IS NULL;

CREATE TABLE census_chunks (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  first_index integer NOT NULL,
  rows jsonb NOT NULL,
  CONSTRAINT census_chunks_pkey PRIMARY KEY (census_sync_id, organization_id, first_index),
  CONSTRAINT census_chunks_census_sync_id_organization_id_fkey FOREIGN KEY (census_sync_id, organization_id) REFERENCES census_syncs(id, organization_id)
);

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

CREATE TABLE census_seen (
  organization_id text COLLATE "C" NOT NULL,
  census_sync_id text COLLATE "C" NOT NULL,
  member_id text COLLATE "C" NOT NULL,
  claimed boolean NOT NULL,
  CONSTRAINT census_seen_pkey PRIMARY KEY (census_sync_id, organization_id, member_id),
  CONSTRAINT census_seen_census_sync_id_organization_id_fkey FOREIGN KEY (census_sync_id, organization_id) REFERENCES census_syncs(id, organization_id)
);

CREATE TABLE members (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  name_key text NOT NULL,
  suffix text,
  email text NOT NULL,
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
  CONSTRAINT members_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT members_phone_check CHECK (phone ~ '^\d{10}$'::text),
  CONSTRAINT members_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id)
);
CREATE INDEX members_by_birth_and_name ON members USING btree (date_of_birth, name_key, organization_id);
CREATE UNIQUE INDEX members_email ON members USING btree (lower(email), organization_id);
CREATE UNIQUE INDEX members_phone ON members USING btree (phone, organization_id);

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
  CONSTRAINT employees_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT one_employment_at_a_time EXCLUDE USING gist ((member_id || employer_id) WITH =, employed WITH &&),
  CONSTRAINT employees_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id),
  CONSTRAINT employees_member_id_organization_id_fkey FOREIGN KEY (member_id, organization_id) REFERENCES members(id, organization_id)
);
CREATE INDEX employees_by_reference ON employees USING btree (reference_id, employer_id, organization_id) WHERE reference_id IS NOT NULL;
CREATE INDEX employees_of_member ON employees USING btree (member_id, organization_id);
CREATE INDEX employees_roster ON employees USING btree (employer_id, organization_id, created_at DESC, id DESC);
CREATE INDEX employees_to_deactivate ON employees USING btree (terminated_on) WHERE terminated_on IS NOT NULL AND deactivated_at IS NULL;
CREATE UNIQUE INDEX one_holder_of_a_reference ON employees USING btree (reference_id, employer_id, organization_id) WHERE terminated_on IS NULL;

CREATE TABLE employee_classifications (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  employee_class text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_classifications_pkey PRIMARY KEY (employee_id, organization_id, effective_on),
  CONSTRAINT employee_classifications_employee_class_check CHECK (employee_class = ANY (ARRAY['Full Time'::text, 'Part Time'::text, 'Temporary'::text, 'Intern'::text, 'Seasonal'::text, 'Individual Contractor'::text])),
  CONSTRAINT employee_classifications_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);

CREATE TABLE employee_compensations (
  organization_id text COLLATE "C" NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  effective_on date NOT NULL,
  compensation_type text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employee_compensations_pkey PRIMARY KEY (employee_id, organization_id, effective_on),
  CONSTRAINT employee_compensations_compensation_type_check CHECK (compensation_type = ANY (ARRAY['Salary'::text, 'Hourly'::text])),
  CONSTRAINT employee_compensations_employee_id_organization_id_fkey FOREIGN KEY (employee_id, organization_id) REFERENCES employees(id, organization_id)
);

CREATE TABLE employer_admins (
  organization_id text COLLATE "C" NOT NULL,
  employer_id text COLLATE "C" NOT NULL,
  email text NOT NULL,
  name text,
  phone text,
  disabled_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT employer_admins_employer_id_organization_id_fkey FOREIGN KEY (employer_id, organization_id) REFERENCES employers(id, organization_id)
);
CREATE INDEX employer_admins_by_email ON employer_admins USING btree (lower(email), organization_id) WHERE disabled_at IS NULL;
CREATE UNIQUE INDEX employer_admins_email ON employer_admins USING btree (employer_id, lower(email), organization_id);

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
CREATE INDEX employer_subscriptions_by_start ON employer_subscriptions USING btree (started_on);
CREATE INDEX employer_subscriptions_of_employer ON employer_subscriptions USING btree (employer_id, organization_id, started_on);

CREATE TABLE idempotency_keys (
  credential_id text NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status integer NOT NULL,
  body bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (credential_id, method, path, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys USING btree (created_at);

CREATE TABLE memberships (
  organization_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone,
  CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id),
  CONSTRAINT memberships_role_check CHECK (role = ANY (ARRAY['ADMIN'::text, 'OPERATIONS'::text, 'SALES'::text, 'ENROLLMENT_AGENT'::text])),
  CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES organizations(id),
  CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX memberships_of_user ON memberships USING btree (user_id);

CREATE TABLE migrations (
  name text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT migrations_pkey PRIMARY KEY (name)
);

CREATE UNLOGGED TABLE rate_limits (
  credential_id text NOT NULL,
  tokens double precision NOT NULL,
  allowed boolean NOT NULL,
  refilled_at timestamp with time zone NOT NULL,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (credential_id)
);

CREATE TABLE turned_days (
  day date NOT NULL,
  turned_at timestamp with time zone NOT NULL,
  CONSTRAINT turned_days_pkey PRIMARY KEY (day)
);

CREATE TABLE webhook_events (
  id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  event_name text NOT NULL,
  resource_type text NOT NULL,
  resource_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT webhook_events_pkey PRIMARY KEY (id, organization_id),
  CONSTRAINT webhook_events_resource_id_sequence_organization_id_key UNIQUE (resource_id, sequence, organization_id)
);
