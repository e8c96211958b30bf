-- The invoices of all employers of an organization in the order of their list, and those that are owed besides: each for
-- who says that they want the order (docs/decisions/0166).
create index invoices_in_order on invoices (organization_id, period desc, number desc) where period > '-infinity';
create index invoices_owed_in_order on invoices (organization_id, period desc, number desc) include (due_on)
  where issued_at is not null and paid_at is null and voided_at is null;
