/** What a user may be in an organization (decisions.md, section 2). */
export const roles = ['ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT'] as const
export type Role = (typeof roles)[number]

/** Operations for every member: reads of the book and of plan years, and what is about the caller. */
export const everyone: readonly Role[] = [...roles]
/** People, enrollments and life events. */
export const enrolling = ['ADMIN', 'OPERATIONS', 'ENROLLMENT_AGENT'] as const
/** The work with employers, rosters and money. */
export const operating = ['ADMIN', 'OPERATIONS'] as const
/** What opens doors to others: keys and webhooks. */
export const administering = ['ADMIN'] as const

/**
 * What a key may be used for: `read` and `write` say what may be done, the others which areas may be touched beside
 * employers, plan years and the catalog. An operation needs each of its own.
 */
export const scopes = ['read', 'write', 'people', 'money', 'webhooks', 'keys'] as const
export type KeyScope = (typeof scopes)[number]

/** A test key reaches sandbox organizations, a live key the others. */
export const key_modes = ['live', 'test'] as const
export type KeyMode = (typeof key_modes)[number]

/** The role in which a caller acts at an organization; one who reaches every organization has the same everywhere. */
export const roleAt = (
  { roles: held, super_role }: { roles: Readonly<Record<string, Role>>; super_role: Role | null },
  organization_id: string,
): Role | undefined => held[organization_id] ?? super_role ?? undefined
