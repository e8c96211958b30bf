import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { IssuedStatus, LineSum } from './rules.ts'

/** The encrypted Stripe keys of an organization. They are kept when new invoices are collected elsewhere. */
export const findStripeKeys = statement(
  'stripe-invoices.findStripeKeys',
  `select stripe_secret_key_sealed as secret_key, stripe_webhook_secret_sealed as webhook_secret
     from billing_systems where organization_id = :organization_id`,
).row<{ secret_key: Buffer | null; webhook_secret: Buffer | null }>

type CustomerAt = {
  name: string
  line1: string
  line2: string | null
  city: string
  state: string
  postal_code: string
  /** Null if Stripe never received a request. */
  requested_at: string | null
  stripe_customer_id: string | null
  failure_count: number
}

/** The details of an employer for Stripe, and the state of its customer there. */
export const findCustomer = statement(
  'stripe-invoices.findCustomer',
  `select employer.legal_name as name, employer.address_line_1 as line1, employer.address_line_2 as line2,
          employer.city, employer.state, employer.zipcode as postal_code, iso(customer.requested_at) as requested_at,
          customer.stripe_customer_id, coalesce(customer.failure_count, 0) as failure_count
     from employers as employer
     left join stripe_customers as customer
            on customer.employer_id = employer.id and customer.organization_id = employer.organization_id
    where employer.id = :employer_id and employer.organization_id = :organization_id`,
).row<CustomerAt>

/** Records that a customer is about to be created at Stripe. */
export const insertCustomer = statement(
  'stripe-invoices.insertCustomer',
  `insert into stripe_customers (organization_id, employer_id, requested_at)
   values (:organization_id, :employer_id, :real_now) on conflict do nothing`,
).rows

export const saveCustomer = statement(
  'stripe-invoices.saveCustomer',
  `update stripe_customers set stripe_customer_id = :stripe_customer_id
    where employer_id = :employer_id and organization_id = :organization_id`,
).rows

/**
 * Removes the customer, if any, and changes the idempotency key. Applies once per failure, even if several processes
 * saw it.
 */
export const saveCustomerFailure = statement(
  'stripe-invoices.saveCustomerFailure',
  `update stripe_customers set stripe_customer_id = null, failure_count = failure_count + 1
    where employer_id = :employer_id and organization_id = :organization_id and failure_count = :failure_count`,
).rows

export type InvoiceAt = {
  organization_id: string
  invoice_id: string
  employer_id: string
  period: Day
  status: IssuedStatus
  total_in_cents: number
  due_on: Day
  /** Whether a request to create it was sent to Stripe. */
  is_created: boolean
  stripe_invoice_id: string | null
  /** Whether it was ever finalized at Stripe. */
  finalized: boolean
  failure_count: number
}

/** An issued invoice that Stripe collects, and its state there. Undefined for any other. */
export const findMirrored = statement(
  'stripe-invoices.findMirrored',
  `select invoice.organization_id, invoice.invoice_id, invoice.employer_id, invoice.period, invoice.total_in_cents,
          invoice.due_on,
          case when invoice.voided_at is not null then 'void'
               when invoice.paid_at is not null then 'paid' else 'open' end as status,
          mirror.requested_at is not null as is_created, mirror.finalized_at is not null as finalized,
          mirror.stripe_invoice_id,
          coalesce(mirror.failure_count, 0) as failure_count
     from invoices as invoice
     left join stripe_invoices as mirror
            on mirror.invoice_id = invoice.invoice_id and mirror.organization_id = invoice.organization_id
    where invoice.invoice_id = :invoice_id and invoice.organization_id = :organization_id
      and invoice.issued_at is not null and invoice.billing_system = 'stripe'`,
).row<InvoiceAt>

/** The lines of an invoice added up over people, in a stable order. */
export const sumLines = statement(
  'stripe-invoices.sumLines',
  `select line.month, line.kind, line.benefit_name, line.plan_name, line.coverage_tier, count(*) as line_count,
          sum(line.premium_in_cents)::bigint as premium_in_cents
     from invoice_lines as line
    where line.invoice_id = :invoice_id and line.organization_id = :organization_id
    group by line.month, line.kind, line.benefit_name, line.plan_name, line.coverage_tier
    order by line.kind desc, line.month desc, line.benefit_name collate "C", line.plan_name collate "C",
             line.coverage_tier collate "C"`,
).rows<LineSum>

/** Records that the invoice at Stripe may be outdated. */
export const markOutdated = statement(
  'stripe-invoices.markOutdated',
  `insert into stripe_invoices (organization_id, invoice_id) values (:organization_id, :invoice_id)
   on conflict (invoice_id, organization_id) do update set mirrored_at = null`,
).rows

const saveAtStripe = <const Name extends string>(name: Name, changes: string, condition = 'true') =>
  statement(
    name,
    `update stripe_invoices set ${changes}
      where invoice_id = :invoice_id and organization_id = :organization_id and ${condition}`,
  ).rows

/** Records that both sides agree, and the payment page at Stripe. */
export const saveMirrored = saveAtStripe(
  'stripe-invoices.saveMirrored',
  'mirrored_at = :real_now, payment_url = :payment_url',
)

export const saveFinalized = saveAtStripe('stripe-invoices.saveFinalized', 'finalized_at = :real_now')

/** Records that an invoice is about to be created at Stripe. */
export const saveCreated = saveAtStripe('stripe-invoices.saveCreated', 'requested_at = :real_now')

export const saveMirror = saveAtStripe('stripe-invoices.saveMirror', 'stripe_invoice_id = :stripe_invoice_id')

/**
 * Changes the idempotency key, once per failure even if several processes saw it. Removes the invoice if Stripe does
 * not have it.
 */
export const saveMirrorFailure = saveAtStripe(
  'stripe-invoices.saveMirrorFailure',
  'failure_count = failure_count + 1, stripe_invoice_id = case when not :gone then stripe_invoice_id end',
  'failure_count = :failure_count',
)

/** Removes the Stripe id of an invoice that was deleted there and is void here. */
export const saveDeleted = saveAtStripe('stripe-invoices.saveDeleted', 'stripe_invoice_id = null, requested_at = null')

/** SQL: the invoices of an organization that may be outdated at Stripe. */
const outdatedAtStripe = (organization: string) => `
  from stripe_invoices as mirror where mirror.organization_id = ${organization} and mirror.mirrored_at is null`

/** SQL: the open invoices of an organization that Stripe collects. */
const openAtStripe = (organization: string) => `
  from invoices as invoice
 where invoice.organization_id = ${organization} and invoice.billing_system = 'stripe' and invoice.issued_at is not null
   and invoice.paid_at is null and invoice.voided_at is null`

/**
 * The invoices of an organization to check: those that may be outdated at Stripe, and those that may have changed
 * there.
 */
export const listToMirror = statement(
  'stripe-invoices.listToMirror',
  `select invoice_id from (
     select invoice_id ${outdatedAtStripe(':organization_id')}
      union select invoice_id ${openAtStripe(':organization_id')}) as waiting
    where invoice_id > :after order by invoice_id limit :most`,
).column

/** SQL: whether there are such invoices. */
export const hasInvoicesToMirror = `
  (exists (select ${outdatedAtStripe('organization.id')}) or exists (select ${openAtStripe('organization.id')}))`
