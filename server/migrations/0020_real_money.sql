-- From which day on an employer is administered here: coverage before it is history, and is neither deducted nor billed.
-- Null: since ever.
alter table employers add column administered_from date;
