import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import type { Day } from 'openbenefits'
import { Frame } from './frame/frame.tsx'
import { ScreenTrouble } from './frame/offline.tsx'
import { screen } from './frame/screen.ts'
import { Empty, NoAccess, Page, Trouble } from './parts/page.tsx'
import { isMonth } from './parts/words.ts'
import { employee, employerRow } from './queries.ts'
import { console_path, mayOpen, whoMay, type Readers, type Session } from './session.ts'

/** Every address of the console, with what its search says. */

type Context = { session: Session; client: QueryClient }
type Said = Record<string, unknown>

/** What a search may say, and need not. */
const perhaps = <Search extends Said>(search: Search): { [Name in keyof Search]?: Search[Name] } => search

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const day = (value: unknown): Day | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(text(value) ?? '') ? (value as Day) : undefined
const month = (value: unknown): string | undefined => (isMonth(text(value) ?? '') ? text(value) : undefined)
/** Of a value that may be said several times, those that there are. */
const some = <const T extends string>(value: unknown, known: readonly T[]): T[] | undefined => {
  const said = known.filter((one) => [value].flat().includes(one))
  return said.length > 0 ? said : undefined
}

/** Of a value that may be said several times, all that are said. */
const several = (value: unknown): string[] | undefined => {
  const said = [value].flat().map(text)
  return said.every((one) => one !== undefined) ? said : undefined
}

const yes = (value: unknown) => (text(value) === 'yes' ? ('yes' as const) : undefined)

/** Lists are keys said again, and text is text. */
const searchOf = (query: string): Said => {
  const said = new URLSearchParams(query)
  return Object.fromEntries(
    [...new Set(said.keys())].map((name) => {
      const values = said.getAll(name)
      return [name, values.length > 1 ? values : values[0]]
    }),
  )
}
const queryOf = (search: Said): string => {
  const said = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    for (const one of [value].flat()) if (one !== undefined) said.append(name, String(one))
  return said.size > 0 ? `?${said}` : ''
}

const root = createRootRouteWithContext<Context>()({
  component: Frame,
  notFoundComponent: () => (
    <Page title="Page not found">
      <Empty title="If you typed the address, check that it is correct." />
    </Page>
  ),
  errorComponent: ({ error }) => (
    <Page title="That did not work">
      <Trouble error={error as Error} />
    </Page>
  ),
  validateSearch: (said: Said) => perhaps({ as: text(said.as) }),
  search: { middlewares: [retainSearchParams(['as'])] },
})

const whom = ({ members, operators }: Readers): string =>
  [
    ...(members === null ? [] : [members === 'book' ? 'members of an organization' : whoMay(members)]),
    ...(operators ? ['operators'] : []),
  ].join(' or ')

type Screen = ReturnType<typeof screen>

/** A tab that only some may open, below the head of its page. Others see whom it is for, and nothing is requested. */
const onlyTab = (readers: Readers, Shown: Screen): Screen => {
  const Tab = () => {
    const { session } = root.useRouteContext()
    return mayOpen(session, readers) ? <Shown /> : <NoAccess whom={whom(readers)} />
  }
  return Object.assign(Tab, { preload: Shown.preload })
}

/** A page that only some may open. */
const only = (readers: Readers, Shown: Screen): Screen => {
  const Whole = () => {
    const { session } = root.useRouteContext()
    if (mayOpen(session, readers)) return <Shown />
    return (
      <Page title="No access">
        <NoAccess whom={whom(readers)} />
      </Page>
    )
  }
  return Object.assign(Whole, { preload: Shown.preload })
}

const by_operators: Readers = { members: null, operators: true }
const byMembers = (area: Readers['members']): Readers => ({ members: area, operators: false })
const byBoth = (area: Readers['members']): Readers => ({ members: area, operators: true })

const route = <const Path extends string>(path: Path) => ({ getParentRoute: () => root, path }) as const

const home = createRoute({
  ...route('/'),
  beforeLoad: ({ context }) => {
    throw redirect({ to: context.session.organization_id === null ? '/today' : '/employers' })
  },
})

