import type { Day } from '../../../kernel/days.ts'
import type { Lapse } from '../deductions/rules.ts'
import { sumOf, type Amounts, type InvoiceLineDraft } from './rules.ts'

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

/** An employee to bill next. */
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
export function numbered(lines: DraftedLine[], counts: Map<InvoiceRun, number>): NumberedLine[] {
  return lines.map(({ run, ...line }) => {
    const position = (counts.get(run) ?? run.line_count) + 1
    counts.set(run, position)
    return { ...line, invoice_id: run.invoice_id!, position }
  })
}

/**
 * The progress of runs after their next employees, which are consecutive. With `is_end`, there are no further
 * employees, so all invoices are complete. Otherwise, all are complete except the one of the last employee.
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
      is_complete: at < at_last,
    }
  })
}
