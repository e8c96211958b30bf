import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { stripe } from '../../../integrations/stripe/stripe.ts'
import { integrationOf } from '../../../kernel/integration.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { isId } from '../../../kernel/ids.ts'
import type { Received } from '../../../http/callbacks.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import {
  isCustomerGone,
  isRefusedByStripe,
  type DueDay,
  type StripeAccount,
  type StripeInvoice,
} from '../../../integrations/stripe/stripe.ts'
import { contextOf, inOrganization, inTransaction, type Runtime } from '../../../runtime/runtime.ts'
import { recordExternalStatus } from '../billing/actions.ts'
import {
  findCustomer,
  findStripeKeys,
  findMirrored,
  insertCustomer,
  listToMirror,
  saveCreated,
  markOutdated,
  saveCustomer,
  saveCustomerFailure,
  saveDeleted,
  saveFinalized,
  saveMirror,
  saveMirrored,
  saveMirrorFailure,
  sumLines,
  type InvoiceAt,
} from './queries.ts'
import { isConflict, idempotencyKey, linesToAdd, type MirrorStep, nextStep, refusals, stripeLines } from './rules.ts'

/** More steps than any invoice needs: a few requests for 250 lines, and one for each other step. */
const max_steps = 20

type Mirrored = { organization_id: string; invoice_id: string }

const readContext = (runtime: Runtime, organization_id: string): Ctx =>
  contextOf(runtime, serviceCaller(organization_id), runtime.database.reads([organization_id]))

/** Runs a short transaction. No transaction is open during a request to Stripe. */
const transact = (runtime: Runtime, organization_id: string, work: (ctx: Ctx) => Promise<unknown>): Promise<unknown> =>
  inTransaction(runtime, serviceCaller(organization_id), work)

/**
 * Brings an invoice at Stripe to its state here, and records a payment or void at Stripe. Each step starts by reading
 * the state at Stripe, so it can be interrupted, repeated, or run twice at once. Throws if Stripe is unreachable or has
 * an impossible state.
 */
export async function mirrorInvoice(runtime: Runtime, { organization_id, invoice_id }: Mirrored): Promise<void> {
  const ctx = readContext(runtime, organization_id)
  const keys = await findStripeKeys(ctx, { organization_id })
  if (!keys?.secret_key || !(await findMirrored(ctx, { organization_id, invoice_id }))) return
  await transact(runtime, organization_id, (ctx) => markOutdated(ctx, { organization_id, invoice_id }))
  const account = await integrationOf(runtime, stripe).account(ctx.secrets.decrypt(keys.secret_key))
  for (let steps = 0; steps < max_steps; steps++) {
    if (!(await takeStep(runtime, account, { organization_id, invoice_id }))) return
  }
  throw new Error(`The invoice ${invoice_id} did not reach a final state at Stripe.`)
}

/** Takes the next step of an invoice. Returns false if both sides agree. */
async function takeStep(runtime: Runtime, account: StripeAccount, { organization_id, invoice_id }: Mirrored) {
  const ctx = readContext(runtime, organization_id)
  const ours = (await findMirrored(ctx, { organization_id, invoice_id }))!
  const theirs = ours.stripe_invoice_id === null ? undefined : await account.readInvoice(ours.stripe_invoice_id)
  if (ours.stripe_invoice_id !== null && !theirs) {
    await handleMissingInvoice(runtime, ours)
    return true
  }
  if (theirs && theirs.status !== 'draft' && !ours.finalized) {
    await transact(runtime, organization_id, (ctx) => saveFinalized(ctx, { organization_id, invoice_id }))
  }
  const lines = stripeLines(await sumLines(ctx, { organization_id, invoice_id }))
  const missing = theirs?.status === 'draft' ? linesToAdd(lines, await account.readLineKeys(theirs.id)) : []
  const step = nextStep(ours.status, { theirs, is_created: ours.is_created, has_all_lines: missing.length === 0 })
  if (step) {
    const key = (step: string) => idempotencyKey(step, organization_id, invoice_id, ours.failure_count)
    await retryWithNewKey(runtime, ours, () => perform(runtime, account, { step, ours, theirs, missing, key }))
    return true
  }
  if (isConflict(ours.status, theirs)) {
    runtime.log.error(
      { organization_id, invoice_id, here: ours.status, there: theirs?.status },
      'Stripe has a different final status',
    )
  }
  const payment_url = theirs?.payment_url ?? null
  await transact(runtime, organization_id, (ctx) => saveMirrored(ctx, { organization_id, invoice_id, payment_url }))
  return false
}

