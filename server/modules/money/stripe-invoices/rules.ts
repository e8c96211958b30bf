import { declareRefusals } from '../../../kernel/refusal.ts'
import {
  largest_stripe_amount,
  max_stripe_lines,
  stripe_lines_per_request,
  type StripeInvoice,
  type StripeLine,
} from '../../../integrations/stripe/stripe.ts'
import type { InvoiceStatus } from '../billing/rules.ts'
import { tier_names } from '../../directory/catalog/schemas.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'

export const refusals = declareRefusals({
  invalid_signature: [
    400,
    'The webhook is not signed with the webhook secret of an organization that uses Stripe.',
    'Send the signing secret of this Stripe endpoint as `stripe_webhook_secret`.',
  ],
})

/** Stripe receives only issued invoices, because a draft may still be voided. */
export type IssuedStatus = Exclude<InvoiceStatus, 'draft'>

/** A step that synchronizes both sides, at Stripe or here. */
export type MirrorStep = 'create' | 'delete' | 'add lines' | 'finalize' | 'pay' | 'void' | 'record paid' | 'record void'

type Known = {
  /** Undefined if there is no known invoice at Stripe. */
  theirs: Pick<StripeInvoice, 'status'> | undefined
  /** Whether a request to create it was sent to Stripe, which may have succeeded without a response. */
  is_created: boolean
  has_all_lines: boolean
}

/**
 * The next step for an invoice. Undefined if both sides agree, or if no step can make them agree. Invoices are created
 * and issued here only; payments and voids can also happen at Stripe.
 */
export function nextStep(ours: IssuedStatus, { theirs, is_created, has_all_lines }: Known): MirrorStep | undefined {
  if (!theirs) return ours === 'void' && !is_created ? undefined : 'create'
  if (theirs.status === 'draft') {
    if (ours === 'void') return 'delete'
    return has_all_lines ? 'finalize' : 'add lines'
  }
  const owed = theirs.status === 'open' || theirs.status === 'uncollectible'
  if (owed && ours === 'paid') return 'pay'
  if (owed && ours === 'void') return 'void'
  if (ours !== 'open') return undefined
  if (theirs.status === 'paid') return 'record paid'
  return theirs.status === 'void' ? 'record void' : undefined
}

/** Whether the final statuses of both sides contradict each other. Only a person can resolve this. */
export const isConflict = (ours: IssuedStatus, theirs: Pick<StripeInvoice, 'status'> | undefined): boolean =>
  (ours === 'paid' && theirs?.status === 'void') || (ours === 'void' && theirs?.status === 'paid')

/**
 * The idempotency key of a step, which Stripe executes once within 24 hours. Stripe also stores failures under the key,
 * so the key changes after each failure.
 */
export const idempotencyKey = (step: string, organization_id: string, id: string, failure_count: number): string =>
  `${step} ${organization_id} ${id} ${failure_count}`

/** Lines of an invoice that differ only in the person, added up. `month` is the 1st. */
export type LineSum = {
  month: string
  kind: 'coverage' | 'adjustment' | 'manual_adjustment'
  benefit_name: string
  plan_name: string
  coverage_tier: CoverageTier
  line_count: number
  premium_in_cents: number
}

const grains: ((sum: LineSum) => string[])[] = [
  (sum) => [sum.benefit_name, sum.plan_name, tier_names[sum.coverage_tier]],
  (sum) => [sum.benefit_name],
  () => [],
]

/**
 * The lines of an invoice for Stripe, with the same total but without people. Within Stripe's limits on number and
 * amount: by plan and tier, or if these are too many by benefit, or else by month.
 */
export function stripeLines(sums: LineSum[]): StripeLine[] {
  const attempts = grains.map((grain) => linesBy(grain, sums))
  return attempts.find((lines) => lines.length <= max_stripe_lines) ?? attempts.at(-1)!
}

function linesBy(grain: (sum: LineSum) => string[], sums: LineSum[]): StripeLine[] {
  const groups = new Map<string, LineSum>()
  for (const sum of sums) {
    const key = JSON.stringify([sum.kind, sum.month, ...grain(sum)])
    const group = groups.get(key)
    groups.set(key, {
      ...sum,
      line_count: sum.line_count + (group?.line_count ?? 0),
      premium_in_cents: sum.premium_in_cents + (group?.premium_in_cents ?? 0),
    })
  }
  return [...groups.values()]
    .flatMap((sum) =>
      inPieces(sum.premium_in_cents).map((amount_in_cents) => ({ amount_in_cents, description: describe(sum, grain) })),
    )
    .map((line, index) => ({ key: String(index + 1), ...line }))
}

function describe(sum: LineSum, grain: (sum: LineSum) => string[]): string {
  const month = Temporal.PlainDate.from(sum.month).toLocaleString('en-US', { month: 'long', year: 'numeric' })
  const label = sum.kind === 'coverage' ? month : `Adjustment for ${month}`
  return [label, ...grain(sum), `${sum.line_count} ${sum.line_count === 1 ? 'enrollment' : 'enrollments'}`].join(' · ')
}

function inPieces(cents: number): number[] {
  const largest = Math.sign(cents) * largest_stripe_amount
  const whole = Math.floor(Math.abs(cents) / largest_stripe_amount)
  const rest = cents - whole * largest
  return [...Array.from({ length: whole }, () => largest), ...(rest !== 0 || whole === 0 ? [rest] : [])]
}

/** The next lines that Stripe does not have, as many as one request allows. */
export function linesToAdd(lines: StripeLine[], keys_there: (string | undefined)[]): StripeLine[] {
  const keys_in_stripe = new Set(keys_there)
  return lines.filter(({ key }) => !keys_in_stripe.has(key)).slice(0, stripe_lines_per_request)
}
