import { expect, it } from 'vitest'
import { groupTitle } from '../src/screens/home/task-words.ts'

// An employer has one filing per tax year, so two tasks can concern the same employer.
it.each([
  ['tax_identifiers_missing', '2 filings with missing tax identifiers'],
  ['tax_forms_due', '2 filings with tax forms to release'],
  ['tax_forms_unmailed', '2 filings with tax forms to mail'],
  ['tax_forms_unfiled', '2 filings with tax forms to file'],
] as const)('counts filings, not employers, in the title of several tasks of the kind %s', (kind, title) => {
  expect(groupTitle(kind, 2)).toBe(title)
})
