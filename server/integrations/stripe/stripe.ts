import { z } from 'zod'
import { integration } from '../../kernel/integration.ts'
import type Sdk from 'stripe'
import { boundedFetch } from '../outbound/response-limits.ts'
import { addDays, easternDay, type Day } from '../../kernel/days.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'

export type StripeOptions = {
  /** URL of the Stripe API, for tests. Default: the real one */
  url?: string | undefined
  timeout_ms?: number
}

export type StripeInvoice = {
  id: string
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  total_in_cents: number
  paid_at: string | null
  voided_at: string | null
  pdf_url: string | null
  /** the payment page. Null for a draft */
  payment_url: string | null
}

/** A new invoice: a draft without lines, which Stripe does not send or collect. */
export type NewStripeInvoice = {
  customer_id: string
  invoice_id: string
  organization_id: string
  description: string
  due: DueDay
}

/** The due date, and the current time in milliseconds: Stripe refuses due dates in the past. */
export type DueDay = { due_on: Day; now: number }

/** `key` identifies a line of an invoice. The amount may be negative. */
export type StripeLine = { key: string; description: string; amount_in_cents: number }

export type NewStripeCustomer = { employer_id: string; organization_id: string; name: string; address: StripeAddress }
export type StripeAddress = { line1?: string; line2?: string; city?: string; state?: string; postal_code?: string }

/**
 * The Stripe account of one organization. Methods that create take an idempotency key. Stripe repeats its first
 * response to a key, even an error, for 24 hours. All methods reject with errors of the SDK. Deleted objects read as
 * undefined.
 */
export type StripeAccount = {
  /** Finds a customer created since `since`, in seconds. Used if the response to its creation was lost. */
  findCustomer(employer_id: string, since: number): Promise<string | undefined>
  createCustomer(customer: NewStripeCustomer, key: string): Promise<string>
  /** Finds the invoice of a customer with our id. Deleted ones are not found. */
  findInvoice(customer_id: string, invoice_id: string): Promise<StripeInvoice | undefined>
  readInvoice(id: string): Promise<StripeInvoice | undefined>
  createInvoice(invoice: NewStripeInvoice, key: string): Promise<StripeInvoice>
  /** The keys of the lines of an invoice. Undefined for lines that were added elsewhere. */
  readLineKeys(id: string): Promise<(string | undefined)[]>
  addLines(id: string, lines: StripeLine[], key: string): Promise<StripeInvoice>
  /** Makes a draft payable. Stripe neither collects it nor sends reminders. */
  finalize(id: string, due: DueDay, key: string): Promise<StripeInvoice>
  /** Marks an invoice as paid outside of Stripe. */
  pay(id: string, key: string): Promise<StripeInvoice>
  voidInvoice(id: string, key: string): Promise<StripeInvoice>
  deleteDraft(id: string): Promise<void>
}

export type Stripe = {
  account(secret_key: string, timeout_ms?: number): Promise<StripeAccount>
  /** Our id of the invoice in a webhook. Null for other webhooks, undefined if the signature is wrong. */
  readWebhook(webhook: StripeWebhook): Promise<{ invoice_id: string | null } | undefined>
}

/** A received webhook: the raw body, the header `stripe-signature`, and the time in milliseconds. */
export type StripeWebhook = { body: string; signature: string; secret: string; received_at: number }

/** Stripe's limit of lines per invoice. */
export const max_stripe_lines = 250

/** Stripe's limit for the amount of a line, in cents, positive or negative. */
export const largest_stripe_amount = 99_999_999

/** The size limits of one response (at most a hundred invoices with their first lines) and of all of a client's. */
const max_bytes = 8 * 1024 * 1024
const max_total_bytes = 256 * 1024 * 1024

/** Lines in one request, far below the size limit of a form. */
export const stripe_lines_per_request = 100

const our_invoice = 'openbenefits_invoice_id'
const our_employer = 'openbenefits_employer_id'
const our_organization = 'openbenefits_organization_id'
const our_line = 'openbenefits_line'

export const stripe = integration({
  settings: {
    STRIPE_API_URL: z.url({ protocol: /^https?$/, error: 'must be a URL such as https://api.stripe.com' }).optional(),
  },
  open: ({ STRIPE_API_URL }): Stripe => stripeAt({ url: STRIPE_API_URL }),
})

/** Stripe through its official SDK, which is loaded with the first use. */
export const stripeAt = (options: StripeOptions = {}): Stripe => ({
  async account(secret_key, timeout_ms) {
    const { default: Client } = await import('stripe')
    const time_limit = Math.min(timeout_ms ?? Infinity, options.timeout_ms ?? 20_000)
    // Our jobs retry, after checking what the first attempt did.
    const client = new Client(secret_key, {
      ...addressOf(options.url),
      httpClient: Client.createFetchHttpClient(boundedFetch({ max_bytes, max_total_bytes, time_limit })),
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
  readInvoice: (id) => ignoreMissing(client.invoices.retrieve(id).then(invoiceOf)),
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
  deleteDraft: async (id) => void (await ignoreMissing(client.invoices.del(id))),
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
 * The due date in seconds. Noon in New York is the same day in every US time zone. An invoice that is already overdue
 * is due tomorrow.
 */
function dueDate({ due_on, now }: DueDay): number {
  const noon = noonOf(due_on)
  return (noon > now ? noon : noonOf(addDays(easternDay(now), 1))) / 1000
}

const noonOf = (day: Day): number =>
  Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'America/New_York', plainTime: '12:00' }).epochMilliseconds

type StripeFailure = Error & { statusCode?: number; code?: string; param?: string; headers?: Record<string, string> }

async function ignoreMissing<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request
  } catch (error) {
    if ((error as StripeFailure).statusCode === 404) return undefined
    throw error
  }
}

/**
 * True if Stripe returned a failure. Stripe repeats it for the same idempotency key, so a retry needs a new one. False
 * if there was no response, if Stripe was too busy (429), or if the first request is still in progress (409).
 */
export function isRefusedByStripe(error: unknown): boolean {
  const { statusCode } = error as StripeFailure
  return statusCode !== undefined && statusCode !== 429 && statusCode !== 409
}

/** True if the customer was deleted at Stripe. */
export function isCustomerGone(error: unknown): boolean {
  const { code, param } = error as StripeFailure
  return code === 'resource_missing' && param === 'customer'
}

/** Seconds to wait before a retry if Stripe limited the rate. Undefined for other errors. */
export function stripeRetryAfter(error: unknown): string | undefined {
  const { statusCode, headers } = error as StripeFailure
  return statusCode === 429 ? (headers?.['retry-after'] ?? '5') : undefined
}

/** Timeout for a caller who requests a PDF. */
const timeout_ms = 5000

/**
 * The URL of an invoice's PDF at Stripe. Null for a draft. 502 `upstream_error` if Stripe fails, is busy or does not
 * have the invoice.
 */
export async function findStripePdf(stripe: Stripe, secret_key: string, id: string): Promise<string | null> {
  try {
    const account = await stripe.account(secret_key, timeout_ms)
    const invoice = await account.readInvoice(id)
    if (invoice) return invoice.pdf_url
  } catch (error) {
    const seconds = stripeRetryAfter(error)
    throw new Refusal(generic.upstream_error, [], seconds === undefined ? {} : { 'retry-after': seconds })
  }
  throw new Refusal(generic.upstream_error)
}
