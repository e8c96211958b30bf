import { addDays, type Day } from '../../../kernel/days.ts'
import { declareRefusals, Refusal, type RefusalKind, invalid } from '../../../kernel/refusal.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { chargeOn, type Coverage, type Terms, type Lapse } from '../deductions/rules.ts'

export const refusals = declareRefusals({
  employer_has_no_billing_account: [
    422,
    'The employer has never had a subscription, so there is nothing to bill.',
    'Request a subscription for the employer from the operator.',
  ],
  invoice_is_draft: [409, 'The invoice is a draft.', 'Issue the invoice first.'],
  invoice_is_paid: [
    409,
    'The invoice is paid.',
    'Paid invoices cannot change. The next invoice carries the adjustment.',
  ],
  invoice_is_void: [409, 'The invoice is void.', 'Draft the month again.'],
  invoice_already_drafted: [
    409,
    'The employer already has an invoice for this month that is not void.',
    'Use the existing invoice. If it is a draft or open, you can void it first.',
  ],
})

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void'

export type InvoiceAction = 'issue' | 'void' | 'pay'

const asDraft = { draft: refusals.invoice_is_draft } as const
const asPaid = { paid: refusals.invoice_is_paid } as const
const asVoid = { void: refusals.invoice_is_void } as const

const refusal_by_status: Record<InvoiceAction, Partial<Record<InvoiceStatus, RefusalKind>>> = {
  issue: { ...asPaid, ...asVoid },
  void: asPaid,
  pay: { ...asDraft, ...asVoid },
}

/**
 * Refuses an action that the status of an invoice does not allow. Repeating an action is allowed and changes nothing.
 */
export const whyNotInStatus = (action: InvoiceAction, status: InvoiceStatus): RefusalKind | undefined =>
  refusal_by_status[action][status]

/** Refuses an impossible payment day. Null `issued_on` means not issued. */
export function whyNotPaidOn(
  paid_on: Day,
  { issued_on, today }: { issued_on: Day | null; today: Day },
): Refusal | undefined {
  const refuseDay = (message: string) => invalid({ field: 'paid_on', message })
  if (paid_on > today) return refuseDay('must not be after today')
  if (issued_on !== null && paid_on < issued_on) return refuseDay('must not be before the invoice was issued')
  return undefined
}

/** How many days a draft can be reviewed and voided before it is issued automatically. */
export const days_as_draft = 3

/** The due date of an invoice. */
export const dueOn = (issued_on: Day): Day => addDays(issued_on, 30)

/** The first day of the month that contains a day. */
export const monthOf = (day: Day): Day => `${day.slice(0, 7)}-01`

/** The months that the invoice of a period may bill, oldest first, ending with the period itself. */
export function monthsInWindow(period: Day, window_months: number): Day[] {
  // Plain arithmetic, because calendar functions took half of the time of drafting an invoice.
  const last = Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1
  return Array.from({ length: window_months + 1 }, (_, index) => {
    const month = last - window_months + index
    return `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`
  })
}

/** In cents. The premium is the sum of the other two. */
type Amounts = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

const names = ['premium_in_cents', 'employer_contribution_in_cents', 'employee_deduction_in_cents'] as const

const no_amounts: Amounts = { premium_in_cents: 0, employer_contribution_in_cents: 0, employee_deduction_in_cents: 0 }

const addAmounts = (a: Amounts, b: Amounts, sign: 1 | -1): Amounts => ({
  premium_in_cents: a.premium_in_cents + sign * b.premium_in_cents,
  employer_contribution_in_cents: a.employer_contribution_in_cents + sign * b.employer_contribution_in_cents,
  employee_deduction_in_cents: a.employee_deduction_in_cents + sign * b.employee_deduction_in_cents,
})

export const sumOfLines = (lines: Amounts[]): Amounts =>
  lines.reduce((sum, line) => addAmounts(sum, line, 1), no_amounts)

type Chosen = { plan_name: string; coverage_tier: CoverageTier }

/** An election with the terms and names for its line. */
export type Priced = Amounts & Chosen & Pick<Terms, 'effective_on' | 'partial_month_rule'>

/** A line of an invoice that is not void. */
export type BilledLine = Amounts & Chosen & { month: Day }

/** The amounts that the operator booked manually for a month. */
export type ManualAmounts = Amounts & { month: Day }

/**
 * The facts for billing an enrollment. `booked` has the manually booked amounts; `billed_by_hand` has the part of them
 * on invoices that are not void.
 */
export type Billable = {
  coverage: Coverage<Priced>
  billed: BilledLine[]
  booked?: ManualAmounts[]
  billed_by_hand?: ManualAmounts[]
}

export type InvoiceLineDraft = BilledLine & { kind: 'coverage' | 'adjustment' | 'manual_adjustment' }

