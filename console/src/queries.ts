import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type {
  ActivityListQuery,
  AuditEntriesListQuery,
  AuditEntry,
  CallOptions,
  Day,
  Employer,
  EmployersCountQuery,
  EmployersListBenefitPlanYearEnrollmentsQuery,
  EmployersListEmployeesQuery,
  EmployersListQuery,
  MembersListQuery,
  Pages,
  PartnerTask,
  PayrollDeductionStatement,
  TasksListQuery,
  WebhookDelivery,
  WebhookEvent,
} from 'openbenefits'
import { ob, operator } from './api.ts'
import { isOperator } from './session.ts'

/** The queries of the console: one function per read, with its cache key. */

type Paging = { limit: number; page: number }
type Page<Row> = { data: Row[]; pagination: { total: number } }

/** A list with pages by number. */
export type PagedList<Row> = {
  key: readonly unknown[]
  page: (page: number, signal: AbortSignal) => Promise<Page<Row>>
}

/** A list with cursor pagination. */
export type CursorList<Row> = {
  key: readonly unknown[]
  from: (offset: string | undefined) => Promise<{ data: Row[]; next_offset: string | null }>
}

export const page_size = 100

export const pagedList = <Row, Answer extends Page<Row>>(
  key: readonly unknown[],
  list: (paging: Paging, options: CallOptions) => Pages<Row, Answer>,
): PagedList<Row> => ({ key, page: async (page, signal) => list({ limit: page_size, page }, { signal }) })

export const resourceQuery = <T>(key: readonly unknown[], read: (options: CallOptions) => Promise<T>) =>
  queryOptions({ queryKey: key, queryFn: ({ signal }) => read({ signal }) })

/** The token of the session, and today's day of the organization. */
export const credentialQuery = () => resourceQuery(['credential'], (options) => ob.authentication.getToken(options))

export type BookFilter = Omit<EmployersListQuery, 'limit' | 'page'>
export const employersList = (filter: BookFilter) =>
  pagedList(['employers', filter], (paging, options) => ob.employers.list({ ...filter, ...paging }, options))
/** The number of employers for each value of each filter. */
export const employerCountsQuery = (filter: EmployersCountQuery) =>
  resourceQuery(['employers', 'counts', filter], (options) => ob.employers.count(filter, options))
/** The first 100 members of the organization, by name. */
export const colleaguesQuery = () =>
  resourceQuery(
    ['colleagues'],
    async (options) => (await ob.organizations.listMembers({ limit: page_size }, options)).data,
  )
export const employerQuery = (id: string) =>
  resourceQuery(['employers', id], (options) => ob.employers.get(id, options))
/** The payroll systems of the listed employers. */
export const payrollSystemsQuery = () => resourceQuery(['payroll-systems'], (options) => ob.hris.listProviders(options))
export const employerRowQuery = (id: string) =>
  resourceQuery(['employers', id, 'row'], async (options) => {
    const { data } = await ob.employers.list({ search: id, include_cancelled: true, limit: 1 }, options)
    return data[0] ?? null
  })
/** The first employers and their number, to see whether there is only one. */
export const firstEmployersQuery = () =>
  resourceQuery(['employers', 'first'], async (options) => ob.employers.list({ limit: 2 }, options))
export const settingsQuery = (id: string) =>
  resourceQuery(['employers', id, 'settings'], (options) => ob.employers.getSettings(id, options))

export const policiesQuery = (id: string) =>
  pagedList(['employers', id, 'policies'], (paging, options) => ob.eligibilityPolicies.list(id, paging, options))

export type RosterFilter = Omit<EmployersListEmployeesQuery, 'limit' | 'page'>
export const rosterList = (id: string, filter: RosterFilter) =>
  pagedList(['employers', id, 'roster', filter], (paging, options) =>
    ob.employees.list(id, { ...filter, ...paging }, options),
  )

export const planYearsQuery = (id: string) =>
  resourceQuery(['employers', id, 'plan-years'], (options) => ob.planYears.list(id, {}, options))
export const planYearQuery = (id: string, year_id: string) =>
  resourceQuery(['employers', id, 'plan-years', year_id], (options) => ob.planYears.get(id, year_id, options))
export const planYearProgressQuery = (id: string, year_id: string) =>
  resourceQuery(['employers', id, 'plan-years', year_id, 'progress'], (options) =>
    ob.planYears.summarizeEnrollments(id, year_id, options),
  )
