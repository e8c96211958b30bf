-- What needs somebody of the operator today: a row each, once, until it is settled. `details` hold ids, days and
-- numbers, and nothing of a person.
create table open_matters (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations (id),
  employer_id text collate "C",
  kind text not null,
  resource_id text collate "C" not null,
  details jsonb not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers (id, organization_id)
);

-- One matter of a kind is open about a resource, and by it the matter is closed.
create unique index open_matters_once on open_matters (resource_id, kind, organization_id) where closed_at is null;

-- What is open, oldest first: of all, of an organization, of an employer.
create index open_matters_in_order on open_matters (opened_at, id)
  include (organization_id, employer_id, kind) where closed_at is null;
create index open_matters_of_organization on open_matters (organization_id, opened_at, id) where closed_at is null;
create index open_matters_of_employer on open_matters (employer_id, organization_id, opened_at, id)
  where closed_at is null;
