import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { query_client } from '../api.ts'
import { ScreenTrouble } from '../frame/offline.tsx'
import { employee } from '../queries.ts'
import { console_path, isOperator, mayOpen } from '../session.ts'
import { employer_routes, operated_employer_routes } from './employers.ts'
import * as values from './filter-values.ts'
import { everyone, members, operators, page, root } from './page.tsx'
import { money, partner_routes, partners } from './partners.ts'
import { day, listOf, oneOf, optional, parseSearch, type Search, stringifySearch, text, texts, yes } from './search.ts'

/** All routes of the console, with their search parameters. */

const home = createRoute({
  ...page('/', members('book'), () => import('../screens/home/home.tsx'), 'Home'),
  /** show: the kind of tasks whose list is open; confirming: the task to confirm; owner: only the tasks of members */
  validateSearch: ({ show, confirming, owner }: Search) =>
    optional({ show: oneOf(show, values.task_kinds), confirming: text(confirming), owner: texts(owner) }),
  beforeLoad: () => {
    if (isOperator()) throw redirect({ to: '/today' })
  },
})

const today = createRoute({
  ...page('/today', operators, () => import('../screens/today/today.tsx'), 'Today'),
  /** confirming: the task with an action to confirm; together: whether life events are approved together */
  validateSearch: ({ confirming, together }: Search) =>
    optional({ confirming: text(confirming), together: yes(together) }),
})
const clocks = createRoute({
  ...page('/clocks', operators, () => import('../screens/operations/clocks.tsx'), 'Clocks'),
  /** since: the day before the clock was moved; the page lists the events after it */
  validateSearch: ({ organization, since }: Search) =>
    optional({ organization: text(organization), since: day(since) }),
})
const jobs = createRoute({
  ...page('/jobs', operators, () => import('../screens/operations/jobs.tsx'), 'Jobs'),
  validateSearch: ({ state }: Search) => optional({ state: listOf(state, values.job_states) }),
})
const affordability = createRoute({
  ...page('/affordability', operators, () => import('../screens/operations/affordability.tsx'), 'Affordability'),
  /** year: the year with missing figures */
  validateSearch: ({ year }: Search) => optional({ year: text(year) }),
})
const run = createRoute({
  ...page('/partners/runs/$run_id', operators, () => import('../screens/payroll/run.tsx'), 'Run'),
  validateSearch: ({ outcome }: Search) => optional({ outcome: listOf(outcome, values.run_outcomes) }),
})

const book = createRoute({
  ...page('/employers', members('book'), () => import('../screens/book/book.tsx'), 'Book'),
  validateSearch: ({ search, stage, family, hris, payroll, owner, sort, order }: Search) =>
    optional({
      sort: oneOf(sort, values.book_orders),
      order: oneOf(order, ['desc']),
      search: text(search),
      stage: listOf(stage, values.stages),
      family: listOf(family, values.families),
      hris: listOf(hris, values.hris_states),
      payroll: texts(payroll),
      owner: texts(owner),
    }),
})
const add_employer = createRoute(
  page('/employers/add', members('book'), () => import('../screens/employer/details.tsx'), 'AddEmployer'),
)
const upcoming = createRoute(
  page('/employers/ahead', members('book'), () => import('../screens/book/upcoming.tsx'), 'Upcoming'),
)

const activity = createRoute(
  page('/activity', members('people'), () => import('../screens/activity/activity.tsx'), 'Activity'),
)
const people = createRoute({
  ...page('/people', everyone('people'), () => import('../screens/person/people.tsx'), 'People'),
  validateSearch: ({ search }: Search) => optional({ search: text(search) }),
})
const person = createRoute({
  ...page('/people/$employee_id', everyone('people'), () => import('../screens/person/person.tsx'), 'Person'),
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
      as_of: day(as_of),
      /** the span to explain: employment, eligibility, or the id of an enrollment */
      why: text(why),
      whole: yes(whole),
      /** the form that is open */
      add: oneOf(add, ['dependent', 'life-event']),
      /** the dependent whose data is corrected */
      correcting: text(correcting),
      /** the dependent to end or reinstate after confirmation */
      ending: text(ending),
      reinstating: text(reinstating),
      /** the dependent to verify after confirmation, or to reject with a reason */
      verifying: text(verifying),
      rejecting: text(rejecting),
      /** the benefit whose beneficiaries are changed */
      designating: text(designating),
      /** the shown message */
      message: text(message),
    }),
  loader: ({ params }) => mayOpen(everyone('people')) && void query_client.prefetchQuery(employee(params.employee_id)),
})
const change_person = createRoute({
  ...page('/people/$employee_id/change', everyone('people'), () => import('../screens/person/change.tsx'), 'Change'),
  validateSearch: ({ action, enrollment, day: suggested }: Search) =>
    optional({
      action: oneOf(action, ['end', 'enrollment']),
      /** the enrollment to correct, and the day that a task suggests */
      enrollment: text(enrollment),
      day: day(suggested),
    }),
})

