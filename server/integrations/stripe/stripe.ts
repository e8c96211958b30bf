import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import type Sdk from 'stripe'
import { boundedFetch } from '../outbound/bounded.ts'
import { addDays, easternDay, type Day } from '../../kernel/days.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'

export type StripeOptions = {
  /** the address of Stripe's interface, for tests; Stripe's own unless said */
  url?: string | undefined
  /** how long one call may take */
  timeout_ms?: number
}

/** What we know of an invoice as Stripe has it. */
export type StripeInvoice = {
  id: string
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  total_in_cents: number
  paid_at: string | null
  voided_at: string | null
  pdf_url: string | null
  /** the page on which it is paid; null while it is a draft */
  payment_url: string | null
}

/** An invoice as it is created: a draft, without lines, which does nothing by itself. */
export type NewStripeInvoice = {
  customer_id: string
  invoice_id: string
  organization_id: string
  description: string
  due: DueDay
}

/** Until when it is to be paid, and what time it is, in milliseconds: Stripe takes no day that is over. */
export type DueDay = { due_on: Day; now: number }

/** `key` tells the lines of an invoice apart. The cents may be negative. */
export type StripeLine = { key: string; description: string; amount_in_cents: number }

export type NewStripeCustomer = { employer_id: string; organization_id: string; name: string; address: StripeAddress }
export type StripeAddress = { line1?: string; line2?: string; city?: string; state?: string; postal_code?: string }

/**
 * The account of one organization at Stripe. What creates takes an idempotency key, under which Stripe keeps its first
 * answer for 24 hours, be it a failure. All reject with the SDK's errors; what is gone reads as undefined.
 */
export type StripeAccount = {
  /** Created since an instant, in seconds. Lists everything since then: for when an answer was lost. */
  findCustomer(employer_id: string, since: number): Promise<string | undefined>
  createCustomer(customer: NewStripeCustomer, key: string): Promise<string>
  /** The invoice of a customer that carries our id. Deleted ones are not found. */
  findInvoice(customer_id: string, invoice_id: string): Promise<StripeInvoice | undefined>
  readInvoice(id: string): Promise<StripeInvoice | undefined>
  createInvoice(invoice: NewStripeInvoice, key: string): Promise<StripeInvoice>
  /** The keys of the lines that an invoice has; those that we didn't write have none. */
  readLineKeys(id: string): Promise<(string | undefined)[]>
  addLines(id: string, lines: StripeLine[], key: string): Promise<StripeInvoice>
  /** Turns a draft into an invoice that is to be paid; Stripe collects and reminds of nothing. */
  finalize(id: string, due: DueDay, key: string): Promise<StripeInvoice>
  /** Says that it was paid elsewhere. */
  pay(id: string, key: string): Promise<StripeInvoice>
  voidInvoice(id: string, key: string): Promise<StripeInvoice>
  deleteDraft(id: string): Promise<void>
}

export type Stripe = {
  /** The account that a secret key opens. */
  account(secret_key: string, timeout_ms?: number): Promise<StripeAccount>
  /**
   * The invoice that a webhook is about, by our id; null where it is about something else. Undefined: not from Stripe.
   */
  readWebhook(webhook: StripeWebhook): Promise<{ invoice_id: string | null } | undefined>
}

/** A webhook as it came: the bytes of its body as text, the header `stripe-signature`, and when, in milliseconds. */
export type StripeWebhook = { body: string; signature: string; secret: string; received_at: number }

/** How many lines an invoice may have at Stripe. */
export const most_stripe_lines = 250

/** The largest amount of a line at Stripe, in cents, either sign. */
export const largest_stripe_amount = 99_999_999

/**
 * Of one answer, which may be a hundred invoices with their first lines; and of all that one look at an account takes.
 */
const most_bytes = 8 * 1024 * 1024
const most_bytes_in_all = 256 * 1024 * 1024

