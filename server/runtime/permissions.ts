/** The roles of a user in an organization (docs/design/access/roles-and-tokens.md). */
export const roles = ['ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT'] as const
export type Role = (typeof roles)[number]

/** For every member: reads of employers and plan years, and operations about the caller. */
export const everyone: readonly Role[] = [...roles]
/** People, enrollments and life events. */
export const enrolling = ['ADMIN', 'OPERATIONS', 'ENROLLMENT_AGENT'] as const
/** Employers, rosters and money. */
export const operating = ['ADMIN', 'OPERATIONS'] as const
/** Operations that give others access: keys and webhooks. */
export const administering = ['ADMIN'] as const

/**
 * The permitted uses of a key. `read` and `write` limit the kind of access. The others open areas beyond employers,
 * plan years and the catalog. An operation requires all of its scopes.
 */
export const scopes = ['read', 'write', 'people', 'money', 'webhooks', 'keys', 'tax'] as const
export type KeyScope = (typeof scopes)[number]

/** A test key reaches sandbox organizations, and a live key reaches all others. */
export const key_modes = ['live', 'test'] as const
export type KeyMode = (typeof key_modes)[number]

/**
 * The role in which a caller acts at an organization. A caller who reaches every organization has the same role
 * everywhere.
 */
export const roleInOrganization = (
  { roles: held, super_role }: { roles: Readonly<Record<string, Role>>; super_role: Role | null },
  organization_id: string,
): Role | undefined => held[organization_id] ?? super_role ?? undefined
