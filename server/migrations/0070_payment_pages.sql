-- The page of Stripe on which an invoice is paid, as it was when the invoice was last looked at there.
alter table stripe_invoices add column payment_url text;
