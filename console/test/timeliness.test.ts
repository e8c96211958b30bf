import type { FormFiling, FormTransmission } from 'openbenefits'
import { describe, expect, it } from 'vitest'
import { filingTimeliness, furnishingTimeliness } from '../src/screens/aca/timeliness.ts'

const deadlines = [
  { jurisdiction: 'CA', step: 'furnish', form: '1095-C', due_on: '2026-02-02' },
  { jurisdiction: 'IRS', step: 'furnish', form: '1095-C', due_on: '2026-03-02' },
  { jurisdiction: 'IRS', step: 'file', form: '1095-C', due_on: '2026-03-31' },
]
const filingWith = (changes: object) =>
  ({
    deadlines,
    form_count: 2,
    released_count: 2,
    unreleased_count: 0,
    furnished_on: null,
    ...changes,
  }) as unknown as FormFiling

describe('the furnishing of the forms of a tax year is', () => {
  it.each([
    ['on time on the last day', { furnished_on: '2026-03-02' }, '2026-07-01', 'On time'],
    ['late a day after the deadline', { furnished_on: '2026-03-03' }, '2026-07-01', 'Late'],
    ['not assessed before the deadline', {}, '2026-03-02', undefined],
    ['overdue after the deadline without a mailing', {}, '2026-03-03', 'Overdue'],
    [
      'overdue if a person has no released form',
      { furnished_on: '2026-03-02', unreleased_count: 1 },
      '2026-03-03',
      'Overdue',
    ],
    ['not assessed if no form is due', { form_count: 0, released_count: 0 }, '2026-03-03', undefined],
  ] as const)('%s', (_, changes, today, word) =>
    expect(furnishingTimeliness(filingWith(changes), today)?.word).toBe(word),
  )
})

const sent = (
  type: 'O' | 'R' | 'C',
  status: FormTransmission['status'],
  made_on: string,
  acknowledged_on: string,
  changes: object = {},
) =>
  ({
    type,
    status,
    is_test: false,
    made_at: `${made_on}T17:00:00Z`,
    acknowledged_at: status && `${acknowledged_on}T17:00:00Z`,
    ...changes,
  }) as unknown as FormTransmission
const rejected = sent('O', 'rejected', '2026-03-20', '2026-03-25')

describe('the filing of the forms of a tax year is', () => {
  it.each<[string, FormTransmission[], string | undefined]>([
    ['on time if acknowledged by the last day', [sent('O', 'accepted', '2026-03-20', '2026-03-31')], 'On time'],
    [
      'on time in New York',
      [sent('O', 'accepted', '2026-03-31', '', { acknowledged_at: '2026-04-01T03:59:00Z' })],
      'On time',
    ],
    ['to be checked if acknowledged later', [sent('O', 'accepted', '2026-03-31', '2026-04-02')], 'Check'],
    ['late if the files were made later', [sent('O', 'accepted_with_errors', '2026-04-01', '2026-04-02')], 'Late'],
    [
      'on time before a later correction',
      [sent('C', 'accepted', '2026-05-01', '2026-05-02'), sent('O', 'accepted', '2026-03-01', '2026-03-02')],
      'On time',
    ],
    [
      'on time if replaced 60 days after a rejection',
      [sent('R', 'accepted', '2026-05-20', '2026-05-24'), rejected],
      'On time',
    ],
    ['late if replaced after 61 days', [sent('R', 'accepted', '2026-05-25', '2026-05-25'), rejected], 'Late'],
    ['overdue without an acknowledgement', [sent('O', null, '2026-03-20', '')], 'Overdue'],
    ['overdue after a test alone', [sent('O', 'accepted', '2026-03-20', '2026-03-21', { is_test: true })], 'Overdue'],
  ])('%s', (_, transmissions, word) =>
    expect(filingTimeliness(filingWith({}), transmissions, '2026-07-01')?.word).toBe(word),
  )

  it('overdue if a due form is not released', () =>
    expect(
      filingTimeliness(
        filingWith({ unreleased_count: 1 }),
        [sent('O', 'accepted', '2026-03-01', '2026-03-02')],
        '2026-07-01',
      )?.word,
    ).toBe('Overdue'))

  it('not assessed while a rejected transmission can still be replaced', () =>
    expect(filingTimeliness(filingWith({}), [rejected], '2026-05-24')).toBeUndefined())
})
