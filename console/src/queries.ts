import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type {
  AuditEntriesListQuery,
  AuditEntry,
  CallOptions,
  Day,
  EmployersListBenefitPlanYearEnrollmentsQuery,
  EmployersListEmployeesQuery,
  EmployersListQuery,
  Enrollment,
  EnrollmentDetail,
  MembersListQuery,
  Pages,
  PayrollDeductionStatement,
  WebhookDelivery,
  WebhookEvent,
  WebhookEventsListQuery,
  WebhookSubscriptionsListDeliveriesQuery,
} from 'openbenefits'
import { ob, operator } from './api.ts'
import { isOperator } from './session.ts'

/** What the console asks of the service: one function for each read, and its place in the cache. */

type Asked = { limit: number; page: number }
type Page<Row> = { data: Row[]; pagination: { total: number } }

/** A list by pages, of which any can be asked for. */
export type Listing<Row> = {
  key: readonly unknown[]
  page: (page: number, signal: AbortSignal) => Promise<Page<Row>>
}

/** A list in which a page says where the next one begins. */
export type Trail<Row> = {
  key: readonly unknown[]
  from: (offset: string | undefined) => Promise<{ data: Row[]; next_offset: string | null }>
}

export const page_size = 100

export const listing = <Row, Answer extends Page<Row>>(
  key: readonly unknown[],
  list: (asked: Asked, options: CallOptions) => Pages<Row, Answer>,
): Listing<Row> => ({ key, page: async (page, signal) => list({ limit: page_size, page }, { signal }) })

export const one = <T>(key: readonly unknown[], ask: (options: CallOptions) => Promise<T>) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => ask({ signal }) })

/** Who one is to the service, and the present day of the organization. */
export const credential = () => one(['credential'], (options) => ob.authentication.getToken(options))

export type BookFilter = Omit<EmployersListQuery, 'limit' | 'page'>
export const employersIn = (filter: BookFilter) =>
  listing(['employers', filter], (asked, options) => ob.employers.list({ ...filter, ...asked }, options))
export const employer = (id: string) => one(['employers', id], (options) => ob.employers.get(id, options))
/** The payroll systems that employers of the book are connected to. */
export const payrollSystems = () => one(['payroll-systems'], (options) => ob.hris.listProviders(options))
export const employerRow = (id: string) =>
  one(['employers', id, 'row'], async (options) => {
    const { data } = await ob.employers.list({ search: id, include_cancelled: true, limit: 1 }, options)
    return data[0] ?? null
  })
export const settingsOf = (id: string) =>
  one(['employers', id, 'settings'], (options) => ob.employers.getSettings(id, options))

export const policiesOf = (id: string) =>
  listing(['employers', id, 'policies'], (asked, options) => ob.eligibilityPolicies.list(id, asked, options))

export type RosterFilter = Omit<EmployersListEmployeesQuery, 'limit' | 'page'>
export const rosterOf = (id: string, filter: RosterFilter) =>
  listing(['employers', id, 'roster', filter], (asked, options) =>
    ob.employees.list(id, { ...filter, ...asked }, options),
  )

export const planYearsOf = (id: string) =>
  one(['employers', id, 'plan-years'], (options) => ob.planYears.list(id, {}, options))
export const planYear = (id: string, year_id: string) =>
  one(['employers', id, 'plan-years', year_id], (options) => ob.planYears.get(id, year_id, options))
export const planYearProgress = (id: string, year_id: string) =>
  one(['employers', id, 'plan-years', year_id, 'progress'], (options) =>
    ob.planYears.summarizeEnrollments(id, year_id, options),
  )
export type PlanYearEnrollmentFilter = Omit<EmployersListBenefitPlanYearEnrollmentsQuery, 'limit' | 'page'>
export const planYearEnrollments = (id: string, year_id: string, filter: PlanYearEnrollmentFilter) =>
  listing(['employers', id, 'plan-years', year_id, filter], (asked, options) =>
    ob.planYears.listEnrollments(id, year_id, { ...filter, ...asked }, options),
  )

/** An employer as operators see it. */
export const operatedEmployer = (id: string) =>
  one(['operated-employers', 'of', id], (options) => operator.employers.get(id, options))
/** Whose an employer is: what heads its pages tells it. */
const organizationOf = async (client: QueryClient, employer_id: string) =>
  (await client.ensureQueryData(operatedEmployer(employer_id))).organization_id

export const statementsOf = (id: string) =>
  listing(['employers', id, 'statements'], (asked, options) => ask().statements.list(id, asked, options))

export const censusOf = (id: string, census_sync_id: string) =>
  one(['census', census_sync_id], (options) => ob.census.get(id, census_sync_id, options))

