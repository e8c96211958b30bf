const all_organizations = 'who reads all organizations, and names none, has each of them asked by its own index'
const bounded = 'looks up at most 1,000 rows, which many have and few have not'

/** Statements that cost more when others come, in some variant, and why. This list only ever gets shorter. */
export const known_growth: Record<string, string> = {
  'employers.listEmployers': 'who reads all organizations has all their employers counted that a filter keeps',
  'employers.searchEmployers': 'a part of a name is looked for in each name of those reached',
  'employers.filterEmployers': 'who reads all organizations has what each has of a kind added up',
  'employers.findEmployers': bounded,
  'overview.findOverview': bounded,
  'organizations.savePassed': 'turns the day of many idle organizations at once',
  'webhooks.listEvents': all_organizations,
  'webhooks.followEvents': 'PostgreSQL believes that a partition of events is of fewer organizations than it is',
}
