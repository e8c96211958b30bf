-- What operators look things up by: in full an id or an address, or how a name begins. Each lookup begins in an index
-- and ends after a bounded number of rows.

-- Organizations and users, newest first, and by how their names begin.
create index organizations_in_order on organizations (created_at desc, id desc);
create index organizations_by_name on organizations (lower(name collate pg_c_utf8), id);
create index users_in_order on users (created_at desc, id desc);
create index users_by_name on users (lower(name collate pg_c_utf8), id);
create index users_by_email on users (lower(email), id);

-- People by how their last name begins, whichever organization knows them.
create index members_by_last_name on members
  ((split_part(name_key, '|', 2) collate "C"), organization_id, id);

-- Who looks after an employer gets an id, so that no path has to hold an address.
alter table employer_admins add column id text collate "C";
update employer_admins set id = new_id('eadm');
alter table employer_admins alter column id set not null;
alter table employer_admins add primary key (id, organization_id);

-- Censuses that are under way or held, of all employers, oldest first.
create index census_syncs_open on census_syncs (accepted_at, id) include (organization_id, employer_id)
  where completed_at is null and failed_at is null;

-- What is held by now needs somebody, as what will be does.
insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
select
  new_id('omat'), sync.organization_id, sync.employer_id, 'census_held', sync.id,
  jsonb_build_object('missing_count', sync.missing_count, 'roster_count', sync.roster_count), sync.held_at
from census_syncs as sync
where
  sync.held_at is not null and sync.confirmed_at is null and sync.completed_at is null and sync.failed_at is null
  and not exists (
    select
    from census_syncs as later
    where
      later.employer_id = sync.employer_id and later.organization_id = sync.organization_id
      and (later.accepted_at, later.id) > (sync.accepted_at, sync.id)
  );
