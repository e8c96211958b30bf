-- How often each credential called each operation on a day, by the calendar: for 90 days. '' is of no organization.
create table credential_usage (
  day date not null,
  organization_id text collate "C" not null,
  credential_id text collate "C" not null,
  operation text collate "C" not null,
  request_count bigint not null,
  -- of those: answered with 4xx but 429, with 429, and with 5xx
  refused_count bigint not null,
  limited_count bigint not null,
  failed_count bigint not null,
  last_used_at timestamptz not null,
  primary key (credential_id, day, operation, organization_id)
);

-- What an organization's credentials did in a time.
create index credential_usage_of_organization on credential_usage (organization_id, day desc);
-- What is forgotten.
create index credential_usage_by_day on credential_usage (day);
