-- What an employer takes from the pay of its employees in one pay period. The turn of the day opens it, by the settings
-- of that day; it is written in chunks of employees, and seen once it is whole: generated_at. From then on it never changes.
create table deduction_statements (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  -- the calendar year of the last day, in which the period is the number-th of period_count
  year int not null,
  period_start_date date not null,
  period_end_date date not null check (period_end_date >= period_start_date),
  -- the employer's settings
  frequency text not null check (frequency in ('weekly', 'bi_weekly', 'semi_monthly', 'monthly')),
  first_pay_date date,
  deduction_method text not null check (deduction_method in ('annualized', 'per_month')),
  number int not null check (number between 1 and period_count),
  period_count int not null,
  -- how far it is written: employees up to this one, by id
  through_employee_id text collate "C",
  employee_count bigint not null default 0,
  line_count bigint not null default 0,
  total_in_cents bigint not null default 0,
  created_at timestamptz not null,
  generated_at timestamptz,
  primary key (id, organization_id),
  -- One per period; the newest of an employer is found here too, for the list, for its people, and for the next one.
  unique (employer_id, organization_id, period_end_date),
  foreign key (employer_id, organization_id) references employers
);
-- Those that are not whole yet, in their order.
create index deduction_statements_open on deduction_statements (employer_id, organization_id, period_end_date) where generated_at is null;

-- What is taken for an enrollment and a year: the amount of the period, and what sets right the periods before it.
create table deduction_lines (
  organization_id text collate "C" not null,
  statement_id text collate "C" not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  year int not null,
  kind text not null check (kind in ('deduction', 'correction')),
  -- negative: paid back
  amount_in_cents bigint not null check (amount_in_cents <> 0),
  -- as it was called then
  benefit_name text not null,
  tax_classification text not null check (tax_classification in ('Pre-tax', 'Post-tax')),
  primary key (statement_id, employee_id, enrollment_id, year, kind, organization_id),
  foreign key (statement_id, organization_id) references deduction_statements,
  foreign key (employee_id, organization_id) references employees,
  foreign key (enrollment_id, organization_id) references enrollments,
  check (kind = 'correction' or amount_in_cents > 0)
);
-- The proof of an employee's year.
create index deduction_lines_of_employee on deduction_lines (employee_id, organization_id, year);

-- What was taken for an enrollment in a year so far: the sum of its lines, kept with them.
create table deduction_balances (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  year int not null,
  collected_in_cents bigint not null,
  primary key (enrollment_id, year, organization_id),
  foreign key (enrollment_id, organization_id) references enrollments
);
