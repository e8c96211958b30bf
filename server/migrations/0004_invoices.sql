-- What an employer is billed each month: the difference between what its enrollments cost and what was billed already.

-- Invoices are counted per organization without gaps: the number is taken in the transaction that writes the invoice.
create table invoice_counters (
  organization_id text collate "C" primary key references organizations,
  invoice_count bigint not null
);

-- Where an organization's invoices are collected. Without a row: built in.
create table billing_systems (
  organization_id text collate "C" primary key references organizations,
  billing_system text not null check (billing_system in ('built_in', 'stripe')),
  stripe_secret_key_sealed bytea,
  stripe_webhook_secret_sealed bytea,
  updated_at timestamptz not null
);

create table invoices (
  -- INV- and the number
  invoice_id text collate "C" not null,
  organization_id text collate "C" not null,
  number bigint not null,
  employer_id text collate "C" not null,
  -- the 1st of the month
  period date not null check (extract(day from period) = 1),
  line_count bigint not null default 0,
  total_in_cents bigint not null default 0,
  employer_contribution_in_cents bigint not null default 0,
  employee_deduction_in_cents bigint not null default 0,
  -- who is billed, as they were when it was drafted
  employer_name text not null,
  employer_legal_name text not null,
  address_line_1 text not null,
  address_line_2 text,
  city text not null,
  state text not null,
  zipcode text not null,
  -- it is seen from here on: until then lines are being added
  drafted_at timestamptz,
  drafted_on date,
  issued_at timestamptz,
  issued_on date,
  due_on date,
  paid_at timestamptz,
  paid_on date,
  voided_at timestamptz,
  voided_on date,
  -- that of the organization when it was drafted
  billing_system text not null check (billing_system in ('built_in', 'stripe')),
  created_at timestamptz not null,
  primary key (invoice_id, organization_id),
  foreign key (employer_id, organization_id) references employers,
  check (total_in_cents = employer_contribution_in_cents + employee_deduction_in_cents),
  check ((drafted_at is null) = (drafted_on is null)),
  check ((issued_at is null) = (issued_on is null) and (issued_at is null) = (due_on is null)),
  check ((paid_at is null) = (paid_on is null)),
  check ((voided_at is null) = (voided_on is null)),
  check (issued_at is null or drafted_at is not null),
  check (paid_at is null or issued_at is not null and voided_at is null)
);
-- One live invoice of an employer and month.
create unique index one_live_invoice on invoices (employer_id, period, organization_id) where voided_at is null;
-- The list, newest first.
create index invoices_of_employer on invoices (employer_id, organization_id, period desc, number desc);
-- The turn of the day looks for drafts that are due.
create index invoices_to_issue on invoices (organization_id, drafted_on)
  where drafted_at is not null and issued_at is null and voided_at is null;

-- It also looks for invoices without a PDF.
create index invoices_issued on invoices (organization_id, issued_on) where issued_at is not null;

-- What an invoice bills for an enrollment and a month; with names as they were then, since a line never changes.
create table invoice_lines (
  organization_id text collate "C" not null,
  invoice_id text collate "C" not null,
  position bigint not null,
  employee_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  month date not null,
  kind text not null check (kind in ('coverage', 'adjustment')),
  employee_name text not null,
  benefit_name text not null,
  plan_name text not null,
  coverage_tier text not null,
  -- negative: given back
  premium_in_cents bigint not null,
  employer_contribution_in_cents bigint not null,
  employee_deduction_in_cents bigint not null,
  primary key (invoice_id, organization_id, position),
  foreign key (invoice_id, organization_id) references invoices,
  foreign key (employee_id, organization_id) references employees,
  foreign key (enrollment_id, organization_id) references enrollments,
  check (premium_in_cents = employer_contribution_in_cents + employee_deduction_in_cents)
);
-- What was billed for an enrollment and its months already.
create index invoice_lines_of_enrollment on invoice_lines (enrollment_id, organization_id, month);

-- The invoice days of an employer: how far each is, employees being taken in the order of their ids.
create table invoice_runs (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  period date not null,
  through_employee_id text collate "C",
  -- from the first line on; none where there was nothing to bill
  invoice_id text collate "C",
  finished_at timestamptz,
  primary key (employer_id, organization_id, period),
  foreign key (employer_id, organization_id) references employers,
  foreign key (invoice_id, organization_id) references invoices
);
-- The turn of the day sees to it that none is left behind.
create index invoice_runs_unfinished on invoice_runs (organization_id, employer_id, period) where finished_at is null;

create table invoice_pdfs (
  organization_id text collate "C" not null,
  invoice_id text collate "C" not null,
  pdf bytea not null,
  rendered_at timestamptz not null,
  primary key (invoice_id, organization_id),
  foreign key (invoice_id, organization_id) references invoices
);
-- A PDF is compressed already.
alter table invoice_pdfs alter column pdf set storage external;
