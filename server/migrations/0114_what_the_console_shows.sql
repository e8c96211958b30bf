-- The statements of all employers of an organization in the order of their list, for who says that they want it
-- (docs/decisions/0166).
create index deduction_statements_in_order on deduction_statements (organization_id, period_end_date desc, id desc)
  where period_end_date > '-infinity';

-- What rows of a payroll system's roster changed of people who were there, field by field.
create table census_changes (
  organization_id text collate "C" not null,
  census_sync_id text collate "C" not null,
  employee_id text collate "C" not null,
  differences jsonb not null,
  primary key (census_sync_id, organization_id, employee_id),
  foreign key (census_sync_id, organization_id) references census_syncs (id, organization_id)
);