const today = createRoute({
  ...route('/today'),
  validateSearch: (said: Said) => perhaps({ asking: text(said.asking), action: some(said.action, ['approve'])?.[0] }),
  component: only(
    by_operators,
    screen(() => import('./screens/today/today.tsx'), 'Today'),
  ),
})
const clocks = createRoute({
  ...route('/clocks'),
  // The day from which it was moved: what the days since then brought is told.
  validateSearch: (said: Said) => perhaps({ organization: text(said.organization), since: day(said.since) }),
  component: only(
    by_operators,
    screen(() => import('./screens/clocks.tsx'), 'Clocks'),
  ),
})

export const stages = ['onboarding', 'open_enrollment', 'active', 'renewal', 'cancelled'] as const
export const families = ['mec', 'mvp', 'ichra', 'vpc', 'dental', 'vision'] as const
export const hris_states = ['active', 'pending', 'paused', 'inactive'] as const

const book = createRoute({
  ...route('/employers'),
  validateSearch: (said: Said) =>
    perhaps({
      search: text(said.search),
      stage: some(said.stage, stages),
      family: some(said.family, families),
      hris: some(said.hris, hris_states),
      payroll: several(said.payroll),
    }),
  component: only(
    byMembers('book'),
    screen(() => import('./screens/book.tsx'), 'Book'),
  ),
})
const addEmployer = createRoute({
  ...route('/employers/add'),
  component: only(
    byMembers('book'),
    screen(() => import('./screens/add-employer.tsx'), 'AddEmployer'),
  ),
})

const ahead = createRoute({
  ...route('/employers/ahead'),
  component: only(
    byMembers('book'),
    screen(() => import('./screens/ahead.tsx'), 'Ahead'),
  ),
})
export const invoice_states = ['draft', 'open', 'overdue', 'paid', 'void'] as const
export const invoice_ages = ['not_due', 'to_30_days', 'to_60_days', 'to_90_days', 'longer'] as const

const moneySearch = (said: Said) =>
  perhaps({
    /** the sums by employer, or the statements, in place of the invoices */
    show: some(said.show, ['employers', 'statements'])?.[0],
    search: text(said.search),
    status: some(said.status, invoice_states),
    age: some(said.age, invoice_ages),
    from: month(said.from),
    to: month(said.to),
  })

const money = createRoute({
  ...route('/money'),
  validateSearch: moneySearch,
  component: only(
    byMembers('money'),
    screen(() => import('./screens/money.tsx'), 'Money'),
  ),
})

const oneEmployer = createRoute({
  ...route('/employers/$employer_id'),
  loader: ({ context: { session, client }, params }) =>
    mayOpen(session, byMembers('book')) && void client.prefetchQuery(employerRow(params.employer_id)),
  component: only(
    byMembers('book'),
    screen(() => import('./screens/employer/employer.tsx'), 'Employer'),
  ),
})
const ofEmployer = <const Path extends string>(path: Path) => ({ getParentRoute: () => oneEmployer, path }) as const

export const employment_statuses = ['active', 'terminated'] as const
export const election_statuses = ['enrolled', 'waived', 'pending', 'expired'] as const
export const changes = ['new', 'changed', 'ended', 'same'] as const

