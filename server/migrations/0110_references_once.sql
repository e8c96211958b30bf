-- A statement and an invoice have several lines for an enrollment, and each line was looked up three times. Whose an
-- enrollment is stands with it, and that its employee is there is held by a foreign key: so each enrollment is looked up
-- once, together with its employee, and each statement or invoice once.
create or replace function deduction_lines_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct enrollment_id, employee_id, organization_id from written) as told
     where not exists (
          select from enrollments
           where id = told.enrollment_id and organization_id = told.organization_id
             and employee_id = told.employee_id offset 0))
  or exists (
    select from (select distinct statement_id, organization_id from written) as told
     where not exists (
          select from deduction_statements
           where id = told.statement_id and organization_id = told.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of deduction_lines refers to what is not there.';
  end if;
  return null;
end $$;

create or replace function deduction_balances_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct enrollment_id, organization_id from written) as told
     where not exists (
          select from enrollments
           where id = told.enrollment_id and organization_id = told.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of deduction_balances refers to what is not there.';
  end if;
  return null;
end $$;

create or replace function invoice_lines_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct enrollment_id, employee_id, organization_id from written) as told
     where not exists (
          select from enrollments
           where id = told.enrollment_id and organization_id = told.organization_id
             and employee_id = told.employee_id offset 0))
  or exists (
    select from (select distinct invoice_id, organization_id from written) as told
     where not exists (
          select from invoices
           where invoice_id = told.invoice_id and organization_id = told.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of invoice_lines refers to what is not there.';
  end if;
  return null;
end $$;
