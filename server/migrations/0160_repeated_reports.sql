-- Finds the people whom an employer last reported with exactly the details of a census row, whatever others have changed
-- since: the same census again must not fail or duplicate them.
create index employees_by_report on employees (said_hash, organization_id) where said_hash is not null;
