/**
 * Formats a field of an error's `details` for people: `row 2, email` for `employees[1].email`. Other paths stay
 * unchanged.
 */
export function fieldInWords(field: string): string {
  const [, index, name] = /^(?:employees|members|rows|actuals|beneficiaries)\[(\d+)\]\.?(.*)$/s.exec(field) ?? []
  return index === undefined ? field : [`row ${Number(index) + 1}`, name].filter(Boolean).join(', ')
}
