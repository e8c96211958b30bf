-- HRIS connections -------------------------------------------------------------------------------

-- Where the roster of an employer is kept when it is not kept by the partner: one connection at a time, and former ones.
create table hris_connections (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  source text not null check (source in ('finch', 'csv', 'sandbox')),
  -- the payroll system behind the source, in lower case: by it the book is filtered
  provider text not null,
  provider_label text not null,
  -- the access token, encrypted; gone with the connection
  access_sealed bytea,
  -- what only its provider reads
  settings jsonb not null default '{}',
  connected_at timestamptz not null,
  paused_at timestamptz,
  -- when the other side let us in no longer
  access_lost_at timestamptz,
  disconnected_at timestamptz,
  last_attempt_at timestamptz,
  last_synced_at timestamptz,
  -- rows of the last successful sync that could be used
  synced_row_count int,
  -- why the latest run did not succeed; null since one did
  last_error_code text,
  last_error_message text,
  -- the next night; null: not by itself
  next_sync_on date,
  status text not null generated always as (
    case when paused_at is not null then 'paused'
         when access_lost_at is not null then 'inactive'
         when last_synced_at is null then 'pending'
         else 'active' end) stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- One connection at a time; asked for each row of the book and at each hire.
create unique index hris_connection_of_employer on hris_connections (employer_id, organization_id) where disconnected_at is null;
create index hris_connections_of_employer on hris_connections (employer_id, organization_id, connected_at desc);
-- The filters of the book.
create index hris_connections_by_status on hris_connections (status, organization_id) include (employer_id) where disconnected_at is null;
create index hris_connections_by_provider on hris_connections (provider, organization_id) include (employer_id) where disconnected_at is null;
-- The list of an organization's providers. Over an expression: beginning with the organization itself, it would be taken
-- on a young table to look up an employer's connection.
create index hris_connections_of_organization on hris_connections ((organization_id || ''), provider) where disconnected_at is null;
-- The turn of the day looks for those that are due.
create index hris_connections_due on hris_connections (organization_id, next_sync_on) where next_sync_on is not null;

-- A run fetches everybody, then hands them to the census, whose outcome is the run's from then on.
create table hris_runs (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  connection_id text collate "C" not null,
  employer_id text collate "C" not null,
  cause text not null check (cause in ('schedule', 'operator', 'upload', 'drop')),
  requested_at timestamptz not null,
  attempt_count int not null default 0,
  attempted_at timestamptz,
  fetched_at timestamptz,
  census_sync_id text collate "C",
  -- why it did not succeed, or has not yet
  error_code text,
  error_message text,
  -- when nothing more will come of it
  ended_at timestamptz,
  primary key (id, organization_id),
  foreign key (connection_id, organization_id) references hris_connections,
  foreign key (census_sync_id, organization_id) references census_syncs,
  check (census_sync_id is not null or fetched_at is null)
);
-- One that waits to be fetched is enough.
create unique index hris_run_to_fetch on hris_runs (connection_id, organization_id) where census_sync_id is null and ended_at is null;
-- A connection's runs, newest first.
create index hris_runs_of_connection on hris_runs (connection_id, organization_id, requested_at desc, id desc);
-- Those whose census may be over without the connection knowing.
create index hris_runs_to_settle on hris_runs (employer_id, organization_id) where ended_at is null;

alter table census_syncs
  -- submitted by a partner, or fetched over a connection
  add column origin text not null default 'api' check (origin in ('api', 'hris')),
  -- the task that hears when it is over or held
  add column told_to text,
  -- a row that could not be used may speak of anybody
  add column unsure boolean not null default false;
