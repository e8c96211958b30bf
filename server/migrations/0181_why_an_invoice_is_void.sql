-- Why the operator voided an invoice.
alter table invoices add column void_reason text check (void_reason is null or voided_at is not null);

-- The PDF of a void invoice names the invoice that bills its month instead, which comes later. `says` is what a kept
-- PDF says about that; a PDF that says something else is rendered again.
alter table invoice_pdfs add column says text not null default 'due';
update invoice_pdfs set says = 'void ' where says_void;
alter table invoice_pdfs drop column says_void;
