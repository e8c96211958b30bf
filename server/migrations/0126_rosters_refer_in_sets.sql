-- A census and a sync write people, employments, their histories and memberships by the thousand, and a foreign key asked
-- for each row: a tenth of what PostgreSQL took. As for lines of statements (decision 188, and 225) each statement asks
-- once for all that it wrote. What is asked for is never deleted and keeps its id, so that it can't go meanwhile; and
-- rows keep what they refer to. Behind a fence, so that each is looked up by its key.
create trigger stays after delete or update of id on organizations
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on employers
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on members
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on groups
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on plans
  for each row execute function refuse_going();

create function refuse_moving() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % keep what they refer to.', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace function count_members() returns trigger language plpgsql as $$
declare
  counted bigint;
begin
  update organizations set member_count = member_count + added.people
    from (select organization_id, count(*) as people from written group by organization_id) as added
   where added.organization_id = organizations.id;
  get diagnostics counted = row_count;
  if counted <> (select count(distinct organization_id) from written) then
    raise foreign_key_violation using message = 'A row of members refers to what is not there.';
  end if;
  return null;
end $$;
alter table members
  drop constraint members_organization_id_fkey;

create function employees_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct employer_id, organization_id from written) as told
     where not exists (
          select from employers
           where id = told.employer_id and organization_id = told.organization_id offset 0))
  or exists (
    select from written
     where not exists (
          select from members
           where id = written.member_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of employees refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on employees referencing new table as written
  for each statement execute function employees_refer();
create trigger keeps before update of employer_id, member_id on employees
  for each row when (old.employer_id <> new.employer_id or old.member_id <> new.member_id)
  execute function refuse_moving();
alter table employees
  drop constraint employees_employer_id_organization_id_fkey,
  drop constraint employees_member_id_organization_id_fkey;

create function employee_history_refers() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct employee_id, organization_id from written) as told
     where not exists (
          select from employees
           where id = told.employee_id and organization_id = told.organization_id offset 0)) then
    raise foreign_key_violation using message = format('A row of %s refers to what is not there.', tg_table_name);
  end if;
  return null;
end $$;
create trigger refers after insert on employee_classifications referencing new table as written
  for each statement execute function employee_history_refers();
create trigger keeps before update of employee_id, organization_id on employee_classifications
  for each row execute function refuse_moving();
alter table employee_classifications
  drop constraint employee_classifications_employee_id_organization_id_fkey;
create trigger refers after insert on employee_compensations referencing new table as written
  for each statement execute function employee_history_refers();
create trigger keeps before update of employee_id, organization_id on employee_compensations
  for each row execute function refuse_moving();
alter table employee_compensations
  drop constraint employee_compensations_employee_id_organization_id_fkey;

create function group_members_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct group_id, organization_id from written) as told
     where not exists (
          select from groups where id = told.group_id and organization_id = told.organization_id offset 0))
  or exists (
    select from (select distinct plan_id, organization_id from written) as told
     where not exists (
          select from plans where id = told.plan_id and organization_id = told.organization_id offset 0))
  or exists (
    select from written
     where not exists (
          select from members
           where id = written.member_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of group_members refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on group_members referencing new table as written
  for each statement execute function group_members_refer();
create trigger refers_still after update on group_members referencing new table as written
  for each statement execute function group_members_refer();
alter table group_members
  drop constraint group_members_group_id_organization_id_fkey,
  drop constraint group_members_member_id_organization_id_fkey,
  drop constraint group_members_plan_id_organization_id_fkey;