/** One of the invoices; null when there is none of that number. */
export const invoiceOf = (id: string, invoice_id: string) =>
  queryOptions({
    queryKey: ['employers', id, 'invoices', invoice_id],
    queryFn: async ({ client, signal }) => {
      const wanted = { employer_id: id, search: invoice_id, include_drafts: true }
      const { data } = isOperator()
        ? await operator.invoices.listAll(await organizationOf(client, id), wanted, { signal })
        : await ob.invoices.listAll(wanted, { signal })
      return data.find((found) => found.invoice_id === invoice_id) ?? null
    },
  })
export const invoiceLines = (id: string, invoice_id: string) =>
  listing(['invoices', invoice_id, 'lines'], (asked, options) =>
    ask().invoices.listLines(id, invoice_id, asked, options),
  )
export const reconciliation = (id: string, invoice_id: string) =>
  one(['invoices', invoice_id, 'reconciliation'], (options) =>
    ask().invoices.getReconciliation(id, invoice_id, options),
  )
export const pdfLink = (id: string, invoice_id: string, signal: AbortSignal) =>
  ask().invoices.getPdf(id, invoice_id, { signal })

/** Of a person, and of money, members and operators ask the same, each of their own interface. */
const ask = () =>
  isOperator()
    ? (operator as unknown as Pick<
        typeof ob,
        'deductions' | 'dependents' | 'employees' | 'enrollments' | 'invoices' | 'statements'
      >)
    : ob

/** Operators look people up and do not leaf through them: they have to know something of whom they look for. */
export const least_known = 3
export const peopleIn = (search: MembersListQuery['search']) =>
  listing(['members', search], (asked, options) =>
    isOperator()
      ? operator.members.find({ search: search!, ...asked }, options)
      : ob.members.list({ ...(search && { search }), ...asked }, options),
  )
export const member = (id: string) =>
  one(['members', 'of', id], (options) => (isOperator() ? operator : ob).members.get(id, options))

export const employee = (id: string) => one(['employees', id], (options) => ask().employees.get(id, options))
export const eligibility = (id: string, as_of: Day | undefined) =>
  one(['employees', id, 'eligibility', as_of], (options) =>
    ask().employees.explainEligibility(id, as_of ? { as_of } : {}, options),
  )
/** The day where somebody is employed: members are at one organization, whose day their credential tells. */
export const todayOf = (employee_id: string) =>
  one(['today', isOperator() ? employee_id : null], async (options) =>
    isOperator()
      ? (await operator.employees.explainEligibility(employee_id, {}, options)).as_of
      : (await ob.authentication.getToken(options)).today,
  )
/** The enrollments of somebody, each as it is on a day: the present one unless said. */
export const enrollmentsOf = (id: string, as_of?: Day) =>
  listing(['employees', id, 'enrollments', as_of], (asked, options) =>
    ask().enrollments.list(id, { ...(as_of && { as_of }), ...asked }, options),
  )
export const enrollmentOf = (id: string) => one(['enrollments', id], (options) => ask().enrollments.get(id, options))
export const historyOf = (id: string) =>
  listing(['enrollments', id, 'history'], (asked, options) => ask().enrollments.getHistory(id, asked, options))
export const dependentsOf = (id: string) =>
  listing(['employees', id, 'dependents'], (asked, options) => ask().dependents.list(id, asked, options))
/** An enrollment as it is on a day that names a dependent; that of its benefit now; and what its plan costs by tier. */
export type Naming = { named: Enrollment; now: Enrollment; tiers: EnrollmentDetail['plans'][number]['tiers'] }

/** The enrollments of somebody by which a dependent is covered on a day. */
export const enrollmentsNaming = (employee_id: string, dependent_id: string, day: Day) =>
  one(['employees', employee_id, 'enrollments', 'naming', dependent_id, day], async (options): Promise<Naming[]> => {
    const [{ data: all }, { data: now }] = await Promise.all([
      ob.enrollments.list(employee_id, { as_of: day, limit: page_size }, options),
      ob.enrollments.list(employee_id, { limit: page_size }, options),
    ])
    const naming = all.filter((one) => one.status === 'enrolled' && one.dependent_ids.includes(dependent_id))
    return Promise.all(
      naming.map(async (one) => {
        const { plans } = await ob.enrollments.get(one.id, options)
        const later = now.find((each) => each.status === 'enrolled' && each.benefit.id === one.benefit.id)
        return {
          named: one,
          now: later ?? now.find(({ id }) => id === one.id)!,
          tiers: plans.find(({ id }) => id === one.plan?.id)?.tiers ?? [],
        }
      }),
    )
  })
export const lifeEventsOf = (id: string) =>
  listing(['employees', id, 'life-events'], (asked, options) =>
    isOperator() ? operator.lifeEvents.listOf(id, asked, options) : ob.lifeEvents.list(id, asked, options),
  )
/** What somebody earned from which day on: the latest hundred. */
export const wagesOf = (id: string) =>
  one(['employees', id, 'wages'], async (options) => (await ob.employees.listWages(id, { limit: 100 }, options)).data)
