/** Row numbers for display, which start at 1. */

/** The displayed number of a row, from 1 below the column names. */
export const rowNumber = (index: number): number => index + 1

/** A displayed field: `row 2, email` for `employees[1].email`. Other paths stay unchanged. */
export function fieldInWords(field: string): string {
  const [, index, name] = /^(?:employees|members|rows|actuals)\[(\d+)\]\.?(.*)$/s.exec(field) ?? []
  return index === undefined ? field : [`row ${rowNumber(Number(index))}`, name].filter(Boolean).join(', ')
}

/**
 * Replaces row numbers in a reason. The service numbers the submitted rows, which may omit rows of the file. `indexes`
 * has the positions in the file of the submitted rows.
 */
export const reasonInFile = (reason: string, indexes: number[]): string =>
  reason.replace(/\brow (\d+)\b/, (text, number: string) => {
    const index = indexes[Number(number) - 1]
    return index === undefined ? text : `row ${rowNumber(index)}`
  })
