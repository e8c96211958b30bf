import { cellsAllowedBy, type FormCell, type MonthCells, type OfferCode, type ReliefCode } from './code-rules.ts'

/** The cells of a month that replace the derived ones. An absent cell stays as it is, and null empties it. */
export type MonthOverride = {
  month: number
  line_14?: OfferCode | undefined
  line_15_in_cents?: number | null | undefined
  line_16?: ReliefCode | null | undefined
  line_17?: string | null | undefined
}

export type StoredOverride = { months: MonthOverride[]; reason: string; updated_at: string }

/** A cell, and whether a person set it. */
export type ShownCell<Value> = FormCell<Value> & { is_overridden: boolean }
export type ShownMonth = { [line in keyof MonthCells]: ShownCell<NonNullable<MonthCells[line]['value']>> }

const shown = <Value>(cell: FormCell<Value>, given: Value | null | undefined, reason: string): ShownCell<Value> =>
  given === undefined ? { ...cell, is_overridden: false } : { value: given, reason, is_overridden: true }

/** The cells of a year with the override of a person, if there is one. */
export function withOverride(months: readonly MonthCells[], override: StoredOverride | null): ShownMonth[] {
  const reason = override?.reason ?? ''
  return months.map((cells, at) => {
    const given = override?.months.find(({ month }) => month === at + 1)
    const { line_15, line_17 } = given?.line_14 === undefined ? cells : cellsAllowedBy(given.line_14, cells)
    return {
      line_14: shown(cells.line_14, given?.line_14, reason),
      line_15: shown(line_15, given?.line_15_in_cents, reason),
      line_16: shown(cells.line_16, given?.line_16, reason),
      line_17: shown(line_17, given?.line_17, reason),
    }
  })
}
