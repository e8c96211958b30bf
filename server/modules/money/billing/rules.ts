import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { chargeOn, type Coverage, type Terms } from '../deductions/rules.ts'

export const refusals = declareRefusals({
  employer_has_no_billing_account: [
    422,
    'The employer never had a subscription, so there is nobody to bill yet.',
    'Ask the operator for a subscription of the employer.',
  ],
  invoice_is_draft: [409, 'The invoice is a draft: it has to be issued first.', 'Issue it first.'],
  invoice_is_paid: [409, 'The invoice is paid.', 'It stays: what was wrong is adjusted by the next invoice.'],
  invoice_is_void: [409, 'The invoice is void.', 'Draft the month anew.'],
  invoice_already_drafted: [
    409,
    'The employer has an invoice for this month that is not void. A draft or an open one can be voided ' +
      'first; a paid one stays.',
    'Use that one, or void it first.',
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
export const whyNot = (action: 'issue' | 'void' | 'pay', status: InvoiceStatus): RefusalKind | undefined =>
  inTheWay[action][status]

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

/** The month of a day, by its 1st. */
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

/** The months that the invoice of a period may bill, by how many it reaches back, oldest first; the period is last. */
export function monthsInReach(period: Day, reach_months: number): Day[] {
  // By hand: asked of each enrollment, the calendar took half of what an invoice computes.
  const last = Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1
  return Array.from({ length: reach_months + 1 }, (_, at) => {
    const month = last - reach_months + at
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
  })
}

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
export type Priced = Amounts & Chosen & Pick<Terms, 'effective_on' | 'partial_month_rule'>

/** A line of an invoice of the employer that is not void. */
export type BilledLine = Amounts & Chosen & { month: Day }

/** What the operator booked for a month by hand. */
export type ManualAmounts = Amounts & { month: Day }

/**
 * What an enrollment is billed by. `booked`: what the operator booked by hand; `billed_by_hand`: what invoices that are
 * not void hold of it.
 */
export type Billable = {
  coverage: Coverage<Priced>
  billed: BilledLine[]
  booked?: ManualAmounts[]
  billed_by_hand?: ManualAmounts[]
}

export type InvoiceLineDraft = BilledLine & { kind: 'coverage' | 'adjustment' | 'manual_adjustment' }

/**
 * What the invoice of a period (its 1st) bills for an enrollment: for each month in reach what is due by the facts as
 * they are known now, less what was billed for it already. The period has a line wherever it is charged, even one of 0;
 * earlier months have one only where something differs. What was booked by hand for a month, while none reached it,
 * counts as billed for it where an invoice that is drafted anew does. The period comes first, then the earlier months
 * in order, then what was booked by hand.
 */
export function linesFor(period: Day, reach_months: number, billable: Billable): InvoiceLineDraft[] {
  const { coverage, billed, booked = [] } = billable
  const months = monthsInReach(period, reach_months)
  const lines = [months.at(-1)!, ...months.slice(0, -1)].flatMap((month): InvoiceLineDraft[] => {
    const due = chargeOn(coverage, month)
    const before = billed.filter((line) => line.month === month)
    const owed = combine(due ?? nothing, sumOf(before), -1)
    const amounts = withoutBooked(owed, sumOf(booked.filter((one) => one.month === month)))
    const covers = month === period && due !== undefined
    const chosen = due ?? before.at(-1)
    if (!chosen || (!covers && isNothing(amounts))) return []
    const { plan_name, coverage_tier } = chosen
    return [{ ...amounts, month, plan_name, coverage_tier, kind: covers ? 'coverage' : 'adjustment' }]
  })
  return [...lines, ...linesByHand(billable)]
}

/** What is owed for a month, or to be given back, less what was booked for just that by hand. */
function withoutBooked(owed: Amounts, booked: Amounts): Amounts {
  const rest = (name: keyof Amounts) =>
    owed[name] > 0
      ? owed[name] - Math.min(owed[name], Math.max(0, booked[name]))
      : owed[name] - Math.max(owed[name], Math.min(0, booked[name]))
  const employer_contribution_in_cents = rest('employer_contribution_in_cents')
  const employee_deduction_in_cents = rest('employee_deduction_in_cents')
  return {
    premium_in_cents: employer_contribution_in_cents + employee_deduction_in_cents,
    employer_contribution_in_cents,
    employee_deduction_in_cents,
  }
}

const isNothing = (amounts: Amounts): boolean => names.every((name) => amounts[name] === 0)

/** What was booked by hand for each month and is on no invoice yet. */
function linesByHand({ coverage, booked = [], billed_by_hand = [] }: Billable): InvoiceLineDraft[] {
  return [...new Set(booked.map(({ month }) => month))].toSorted().flatMap((month): InvoiceLineDraft[] => {
    const of = (lines: ManualAmounts[]) => sumOf(lines.filter((line) => line.month === month))
    const amounts = combine(of(booked), of(billed_by_hand), -1)
    if (isNothing(amounts)) return []
    const { plan_name, coverage_tier } = chargeOn(coverage, month) ?? coverage.elections.at(-1) ?? by_hand
    return [{ ...amounts, month, plan_name, coverage_tier, kind: 'manual_adjustment' }]
  })
}

/** How a line by hand is called where nothing was elected. */
const by_hand: Chosen = { plan_name: 'Manual adjustment', coverage_tier: 'EE' }
