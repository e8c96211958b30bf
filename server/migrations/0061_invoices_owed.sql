-- What is issued and neither paid nor void: what employers owe, however many invoices were paid before.
create index invoices_owed on invoices (organization_id, employer_id, due_on) include (total_in_cents)
 where issued_at is not null and paid_at is null and voided_at is null;
