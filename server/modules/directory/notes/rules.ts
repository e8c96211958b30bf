import { declareRefusals } from '../../../kernel/refusal.ts'
import { isBound, type Caller } from '../../../runtime/caller.ts'
import { enrolling, roleInOrganization } from '../../../runtime/permissions.ts'

export const refusals = declareRefusals({
  note_of_another_author: [
    409,
    'Only the author of a note can change it. Members with the role ADMIN can also delete notes of other members, ' +
      'but not of operators.',
    'Add a note of your own, or contact the author or an admin.',
  ],
  not_mentioned: [409, 'The note does not mention you.', 'List your tasks to find the notes that mention you.'],
})

/** The maximum length of a note, and the maximum number of members that it can mention. */
export const max_characters = 4000
export const max_mentions = 20

/** A note within reach. `employee_id` is null if the note is about the employer. */
export type LocatedNote = {
  note_id: string
  organization_id: string
  employer_id: string
  employee_id: string | null
  author_user_id: string
  by_operator: boolean
}

export const whyNotEdit = ({ user_id }: Caller, { author_user_id }: LocatedNote) =>
  user_id === author_user_id ? undefined : refusals.note_of_another_author

/**
 * Returns why a caller cannot delete a note. An admin can delete the notes of all members, because an author may have
 * left the organization.
 */
export const whyNotDelete = (caller: Caller, note: LocatedNote) =>
  !note.by_operator && roleInOrganization(caller, note.organization_id) === 'ADMIN'
    ? undefined
    : whyNotEdit(caller, note)

/**
 * Whether a caller sees notes about employees of an organization: operators do, and members whose role and scopes
 * give access to people.
 */
export const seesPeople = (caller: Caller, organization_id: string): boolean =>
  caller.operator_role !== null ||
  (caller.scopes.includes('people') &&
    (enrolling as readonly (string | undefined)[]).includes(roleInOrganization(caller, organization_id)))

/** Whether a caller sees only notes that are shared with the employer. */
export const isLimitedToShared = ({ kind }: Pick<Caller, 'kind'>): boolean => isBound(kind)
