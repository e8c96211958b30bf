-- Of whom rows of a census spoke, and for whom they were taken, in one row for each chunk: a row and an entry of an index
-- for each person cost as much as reading whom the census may mean. `place`: that of the chunk's first row. Both lists
-- are only read whole, while their census lasts.
alter table census_seen drop constraint census_seen_pkey;
alter table census_seen alter column member_id drop not null;
alter table census_seen alter column claimed drop not null;
alter table census_seen add column place integer;
alter table census_seen add column member_ids text[] collate "C";
alter table census_seen add column claimed_ids text[] collate "C";
insert into census_seen (organization_id, census_sync_id, place, member_ids, claimed_ids)
select organization_id, census_sync_id, -1, array_agg(member_id),
       coalesce(array_agg(member_id) filter (where claimed), '{}')
  from census_seen group by organization_id, census_sync_id;
delete from census_seen where place is null;
alter table census_seen drop column member_id;
alter table census_seen drop column claimed;
alter table census_seen alter column place set not null;
alter table census_seen alter column member_ids set not null;
alter table census_seen alter column claimed_ids set not null;
alter table census_seen add primary key (census_sync_id, organization_id, place);
