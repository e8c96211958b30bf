import { expect, it } from 'vitest'
import { formatDay } from '../src/format.ts'
import { taskFacts, groupTitle } from '../src/screens/home/task-words.ts'
import { taskDetails } from '../src/screens/today/task-words.ts'

// An employer has one filing per tax year, so two tasks can concern the same employer.
it.each([
  ['tax_identifiers_missing', '2 filings with missing tax identifiers'],
  ['tax_forms_due', '2 filings with tax forms to release'],
  ['tax_forms_unmailed', '2 filings with tax forms to mail'],
  ['tax_forms_unfiled', '2 filings with tax forms to file'],
] as const)('counts filings, not employers, in the title of several tasks of the kind %s', (kind, title) => {
  expect(groupTitle(kind, 2)).toBe(title)
})

const lapsing = {
  kind: 'enrollment_lapsing',
  details: { benefit_id: 'bprd_1', reason: 'active_renewal', coverage_ends_on: '2026-12-31' },
} as const

it('explains to operators why coverage will end, with the last day', () => {
  const ends = `Coverage ends: ${formatDay('2026-12-31')}`
  expect(taskDetails(lapsing)).toBe(`Reason: the plan year requires each employee to elect · ${ends}`)
})

it('explains to members why coverage will end', () => {
  expect(taskFacts({ ...lapsing, person_name: 'Ada Park' } as never)).toBe(
    'Ada Park · the plan year requires each employee to elect',
  )
})