/** Lines in one request: far below what is too long for a form. */
export const stripe_lines_at_once = 100

const our_invoice = 'openbenefits_invoice_id'
const our_employer = 'openbenefits_employer_id'
const our_organization = 'openbenefits_organization_id'
const our_line = 'openbenefits_line'

/** Stripe as the settings have it. */
export const stripe = integration({
  settings: {
    STRIPE_API_URL: z
      .url({ protocol: /^https?$/, error: 'must be an address such as https://api.stripe.com' })
      .optional(),
  },
  open: ({ STRIPE_API_URL }): Stripe => stripeAt({ url: STRIPE_API_URL }),
})

/** Stripe through its official SDK, which is loaded when it is first used. */
export const stripeAt = (options: StripeOptions = {}): Stripe => ({
  async account(secret_key, timeout_ms) {
    const { default: Client } = await import('stripe')
    const time_limit = Math.min(timeout_ms ?? Infinity, options.timeout_ms ?? 20_000)
    // Retried by our jobs, which look first at what was done.
    const client = new Client(secret_key, {
      ...addressOf(options.url),
      httpClient: Client.createFetchHttpClient(boundedFetch({ most_bytes, most_bytes_in_all, time_limit })),
      timeout: time_limit,
      maxNetworkRetries: 0,
      telemetry: false,
    })
    return accountOf(client)
  },
  async readWebhook({ body, signature, secret, received_at }) {
    const { default: Client } = await import('stripe')
    try {
      const event = Client.webhooks.constructEvent(body, signature, secret, undefined, undefined, received_at)
      const subject = event.data.object as { object?: string; metadata?: Record<string, string> | null }
      return { invoice_id: (subject.object === 'invoice' && subject.metadata?.[our_invoice]) || null }
    } catch {
      return undefined
    }
  },
})

function addressOf(url: string | undefined) {
  if (url === undefined) return {}
  const { hostname, port, protocol } = new URL(url)
  const secure = protocol === 'https:'
  return {
    host: hostname,
    port: port || (secure ? 443 : 80),
    protocol: secure ? ('https' as const) : ('http' as const),
  }
}

const accountOf = (client: Sdk): StripeAccount => ({
  async findCustomer(employer_id, since) {
    for await (const customer of client.customers.list({ created: { gte: since }, limit: 100 })) {
      if (customer.metadata[our_employer] === employer_id) return customer.id
    }
    return undefined
  },
  async createCustomer({ employer_id, organization_id, name, address }, key) {
    const metadata = { [our_employer]: employer_id, [our_organization]: organization_id }
    const customer = { name, address: { ...address, country: 'US' }, metadata }
    return (await client.customers.create(customer, { idempotencyKey: key })).id
  },
  async findInvoice(customer_id, invoice_id) {
    for await (const invoice of client.invoices.list({ customer: customer_id, limit: 100 })) {
      if (invoice.metadata?.[our_invoice] === invoice_id) return invoiceOf(invoice)
    }
    return undefined
  },
  readInvoice: (id) => unlessGone(client.invoices.retrieve(id).then(invoiceOf)),
  async createInvoice({ customer_id, invoice_id, organization_id, description, due }, key) {
    const invoice = {
      customer: customer_id,
      number: invoice_id,
      currency: 'usd',
      description,
      collection_method: 'send_invoice',
      due_date: dueDate(due),
      auto_advance: false,
      automatic_tax: { enabled: false },
      pending_invoice_items_behavior: 'exclude',
      discounts: '' as const,
      metadata: { [our_invoice]: invoice_id, [our_organization]: organization_id },
    } satisfies Sdk.InvoiceCreateParams
    return invoiceOf(await client.invoices.create(invoice, { idempotencyKey: key }))
  },
  async readLineKeys(id) {
    const lines = await client.invoices.listLineItems(id, { limit: 100 }).autoPagingToArray({ limit: 1000 })
    return lines.map((line) => line.metadata[our_line])
  },
  async addLines(id, lines, key) {
    const added = lines.map(({ key, description, amount_in_cents }) => ({
      amount: amount_in_cents,
      description,
      discountable: false,
      metadata: { [our_line]: key },
    }))
    return invoiceOf(await client.invoices.addLines(id, { lines: added }, { idempotencyKey: key }))
  },
  async finalize(id, due, key) {
    await client.invoices.update(id, { due_date: dueDate(due) })
    return invoiceOf(await client.invoices.finalizeInvoice(id, { auto_advance: false }, { idempotencyKey: key }))
  },
  pay: async (id, key) => invoiceOf(await client.invoices.pay(id, { paid_out_of_band: true }, { idempotencyKey: key })),
  voidInvoice: async (id, key) => invoiceOf(await client.invoices.voidInvoice(id, {}, { idempotencyKey: key })),
  deleteDraft: async (id) => void (await unlessGone(client.invoices.del(id))),
})

