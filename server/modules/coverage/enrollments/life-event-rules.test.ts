import { describe, expect, it } from 'vitest'
import { AnyLifeEventType } from '../life-events/schemas.ts'
import {
  changes_by_event,
  changesAllowedBy,
  mayDrop,
  type ApprovedEvent,
  type LifeEventKind,
} from './life-event-rules.ts'

const after = (type: LifeEventKind, exception = false): ApprovedEvent => ({ type, exception })
const family = {
  wife: { relationship: 'spouse' },
  partner: { relationship: 'domestic_partner' },
  son: { relationship: 'child' },
} as const

it('the table has a row for every life event', () => {
  expect(Object.keys(changes_by_event).toSorted()).toEqual(AnyLifeEventType.options.toSorted())
})

describe('a life event allows', () => {
  const [yes, no] = [true, false]
  it.each<[LifeEventKind, add: boolean, drop: string, change_plan: boolean, waive: boolean]>([
    ['birth', yes, '', yes, no],
    ['adoption', yes, '', yes, no],
    ['placement', yes, '', yes, no],
    ['marriage', yes, '', yes, yes],
    ['loss_of_coverage', yes, '', yes, no],
    ['gain_of_coverage', no, 'spouse domestic_partner child', no, yes],
    ['divorce', no, 'spouse domestic_partner', no, no],
    ['death_of_dependent', no, 'spouse domestic_partner child', no, no],
    ['dependent_coverage_ended', no, '', no, no],
    ['change_of_residence', no, '', yes, no],
    ['change_of_employment', yes, 'spouse domestic_partner child', yes, yes],
    ['other', yes, 'spouse domestic_partner child', yes, yes],
  ])('%s: adding %s, dropping %j, another plan %s, waiving %s', (type, add, drop, change_plan, waive) => {
    const allowed = changesAllowedBy([after(type)])
    expect({ ...allowed, drop: allowed.drop.join(' ') }).toEqual({ add, drop, change_plan, waive })
  })

  it('every change if the operator granted an exception', () => {
    expect(changesAllowedBy([after('birth', true)])).toEqual(changes_by_event.other)
    expect(mayDrop(Object.values(family), [after('death_of_dependent', true)])).toBe(true)
  })

  it('the changes that one of several open events allows', () => {
    const allowed = changesAllowedBy([after('birth'), after('divorce')])
    expect(allowed).toEqual({ add: true, drop: ['spouse', 'domestic_partner'], change_plan: true, waive: false })
  })
})

describe('dependents can be dropped', () => {
  const { wife, partner, son } = family
  it.each<[string, (typeof family)[keyof typeof family][], LifeEventKind[], boolean]>([
    ['the spouse after a divorce', [wife], ['divorce'], true],
    ['a domestic partner too', [partner], ['divorce'], true],
    ['and no child', [wife, son], ['divorce'], false],
    ['one dependent after a death', [son], ['death_of_dependent'], true],
    ['not two', [wife, son], ['death_of_dependent'], false],
    ['two dependents after two deaths', [wife, son], ['death_of_dependent', 'death_of_dependent'], true],
    ['a child who died, and the spouse because of the divorce', [wife, son], ['death_of_dependent', 'divorce'], true],
    ['all dependents who gained coverage', [wife, son], ['gain_of_coverage'], true],
    ['no dependent after a birth', [son], ['birth'], false],
    ['no dependent without an event', [son], [], false],
  ])('%s', (_, dropped, events, expected) =>
    expect(
      mayDrop(
        dropped,
        events.map((type) => after(type)),
      ),
    ).toBe(expected),
  )
})
