import { addDays, monthEnd, yearsAfter, type Day } from '../../../kernel/days.ts'
import { nameKey } from '../../../kernel/person-names.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { DependentChanges, NewDependent } from './schemas.ts'

/** Until the end of the month of this birthday a child is covered (decisions.md, section 5), and can be added. */
const too_old = 26

/** How many dependents a person has at most, those who ended not counted. */
export const most_dependents = 50

export const refusals = declareRefusals({
  dependent_already_ended: [
    409,
    'This dependent has already ended.',
    'Reinstate the dependent within 60 days, or add the person anew.',
  ],
  dependent_ended_long_ago: [409, 'This dependent ended more than 60 days ago.', 'Add the person anew.'],
  spouse_already_exists: [
    409,
    'This person has a spouse or domestic partner already: end the former one first.',
    'End the former spouse or partner first.',
  ],
  dependent_already_exists: [
    409,
    'This person has a dependent with these names and this date of birth already.',
    'Update the one that is there.',
  ],
  too_many_dependents: [
    409,
    `A person has at most ${most_dependents} dependents who have not ended.`,
    'End those who are none any more.',
  ],
  dependent_is_covered: [
    409,
    'This dependent is covered as what they are: change the election first.',
    'Change the election first, then the relationship.',
  ],
  dependent_already_disabled: [409, 'This dependent is approved as disabled already.', 'There is nothing to do.'],
  dependent_not_disabled: [409, 'This dependent is not approved as disabled.', 'There is nothing to withdraw.'],
  dependent_too_old: [
    422,
    `A child can't be a dependent after the month of the ${too_old}th birthday, unless disabled.`,
    'Send `disabled: true`, if so: the operator decides about the coverage.',
  ],
})

/** Who a dependent is. */
export type Particulars = {
  relationship: NewDependent['relationship']
  first_name: string
  last_name: string
  suffix: string | null
  date_of_birth: Day
  gender: string | null
}

/** A dependent who has not ended. */
export type ActiveDependent = Particulars & { id: string }

type Identifying = Pick<Particulars, 'relationship' | 'first_name' | 'last_name' | 'date_of_birth'> & {
  disabled?: boolean | undefined
}

/**
 * Why somebody can't be added to the active dependents of a person: not born yet (400), one too many, a second
 * spouse, there already (409), a child too old (422).
 */
export function whyNotAdd(said: Identifying, others: ActiveDependent[], today: Day): Refusal | RefusalKind | undefined {
  return whyUnborn(said, today) ?? whyNoMore(others) ?? whyTaken(said, others) ?? whyTooOld(said, today)
}

/**
 * Why a dependent can't become what was said. `former` is undefined when the dependent has ended. A child who has
 * grown too old stays one: the age counts when the relationship or the date of birth changes.
 */
export function whyNotChange(
  former: ActiveDependent | undefined,
  changes: DependentChanges,
  others: ActiveDependent[],
  today: Day,
): Refusal | RefusalKind | undefined {
  const unborn = changes.date_of_birth && whyUnborn({ date_of_birth: changes.date_of_birth }, today)
  if (unborn) return unborn
  if (!former) return refusals.dependent_already_ended
  const said = withChanges(former, changes)
  const reconsidered = said.relationship !== former.relationship || said.date_of_birth !== former.date_of_birth
  return whyTaken(said, others) ?? (reconsidered ? whyTooOld(said, today) : undefined)
}

/** For how many days the end of a dependent can be taken back. */
const days_to_reinstate = 60

/** Why a dependent who ended can't be one again, beside those who have not ended. */
export function whyNotReinstate(
  ended: ActiveDependent & { ended_on: Day },
  others: ActiveDependent[],
  today: Day,
): RefusalKind | undefined {
  if (ended.ended_on < addDays(today, -days_to_reinstate)) return refusals.dependent_ended_long_ago
  return whyNoMore(others) ?? whyTaken(ended, others)
}

/** A dependent with what was said; what was not said stays. */
export function withChanges(former: ActiveDependent, changes: DependentChanges): ActiveDependent {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...former, ...Object.fromEntries(given) }
}

/** Whether two descriptions of a dependent say the same. */
export const sameDependent = (a: Particulars, b: Particulars): boolean =>
  a.relationship === b.relationship &&
  a.first_name === b.first_name &&
  a.last_name === b.last_name &&
  a.suffix === b.suffix &&
  a.date_of_birth === b.date_of_birth &&
  a.gender === b.gender

const whyNoMore = (others: ActiveDependent[]): RefusalKind | undefined =>
  others.length >= most_dependents ? refusals.too_many_dependents : undefined

const whyUnborn = ({ date_of_birth }: { date_of_birth: Day }, today: Day): Refusal | undefined =>
  date_of_birth > today
    ? new Refusal(generic.invalid_request, [{ field: 'date_of_birth', message: 'must not be after today' }])
    : undefined

const whyTooOld = ({ relationship, date_of_birth, disabled }: Identifying, today: Day): RefusalKind | undefined =>
  relationship === 'child' && !disabled && monthEnd(yearsAfter(date_of_birth, too_old)) < today
    ? refusals.dependent_too_old
    : undefined

/** A domestic partner takes the place of a spouse. */
const isSpouse = ({ relationship }: Pick<Particulars, 'relationship'>): boolean => relationship !== 'child'

function whyTaken(said: Identifying, others: ActiveDependent[]): RefusalKind | undefined {
  if (isSpouse(said) && others.some(isSpouse)) {
    return refusals.spouse_already_exists
  }
  const key = nameKey(said)
  return others.some((other) => other.date_of_birth === said.date_of_birth && nameKey(other) === key)
    ? refusals.dependent_already_exists
    : undefined
}
