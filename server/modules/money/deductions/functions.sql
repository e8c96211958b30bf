-- Checks that the enrollments, employees and statements of new deduction lines exist, see refuse_removal. Each
-- enrollment is looked up together with its employee, once for all of its lines.
create or replace function check_deduction_line_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct enrollment_id, employee_id, organization_id from written) as given
     where not exists (
          select from enrollments
           where id = given.enrollment_id and organization_id = given.organization_id
             and employee_id = given.employee_id offset 0))
  or exists (
    select from (select distinct statement_id, organization_id from written) as given
     where not exists (
          select from deduction_statements
           where id = given.statement_id and organization_id = given.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of deduction_lines refers to a row that does not exist.';
  end if;
  return null;
end $$;

-- Every new deduction line refers to an existing enrollment, employee and statement.
create or replace trigger check_references
after insert on deduction_lines
referencing new table as written
for each statement
execute function check_deduction_line_references();

-- Checks that the enrollments of new balances exist, see refuse_removal.
create or replace function check_deduction_balance_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct enrollment_id, organization_id from written) as given
     where not exists (
          select from enrollments
           where id = given.enrollment_id and organization_id = given.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of deduction_balances refers to a row that does not exist.';
  end if;
  return null;
end $$;

-- Every new balance refers to an existing enrollment.
create or replace trigger check_references
after insert on deduction_balances
referencing new table as written
for each statement
execute function check_deduction_balance_references();

-- Deduction lines reference statements, see refuse_removal.
create or replace trigger keep_rows
after delete or update of id, organization_id on deduction_statements
for each row
execute function refuse_removal();
