import { describe, expect, it } from 'vitest'
import { whyNotReinstate } from './rules.ts'

const today = '2026-03-10'
const ended = { id: 'empl_1', terminated_on: '2026-02-20' }

describe('an employment is reinstated', () => {
  const refused = (...asked: Parameters<typeof whyNotReinstate>) => {
    const why = whyNotReinstate(...asked)
    return why && ('kind' in why ? why.kind.code : why.code)
  }

  it.each([
    ['when it has ended', ended, undefined],
    ['when it is going to end', { ...ended, terminated_on: '2026-05-01' }, undefined],
    ['60 days after its last day', { ...ended, terminated_on: '2026-01-09' }, undefined],
    ['not later than that by partners', { ...ended, terminated_on: '2026-01-08' }, 'invalid_employee_update'],
    ['not when nothing ends it', { ...ended, terminated_on: null }, 'nothing_to_reinstate'],
    ['not when the person was employed again since', { ...ended, id: 'empl_0' }, 'employed_again'],
  ])('%s', (_, employment, expected) => expect(refused(employment, { id: 'empl_1' }, today)).toBe(expected))

  it('by the operator, however long ago it ended', () =>
    expect(refused({ ...ended, terminated_on: '2020-01-01' }, ended, today, null)).toBeUndefined())
})
