import { Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import { describe, expect, it } from 'vitest'
import {
  type ActiveDependent,
  max_dependents,
  refusals,
  sameDependent,
  whyNotAdd,
  whyNotChange,
  withChanges,
} from './rules.ts'

const today = '2026-03-10'
const child: ActiveDependent = {
  id: 'child',
  relationship: 'child',
  first_name: 'Zoë',
  last_name: 'Núñez',
  suffix: null,
  date_of_birth: '2015-06-01',
  gender: null,
  address: null,
}
const spouse: ActiveDependent = { ...child, id: 'spouse', relationship: 'spouse', date_of_birth: '1988-01-02' }
const born = (date_of_birth: string): ActiveDependent => ({ ...child, id: date_of_birth, date_of_birth })
const unborn = { details: [{ field: 'date_of_birth', message: 'must not be after today' }] }

/** The kind of a refusal, with or without details. */
const kindOf = (why: Refusal | RefusalKind | undefined): RefusalKind | undefined =>
  why instanceof Refusal ? why.kind : why

describe('a child can be added', () => {
  it.each([
    ['on the day before the 26th birthday', '2000-03-11', today, undefined],
    ['on the 26th birthday, since coverage lasts until the end of that month', '2000-03-10', today, undefined],
    ['on the last day of that month', '2000-03-01', '2026-03-31', undefined],
    ['not on the day after that month', '2000-03-31', '2026-04-01', refusals.dependent_too_old],
    ['if born on February 29, until the end of March of a common year', '2000-02-29', '2026-03-31', undefined],
    ['if born on February 29, not in April', '2000-02-29', '2026-04-01', refusals.dependent_too_old],
    ['if born on February 28, not in March', '2000-02-28', '2026-03-01', refusals.dependent_too_old],
    ['if born on March 1, not in April of a leap year', '2002-03-01', '2028-04-01', refusals.dependent_too_old],
    ['born today', today, today, undefined],
  ])('%s', (_, date_of_birth, day, why) => expect(whyNotAdd(born(date_of_birth), [], day)).toBe(why))

  it('but not before birth', () => {
    expect(whyNotAdd(born('2026-03-11'), [], today)).toMatchObject(unborn)
  })
})

describe('a spouse', () => {
  it('has no age limit, and there is only one', () => {
    expect(whyNotAdd({ ...spouse, date_of_birth: '1930-01-01' }, [child], today)).toBeUndefined()
    expect(whyNotAdd({ ...spouse, first_name: 'Other' }, [spouse], today)).toBe(refusals.spouse_already_exists)
  })
})

describe('the same person is not added twice', () => {
  it.each([
    ['spelled alike', {}, refusals.dependent_already_exists],
    [
      'spelled without accents and in capitals',
      { first_name: 'ZOE', last_name: 'nunez' },
      refusals.dependent_already_exists,
    ],
    ['with another suffix and gender', { suffix: 'Jr.', gender: 'Female' }, refusals.dependent_already_exists],
    ['as a spouse', { relationship: 'spouse' as const }, refusals.dependent_already_exists],
    ['a twin', { first_name: 'Eva' }, undefined],
    ['named after a sibling', { date_of_birth: '2016-06-01' }, undefined],
  ])('%s', (_, input, why) => expect(kindOf(whyNotAdd({ ...child, ...input }, [child], today))).toBe(why))
})

describe('several reasons', () => {
  const many = Array.from({ length: max_dependents }, (_, at) => born(`20${String(at % 25).padStart(2, '0')}-07-01`))
  const old = born('1990-01-01')

  it('are reported in the order of their statuses', () => {
    expect(whyNotAdd(child, many.slice(1), today)).toBeUndefined()
    expect(whyNotAdd(old, many, today)).toBe(refusals.too_many_dependents)
    expect(whyNotAdd({ ...old, date_of_birth: '2030-01-01' }, many, today)).toMatchObject(unborn)
    expect(kindOf(whyNotAdd(old, [old], today))).toBe(refusals.dependent_already_exists)
  })
})

describe('a change', () => {
  const grown = born('1990-01-01')
  it.each([
    ['of nothing', child, {}, [spouse], undefined],
    ['of an ended dependent', undefined, { first_name: 'Eva' }, [], refusals.dependent_already_ended],
    [
      'of a name to that of a sibling born on the same day',
      child,
      { first_name: 'Eva' },
      [{ ...child, first_name: 'EVA' }],
      refusals.dependent_already_exists,
    ],
    ['of the name of a child over the age limit', grown, { last_name: 'Moss' }, [], undefined],
    [
      'of the date of birth to that of a child over the age limit',
      child,
      { date_of_birth: '2000-02-10' },
      [],
      refusals.dependent_too_old,
    ],
    [
      'of a spouse to a child over the age limit',
      spouse,
      { relationship: 'child' as const },
      [],
      refusals.dependent_too_old,
    ],
    [
      'of a child to a second spouse',
      child,
      { relationship: 'spouse' as const },
      [spouse],
      refusals.spouse_already_exists,
    ],
    ['of a child over the age limit to a spouse', grown, { relationship: 'spouse' as const }, [], undefined],
  ])('%s', (_, former, changes, others, why) => {
    expect(kindOf(whyNotChange(former, changes, others, today))).toBe(why)
  })

  it('to a future date of birth is invalid, even for an ended dependent', () => {
    expect(whyNotChange(undefined, { date_of_birth: '2026-03-11' }, [], today)).toMatchObject(unborn)
  })

  it('keeps omitted fields and clears fields that are null', () => {
    const former = { ...child, suffix: 'Jr.', gender: 'Female' }
    const changed = withChanges(former, { first_name: undefined, suffix: null, last_name: 'Moss' })
    expect(changed).toEqual({ ...former, suffix: null, last_name: 'Moss' })
    expect(sameDependent(former, changed)).toBe(false)
    expect(sameDependent(former, withChanges(former, { gender: 'Female' }))).toBe(true)
  })
})
