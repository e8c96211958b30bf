import type { MembershipRole } from 'openbenefits'

/** What members of an organization may do there, by their role. */
export const member_roles: { value: MembershipRole; label: string }[] = [
  { value: 'ADMIN', label: 'Admin: everything' },
  { value: 'OPERATIONS', label: 'Operations: all but members, keys and webhooks' },
  { value: 'ENROLLMENT_AGENT', label: 'Enrollment agent: people and their enrollments' },
  { value: 'SALES', label: 'Sales: the book and plan years, and nobody in it' },
]
