import { declareRefusals } from '../../../kernel/refusal.ts'
import {
  largest_stripe_amount,
  most_stripe_lines,
  stripe_lines_at_once,
  type StripeInvoice,
  type StripeLine,
} from '../../../integrations/stripe/stripe.ts'
import type { InvoiceStatus } from '../billing/rules.ts'
import { tier_names } from '../../directory/catalog/schemas.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'

export const refusals = declareRefusals({
  invalid_signature: [
    400,
    'This was not signed with the webhook secret of an organization that uses Stripe.',
    'Set the signing secret of this endpoint at Stripe as `stripe_webhook_secret`.',
  ],
})

/** An invoice is told to Stripe when it is issued: while it is a draft it may vanish. */
export type IssuedStatus = Exclude<InvoiceStatus, 'draft'>

/** What brings the two sides closer: at Stripe, or, where Stripe knows better, here. */
export type MirrorStep = 'create' | 'delete' | 'add lines' | 'finalize' | 'pay' | 'void' | 'record paid' | 'record void'

type Known = {
  /** undefined: Stripe has none that we know of */
  theirs: Pick<StripeInvoice, 'status'> | undefined
  /** whether Stripe was asked to create it, and may have done so without our hearing of it */
  asked: boolean
  has_all_lines: boolean
}

/**
 * The next step for an invoice; undefined when both sides are where they should be, or as near as they get. Which
 * invoices there are, and when they are issued, is decided here; whether one was paid or voided there counts too.
 */
export function nextStep(ours: IssuedStatus, { theirs, asked, has_all_lines }: Known): MirrorStep | undefined {
  if (!theirs) return ours === 'void' && !asked ? undefined : 'create'
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

/** Whether both sides have come to different ends, which can't be taken back: a person has to look. */
export const disagree = (ours: IssuedStatus, theirs: Pick<StripeInvoice, 'status'> | undefined): boolean =>
  (ours === 'paid' && theirs?.status === 'void') || (ours === 'void' && theirs?.status === 'paid')

/**
 * What Stripe is told before it does a step, so that it does it once within 24 hours. A failure is kept under the key
 * too, so that there is another key after each.
 */
export const idempotencyKey = (step: string, organization_id: string, id: string, failure_count: number): string =>
  `${step} ${organization_id} ${id} ${failure_count}`

/** Lines of an invoice that differ in the person alone, added up. `month` is the 1st. */
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
 * The lines of an invoice as Stripe gets them, which add up to the same: without people, and at most as many and as
 * large as Stripe takes. By plan and tier; where these are too many, by benefit, else by month.
 */
export function stripeLines(sums: LineSum[]): StripeLine[] {
  const attempts = grains.map((grain) => linesBy(grain, sums))
  return attempts.find((lines) => lines.length <= most_stripe_lines) ?? attempts.at(-1)!
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
  const what = sum.kind === 'coverage' ? month : `Adjustment for ${month}`
  return [what, ...grain(sum), `${sum.line_count} ${sum.line_count === 1 ? 'enrollment' : 'enrollments'}`].join(' · ')
}

function inPieces(cents: number): number[] {
  const largest = Math.sign(cents) * largest_stripe_amount
  const whole = Math.floor(Math.abs(cents) / largest_stripe_amount)
  const rest = cents - whole * largest
  return [...Array.from({ length: whole }, () => largest), ...(rest !== 0 || whole === 0 ? [rest] : [])]
}

/** The lines that Stripe has not got yet, as many as go into one request. */
export function linesToAdd(lines: StripeLine[], keys_there: (string | undefined)[]): StripeLine[] {
  const there = new Set(keys_there)
  return lines.filter(({ key }) => !there.has(key)).slice(0, stripe_lines_at_once)
}
