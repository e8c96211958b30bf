-- A statement that took several transactions to write is told to its employees in several too (decision 197). Null where
-- nobody is to be told any more, as of all that there are; else after whom it goes on.
alter table deduction_statements add column telling_after text collate "C";

drop index deduction_statements_open;
create index deduction_statements_open on deduction_statements (employer_id, organization_id, period_end_date)
  where generated_at is null or telling_after is not null;
