import type { Day } from '../../../kernel/days.ts'
import type { Lapse } from '../deductions/rules.ts'
import { sumOf, type Amounts, type InvoiceLineDraft } from './rules.ts'

/** A month of an employer that is to be billed, how far it is, and how many lines its invoice has so far. */
export type InvoiceRun = {
  employer_id: string
  period: Day
  through_employee_id: string | null
  invoice_id: string | null
  line_count: number
  correction_reach_months: number
  lapses: Lapse[]
  /** whether no other month of its employer waits */
  is_last: boolean
}

/** An employee who is billed next. */
export type BilledEmployee = { id: string; employee_name: string; run: InvoiceRun }

/** A line, and where it belongs. */
export type DraftedLine = InvoiceLineDraft & {
  run: InvoiceRun
  employee_id: string
  enrollment_id: string
  employee_name: string
  benefit_name: string
}

export type NumberedLine = Omit<DraftedLine, 'run'> & { invoice_id: string; position: number }

/** How far a run is, what a chunk adds to its invoice, and whether that is whole. */
export type DraftProgress = Amounts & {
  employer_id: string
  period: Day
  invoice_id: string | null
  through_employee_id: string | null
  line_count: number
  is_whole: boolean
}

/**
 * Lines in their order, numbered after those that the invoice of each has, which was begun. `counts`: how many those of
 * some have by now, to which these are added.
 */
export function numbered(lines: DraftedLine[], counts: Map<InvoiceRun, number>): NumberedLine[] {
  return lines.map(({ run, ...line }) => {
    const position = (counts.get(run) ?? run.line_count) + 1
    counts.set(run, position)
    return { ...line, invoice_id: run.invoice_id!, position }
  })
}

/**
 * How far runs are with the next employees of theirs, which follow one another. `is_end`: they have no others, so all
 * are whole; else whatever comes before the last of these is.
 */
export function progressOf(
  runs: InvoiceRun[],
  people: BilledEmployee[],
  lines: DraftedLine[],
  is_end: boolean,
): DraftProgress[] {
  const at_last = is_end ? runs.length : runs.indexOf(people.at(-1)!.run)
  const of = Map.groupBy(lines, ({ run }) => run)
  const through = new Map(people.map(({ id, run }) => [run, id]))
  return runs.slice(0, at_last + 1).map((run, at) => {
    const theirs = of.get(run) ?? []
    const { employer_id, period, invoice_id } = run
    return {
      employer_id,
      period,
      invoice_id,
      through_employee_id: through.get(run) ?? null,
      line_count: theirs.length,
      ...sumOf(theirs),
      is_whole: at < at_last,
    }
  })
}
