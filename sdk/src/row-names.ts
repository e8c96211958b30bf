/** How rows are named to people, who count them from 1. */

/** The number of a row for people, who count from 1, below the names of columns. */
export const rowNumber = (index: number): number => index + 1

/** A field of a refusal for people: `row 2, email` for `employees[1].email`. Other paths stay as they are. */
export function fieldInWords(field: string): string {
  const [, index, name] = /^(?:employees|members|rows|actuals)\[(\d+)\]\.?(.*)$/s.exec(field) ?? []
  return index === undefined ? field : [`row ${rowNumber(Number(index))}`, name].filter(Boolean).join(', ')
}

/**
 * A reason with the row numbers of a file. The service numbers the rows of a submission, which may lack rows of the
 * file: `indexes` are the places in the file of the rows that were submitted.
 */
export const reasonInFile = (reason: string, indexes: number[]): string =>
  reason.replace(/\brow (\d+)\b/, (text, number: string) => {
    const index = indexes[Number(number) - 1]
    return index === undefined ? text : `row ${rowNumber(index)}`
  })
