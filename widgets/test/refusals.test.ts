import { expect, it } from 'vitest'
import { detailsOf } from '../../server/http/body/body-validation.ts'
import { refusals as beneficiary_refusals } from '../../server/modules/coverage/beneficiaries/rules.ts'
import { BeneficiariesInput } from '../../server/modules/coverage/beneficiaries/schemas.ts'
import { refusals as dependent_refusals } from '../../server/modules/coverage/dependents/rules.ts'
import { NewDependent } from '../../server/modules/coverage/dependents/schemas.ts'
import { refusals as election_refusals } from '../../server/modules/coverage/elections/rules.ts'
import { refusals as life_event_refusals } from '../../server/modules/coverage/life-events/rules.ts'
import { NewLifeEvent } from '../../server/modules/coverage/life-events/schemas.ts'
import { EnrollmentAnswers } from '../../server/modules/coverage/submissions/schemas.ts'
import { ContactChanges } from '../../server/modules/roster/employees/schemas.ts'
import { refusalText } from '../src/core/common-words.ts'
import { en } from '../src/employee/words-en.ts'
import { es } from '../src/employee/words-es.ts'

/** Values that an employee can type or leave empty. */
const typed = ['', 'x'.repeat(2000), '\u200b', 'a\u0007b', '\u202egnp.exe', null]

type Issues = Parameters<typeof detailsOf>[0]
type Schema = { safeParse: (input: object, context: { reportInput: true }) => { error?: { issues: Issues } } }

const messagesOf = (schema: Schema, input: object): string[] =>
  detailsOf(schema.safeParse(input, { reportInput: true }).error?.issues ?? []).map(({ message }) => message)

const bodies = (value: string | null): [Schema, object][] => {
  const address = { address_line_1: value, address_line_2: value, city: value, state: value, zipcode: value }
  const individual_plan = { name: value, premium_in_cents: -1 }
  const elect = { plan_id: 'pln_01kdq7b4w8e9rs2mh3n5t6v7xz', dependent_ids: [], individual_plan }
  const trust = { level: 'primary', type: 'trust', name: value, share_percentage: value && 100.001 }
  return [
    [ContactChanges, { phone: value ?? 'x', address }],
    [NewDependent, { relationship: 'child', first_name: value, last_name: value, date_of_birth: value, address }],
    [NewLifeEvent, { type: 'other', occurred_on: value ?? 'x', description: value }],
    [BeneficiariesInput, { beneficiaries: Array.from({ length: 21 }, () => trust) }],
    [BeneficiariesInput, { beneficiaries: [{ ...trust, type: 'person', level: 'contingent', share_percentage: 0 }] }],
    [EnrollmentAnswers, { answers: [{ enrollment_id: 'enrl_01kdq7b4w8e9rs2mh3n5t6v7xz', elect }] }],
  ]
}

it('has a Spanish text for each message about a typed value, and names no date format in English', () => {
  const messages = new Set(typed.flatMap((value) => bodies(value).flatMap((body) => messagesOf(...body))))
  expect(messages.size).toBeGreaterThan(15)
  expect([...messages].filter((message) => !refusalText(es, message))).toEqual([])
  expect(refusalText(es, 'must be at most 255 characters')).toBe('Use 255 caracteres como máximo.')
  expect([...messages].filter((message) => (refusalText(en, message) ?? message).includes('YYYY'))).toEqual([])
})

it('has a Spanish text for every refusal that an employee can get, and shows no ids in English', () => {
  const by_others = [
    'dependent_ended_long_ago',
    'dependent_already_disabled',
    'dependent_not_disabled',
    'dependent_is_covered',
  ]
  const codes = Object.keys({
    ...dependent_refusals,
    ...life_event_refusals,
    ...election_refusals,
    ...beneficiary_refusals,
  }).filter((code) => !by_others.includes(code))
  expect(codes.filter((code) => !refusalText(es, code))).toEqual([])
  const with_ids = ['dependent_already_exists', 'life_event_already_reported', 'choice_group_conflict']
  expect(with_ids.filter((code) => !refusalText(en, code))).toEqual([])
})