const groups = createRoute({
  ...page('/groups', members('settings'), () => import('../screens/groups/groups.tsx'), 'Groups'),
  validateSearch: ({ add }: Search) => optional({ add: yes(add) }),
})
const group = createRoute({
  ...page('/groups/$group_id', members('settings'), () => import('../screens/groups/group.tsx'), 'Group'),
  validateSearch: ({ sync, send }: Search) => optional({ sync: text(sync), send: yes(send) }),
})

const audit = createRoute({
  ...page('/audit', everyone('keys'), () => import('../screens/audit/audit.tsx'), 'Audit'),
  validateSearch: ({ actor, operation, resource_id, trace_id, outcome, from, to }: Search) =>
    optional({
      actor: text(actor),
      operation: text(operation),
      resource_id: text(resource_id),
      trace_id: text(trace_id),
      outcome: listOf(outcome, values.audit_outcomes),
      from: day(from),
      to: day(to),
    }),
})
const trace = createRoute(
  page('/traces/$trace_id', everyone('keys'), () => import('../screens/audit/trace.tsx'), 'TracePage'),
)

const keys = createRoute({
  ...page('/developers', members('keys'), () => import('../screens/developers/keys.tsx'), 'Keys'),
  validateSearch: ({ add }: Search) => optional({ add: yes(add) }),
})
const key = createRoute(
  page('/developers/keys/$key_id', members('keys'), () => import('../screens/developers/key.tsx'), 'Key'),
)
const webhooks = createRoute({
  ...page('/developers/webhooks', members('webhooks'), () => import('../screens/developers/webhooks.tsx'), 'Webhooks'),
  validateSearch: ({ add }: Search) => optional({ add: yes(add) }),
})
const webhook = createRoute({
  ...page(
    '/developers/webhooks/$subscription_id',
    members('webhooks'),
    () => import('../screens/developers/webhook.tsx'),
    'Webhook',
  ),
  validateSearch: ({ outcome, missed }: Search) =>
    optional({
      outcome: oneOf(outcome, [...values.delivery_outcomes, 'any']),
      /** the first day with possibly missed events, after a disabled webhook was enabled again */
      missed: day(missed),
    }),
})
const events = createRoute({
  ...page('/developers/events', members('webhooks'), () => import('../screens/developers/events.tsx'), 'Events'),
  validateSearch: ({ resource_id }: Search) => optional({ resource_id: text(resource_id) }),
})
const event = createRoute(
  page('/developers/events/$event_id', members('webhooks'), () => import('../screens/developers/event.tsx'), 'Event'),
)

const users = createRoute({
  ...page('/access', operators, () => import('../screens/access/users.tsx'), 'Users'),
  validateSearch: ({ search, add }: Search) => optional({ search: text(search), add: yes(add) }),
})
const user = createRoute({
  ...page('/access/users/$user_id', operators, () => import('../screens/access/user.tsx'), 'User'),
  /** ending: the organization of the membership to end after confirmation */
  validateSearch: ({ ending }: Search) => optional({ ending: text(ending) }),
})
const operators_route = createRoute({
  ...page('/access/operators', operators, () => import('../screens/access/operators.tsx'), 'Operators'),
  validateSearch: ({ chosen, add, withdrawing }: Search) =>
    optional({ chosen: text(chosen), add: yes(add), withdrawing: text(withdrawing) }),
})

const organization_settings = createRoute(
  page('/settings', members('keys'), () => import('../screens/organization/settings.tsx'), 'OrganizationSettings'),
)

const agreements = createRoute({
  ...page('/settings/agreements', members('keys'), () => import('../screens/agreements/agreements.tsx'), 'Agreements'),
  /** shown: the shown version; employer and year: the plan year of a new version, without them all plan years */
  validateSearch: ({ add, shown, employer, year }: Search) =>
    optional({ add: yes(add), shown: text(shown), employer: text(employer), year: text(year) }),
})
const organization_documents = createRoute({
  ...page(
    '/settings/documents',
    members('book'),
    () => import('../screens/documents/documents.tsx'),
    'OrganizationDocuments',
  ),
  validateSearch: ({ add }: Search) => optional({ add: yes(add) }),
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
      add: yes(add),
      /** the list to schedule, and its parameters as JSON */
      list: text(list),
      parameters: text(parameters),
      /** the export to delete after confirmation */
      deleting: text(deleting),
    }),
})

const mailbox = createRoute({
  ...page('/settings/mailbox', members('people'), () => import('../screens/enrollment/messages.tsx'), 'Mailbox'),
  validateSearch: ({ message }: Search) => optional({ message: text(message) }),
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
  defaultErrorComponent: ScreenTrouble,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