/**
 * Handles an invoice that Stripe no longer has. A draft that is void here should be gone. A draft that was deleted at
 * Stripe is created again with another idempotency key, because the old key would return the deleted invoice. Finalized
 * invoices cannot be deleted, so this must be another account, which must not collect the same amount again.
 */
async function handleMissingInvoice(runtime: Runtime, ours: InvoiceAt): Promise<void> {
  const { organization_id, invoice_id, status } = ours
  if (ours.finalized && status !== 'void') {
    throw new Error(
      `Stripe no longer has ${ours.stripe_invoice_id} (${invoice_id}). Check whether the account was changed.`,
    )
  }
  await transact(runtime, organization_id, (ctx) =>
    status === 'void'
      ? saveDeleted(ctx, { organization_id, invoice_id })
      : saveMirrorFailure(ctx, { ...ours, gone: true }),
  )
}

/** Uses another idempotency key after a failure that Stripe stores under the current one. */
async function retryWithNewKey<T>(runtime: Runtime, ours: InvoiceAt, call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    if (isRefusedByStripe(error)) {
      await transact(runtime, ours.organization_id, (ctx) => saveMirrorFailure(ctx, { ...ours, gone: false }))
    }
    throw error
  }
}

type Next = {
  step: MirrorStep
  ours: InvoiceAt
  theirs: StripeInvoice | undefined
  missing: ReturnType<typeof linesToAdd>
  key: (step: string) => string
}

async function perform(runtime: Runtime, account: StripeAccount, next: Next): Promise<unknown> {
  const { step, ours, theirs, missing, key } = next
  const { organization_id, invoice_id } = ours
  if (step === 'create') return create(runtime, account, ours, key(step))
  const { id, status, total_in_cents } = theirs!
  if (step === 'delete') return account.deleteDraft(id)
  if (step === 'add lines')
    return account.addLines(id, missing, key(`${step} ${missing[0]!.key}-${missing.at(-1)!.key}`))
  if (step === 'pay') return account.pay(id, key(step))
  if (step === 'void') return account.voidInvoice(id, key(step))
  if (step === 'finalize') {
    // Someone added or changed lines at Stripe. The employer must never owe that amount.
    if (total_in_cents !== ours.total_in_cents) {
      throw new Error(
        `The draft ${id} of ${invoice_id} at Stripe has a total of ${total_in_cents} instead of ` +
          `${ours.total_in_cents}.`,
      )
    }
    return account.finalize(id, dueDay(runtime, ours), key(step))
  }
  return inOrganization(runtime, organization_id, (ctx) =>
    recordExternalStatus(ctx, organization_id, invoice_id, status as 'paid' | 'void'),
  )
}

const dueDay = (runtime: Runtime, { due_on }: InvoiceAt): DueDay => ({ due_on, now: runtime.clock() })

/** Creates an invoice, or finds the one that Stripe created for an earlier request whose response was lost. */
async function create(runtime: Runtime, account: StripeAccount, ours: InvoiceAt, key: string): Promise<void> {
  const { organization_id, invoice_id, employer_id, period } = ours
  const customer = await customerOf(runtime, account, organization_id, employer_id)
  await transact(runtime, organization_id, (ctx) => saveCreated(ctx, { organization_id, invoice_id }))
  const description = Temporal.PlainDate.from(period).toLocaleString('en-US', { month: 'long', year: 'numeric' })
  const request = { customer_id: customer.id, invoice_id, organization_id, description, due: dueDay(runtime, ours) }
  const findOrCreate = async () =>
    (ours.is_created && (await account.findInvoice(customer.id, invoice_id))) || account.createInvoice(request, key)
  const created = await findOrCreate().catch((error) => forget(runtime, ours, customer, error))
  await transact(runtime, organization_id, (ctx) =>
    saveMirror(ctx, { organization_id, invoice_id, stripe_invoice_id: created.id }),
  )
}

type Customer = { id: string; failure_count: number }

