-- The months of a year that no invoice reaches any more and that are taxed so, January in the lowest bit: a month keeps
-- how it was taxed when it closed. Those of before are told by the next statement.
alter table deduction_balances add column taxed_months smallint not null default 0;
