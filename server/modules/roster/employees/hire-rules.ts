import { Refusal } from '../../../kernel/refusal.ts'
import { identify, type Candidate, type Field, type Identity } from '../../directory/identities/rules.ts'
import {
  type Details,
  differingFields,
  type GivenDetails,
  type Member,
  newMember,
  type OwnDetail,
  type People,
  takenDetails,
  withBlanksFilled,
} from '../../directory/people/rules.ts'
import { refusals, refuseRecord, type Roster } from './rules.ts'

const email_taken = () =>
  new Refusal(refusals.email_taken, [
    {
      field: 'email',
      message:
        'belongs to another person. If it is the same person, send employee_id or member_id. ' +
        'If not, send another email address',
    },
  ])

/** The refusal of a detail that belongs to another person. */
export const refuseTaken = (detail: OwnDetail): Refusal =>
  detail === 'email'
    ? email_taken()
    : new Refusal(refusals.invalid_account_update, [{ field: 'phone', message: 'belongs to another person' }])

/** Explains why a person cannot have the reported details: one of them belongs to another person. */
export function whyNotTheirs(
  candidate: Parameters<typeof takenDetails>[0],
  member: Member | undefined,
  people: People,
): Refusal | undefined {
  const [detail] = takenDetails(candidate, member, people)
  return detail && refuseTaken(detail)
}

const clashes: Partial<Record<Field, string>> = {
  last_name: 'more than 20 people have this name and birthday',
  distinct: 'marks the person as new, but an id identifies a known person',
}

/** Explains why an unmatched candidate is refused. Names the field that clashes, never the other person. */
export function whyNotIdentity(identity: Identity): Refusal | undefined {
  if (identity.is === 'known' || identity.is === 'new') return undefined
  if (identity.is === 'handed_on')
    return new Refusal(refusals.reference_of_other_person, [
      { field: 'reference_id', message: 'belongs to another person' },
    ])
  if (identity.is === 'email_taken') return email_taken()
  const { field } = identity
  if (identity.is === 'unknown') return refuseRecord(field, 'matches no person of this organization')
  const message = clashes[field] ?? 'may belong to another person'
  return new Refusal(refusals.ambiguous_person, [{ field, message }])
}

/** A person who joins the roster: known and linked, or new. */
type HiredPerson = { member: Member; known: Member | undefined }

/**
 * Determines the person to hire. Refuses current and former employees, unmatched candidates, and details of other
 * people.
 */
export function findHiredPerson(
  candidate: Candidate,
  roster: Roster,
  people: People,
  newId: () => string,
): HiredPerson | Refusal {
  const identity = identify(candidate, people, roster)
  // Unlike rows of a file, a hire is not submitted again, so a `distinct` one is always a new person.
  const why = identity.is === 'perhaps_repeated' ? undefined : whyNotIdentity(identity)
  if (why) return why
  const known = identity.is === 'known' ? identity.member : undefined
  // A `distinct` hire is not the person with this email, however similar they are.
  const not_theirs = candidate.distinct ? whyNotTheirs(candidate, undefined, people) : undefined
  if (not_theirs) return not_theirs
  const latest = known && roster.employments(known.id).at(-1)
  if (latest && identity.is === 'known')
    return new Refusal(refusals.employee_already_exists, [{ field: identity.by, message: `belongs to ${latest.id}` }])
  return whyNotTheirs(candidate, known, people) ?? hiredPersonOf(candidate, known, newId)
}

/** Builds the person who joins the roster, known or new. */
export const hiredPersonOf = (candidate: Candidate, known: Member | undefined, newId: () => string): HiredPerson => ({
  known,
  member: known ? withBlanksFilled(known, candidate) : newMember(newId(), candidate),
})

/** The fields of a hire that a linked person does not take over. */
export const differencesOf = (hire: GivenDetails, person: Details) =>
  differingFields(hire, person).map((field) => ({
    field,
    message: 'differs from the stored value, which stays unchanged',
  }))
