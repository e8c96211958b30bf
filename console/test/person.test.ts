import { describe, expect, it } from 'vitest'
import { formatDay } from '../src/format.ts'
import { lanesOf } from '../src/screens/person/lanes.ts'
import { statusOnDay } from '../src/screens/person/coverage-status.ts'

/** The coverage and the timeline on the page of a person. */
const dental = {
  benefit: { id: 'bprd_1', name: 'Dental' },
  plan: { id: 'plan_1', name: 'Dental Basic' },
  coverage_tier: 'EE',
  coverage_start: '2026-11-01',
  coverage_end: null,
  plan_year_end: '2026-12-31',
  window: null,
  elected_from: null,
  upcoming_election: null,
}
const ended_early = { status: 'inactive', coverage_end: '2026-10-31' }

describe('the status of a benefit on a day', () => {
  it.each([
    [
      'reports that a former employee never elected, not that coverage ended',
      { ...ended_early, election_status: 'Pending', plan: null },
      `No election before the enrollment ended on ${formatDay('2026-10-31')}.`,
    ],
    [
      'reports that an expired window ended without an election before the enrollment ended',
      {
        status: 'inactive',
        coverage_start: '2026-02-01',
        coverage_end: '2026-10-31',
        election_status: 'Expired',
        plan: null,
      },
      `No election before the enrollment ended on ${formatDay('2026-10-31')}.`,
    ],
    [
      'names the elected plan of an enrollment that ended before its start',
      { ...ended_early, election_status: 'Enrolled' },
      'Dental Basic, Employee only was elected, but the enrollment ended before its start on ' +
        `${formatDay('2026-11-01')}.`,
    ],
    [
      'reports the last day of elected coverage',
      { coverage_start: '2026-02-01', coverage_end: '2026-10-31', election_status: 'Enrolled' },
      `Coverage ended on ${formatDay('2026-10-31')}.`,
    ],
  ])('%s', (_, enrollment, because) => {
    expect(statusOnDay('2026-12-01', { ...dental, ...enrollment } as never)).toEqual(['not covered', because])
  })
})

describe('the classes on the timeline', () => {
  const changes = [
    { employee_class: 'Part Time', effective_on: '2025-03-01' },
    { employee_class: 'Full Time', effective_on: '2026-06-01' },
  ]
  const drawn = (termination_date: string | null, class_history = changes) => {
    const employee = { employer_name: 'Bluebird', hire_date: '2025-03-01', termination_date, status: 'active' }
    const none = { as_of: undefined, enrollments: [], dependents: [], life_events: [], wages: [] }
    const eligibility = { class_history, anchor: null, eligible_on: null, eligibility_lost_on: null }
    const facts = { ...none, employee, eligibility, proof: undefined, aca: undefined }
    const lanes = lanesOf(facts as never, () => ({}) as never)
    const spans = lanes.find(({ name }) => name === 'Class')?.spans ?? []
    return spans.map(({ label, start, end }) => [label, start, end])
  }

  it('start on the hire date, each ending before the next one', () => {
    expect(drawn(null)).toEqual([
      ['Part time', '2025-03-01', '2026-05-31'],
      ['Full time', '2026-06-01', null],
    ])
  })

  it('end with the employment', () => {
    expect(drawn('2026-08-15').at(-1)).toEqual(['Full time', '2026-06-01', '2026-08-15'])
    expect(drawn('2026-05-15')).toEqual([['Part time', '2025-03-01', '2026-05-15']])
  })

  it('are absent if no class is known', () => expect(drawn(null, [])).toEqual([]))
})