export type PlanYearEnrollmentFilter = Omit<EmployersListBenefitPlanYearEnrollmentsQuery, 'limit' | 'page'>
export const planYearEnrollmentsList = (id: string, year_id: string, filter: PlanYearEnrollmentFilter) =>
  pagedList(['employers', id, 'plan-years', year_id, filter], (paging, options) =>
    ob.planYears.listEnrollments(id, year_id, { ...filter, ...paging }, options),
  )

/** An employer, for operators. */
export const operatedEmployerQuery = (id: string) =>
  resourceQuery(['operated-employers', 'of', id], (options) => operator.employers.get(id, options))
/** The organization of an employer, from the query behind its page header. */
const organizationOf = async (client: QueryClient, employer_id: string) =>
  (await client.ensureQueryData(operatedEmployerQuery(employer_id))).organization_id

export const statementsList = (id: string) =>
  pagedList(['employers', id, 'statements'], (paging, options) => sharedClient().statements.list(id, paging, options))

export const censusQuery = (id: string, census_sync_id: string) =>
  resourceQuery(['census', census_sync_id], (options) => ob.census.get(id, census_sync_id, options))

/** An invoice by number. Null if it does not exist. */
export const invoiceQuery = (id: string, invoice_id: string) =>
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
export const invoiceLinesList = (id: string, invoice_id: string, employee_id?: string) =>
  pagedList(['invoices', invoice_id, 'lines', employee_id], (paging, options) =>
    sharedClient().invoices.listLines(id, invoice_id, { ...(employee_id && { employee_id }), ...paging }, options),
  )
export const reconciliationQuery = (id: string, invoice_id: string) =>
  resourceQuery(['invoices', invoice_id, 'reconciliation'], (options) =>
    sharedClient().invoices.getReconciliation(id, invoice_id, options),
  )
export const fetchPdfLink = (id: string, invoice_id: string, signal: AbortSignal) =>
  sharedClient().invoices.getPdf(id, invoice_id, { signal })

/** Members and operators run the same queries about people and money, each on their own API. */
const sharedClient = () =>
  isOperator()
    ? (operator as unknown as Pick<
        typeof ob,
        'deductions' | 'dependents' | 'employees' | 'enrollments' | 'invoices' | 'statements'
      >)
    : ob

/** Operators search for people and cannot browse them. A search text is required. */
export const min_search_length = 3
export const people_search_hint =
  'People are found by the start of their last names, or by their first and full last names.'
export const peopleList = (search: MembersListQuery['search']) =>
  pagedList(['members', search], (paging, options) =>
    isOperator()
      ? operator.members.find({ search: search!, ...paging }, options)
      : ob.members.list({ ...(search && { search }), ...paging }, options),
  )
/** The present and former employees of an employer that an operator searches for. */
export const employerPeopleList = ({ id, organization_id }: Pick<Employer, 'id' | 'organization_id'>, search: string) =>
  pagedList(['members', 'at', id, search], (paging, options) =>
    operator.members.find({ search, organization_id, employer_id: id, ...paging }, options),
  )
export const memberQuery = (id: string) =>
  resourceQuery(['members', 'of', id], (options) => (isOperator() ? operator : ob).members.get(id, options))

export const employeeQuery = (id: string) =>
  resourceQuery(['employees', id], (options) => sharedClient().employees.get(id, options))
export const eligibilityQuery = (id: string, as_of: Day | undefined) =>
  resourceQuery(['employees', id, 'eligibility', as_of], (options) =>
    sharedClient().employees.explainEligibility(id, as_of ? { as_of } : {}, options),
  )
/** Today's date at the person's organization. For members, the token contains it. */
export const organizationTodayQuery = (employee_id: string) =>
  resourceQuery(['today', isOperator() ? employee_id : null], async (options) =>
    isOperator()
      ? (await operator.employees.explainEligibility(employee_id, {}, options)).as_of
      : (await ob.authentication.getToken(options)).today,
  )
/** The enrollments of an employee as of a day, by default today. */
export const enrollmentsQuery = (id: string, as_of?: Day) =>
  pagedList(['employees', id, 'enrollments', as_of], (paging, options) =>
    sharedClient().enrollments.list(id, { ...(as_of && { as_of }), ...paging }, options),
  )
export const enrollmentQuery = (id: string) =>
  resourceQuery(['enrollments', id], (options) => sharedClient().enrollments.get(id, options))
export const enrollmentHistoryQuery = (id: string) =>
  pagedList(['enrollments', id, 'history'], (paging, options) =>
    sharedClient().enrollments.getHistory(id, paging, options),
  )
export const dependentsQuery = (id: string) =>
  pagedList(['employees', id, 'dependents'], (paging, options) => sharedClient().dependents.list(id, paging, options))