/**
 * The lines that the invoice of a period (its 1st) bills for an enrollment. For each month in the correction window,
 * the line has the amount due by the current facts less the amount already billed. The period has a line whenever
 * coverage is charged, even of 0; earlier months have one only for a difference. Amounts that were booked manually for
 * a month outside the window count as billed if a new draft includes the month after all. The period comes first, then
 * earlier months in order, then manual amounts.
 */
export function invoiceLinesFor(period: Day, window_months: number, billable: Billable): InvoiceLineDraft[] {
  const { coverage, billed, booked = [] } = billable
  const months = monthsInWindow(period, window_months)
  const lines = [months.at(-1)!, ...months.slice(0, -1)].flatMap((month): InvoiceLineDraft[] => {
    const due = chargeOn(coverage, month)
    const before = billed.filter((line) => line.month === month)
    const owed = addAmounts(due ?? no_amounts, sumOfLines(before), -1)
    const amounts = subtractBooked(owed, sumOfLines(booked.filter((line) => line.month === month)))
    const covers = month === period && due !== undefined
    const chosen = due ?? before.at(-1)
    if (!chosen || (!covers && isNothing(amounts))) return []
    const { plan_name, coverage_tier } = chosen
    return [{ ...amounts, month, plan_name, coverage_tier, kind: covers ? 'coverage' : 'adjustment' }]
  })
  return [...lines, ...linesByHand(billable)]
}

/**
 * The amount still due or to be refunded for a month, less the amount that was booked manually for the same purpose.
 */
function subtractBooked(owed: Amounts, booked: Amounts): Amounts {
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

/** The manually booked amounts of each month that are not on any invoice yet. */
function linesByHand({ coverage, booked = [], billed_by_hand = [] }: Billable): InvoiceLineDraft[] {
  return [...new Set(booked.map(({ month }) => month))].toSorted().flatMap((month): InvoiceLineDraft[] => {
    const sumOfMonth = (lines: ManualAmounts[]) => sumOfLines(lines.filter((line) => line.month === month))
    const amounts = addAmounts(sumOfMonth(booked), sumOfMonth(billed_by_hand), -1)
    if (isNothing(amounts)) return []
    const { plan_name, coverage_tier } = chargeOn(coverage, month) ?? coverage.elections.at(-1) ?? without_election
    return [{ ...amounts, month, plan_name, coverage_tier, kind: 'manual_adjustment' }]
  })
}

/** The plan and tier of a manual line without an election. */
const without_election: Chosen = { plan_name: 'Manual adjustment', coverage_tier: 'EE' }

/** The month of an employer to bill, the progress, and the number of invoice lines so far. */
export type InvoiceRun = {
  employer_id: string
  period: Day
  through_employee_id: string | null
  invoice_id: string | null
  line_count: number
  correction_reach_months: number
  lapses: Lapse[]
  /** Whether it is the only waiting month of its employer. */
  is_last: boolean
}

export type BilledEmployee = { id: string; employee_name: string; run: InvoiceRun }

/** A line with its run and enrollment. */
export type DraftedLine = InvoiceLineDraft & {
  run: InvoiceRun
  employee_id: string
  enrollment_id: string
  employee_name: string
  benefit_name: string
}

export type NumberedLine = Omit<DraftedLine, 'run'> & { invoice_id: string; position: number }

/** The progress of a run, the amounts that a chunk adds to its invoice, and whether the invoice is complete. */
export type DraftProgress = Amounts & {
  employer_id: string
  period: Day
  invoice_id: string | null
  through_employee_id: string | null
  line_count: number
  is_complete: boolean
}

/**
 * Numbers lines after the existing lines of their invoices, which must be inserted. `counts` has the number of lines
 * per run so far, and is updated.
 */
export function numberLines(lines: DraftedLine[], counts: Map<InvoiceRun, number>): NumberedLine[] {
  return lines.map(({ run, ...line }) => {
    const position = (counts.get(run) ?? run.line_count) + 1
    counts.set(run, position)
    return { ...line, invoice_id: run.invoice_id!, position }
  })
}

/**
 * The progress of runs after their next employees, which are consecutive. With `is_end`, there are no further
 * employees, so all invoices are complete. Otherwise, all are complete except that of the last employee.
 */
export function draftProgressOf(
  runs: InvoiceRun[],
  people: BilledEmployee[],
  lines: DraftedLine[],
  is_end: boolean,
): DraftProgress[] {
  const at_last = is_end ? runs.length : runs.indexOf(people.at(-1)!.run)
  const lines_by_run = Map.groupBy(lines, ({ run }) => run)
  const through = new Map(people.map(({ id, run }) => [run, id]))
  return runs.slice(0, at_last + 1).map((run, index) => {
    const own_lines = lines_by_run.get(run) ?? []
    const { employer_id, period, invoice_id } = run
    return {
      employer_id,
      period,
      invoice_id,
      through_employee_id: through.get(run) ?? null,
      line_count: own_lines.length,
      ...sumOfLines(own_lines),
      is_complete: index < at_last,
    }
  })
}
