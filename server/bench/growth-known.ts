const all_organizations = 'who reads all organizations, and names none, has each of them asked by its own index'
const bounded = 'looks up at most 1,000 rows, which many have and few have not'
const on_each_server = 'who reads all organizations of a divided database has each server asked for its own'

/** Statements that cost more when others come, in some variant, and why. This list only ever gets shorter. */
export const known_growth: Record<string, string> = {
  'employers.listEmployers': 'who reads all organizations has all their employers counted that a filter keeps',
  'employers.searchEmployers': 'a part of a name is looked for in each name of those reached',
  'employers.filterEmployers': 'who reads all organizations has what each has of a kind added up',
  'billing.saveDrafts': 'of few invoices all of an organization are walked, and of many each is found by its key',
  'employers.findEmployers': bounded,
  'employers.foundKeys': bounded,
  'employers.foundTotals': bounded,
  'employers.foundItems': bounded,
  'employers.bookKeys': on_each_server,
  'employers.bookTotals': on_each_server,
  'overview.findOverview': bounded,
  'organizations.savePassed': 'turns the day of many idle organizations at once',
  'sandbox.findByNames': 'looks at all people of an organization, in a sandbox, where there are few',
  'webhooks.listEvents': all_organizations,
  'webhooks.eventsKeys': on_each_server,
  'webhooks.eventsTotals': on_each_server,
  'webhooks.followEvents': 'PostgreSQL believes that a partition of events is of fewer organizations than it is',
}