export const lifeEventsQuery = (id: string) =>
  pagedList(['employees', id, 'life-events'], (paging, options) =>
    isOperator() ? operator.lifeEvents.listOf(id, paging, options) : ob.lifeEvents.list(id, paging, options),
  )
/** The latest 100 compensation records of an employee. */
export const wagesQuery = (id: string) =>
  resourceQuery(
    ['employees', id, 'wages'],
    async (options) => (await ob.employees.listWages(id, { limit: 100 }, options)).data,
  )
export const deductionProofQuery = (id: string, year: number) =>
  resourceQuery(['employees', id, 'deductions', year], (options) =>
    sharedClient().deductions.prove(id, { year }, options),
  )

/** The paychecks of a year with deductions, oldest first: past ones, and those of the next two months. */
export const paychecksQuery = (id: string, year: number) =>
  resourceQuery(['employees', id, 'paychecks', year], (options) => ob.deductions.listPaychecks(id, { year }, options))

export type ActivityFilter = Omit<ActivityListQuery, 'limit' | 'page'>
export const activityList = (filter: ActivityFilter) =>
  pagedList(['activity', filter], (paging, options) => ob.activity.list({ ...filter, ...paging }, options))
/** Participation and premium by month, of one employer or of all. */
export const trendsQuery = (employer_id: string | undefined) => ({
  ...resourceQuery(['trends', employer_id], (options) => ob.trends.get(employer_id ? { employer_id } : {}, options)),
  staleTime: 300_000,
})

export const statementPairQuery = (id: string, statement_id: string) =>
  resourceQuery(['employers', id, 'statements', statement_id], async (options) => {
    // Newest first, so the next entry is the previous statement.
    let found: PayrollDeductionStatement | undefined
    for await (const one of sharedClient().statements.list(id, { limit: page_size }, options)) {
      if (found) return { statement: found, before: one }
      if (one.id === statement_id) found = one
    }
    return found ? { statement: found, before: undefined } : null
  })

export type AuditFilter = Omit<AuditEntriesListQuery, 'limit' | 'offset'>
export const auditLogList = (filter: AuditFilter): CursorList<AuditEntry> => ({
  key: ['audit', filter],
  from: async (offset) => ob.auditEntries.list({ limit: page_size, ...filter, ...(offset && { offset }) }),
})

/** A request with its audit log entries, its events and their deliveries. */
export type Trace = { entries: AuditEntry[]; events: { event: WebhookEvent; deliveries: WebhookDelivery[] }[] }

/** A page of the audit log may be empty although later pages have entries. This many pages are read. */
const max_pages = 20

/** The first entries of an audit log, after any empty pages. */
export async function firstEntries<Row>({ from }: CursorList<Row>): Promise<Row[]> {
  let offset: string | undefined
  for (let page = 0; page < max_pages; page++) {
    const { data, next_offset } = await from(offset)
    if (data.length > 0 || next_offset === null) return data
    offset = next_offset
  }
  return []
}

/** The newest invoices of an employer. */
export const latestInvoicesQuery = (id: string, limit: number) =>
  queryOptions({
    queryKey: ['employers', id, 'invoices', 'latest', limit],
    queryFn: async ({ client, signal }) => {
      const wanted = { employer_id: id, limit, include_drafts: true }
      const { data } = isOperator()
        ? await operator.invoices.listAll(await organizationOf(client, id), wanted, { signal })
        : await ob.invoices.listAll(wanted, { signal })
      return data
    },
  })

/** The unpaid issued invoices of an employer. */
export const unpaidInvoicesQuery = (id: string) =>
  resourceQuery(['employers', id, 'invoices', 'unpaid'], async (options) => {
    const { data } = await ob.invoices.list(id, { status: ['open'], limit: page_size }, options)
    return data
  })

type Owners = string[] | undefined
const ownerFilter = (owners: Owners): TasksListQuery =>
  owners ? { owner_user_id: owners as NonNullable<TasksListQuery['owner_user_id']> } : {}

/** The tasks of one kind or of all, by due date. `owners`: only those of these members. */
export const tasksQuery = (kind: PartnerTask['kind'] | undefined, owners: Owners) =>
  pagedList(['tasks', kind, owners], (paging, options) =>
    ob.tasks.list({ ...(kind && { kind: [kind] }), ...ownerFilter(owners), ...paging }, options),
  )
/** The first tasks of some kinds by due date, with the number of tasks of each kind. */
export const firstTasksQuery = (kinds: PartnerTask['kind'][], owners: Owners) =>
  resourceQuery(['tasks', 'first', kinds, owners], async (options) =>
    ob.tasks.list({ kind: kinds, ...ownerFilter(owners), limit: page_size }, options),
  )
