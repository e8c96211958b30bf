import { generic, refusal, Refusal, type RefusalKind } from '../../platform/refusal.ts'

export const organization_already_exists = refusal(
  409,
  'organization_already_exists',
  'This user belongs to an organization already; one user creates one.',
)

export const membership_already_exists = refusal(
  409,
  'membership_already_exists',
  'This user is a member of this organization already.',
)

/** Why a user may not create an organization, if so. */
export const whyNotCreate = (user: { organization_count: number }): RefusalKind | undefined =>
  user.organization_count > 0 ? organization_already_exists : undefined

/** The refusal of a body whose field names a user who does not exist. */
export const unknownUser = (field: string): Refusal =>
  new Refusal(generic.invalid_request, [{ field, message: 'there is no such user' }])
