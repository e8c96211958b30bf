import { days_to_reinstate } from '../elections/rules.ts'
import { addDays, monthEnd, yearsAfter, type Day } from '../../../kernel/days.ts'
import { comparableNameKey } from '../../../kernel/person-names.ts'
import { declareRefusals, generic, Refusal, type RefusalKind } from '../../../kernel/refusal.ts'
import type { NewAddress } from '../../../kernel/fields.ts'
import type { DependentChanges, NewDependent } from './schemas.ts'

/**
 * A child can be added and covered until the end of the month of this birthday (45 CFR 147.120). The SQL function
 * `dependent_covered_until` gives the day; a test compares the two.
 */
const oldest_age = 26

/** The maximum number of active dependents of a person. */
export const max_dependents = 50

export const refusals = declareRefusals({
  dependent_already_ended: [
    409,
    'This dependent was already removed.',
    `Reinstate the dependent within ${days_to_reinstate} days, or add the person again.`,
  ],
  dependent_ended_long_ago: [
    409,
    `This dependent was removed more than ${days_to_reinstate} days ago.`,
    'Add the person again.',
  ],
  spouse_already_exists: [
    409,
    'This person already has a spouse or domestic partner.',
    'Remove the former spouse or partner first.',
  ],
  dependent_already_exists: [
    409,
    'This person already has a dependent with the same name and date of birth.',
    'Update the existing dependent.',
  ],
  too_many_dependents: [
    409,
    `A person can have at most ${max_dependents} active dependents.`,
    'Remove the dependents who no longer qualify.',
  ],
  dependent_is_covered: [
    409,
    'An election covers this dependent with the current relationship.',
    'Change the election first, then the relationship.',
  ],
  dependent_already_disabled: [409, 'This dependent is already approved as disabled.', 'No action is needed.'],
  dependent_not_disabled: [409, 'This dependent is not approved as disabled.', 'There is nothing to withdraw.'],
  dependent_already_verified: [
    409,
    'This dependent is already verified.',
    'No document is needed. A decision can be replaced by another one.',
  ],
  dependent_too_old: [
    422,
    `A child can't be a dependent after the month of the ${oldest_age}th birthday, unless disabled.`,
    'Send `disabled: true` if the child is disabled. The operator then decides about the coverage.',
    'date_of_birth',
  ],
})

/** The personal data of a dependent. */
type Particulars = {
  relationship: NewDependent['relationship']
  first_name: string
  last_name: string
  suffix: string | null
  date_of_birth: Day
  gender: string | null
  address: NewAddress | null
}

/** A dependent without an end. */
export type ActiveDependent = Particulars & { id: string }

type Identifying = Pick<Particulars, 'relationship' | 'first_name' | 'last_name' | 'date_of_birth'> & {
  disabled?: boolean | undefined
}

/**
 * Returns why a dependent can't be added: born in the future (400), too many dependents, a second spouse, a duplicate
 * (409), or a child over the age limit (422).
 */
export function whyNotAdd(
  input: Identifying,
  others: ActiveDependent[],
  today: Day,
): Refusal | RefusalKind | undefined {
  return whyBornInFuture(input, today) ?? whyTooMany(others) ?? whyDuplicate(input, others) ?? whyTooOld(input, today)
}

/**
 * Returns why the changes are refused. `former` is undefined if the dependent has ended. The age limit only applies
 * when the relationship or the date of birth changes, so a child over the limit can still be renamed.
 */
export function whyNotChange(
  former: ActiveDependent | undefined,
  changes: DependentChanges,
  others: ActiveDependent[],
  today: Day,
): Refusal | RefusalKind | undefined {
  const unborn = changes.date_of_birth && whyBornInFuture({ date_of_birth: changes.date_of_birth }, today)
  if (unborn) return unborn
  if (!former) return refusals.dependent_already_ended
  const input = withChanges(former, changes)
  const reconsidered = input.relationship !== former.relationship || input.date_of_birth !== former.date_of_birth
  return whyDuplicate(input, others) ?? (reconsidered ? whyTooOld(input, today) : undefined)
}