const invoiceOf = (invoice: Sdk.Invoice): StripeInvoice => ({
  id: invoice.id,
  status: (invoice.status ?? 'draft') as StripeInvoice['status'],
  total_in_cents: invoice.total,
  paid_at: instantOf(invoice.status_transitions.paid_at),
  voided_at: instantOf(invoice.status_transitions.voided_at),
  pdf_url: invoice.invoice_pdf ?? null,
  payment_url: invoice.hosted_invoice_url ?? null,
})

const instantOf = (seconds: number | null): string | null =>
  seconds === null ? null : new Date(seconds * 1000).toISOString()

/**
 * In seconds. Noon in New York lies on the same day wherever in the country Stripe shows it. What was due before is
 * due tomorrow.
 */
function dueDate({ due_on, now }: DueDay): number {
  const noon = noonOf(due_on)
  return (noon > now ? noon : noonOf(addDays(easternDay(now), 1))) / 1000
}

const noonOf = (day: Day): number =>
  Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'America/New_York', plainTime: '12:00' }).epochMilliseconds

type StripeFailure = Error & { statusCode?: number; code?: string; param?: string; headers?: Record<string, string> }

async function unlessGone<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if ((error as StripeFailure).statusCode === 404) return undefined
    throw error
  }
}

/**
 * Whether Stripe has answered that it failed. It keeps such an answer under the idempotency key, so that only another
 * key can succeed. Not when it never answered, was too busy to begin (429), or is still at the first request (409).
 */
export function isRefusedByStripe(error: unknown): boolean {
  const { statusCode } = error as StripeFailure
  return statusCode !== undefined && statusCode !== 429 && statusCode !== 409
}

/** Whether Stripe has no such customer: somebody deleted it there. */
export function isCustomerGone(error: unknown): boolean {
  const { code, param } = error as StripeFailure
  return code === 'resource_missing' && param === 'customer'
}

/** How many seconds Stripe wants to be left alone, when that is why it refused. */
export function stripeRetryAfter(error: unknown): string | undefined {
  const { statusCode, headers } = error as StripeFailure
  return statusCode === 429 ? (headers?.['retry-after'] ?? '5') : undefined
}

/** How long who asks for a PDF is kept waiting for Stripe. */
const patience_ms = 5000

/**
 * The address of the PDF of an invoice at Stripe; null while it is a draft there. 502 `upstream_error` when Stripe
 * fails, is busy or does not know the invoice.
 */
export async function findStripePdf(stripe: Stripe, secret_key: string, id: string): Promise<string | null> {
  try {
    const account = await stripe.account(secret_key, patience_ms)
    const invoice = await account.readInvoice(id)
    if (invoice) return invoice.pdf_url
  } catch (error) {
    const seconds = stripeRetryAfter(error)
    throw new Refusal(generic.upstream_error, [], seconds === undefined ? {} : { 'retry-after': seconds })
  }
  throw new Refusal(generic.upstream_error)
}