export const proofOf = (id: string, year: number) =>
  one(['employees', id, 'deductions', year], (options) => ask().deductions.prove(id, { year }, options))

export type EventFilter = Omit<WebhookEventsListQuery, 'limit' | 'page'>
export const events = (filter: EventFilter) =>
  listing(['events', filter], (asked, options) => ob.webhookEvents.list({ ...filter, ...asked }, options))
export const eventOf = (id: string) => one(['events', id], (options) => ob.webhookEvents.get(id, options))
export const deliveriesOf = (event_id: string) =>
  listing(['events', event_id, 'deliveries'], (asked, options) =>
    ob.webhookEvents.listDeliveries(event_id, asked, options),
  )
export type AskedOutcome = NonNullable<WebhookSubscriptionsListDeliveriesQuery['outcome']>
export const deliveriesTo = (subscription_id: string, outcome: AskedOutcome) =>
  listing(['subscriptions', subscription_id, 'deliveries', outcome], (asked, options) =>
    ob.webhookSubscriptions.listDeliveries(subscription_id, { outcome, ...asked }, options),
  )
export const subscriptions = () =>
  listing(['subscriptions'], (asked, options) => ob.webhookSubscriptions.list(asked, options))
export const subscription = (id: string) =>
  one(['subscriptions', id], (options) => ob.webhookSubscriptions.get(id, options))
export const keys = () => listing(['keys'], (asked, options) => ob.apiKeys.list(asked, options))
export const keyOf = (id: string) => one(['keys', id], (options) => ob.apiKeys.get(id, options))

export const statementsWith = (id: string, statement_id: string) =>
  one(['employers', id, 'statements', statement_id], async (options) => {
    // Newest first: the one after it is the one before it in time.
    let found: PayrollDeductionStatement | undefined
    for await (const one of ask().statements.list(id, { limit: page_size }, options)) {
      if (found) return { statement: found, before: one }
      if (one.id === statement_id) found = one
    }
    return found ? { statement: found, before: undefined } : null
  })

export const planList = () => listing(['plans'], (asked, options) => ob.plans.list(asked, options))

export const groups = () => listing(['groups'], (asked, options) => ob.groups.list(asked, options))
export const group = (id: string) => one(['groups', id], (options) => ob.groups.get(id, options))
export const groupMembers = (id: string) =>
  listing(['groups', id, 'members'], (asked, options) => ob.groups.listMembers(id, asked, options))
/** Each of them, as far as a list that takes their place can be compared with them. */
export const everyGroupMember = (id: string) =>
  one(['groups', id, 'members', 'all'], async (options) =>
    Array.fromAsync(ob.groups.listMembers(id, { limit: page_size }, options)),
  )

export const groupSyncs = (id: string) =>
  listing(['groups', id, 'syncs'], (asked, options) => ob.groups.listMemberSyncs(id, asked, options))
export const groupSync = (id: string, request_id: string) =>
  one(['groups', id, 'syncs', request_id], (options) => ob.groups.getMemberSync(id, request_id, options))

export type AuditFilter = Omit<AuditEntriesListQuery, 'limit' | 'offset'>
export const auditTrail = (filter: AuditFilter): Trail<AuditEntry> => ({
  key: ['audit', filter],
  from: async (offset) => ob.auditEntries.list({ limit: page_size, ...filter, ...(offset && { offset }) }),
})

/** All that is known of a request: what the trail says of it, the events that it caused, and where those went. */
export type Trace = { entries: AuditEntry[]; events: { event: WebhookEvent; deliveries: WebhookDelivery[] }[] }

/** So many events of a request are shown, each with its deliveries. */
const most_events = 20
/** A page of the trail may be empty while others come behind it: so many are looked through. */
const most_pages = 20

/** The first entries of a trail that there are, however many pages are empty before. */
export async function firstOf<Row>({ from }: Trail<Row>): Promise<Row[]> {
  let offset: string | undefined
  for (let page = 0; page < most_pages; page++) {
    const { data, next_offset } = await from(offset)
    if (data.length > 0 || next_offset === null) return data
    offset = next_offset
  }
  return []
}

export const traceOf = (trace_id: string) =>
  one(['traces', trace_id], async (options): Promise<Trace> => {
    const [entries, { data }] = await Promise.all([
      firstOf(auditTrail({ trace_id })),
      ob.webhookEvents.list({ trace_id, limit: most_events }, options),
    ])
    const events = data.map(async (event) => ({
      event,
      deliveries: (await ob.webhookEvents.listDeliveries(event.id, { limit: most_events }, options)).data,
    }))
    return { entries, events: await Promise.all(events) }
  })

/** What an employer owes: its invoices that are issued and not paid. */
export const unpaidOf = (id: string) =>
  one(['employers', id, 'invoices', 'unpaid'], async (options) => {
    const { data } = await ob.invoices.list(id, { status: ['open'], limit: page_size }, options)
    return data
  })