/** Returns why an ended dependent can't be reinstated alongside the active dependents. */
export function whyNotReinstate(
  ended: ActiveDependent & { ended_on: Day },
  others: ActiveDependent[],
  today: Day,
): Refusal | RefusalKind | undefined {
  if (ended.ended_on < addDays(today, -days_to_reinstate)) return refusals.dependent_ended_long_ago
  return whyTooMany(others) ?? whyDuplicate(ended, others)
}

/** Applies changes to a dependent. Fields that were not sent stay unchanged. */
export function withChanges(former: ActiveDependent, changes: DependentChanges): ActiveDependent {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...former, ...Object.fromEntries(given) }
}

export const sameDependent = (a: Particulars, b: Particulars): boolean =>
  a.relationship === b.relationship &&
  a.first_name === b.first_name &&
  a.last_name === b.last_name &&
  a.suffix === b.suffix &&
  a.date_of_birth === b.date_of_birth &&
  a.gender === b.gender &&
  JSON.stringify(a.address) === JSON.stringify(b.address)

/** Whether documents that prove one version of a dependent still prove another. */
export const isSameRelation = (a: Particulars, b: Particulars): boolean =>
  a.relationship === b.relationship && a.date_of_birth === b.date_of_birth

export type VerificationStatus = 'unverified' | 'pending' | 'verified' | 'rejected'

const max_attachments = 5

/** The facts that decide whether a document can be attached to a dependent or removed from it. */
export type VerificationFacts = { verification: VerificationStatus; is_ended: boolean; attachment_count: number }

/** Returns why a document can't be attached to a dependent. Each returns 409. */
export function whyNotAttach({
  verification,
  is_ended,
  attachment_count,
}: VerificationFacts): Refusal | RefusalKind | undefined {
  if (is_ended) return refusals.dependent_already_ended
  if (verification === 'verified') return refusals.dependent_already_verified
  return attachment_count >= max_attachments
    ? new Refusal(generic.conflict, [
        { field: '', message: `a dependent can have at most ${max_attachments} attachments` },
      ])
    : undefined
}

/** Returns why a document can't be removed: employees can remove it until the dependent is verified. */
export const whyNotDetach = ({ verification }: VerificationFacts, is_own: boolean): RefusalKind | undefined =>
  is_own && verification === 'verified' ? refusals.dependent_already_verified : undefined

const whyTooMany = (others: ActiveDependent[]): RefusalKind | undefined =>
  others.length >= max_dependents ? refusals.too_many_dependents : undefined

const whyBornInFuture = ({ date_of_birth }: { date_of_birth: Day }, today: Day): Refusal | undefined =>
  date_of_birth > today
    ? new Refusal(generic.invalid_request, [{ field: 'date_of_birth', message: 'must not be after today' }])
    : undefined

const whyTooOld = ({ relationship, date_of_birth, disabled }: Identifying, today: Day): RefusalKind | undefined =>
  relationship === 'child' && !disabled && monthEnd(yearsAfter(date_of_birth, oldest_age)) < today
    ? refusals.dependent_too_old
    : undefined

/** A domestic partner counts as a spouse. */
const isSpouse = ({ relationship }: Pick<Particulars, 'relationship'>): boolean => relationship !== 'child'

function whyDuplicate(details: Identifying, others: ActiveDependent[]): Refusal | RefusalKind | undefined {
  if (isSpouse(details) && others.some(isSpouse)) {
    return refusals.spouse_already_exists
  }
  const key = comparableNameKey(details)
  const duplicate = others.find(
    (dependent) => dependent.date_of_birth === details.date_of_birth && comparableNameKey(dependent) === key,
  )
  if (!duplicate) return undefined
  const { first_name, last_name, date_of_birth, id } = duplicate
  const message = `${first_name} ${last_name}, born ${date_of_birth}, is already a dependent (${id})`
  return new Refusal(refusals.dependent_already_exists, [{ field: 'first_name', message }])
}
