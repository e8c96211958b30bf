/** Statements whose plan may be what no other's may, and why. This list only ever gets shorter. */
export const known_plans: Record<string, string> = {
  'catalog.listPlans() scans plans': 'a super caller reads all organizations, in the order of an index',
  'groups.listGroups() scans groups': 'a super caller reads all organizations, in the order of an index',
}
