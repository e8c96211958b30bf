-- How a plan bills a month in which coverage starts or ends: in full when its first day is covered, as all did.
alter table plans add column partial_month_rule text not null default 'full_month_on_first'
  check (partial_month_rule in ('full_month_on_first', '15th_rule', 'daily'));

-- Statements and invoices ask for the plans that bill otherwise than usual, of which there are few.
create index plans_of_partial_months on plans (organization_id) where partial_month_rule <> 'full_month_on_first';
