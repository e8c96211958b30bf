import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { query_client } from '../api.ts'
import { ScreenError } from '../frame/offline.tsx'
import { employeeQuery } from '../queries.ts'
import { console_path, isOperator, canOpenPage } from '../session.ts'
import { employer_routes, operated_employer_routes } from './employers.ts'
import * as values from './filter-values.ts'
import { membersAndOperators, members, operators, page, root } from './page.tsx'
import { money, partner_routes, partners } from './partners.ts'
import {
  parseDay,
  parseList,
  parseChoice,
  optional,
  parseSearch,
  type Search,
  stringifySearch,
  parseText,
  parseTexts,
  parseYes,
} from './search.ts'

/** All routes of the console, with their search parameters. */

const home = createRoute({
  ...page('/', members('book'), () => import('../screens/home/home.tsx'), 'Home'),
  /** show: the kind of tasks whose list is open; confirming: the task to confirm; owner: only the tasks of members */
  validateSearch: ({ show, confirming, owner }: Search) =>
    optional({
      show: parseChoice(show, values.task_kinds),
      confirming: parseText(confirming),
      owner: parseTexts(owner),
    }),
  beforeLoad: () => {
    if (isOperator()) throw redirect({ to: '/today' })
  },
})

const today = createRoute({
  ...page('/today', operators, () => import('../screens/today/today.tsx'), 'TodayPage'),
  /** confirming: the task with an action to confirm; together: whether life events are approved together */
  validateSearch: ({ confirming, together }: Search) =>
    optional({ confirming: parseText(confirming), together: parseYes(together) }),
})
const clocks = createRoute({
  ...page('/clocks', operators, () => import('../screens/operations/clocks.tsx'), 'ClocksPage'),
  /** since: the day before the clock was moved; the page lists the events after it */
  validateSearch: ({ organization, since }: Search) =>
    optional({ organization: parseText(organization), since: parseDay(since) }),
})
const jobs = createRoute({
  ...page('/jobs', operators, () => import('../screens/operations/jobs.tsx'), 'JobsPage'),
  validateSearch: ({ state }: Search) => optional({ state: parseList(state, values.job_states) }),
})
const affordability = createRoute({
  ...page(
    '/affordability',
    operators,
    () => import('../screens/operations/affordability.tsx'),
    'AffordabilityFiguresPage',
  ),
  /** year: the year with missing figures */
  validateSearch: ({ year }: Search) => optional({ year: parseText(year) }),
})
const run = createRoute({
  ...page('/partners/runs/$run_id', operators, () => import('../screens/payroll/run.tsx'), 'RunPage'),
  validateSearch: ({ outcome }: Search) => optional({ outcome: parseList(outcome, values.run_outcomes) }),
})

const book = createRoute({
  ...page('/employers', members('book'), () => import('../screens/book/book.tsx'), 'Book'),
  validateSearch: ({ search, stage, family, hris, payroll, owner, sort, order }: Search) =>
    optional({
      sort: parseChoice(sort, values.book_orders),
      order: parseChoice(order, ['desc']),
      search: parseText(search),
      stage: parseList(stage, values.stages),
      family: parseList(family, values.families),
      hris: parseList(hris, values.hris_states),
      payroll: parseTexts(payroll),
      owner: parseTexts(owner),
    }),
})
const add_employer = createRoute(
  page('/employers/add', members('book'), () => import('../screens/employer/details.tsx'), 'AddEmployer'),
)
const upcoming = createRoute(
  page('/employers/ahead', members('book'), () => import('../screens/book/upcoming.tsx'), 'UpcomingPage'),
)

