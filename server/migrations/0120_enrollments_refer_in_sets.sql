-- A recalculation grants by the thousand, and a foreign key asks for each grant row by row: a third of the time that it
-- took to write them. What enrollments and their evidence refer to is never deleted and never gets another id, so each
-- statement asks once for all that it wrote, as for lines of statements (decision 188, and 210). Behind a fence, so that
-- each is looked up by its key, however many there are; and that an employee is of the employer is asked of the row that
-- was found, or all of the employer would be walked for each.
create trigger stays after delete or update of plan_year_id, organization_id, benefit_id on plan_year_benefits
  for each row execute function refuse_going();

create function enrollments_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct employee_id, organization_id, employer_id from written) as told
     where told.employer_id is distinct from (
          select employer_id from employees
           where id = told.employee_id and organization_id = told.organization_id))
  or exists (
    select from (select distinct plan_year_id, organization_id, benefit_id from written) as told
     where not exists (
          select from plan_year_benefits
           where plan_year_id = told.plan_year_id and organization_id = told.organization_id
             and benefit_id = told.benefit_id offset 0)) then
    raise foreign_key_violation using message = 'A row of enrollments refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on enrollments referencing new table as written
  for each statement execute function enrollments_refer();
alter table enrollments
  drop constraint enrollments_employee_id_organization_id_fkey,
  drop constraint enrollments_employer_id_organization_id_fkey,
  drop constraint enrollments_plan_year_id_organization_id_benefit_id_fkey;

create function enrollment_evidence_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct enrollment_id, organization_id from written) as told
     where not exists (
          select from enrollments
           where id = told.enrollment_id and organization_id = told.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of enrollment_evidence refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on enrollment_evidence referencing new table as written
  for each statement execute function enrollment_evidence_refer();
alter table enrollment_evidence
  drop constraint enrollment_evidence_enrollment_id_organization_id_fkey;