/** Handles a customer that was deleted at Stripe. The next attempt creates another one. */
async function forget(runtime: Runtime, ours: InvoiceAt, customer: Customer, error: unknown): Promise<never> {
  const { organization_id, employer_id } = ours
  if (isCustomerGone(error)) {
    await transact(runtime, organization_id, (ctx) =>
      saveCustomerFailure(ctx, { organization_id, employer_id, failure_count: customer.failure_count }),
    )
  }
  throw error
}

/**
 * The customer of an employer at Stripe: the stored one, one that Stripe created for a request whose response was lost,
 * or a new one.
 */
async function customerOf(
  runtime: Runtime,
  account: StripeAccount,
  organization_id: string,
  employer_id: string,
): Promise<Customer> {
  const employer = (await findCustomer(readContext(runtime, organization_id), { organization_id, employer_id }))!
  const { name, stripe_customer_id, requested_at, failure_count, line2, ...address } = employer
  const { line1, city, state, postal_code } = address
  if (stripe_customer_id !== null) return { id: stripe_customer_id, failure_count }
  await transact(runtime, organization_id, (ctx) => insertCustomer(ctx, { organization_id, employer_id }))
  // Clocks differ, so include customers created up to an hour earlier.
  const since = requested_at === null ? null : Math.floor(Date.parse(requested_at) / 1000) - 3600
  const found = since === null ? undefined : await account.findCustomer(employer_id, since)
  const request = {
    employer_id,
    organization_id,
    name,
    address: { line1, city, state, postal_code, ...(line2 && { line2 }) },
  }
  const key = idempotencyKey('customer', organization_id, employer_id, failure_count)
  const id =
    found ??
    (await account.createCustomer(request, key).catch(async (error: unknown) => {
      if (isRefusedByStripe(error)) {
        await transact(runtime, organization_id, (ctx) =>
          saveCustomerFailure(ctx, { organization_id, employer_id, failure_count }),
        )
      }
      throw error
    }))
  await transact(runtime, organization_id, (ctx) =>
    saveCustomer(ctx, { organization_id, employer_id, stripe_customer_id: id }),
  )
  return { id, failure_count }
}

const mirrorJob = (organization_id: string, invoice_id: string) => ({
  payload: { organization_id, invoice_id },
  key: `mirror_invoice:${organization_id}:${invoice_id}`,
})

/**
 * The daily run: checks outdated invoices again, because jobs stop retrying after some days, and open ones, because a
 * webhook may be lost.
 */
export async function requestMirrors(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const invoice_ids = await listToMirror(ctx, { organization_id, ...chunk })
  const jobs = invoice_ids.map((invoice_id) => mirrorJob(organization_id, invoice_id))
  if (jobs.length > 0) await ctx.enqueueEach('mirror_invoice', jobs)
  return lastOf(invoice_ids, chunk)
}

/**
 * Receives a Stripe webhook. Its content only identifies the invoice; a job then reads the state from Stripe, so
 * webhooks may arrive twice, late and in any order. Refuses with 400 `invalid_signature` unless it is signed for the
 * organization.
 */
export async function receiveWebhook(
  runtime: Runtime,
  organization_id: string,
  { readBody, headers }: Received,
): Promise<void> {
  const ctx = readContext(runtime, organization_id)
  const keys = isId('org', organization_id) ? await findStripeKeys(ctx, { organization_id }) : undefined
  const signature = headers['stripe-signature']
  if (!keys?.webhook_secret || typeof signature !== 'string') throw new Refusal(refusals.invalid_signature)
  const secret = ctx.secrets.decrypt(keys.webhook_secret)
  const body = await readBody()
  const event = await integrationOf(runtime, stripe).readWebhook({
    body,
    signature,
    secret,
    received_at: runtime.clock(),
  })
  if (!event) throw new Refusal(refusals.invalid_signature)
  const { invoice_id } = event
  if (invoice_id === null || !(await findMirrored(ctx, { organization_id, invoice_id }))) return
  await transact(runtime, organization_id, (ctx) =>
    ctx.enqueueEach('mirror_invoice', [mirrorJob(organization_id, invoice_id)]),
  )
}

export const tasks = {
  mirror_invoice: task(z.object({ organization_id: z.string(), invoice_id: z.string() }), mirrorInvoice),
}
