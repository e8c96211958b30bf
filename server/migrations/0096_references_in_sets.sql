-- What is worked out from what people said (lines of statements and invoices, balances, deliveries) is written by the
-- thousand, and refers to rows that are never deleted and never get another id. A foreign key asks for each of them row by
-- row, which was two thirds of the time of writing lines of an invoice: now each statement asks once for all that it
-- wrote, and what is referred to refuses to go (decision 188). Behind a fence, so that each is looked up by its key, however
-- many there are.
create function refuse_going() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are never deleted and keep their ids: others refer to them.', tg_table_name
    using errcode = 'restrict_violation';
end $$;

create trigger stays after delete or update of id, organization_id on employees
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on enrollments
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on deduction_statements
  for each row execute function refuse_going();
create trigger stays after delete or update of invoice_id, organization_id on invoices
  for each row execute function refuse_going();
create trigger stays after delete or update of id, organization_id on webhook_subscriptions
  for each row execute function refuse_going();

create function deduction_lines_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from written
     where not exists (
          select from employees
           where id = written.employee_id and organization_id = written.organization_id offset 0)
        or not exists (
          select from enrollments
           where id = written.enrollment_id and organization_id = written.organization_id offset 0)
        or not exists (
          select from deduction_statements
           where id = written.statement_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of deduction_lines refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on deduction_lines referencing new table as written
  for each statement execute function deduction_lines_refer();
alter table deduction_lines
  drop constraint deduction_lines_employee_id_organization_id_fkey,
  drop constraint deduction_lines_enrollment_id_organization_id_fkey,
  drop constraint deduction_lines_statement_id_organization_id_fkey;

create function deduction_balances_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from written
     where not exists (
          select from enrollments
           where id = written.enrollment_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of deduction_balances refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on deduction_balances referencing new table as written
  for each statement execute function deduction_balances_refer();
alter table deduction_balances
  drop constraint deduction_balances_enrollment_id_organization_id_fkey;

create function invoice_lines_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from written
     where not exists (
          select from employees
           where id = written.employee_id and organization_id = written.organization_id offset 0)
        or not exists (
          select from enrollments
           where id = written.enrollment_id and organization_id = written.organization_id offset 0)
        or not exists (
          select from invoices
           where invoice_id = written.invoice_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of invoice_lines refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on invoice_lines referencing new table as written
  for each statement execute function invoice_lines_refer();
alter table invoice_lines
  drop constraint invoice_lines_employee_id_organization_id_fkey,
  drop constraint invoice_lines_enrollment_id_organization_id_fkey,
  drop constraint invoice_lines_invoice_id_organization_id_fkey;

create function webhook_deliveries_refer() returns trigger language plpgsql as $$
begin
  if exists (
    select from written
     where not exists (
          select from webhook_subscriptions
           where id = written.subscription_id and organization_id = written.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of webhook_deliveries refers to what is not there.';
  end if;
  return null;
end $$;
create trigger refers after insert on webhook_deliveries referencing new table as written
  for each statement execute function webhook_deliveries_refer();
alter table webhook_deliveries
  drop constraint webhook_deliveries_subscription_id_organization_id_fkey;
