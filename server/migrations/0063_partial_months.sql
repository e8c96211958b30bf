-- How a plan bills a month in which coverage starts or ends: in full when its first day is covered, as all did.
alter table plans add column partial_month_rule text not null default 'full_month_on_first'
  check (partial_month_rule in ('full_month_on_first', '15th_rule', 'daily'));