const activity = createRoute(
  page('/activity', members('people'), () => import('../screens/activity/activity.tsx'), 'Activity'),
)
const people = createRoute({
  ...page('/people', membersAndOperators('people'), () => import('../screens/person/people.tsx'), 'People'),
  validateSearch: ({ search }: Search) => optional({ search: parseText(search) }),
})
const person = createRoute({
  ...page(
    '/people/$employee_id',
    membersAndOperators('people'),
    () => import('../screens/person/person.tsx'),
    'PersonPage',
  ),
  validateSearch: ({
    as_of,
    why,
    whole,
    add,
    correcting,
    ending,
    reinstating,
    verifying,
    rejecting,
    designating,
    message,
  }: Search) =>
    optional({
      as_of: parseDay(as_of),
      /** the span to explain: employment, eligibility, or the id of an enrollment */
      why: parseText(why),
      whole: parseYes(whole),
      /** the form that is open */
      add: parseChoice(add, ['dependent', 'life-event']),
      /** the dependent whose data is corrected */
      correcting: parseText(correcting),
      /** the dependent to end or reinstate after confirmation */
      ending: parseText(ending),
      reinstating: parseText(reinstating),
      /** the dependent to verify after confirmation, or to reject with a reason */
      verifying: parseText(verifying),
      rejecting: parseText(rejecting),
      /** the benefit whose beneficiaries are changed */
      designating: parseText(designating),
      /** the shown message */
      message: parseText(message),
    }),
  loader: ({ params }) =>
    canOpenPage(membersAndOperators('people')) && void query_client.prefetchQuery(employeeQuery(params.employee_id)),
})
const change_person = createRoute({
  ...page(
    '/people/$employee_id/change',
    membersAndOperators('people'),
    () => import('../screens/person/change.tsx'),
    'ChangePerson',
  ),
  validateSearch: ({ action, enrollment, day: suggested }: Search) =>
    optional({
      action: parseChoice(action, ['end', 'enrollment']),
      /** the enrollment to correct, and the day that a task suggests */
      enrollment: parseText(enrollment),
      day: parseDay(suggested),
    }),
})

const groups = createRoute({
  ...page('/groups', members('settings'), () => import('../screens/groups/groups.tsx'), 'GroupsPage'),
  validateSearch: ({ add }: Search) => optional({ add: parseYes(add) }),
})
const group = createRoute({
  ...page('/groups/$group_id', members('settings'), () => import('../screens/groups/group.tsx'), 'GroupPage'),
  validateSearch: ({ sync, send }: Search) => optional({ sync: parseText(sync), send: parseYes(send) }),
})

const audit = createRoute({
  ...page('/audit', membersAndOperators('keys'), () => import('../screens/audit/audit.tsx'), 'Audit'),
  validateSearch: ({ actor, operation, resource_id, trace_id, outcome, from, to }: Search) =>
    optional({
      actor: parseText(actor),
      operation: parseText(operation),
      resource_id: parseText(resource_id),
      trace_id: parseText(trace_id),
      outcome: parseList(outcome, values.audit_outcomes),
      from: parseDay(from),
      to: parseDay(to),
    }),
})
const trace = createRoute(
  page('/traces/$trace_id', membersAndOperators('keys'), () => import('../screens/audit/trace.tsx'), 'TracePage'),
)

const keys = createRoute({
  ...page('/developers', members('keys'), () => import('../screens/developers/keys.tsx'), 'Keys'),
  validateSearch: ({ add }: Search) => optional({ add: parseYes(add) }),
})
const key = createRoute(
  page('/developers/keys/$key_id', members('keys'), () => import('../screens/developers/key.tsx'), 'KeyPage'),
)
const webhooks = createRoute({
  ...page('/developers/webhooks', members('webhooks'), () => import('../screens/developers/webhooks.tsx'), 'Webhooks'),
  validateSearch: ({ add }: Search) => optional({ add: parseYes(add) }),
})
const webhook = createRoute({
  ...page(
    '/developers/webhooks/$subscription_id',
    members('webhooks'),
    () => import('../screens/developers/webhook.tsx'),
    'WebhookPage',
  ),
  validateSearch: ({ outcome, missed }: Search) =>
    optional({
      outcome: parseChoice(outcome, [...values.delivery_outcomes, 'any']),
      /** the first day with possibly missed events, after a disabled webhook was enabled again */
      missed: parseDay(missed),
    }),
})
const events = createRoute({
  ...page('/developers/events', members('webhooks'), () => import('../screens/developers/events.tsx'), 'Events'),
  validateSearch: ({ resource_id }: Search) => optional({ resource_id: parseText(resource_id) }),
})
const event = createRoute(
  page(
    '/developers/events/$event_id',
    members('webhooks'),
    () => import('../screens/developers/event.tsx'),
    'EventPage',
  ),
)

