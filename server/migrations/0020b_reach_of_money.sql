-- How many months before its own an invoice or a statement still corrects; what is taken from the last paycheck; which part
-- of a normal deduction may be taken once more for what payroll did not take; and from how many paydays a year it takes.
alter table employers
  add column correction_reach_months int not null default 3 check (correction_reach_months between 0 and 12),
  add column final_deductions text not null default 'collect' check (final_deductions in ('collect', 'waive')),
  add column arrears_limit_percent int not null default 100 check (arrears_limit_percent between 0 and 500),
  add column deductions_per_year int,
  add check (deductions_per_year is null
             or pay_frequency = 'bi_weekly' and deductions_per_year = 24
             or pay_frequency = 'weekly' and deductions_per_year = 48);
alter table deduction_statements add column deductions_per_year int;

-- What the operator books for an enrollment and a month that corrections reach no more: for payroll and for the invoice.
-- Nothing of it changes; it is taken back by the opposite.
create table manual_adjustments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  -- the 1st of the month
  month date not null check (extract(day from month) = 1),
  -- negative: given back
  employer_contribution_in_cents bigint not null,
  employee_deduction_in_cents bigint not null,
  tax_classification text not null check (tax_classification in ('Pre-tax', 'Post-tax')),
  reason text not null,
  booked_on date not null,
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers,
  foreign key (enrollment_id, organization_id) references enrollments,
  check (employer_contribution_in_cents <> 0 or employee_deduction_in_cents <> 0)
);
-- What statements and invoices have to hold.
create index manual_adjustments_of_enrollment on manual_adjustments (enrollment_id, organization_id);
-- The list of an employer, newest first.
create index manual_adjustments_of_employer on manual_adjustments (employer_id, organization_id, created_at desc, id desc);

-- Lines by hand and lines of arrears, and lines of each kind by how they are taxed.
alter table deduction_lines
  drop constraint deduction_lines_pkey,
  drop constraint deduction_lines_kind_check,
  drop constraint deduction_lines_check,
  add primary key (statement_id, employee_id, enrollment_id, year, kind, tax_classification, organization_id),
  add check (kind in ('deduction', 'correction', 'manual_adjustment', 'arrears')),
  add check (kind <> 'deduction' or amount_in_cents > 0);

alter table invoice_lines
  drop constraint invoice_lines_kind_check,
  add check (kind in ('coverage', 'adjustment', 'manual_adjustment'));
-- What was billed by hand for an enrollment already.
create index invoice_lines_by_hand on invoice_lines (enrollment_id, organization_id) where kind = 'manual_adjustment';

-- Balances are kept by how what was taken was taxed, and apart for the schedule, what was booked by hand, and arrears.
drop table deduction_balances;
create table deduction_balances (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  year int not null,
  tax_classification text not null check (tax_classification in ('Pre-tax', 'Post-tax')),
  collected_in_cents bigint not null,
  adjusted_in_cents bigint not null default 0,
  arrears_in_cents bigint not null default 0,
  primary key (enrollment_id, year, organization_id, tax_classification),
  foreign key (enrollment_id, organization_id) references enrollments
);
insert into deduction_balances (organization_id, enrollment_id, year, tax_classification, collected_in_cents)
select organization_id, enrollment_id, year, tax_classification, sum(amount_in_cents) from deduction_lines
 group by organization_id, enrollment_id, year, tax_classification;

-- What payroll told that it took for an enrollment in a pay period, beside what the statement asked for.
create table payroll_actuals (
  organization_id text collate "C" not null,
  statement_id text collate "C" not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  requested_in_cents bigint not null,
  taken_in_cents bigint not null,
  told_at timestamptz not null,
  primary key (statement_id, employee_id, enrollment_id, organization_id),
  foreign key (statement_id, organization_id) references deduction_statements,
  foreign key (employee_id, organization_id) references employees,
  foreign key (enrollment_id, organization_id) references enrollments
);
-- The proof of an employee's year.
create index payroll_actuals_of_employee on payroll_actuals (employee_id, organization_id);

-- By how much payroll took less than it was asked for, all statements together: kept with what it told.
create table payroll_shortfalls (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  shortfall_in_cents bigint not null,
  primary key (enrollment_id, organization_id),
  foreign key (enrollment_id, organization_id) references enrollments
);
