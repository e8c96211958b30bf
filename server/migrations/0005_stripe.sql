-- What Stripe was told of an organization's invoices, and what it answered.

-- An employer at the Stripe of its organization.
create table stripe_customers (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  -- null until Stripe has answered
  stripe_customer_id text,
  -- since when Stripe is asked, and how often it answered with a failure, which it keeps under the key of the request
  asked_at timestamptz not null,
  failure_count int not null default 0,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);

-- An invoice at the Stripe of its organization.
create table stripe_invoices (
  organization_id text collate "C" not null,
  invoice_id text collate "C" not null,
  stripe_invoice_id text,
  -- null until Stripe was asked to create it
  asked_at timestamptz,
  -- when it was seen to be no draft any more, which nobody can delete
  finalized_at timestamptz,
  failure_count int not null default 0,
  -- null while Stripe may be behind
  mirrored_at timestamptz,
  primary key (invoice_id, organization_id),
  foreign key (invoice_id, organization_id) references invoices
);
-- The turn of the day sees to it that none is left behind.
create index stripe_invoices_behind on stripe_invoices (organization_id, invoice_id) where mirrored_at is null;
-- The turn of the day also looks whether those that are open were paid meanwhile: a webhook may be lost.
create index invoices_open_at_stripe on invoices (organization_id, invoice_id)
  where billing_system = 'stripe' and issued_at is not null and paid_at is null and voided_at is null;
