-- Checks that the employees and the benefits of new enrollments exist, see refuse_removal. The employer is compared
-- after the lookup by id; as a condition it would make PostgreSQL walk through all employees of the employer.
create or replace function check_enrollment_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct employee_id, organization_id, employer_id from written) as given
     where given.employer_id is distinct from (
          select employer_id from employees
           where id = given.employee_id and organization_id = given.organization_id))
  or exists (
    select from (select distinct plan_year_id, organization_id, benefit_id from written) as given
     where not exists (
          select from plan_year_benefits
           where plan_year_id = given.plan_year_id and organization_id = given.organization_id
             and benefit_id = given.benefit_id offset 0)) then
    raise foreign_key_violation using message = 'A row of enrollments refers to a row that does not exist.';
  end if;
  return null;
end $$;

-- Every new enrollment refers to existing rows.
create or replace trigger check_references
after insert on enrollments
referencing new table as written
for each statement
execute function check_enrollment_references();

-- Evidence, deduction lines and invoice lines refer to enrollments, see refuse_removal.
create or replace trigger keep_rows
after delete or update of id, organization_id on enrollments
for each row
execute function refuse_removal();