const employerPages = [
  createRoute({
    ...ofEmployer('/'),
    component: screen(() => import('./screens/employer/overview.tsx'), 'Overview'),
  }),
  createRoute({
    ...ofEmployer('roster'),
    validateSearch: (said: Said) =>
      perhaps({ search: text(said.search), status: some(said.status, employment_statuses) }),
    component: onlyTab(
      byMembers('people'),
      screen(() => import('./screens/employer/roster.tsx'), 'Roster'),
    ),
  }),
  createRoute({
    ...ofEmployer('plan-years'),
    component: screen(() => import('./screens/employer/plan-years.tsx'), 'PlanYears'),
  }),
  createRoute({
    ...ofEmployer('plan-years/$plan_year_id'),
    validateSearch: (said: Said) =>
      perhaps({ search: text(said.search), status: some(said.status, election_statuses) }),
    component: screen(() => import('./screens/employer/plan-year.tsx'), 'PlanYear'),
  }),
  createRoute({
    ...ofEmployer('census'),
    validateSearch: (said: Said) =>
      perhaps({
        /** the census that runs, or has run */
        sync: text(said.sync),
        /** how far one is with a file */
        step: some(said.step, ['columns', 'plan'])?.[0],
        /** whether people who are missing from the file are terminated; overrides the settings */
        mode: some(said.mode, ['merge', 'replace'])?.[0],
      }),
    component: screen(() => import('./screens/employer/census.tsx'), 'Census'),
  }),
  createRoute({
    ...ofEmployer('statements'),
    component: onlyTab(
      byMembers('money'),
      screen(() => import('./screens/employer/statements.tsx'), 'Statements'),
    ),
  }),
  createRoute({
    ...ofEmployer('statements/$statement_id'),
    validateSearch: (said: Said) => perhaps({ show: some(said.show, changes) }),
    component: onlyTab(
      byMembers('money'),
      screen(() => import('./screens/employer/statement.tsx'), 'Statement'),
    ),
  }),
  createRoute({
    ...ofEmployer('invoices'),
    component: onlyTab(
      byMembers('money'),
      screen(() => import('./screens/employer/invoices.tsx'), 'Invoices'),
    ),
  }),
  createRoute({
    ...ofEmployer('invoices/$invoice_id'),
    component: onlyTab(
      byMembers('money'),
      screen(() => import('./screens/employer/invoice.tsx'), 'Invoice'),
    ),
  }),
  createRoute({
    ...ofEmployer('events'),
    component: onlyTab(
      byMembers('webhooks'),
      screen(() => import('./screens/employer/events.tsx'), 'EmployerEvents'),
    ),
  }),
  createRoute({
    ...ofEmployer('settings'),
    validateSearch: (said: Said) => perhaps({ show: some(said.show, ['details', 'eligibility'])?.[0] }),
    component: onlyTab(
      byMembers('settings'),
      screen(() => import('./screens/employer/settings.tsx'), 'Settings'),
    ),
  }),
] as const

const people = createRoute({
  ...route('/people'),
  validateSearch: (said: Said) => perhaps({ search: text(said.search) }),
  component: only(
    byBoth('people'),
    screen(() => import('./screens/people.tsx'), 'People'),
  ),
})
const person = createRoute({
  ...route('/people/$employee_id'),
  validateSearch: (said: Said) =>
    perhaps({
      as_of: day(said.as_of),
      /** of what the days are explained: employment, eligibility, or an enrollment */
      why: text(said.why),
      whole: yes(said.whole),
      /** the dependent who is about to be ended, or to be one again */
      ending: text(said.ending),
      reinstating: text(said.reinstating),
    }),
  loader: ({ context: { session, client }, params }) =>
    mayOpen(session, byBoth('people')) && void client.prefetchQuery(employee(params.employee_id)),
  component: only(
    byBoth('people'),
    screen(() => import('./screens/person/person.tsx'), 'Person'),
  ),
})

const changePerson = createRoute({
  ...route('/people/$employee_id/change'),
  validateSearch: (said: Said) =>
    perhaps({
      action: some(said.action, ['end', 'enrollment'])?.[0],
      /** the enrollment that an operator sets right, and the last day that somebody told of */
      enrollment: text(said.enrollment),
      day: day(said.day),
    }),
  component: only(
    byBoth('people'),
    screen(() => import('./screens/person/change.tsx'), 'Change'),
  ),
})

const groups = createRoute({
  ...route('/groups'),
  validateSearch: (said: Said) => perhaps({ add: yes(said.add) }),
  component: only(
    byMembers('settings'),
    screen(() => import('./screens/groups/groups.tsx'), 'Groups'),
  ),
})
const group = createRoute({
  ...route('/groups/$group_id'),
  validateSearch: (said: Said) => perhaps({ sync: text(said.sync), send: yes(said.send) }),
  component: only(
    byMembers('settings'),
    screen(() => import('./screens/groups/group.tsx'), 'Group'),
  ),
})

export const outcomes = ['succeeded', 'refused', 'failed'] as const

const audit = createRoute({
  ...route('/audit'),
  validateSearch: (said: Said) =>
    perhaps({
      actor: text(said.actor),
      operation: text(said.operation),
      resource_id: text(said.resource_id),
      trace_id: text(said.trace_id),
      outcome: some(said.outcome, outcomes),
      from: day(said.from),
      to: day(said.to),
    }),
  component: only(
    byBoth('keys'),
    screen(() => import('./screens/audit.tsx'), 'Audit'),
  ),
})

