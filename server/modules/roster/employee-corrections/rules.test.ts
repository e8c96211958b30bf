import { describe, expect, it } from 'vitest'
import { whyNotReinstate } from './rules.ts'

const today = '2026-03-10'
const ended = { id: 'empl_1', terminated_on: '2026-02-20' }

describe('a termination can be reversed', () => {
  const refused = (...requested: Parameters<typeof whyNotReinstate>) => {
    const why = whyNotReinstate(...requested)
    return why && ('kind' in why ? why.kind.code : why.code)
  }

  it.each([
    ['if the employment has ended', ended, undefined],
    ['if the employment is going to end', { ...ended, terminated_on: '2026-05-01' }, undefined],
    ['60 days after the last day', { ...ended, terminated_on: '2026-01-09' }, undefined],
    ['not by partners after more than 60 days', { ...ended, terminated_on: '2026-01-08' }, 'invalid_employee_update'],
    ['not if no termination was reported', { ...ended, terminated_on: null }, 'nothing_to_reinstate'],
    ['not if the person was employed here again', { ...ended, id: 'empl_0' }, 'employee_was_rehired'],
  ])('%s', (_, employment, expected) => expect(refused(employment, { id: 'empl_1' }, today)).toBe(expected))

  it('by the operator, however long ago the employment ended', () =>
    expect(refused({ ...ended, terminated_on: '2020-01-01' }, ended, today, null)).toBeUndefined())
})
