-- Adds the new rows of organizations or users to directory_counts. The connection selects one of 64 counters, so that
-- concurrent writers rarely wait for each other.
create or replace function count_added()
returns trigger
language plpgsql
as $$
begin
  insert into directory_counts as counted (of_table, shard, row_count)
  select tg_table_name, pg_backend_pid() % 64, count(*) from added
  on conflict (of_table, shard) do update set row_count = counted.row_count + excluded.row_count;
  return null;
end $$;

create or replace trigger count_added
after insert on organizations
referencing new table as added
for each statement
execute function count_added();

create or replace trigger count_added
after insert on users
referencing new table as added
for each statement
execute function count_added();

-- Counts the new people of each organization, and checks that the organizations exist. This replaces a foreign key,
-- see refuse_removal.
create or replace function count_members()
returns trigger
language plpgsql
as $$
declare
  row_total bigint;
begin
  insert into organization_counts as counted (organization_id, slot, member_count)
  select organization_id, pg_backend_pid() % 64, count(*) from written
   where exists (select from organizations where id = written.organization_id)
   group by organization_id
  on conflict (organization_id, slot) do update set member_count = counted.member_count + excluded.member_count;
  get diagnostics row_total = row_count;
  if row_total <> (select count(distinct organization_id) from written) then
    raise foreign_key_violation using message = 'A row of members refers to a row that does not exist.';
  end if;
  return null;
end $$;

create or replace trigger count_members
after insert on members
referencing new table as written
for each statement
execute function count_members();

create or replace trigger keep_rows
after delete or update of id on organizations
for each row
execute function refuse_removal();