const trace = createRoute({
  ...route('/traces/$trace_id'),
  component: only(
    byBoth('keys'),
    screen(() => import('./screens/trace.tsx'), 'TracePage'),
  ),
})

const developers = createRoute({
  ...route('/developers'),
  validateSearch: (said: Said) => perhaps({ add: yes(said.add) }),
  component: only(
    byMembers('keys'),
    screen(() => import('./screens/developers/keys.tsx'), 'Keys'),
  ),
})
const key = createRoute({
  ...route('/developers/keys/$key_id'),
  component: only(
    byMembers('keys'),
    screen(() => import('./screens/developers/key.tsx'), 'Key'),
  ),
})
const webhooks = createRoute({
  ...route('/developers/webhooks'),
  validateSearch: (said: Said) => perhaps({ add: yes(said.add) }),
  component: only(
    byMembers('webhooks'),
    screen(() => import('./screens/developers/webhooks.tsx'), 'Webhooks'),
  ),
})
/** Of deliveries: those that are asked for alone. */
export const delivery_outcomes = ['failed', 'waiting'] as const
const asked_outcomes = [...delivery_outcomes, 'any'] as const

const webhook = createRoute({
  ...route('/developers/webhooks/$subscription_id'),
  validateSearch: (said: Said) =>
    perhaps({
      outcome: some(said.outcome, asked_outcomes)?.[0],
      /** of one that was given up and is enabled again: from which day on something was missed */
      missed: day(said.missed),
    }),
  component: only(
    byMembers('webhooks'),
    screen(() => import('./screens/developers/webhook.tsx'), 'Webhook'),
  ),
})
const eventsRoute = createRoute({
  ...route('/developers/events'),
  validateSearch: (said: Said) => perhaps({ name: text(said.name), resource_id: text(said.resource_id) }),
  component: only(
    byMembers('webhooks'),
    screen(() => import('./screens/developers/events.tsx'), 'Events'),
  ),
})
const event = createRoute({
  ...route('/developers/events/$event_id'),
  component: only(
    byMembers('webhooks'),
    screen(() => import('./screens/developers/event.tsx'), 'Event'),
  ),
})

/* What operators see beside organizations. */

const partners = createRoute({
  ...route('/partners'),
  validateSearch: (said: Said) => perhaps({ search: text(said.search), add: yes(said.add) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/partners.tsx'), 'Partners'),
  ),
})
const onePartner = createRoute({
  ...route('/partners/$organization_id'),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/partner.tsx'), 'Partner'),
  ),
})
const ofPartner = <const Path extends string>(path: Path) => ({ getParentRoute: () => onePartner, path }) as const
const partnerPages = [
  createRoute({
    ...ofPartner('/'),
    validateSearch: (said: Said) => perhaps({ search: text(said.search) }),
    component: screen(() => import('./screens/operator/partner.tsx'), 'PartnerEmployers'),
  }),
  createRoute({
    ...ofPartner('members'),
    // The invitation that is to be taken back.
    validateSearch: (said: Said) => perhaps({ add: yes(said.add), withdrawing: text(said.withdrawing) }),
    component: screen(() => import('./screens/operator/partner-members.tsx'), 'PartnerMembers'),
  }),
  createRoute({
    ...ofPartner('keys'),
    validateSearch: (said: Said) => perhaps({ add: yes(said.add), chosen: text(said.chosen) }),
    component: screen(() => import('./screens/operator/partner-keys.tsx'), 'PartnerKeys'),
  }),
  createRoute({
    ...ofPartner('money'),
    validateSearch: moneySearch,
    component: screen(() => import('./screens/money.tsx'), 'PartnerMoney'),
  }),
  createRoute({
    ...ofPartner('catalog'),
    component: screen(() => import('./screens/operator/catalog.tsx'), 'Catalog'),
  }),
] as const

export const invoice_actions = ['issue', 'pay', 'void'] as const

const operatedEmployer = createRoute({
  ...route('/partners/employers/$employer_id'),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/employer.tsx'), 'OperatedEmployer'),
  ),
})
const ofOperated = <const Path extends string>(path: Path) =>
  ({ getParentRoute: () => operatedEmployer, path }) as const
