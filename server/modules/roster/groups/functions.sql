-- Checks that the groups, plans and people of group members exist. See refuse_removal.
create or replace function check_group_member_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct group_id, organization_id from written) as given
     where not exists (
          select from groups where id = given.group_id and organization_id = given.organization_id offset 0))
  or exists (
    select from (select distinct plan_id, organization_id from written) as given
     where not exists (
          select from plans where id = given.plan_id and organization_id = given.organization_id offset 0))
  or exists (
    select from written
     where not exists (
          select from members
           where id = written.member_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of group_members refers to a row that does not exist.';
  end if;
  return null;
end $$;

-- Every new membership refers to an existing group, plan and person.
create or replace trigger check_references
after insert on group_members
referencing new table as written
for each statement
execute function check_group_member_references();

-- A membership that changes its plan refers to an existing one.
create or replace trigger check_references_on_update
after update on group_members
referencing new table as written
for each statement
execute function check_group_member_references();

-- Memberships refer to groups, see refuse_removal.
create or replace trigger keep_rows
after delete or update of id, organization_id on groups
for each row
execute function refuse_removal();
