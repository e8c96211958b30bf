-- Why the operator voided an invoice.
alter table invoices add column void_reason text check (void_reason is null or voided_at is not null);

-- The PDF of a void invoice names the invoice that bills its month instead, which comes later. `rendered_state` is
-- the state of the invoice that a kept PDF shows. A PDF of another state is rendered again.
alter table invoice_pdfs add column rendered_state text not null default 'due';
update invoice_pdfs set rendered_state = 'void ' where says_void;
alter table invoice_pdfs drop column says_void;