const operatedPages = [
  createRoute({
    ...ofOperated('/'),
    component: screen(() => import('./screens/operator/employer.tsx'), 'OperatedOverview'),
  }),
  createRoute({
    ...ofOperated('plan-years'),
    component: screen(() => import('./screens/operator/plan-years.tsx'), 'OperatedPlanYears'),
  }),
  createRoute({
    ...ofOperated('plan-years/build'),
    // The plan year that it follows.
    validateSearch: (said: Said) => perhaps({ from: text(said.from) }),
    component: screen(() => import('./screens/operator/builder/builder.tsx'), 'Builder'),
  }),
  createRoute({
    ...ofOperated('hris'),
    component: screen(() => import('./screens/operator/hris.tsx'), 'Hris'),
  }),
  createRoute({
    ...ofOperated('statements'),
    component: screen(() => import('./screens/employer/statements.tsx'), 'OperatedStatements'),
  }),
  createRoute({
    ...ofOperated('statements/$statement_id'),
    validateSearch: (said: Said) => perhaps({ show: some(said.show, changes) }),
    component: screen(() => import('./screens/employer/statement.tsx'), 'OperatedStatement'),
  }),
  createRoute({
    ...ofOperated('invoices'),
    component: screen(() => import('./screens/operator/invoices.tsx'), 'OperatedInvoices'),
  }),
  createRoute({
    ...ofOperated('invoices/$invoice_id'),
    // What is about to be done with it.
    validateSearch: (said: Said) => perhaps({ action: some(said.action, invoice_actions)?.[0] }),
    component: screen(() => import('./screens/operator/invoice.tsx'), 'OperatedInvoice'),
  }),
] as const
export const run_outcomes = ['created', 'rehired', 'reinstated', 'terminated', 'updated'] as const

const run = createRoute({
  ...route('/partners/runs/$run_id'),
  validateSearch: (said: Said) => perhaps({ outcome: some(said.outcome, run_outcomes) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/run.tsx'), 'Run'),
  ),
})
export const job_states = ['gave_up', 'waiting', 'running'] as const

const jobs = createRoute({
  ...route('/jobs'),
  validateSearch: (said: Said) => perhaps({ state: some(said.state, job_states) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/jobs.tsx'), 'Jobs'),
  ),
})
const affordability = createRoute({
  ...route('/affordability'),
  // The year whose figures are missing.
  validateSearch: (said: Said) => perhaps({ year: text(said.year) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/affordability.tsx'), 'Affordability'),
  ),
})
const users = createRoute({
  ...route('/access'),
  validateSearch: (said: Said) => perhaps({ search: text(said.search), add: yes(said.add) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/users.tsx'), 'Users'),
  ),
})
const user = createRoute({
  ...route('/access/users/$user_id'),
  // The organization that they are to belong to no more.
  validateSearch: (said: Said) => perhaps({ ending: text(said.ending) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/user.tsx'), 'User'),
  ),
})
const operators = createRoute({
  ...route('/access/operators'),
  validateSearch: (said: Said) =>
    perhaps({ chosen: text(said.chosen), add: yes(said.add), withdrawing: text(said.withdrawing) }),
  component: only(
    by_operators,
    screen(() => import('./screens/operator/operators.tsx'), 'Operators'),
  ),
})

const tree = root.addChildren([
  home,
  today,
  clocks,
  book,
  addEmployer,
  ahead,
  money,
  oneEmployer.addChildren(employerPages),
  people,
  person,
  changePerson,
  groups,
  group,
  audit,
  trace,
  developers,
  key,
  webhooks,
  webhook,
  eventsRoute,
  event,
  partners,
  onePartner.addChildren(partnerPages),
  operatedEmployer.addChildren(operatedPages),
  run,
  jobs,
  affordability,
  users,
  user,
  operators,
])

export const routerOf = (context: Context) =>
  createRouter({
    routeTree: tree,
    context,
    basepath: console_path,
    parseSearch: searchOf,
    stringifySearch: queryOf,
    defaultPreload: 'intent',
    // Queries know how fresh they are.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultPendingMs: 150,
    defaultErrorComponent: ScreenTrouble,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof routerOf>
  }
}
