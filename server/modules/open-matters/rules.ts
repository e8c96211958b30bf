/** The one deed that settles a matter: an operation, at a path with names of the matter or of its details in it. */
type SettlingOperation = { operation: string; method: 'POST' | 'PUT' | 'PATCH' | 'GET'; path: string }

/**
 * What may need somebody, each kind with the deed that settles it. A kind is a line here; who opens its matters closes
 * them too, when it is settled in another way.
 */
export const deeds = {
  /** An enrollment whose coverage would end with the former plan year, since nobody has answered. */
  enrollment_lapsing: {
    operation: 'operator_correct_enrollment',
    method: 'POST',
    path: '/operator/v1/enrollments/{resource_id}/corrections',
  },
} as const satisfies Record<string, SettlingOperation>

export type MatterKind = keyof typeof deeds
export const matter_kinds = Object.keys(deeds) as [MatterKind, ...MatterKind[]]
