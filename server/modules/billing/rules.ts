import { addDays, type Day } from '../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../kernel/refusal.ts'
import type { CoverageTier } from '../catalog/schemas.ts'
import { chargeOn, type Coverage } from '../deductions/rules.ts'

export const refusals = declareRefusals({
  employer_has_no_billing_account: [422, 'The employer never had a subscription, so there is nobody to bill yet.'],
  invoice_is_draft: [409, 'The invoice is a draft: it has to be issued first.'],
  invoice_is_paid: [409, 'The invoice is paid.'],
  invoice_is_void: [409, 'The invoice is void.'],
  invoice_already_drafted: [
    409,
    'The employer has an invoice for this month that is not void. A draft or an open one can be voided ' +
      'first; a paid one stays.',
  ],
})

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void'

const asDraft = { draft: refusals.invoice_is_draft } as const
const asPaid = { paid: refusals.invoice_is_paid } as const
const asVoid = { void: refusals.invoice_is_void } as const

const inTheWay: Record<'issue' | 'void' | 'pay', Partial<Record<InvoiceStatus, RefusalKind>>> = {
  issue: { ...asPaid, ...asVoid },
  void: asPaid,
  pay: { ...asDraft, ...asVoid },
}

/** Why an invoice can't be issued, voided or paid. Where it is that already, nothing stands in the way, nor changes. */
export const whyNot = (deed: 'issue' | 'void' | 'pay', status: InvoiceStatus): RefusalKind | undefined =>
  inTheWay[deed][status]

/** Why an invoice can't have been paid on a day; null as long as it isn't issued. */
export function whyNotPaidOn(
  paid_on: Day,
  { issued_on, today }: { issued_on: Day | null; today: Day },
): Refusal | undefined {
  const refuseDay = (message: string) => new Refusal(generic.invalid_request, [{ field: 'paid_on', message }])
  if (paid_on > today) return refuseDay('must not be after today')
  if (issued_on !== null && paid_on < issued_on) return refuseDay('must not be before the invoice was issued')
  return undefined
}

/** A draft stands for three days, in which the operator may void it, before it is issued by itself. */
export const days_as_draft = 3

/** The day on which an invoice is to be paid. */
export const dueOn = (issued_on: Day): Day => addDays(issued_on, 30)

/** How many months before its own an invoice still adjusts (decisions.md, section 6). */
export const months_of_reach = 3

/** The month of a day, by its 1st. */
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

/** The months that the invoice of a period may bill, oldest first; the last one is the period. */
export const monthsInReach = (period: Day): Day[] =>
  Array.from({ length: months_of_reach + 1 }, (_, at) =>
    Temporal.PlainDate.from(period)
      .subtract({ months: months_of_reach - at })
      .toString(),
  )

/** Cents. The premium is the two other parts together. */
export type Amounts = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

const names = ['premium_in_cents', 'employer_contribution_in_cents', 'employee_deduction_in_cents'] as const

const nothing: Amounts = { premium_in_cents: 0, employer_contribution_in_cents: 0, employee_deduction_in_cents: 0 }

const combine = (one: Amounts, other: Amounts, sign: 1 | -1): Amounts => ({
  premium_in_cents: one.premium_in_cents + sign * other.premium_in_cents,
  employer_contribution_in_cents: one.employer_contribution_in_cents + sign * other.employer_contribution_in_cents,
  employee_deduction_in_cents: one.employee_deduction_in_cents + sign * other.employee_deduction_in_cents,
})

/** What some lines bill together. */
export const sumOf = (lines: Amounts[]): Amounts => lines.reduce((sum, line) => combine(sum, line, 1), nothing)

type Chosen = { plan_name: string; coverage_tier: CoverageTier }

/** An election with the names that its line tells. */
export type Priced = Amounts & Chosen & { effective_on: Day }

/** A line of an invoice of the employer that is not void. */
export type BilledLine = Amounts & Chosen & { month: Day }

export type Billable = { coverage: Coverage<Priced>; billed: BilledLine[] }

export type InvoiceLineDraft = BilledLine & { kind: 'coverage' | 'adjustment' }

/**
 * What the invoice of a period (its 1st) bills for an enrollment: for each month in reach what is due by the facts as
 * they are known now, less what was billed for it already. The period has a line wherever it is charged, even one of 0;
 * earlier months have one only where something differs. The period comes first, then the earlier months in order.
 */
export function linesFor(period: Day, { coverage, billed }: Billable): InvoiceLineDraft[] {
  const months = monthsInReach(period)
  return [months.at(-1)!, ...months.slice(0, -1)].flatMap((month) => {
    const due = chargeOn(coverage, month)
    const before = billed.filter((line) => line.month === month)
    const amounts = combine(due ?? nothing, sumOf(before), -1)
    const covers = month === period && due !== undefined
    const chosen = due ?? before.at(-1)
    if (!chosen || (!covers && names.every((name) => amounts[name] === 0))) return []
    const { plan_name, coverage_tier } = chosen
    return [{ ...amounts, month, plan_name, coverage_tier, kind: covers ? 'coverage' : 'adjustment' }]
  })
}

/** The coverage tiers in the words of a document that people read. */
export const tier_names: Record<CoverageTier, string> = {
  EE: 'Employee only',
  ES: 'Employee and spouse',
  EC: 'Employee and children',
  EF: 'Employee and family',
}