const users = createRoute({
  ...page('/access', operators, () => import('../screens/access/users.tsx'), 'Users'),
  validateSearch: ({ search, add }: Search) => optional({ search: parseText(search), add: parseYes(add) }),
})
const user = createRoute({
  ...page('/access/users/$user_id', operators, () => import('../screens/access/user.tsx'), 'UserPage'),
  /** ending: the organization of the membership to end after confirmation */
  validateSearch: ({ ending }: Search) => optional({ ending: parseText(ending) }),
})
const operators_route = createRoute({
  ...page('/access/operators', operators, () => import('../screens/access/operators.tsx'), 'Operators'),
  validateSearch: ({ chosen, add, withdrawing }: Search) =>
    optional({ chosen: parseText(chosen), add: parseYes(add), withdrawing: parseText(withdrawing) }),
})

const organization_settings = createRoute(
  page('/settings', members('keys'), () => import('../screens/organization/settings.tsx'), 'OrganizationSettings'),
)

const agreements = createRoute({
  ...page('/settings/agreements', members('keys'), () => import('../screens/agreements/agreements.tsx'), 'Agreements'),
  /** shown: the shown version; employer and year: the plan year of a new version, without them all plan years */
  validateSearch: ({ add, shown, employer, year }: Search) =>
    optional({ add: parseYes(add), shown: parseText(shown), employer: parseText(employer), year: parseText(year) }),
})
const organization_documents = createRoute({
  ...page(
    '/settings/documents',
    members('book'),
    () => import('../screens/documents/documents.tsx'),
    'OrganizationDocuments',
  ),
  validateSearch: ({ add }: Search) => optional({ add: parseYes(add) }),
})
const document_route = createRoute(
  page('/documents/$document_id', members('book'), () => import('../screens/documents/document.tsx'), 'DocumentPage'),
)
const scheduled_exports = createRoute({
  ...page(
    '/settings/exports',
    members('settings'),
    () => import('../screens/organization/scheduled-exports.tsx'),
    'ScheduledExports',
  ),
  validateSearch: ({ add, list, parameters, deleting }: Search) =>
    optional({
      add: parseYes(add),
      /** the list to schedule, and its parameters as JSON */
      list: parseText(list),
      parameters: parseText(parameters),
      /** the export to delete after confirmation */
      deleting: parseText(deleting),
    }),
})

const mailbox = createRoute({
  ...page('/settings/mailbox', members('people'), () => import('../screens/enrollment/messages.tsx'), 'Mailbox'),
  validateSearch: ({ message }: Search) => optional({ message: parseText(message) }),
})

const tree = root.addChildren([
  home,
  today,
  clocks,
  jobs,
  affordability,
  run,
  book,
  add_employer,
  upcoming,
  money,
  employer_routes,
  activity,
  people,
  person,
  change_person,
  groups,
  group,
  audit,
  trace,
  keys,
  key,
  webhooks,
  webhook,
  events,
  event,
  partners,
  partner_routes,
  operated_employer_routes,
  organization_settings,
  agreements,
  organization_documents,
  document_route,
  scheduled_exports,
  mailbox,
  users,
  user,
  operators_route,
])

export const router = createRouter({
  routeTree: tree,
  basepath: console_path,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // The query cache decides how long data is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  defaultPendingMs: 150,
  defaultErrorComponent: ScreenError,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
