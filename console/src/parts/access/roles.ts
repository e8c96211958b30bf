import type { MembershipRole } from 'openbenefits'

/** The roles of members of an organization. */
export const member_roles: { value: MembershipRole; label: string }[] = [
  { value: 'ADMIN', label: 'Admin: full access' },
  { value: 'OPERATIONS', label: 'Operations: everything except members, keys and webhooks' },
  { value: 'ENROLLMENT_AGENT', label: 'Enrollment agent: people and their enrollments' },
  { value: 'SALES', label: 'Sales: employers and plan years, without personal data' },
]
