import type {
  AuditEntry,
  Day,
  OperatorListAuditEntriesQuery,
  OperatorListEmployersQuery,
  OperatorListHrisRunPeopleQuery,
  OperatorListJobsQuery,
  OperatorListUsersQuery,
} from 'openbenefits/operator'
import { operator } from './api.ts'
import { dayAfter } from './parts/words.ts'
import { firstOf, listing, one, page_size, type Trace, type Trail } from './queries.ts'

/** What operators ask of the service, as `queries.ts` is what members of organizations ask. */

export const overview = () => one(['overview'], (options) => operator.overview.get(options))
export const tasks = () => listing(['tasks'], (asked, options) => operator.tasks.list(asked, options))
export const reportedLifeEvents = () =>
  listing(['reported-life-events'], (asked, options) =>
    operator.lifeEvents.list({ status: 'pending', ...asked }, options),
  )
export const jobsIn = (filter: Pick<OperatorListJobsQuery, 'state'>) =>
  listing(['jobs', filter], (asked, options) => operator.jobs.list({ ...filter, ...asked }, options))
export const affordabilityFigures = () =>
  one(['affordability-figures'], (options) => operator.ichra.listAffordabilityFigures(options))
/** The newest organizations, or those whose name begins so: as many as can be chosen of. */
export const organizationsCalled = (search?: string) =>
  one(['organizations', 'called', search], (options) =>
    Promise.resolve(operator.organizations.list({ ...(search && { search }), limit: page_size }, options)),
  )
export const clockOf = (organization_id: string) =>
  one(['organizations', organization_id, 'clock'], (options) => operator.sandbox.getClock(organization_id, options))

export const partnersIn = (search: string | undefined) =>
  listing(['partners', search], (asked, options) =>
    operator.organizations.list({ ...(search && { search }), ...asked }, options),
  )
export const partner = (id: string) => one(['partners', 'of', id], (options) => operator.organizations.get(id, options))
export const membersOf = (organization_id: string) =>
  listing(['partners', organization_id, 'members'], (asked, options) =>
    operator.memberships.list(organization_id, asked, options),
  )
export const invitationsTo = (organization_id: string) =>
  listing(['partners', organization_id, 'invitations'], (asked, options) =>
    operator.invitations.list(organization_id, asked, options),
  )
export const keysOf = (organization_id: string) =>
  listing(['partners', organization_id, 'keys'], (asked, options) =>
    operator.apiKeys.list({ organization_id, ...asked }, options),
  )
export const catalogOf = (organization_id: string) =>
  one(['partners', organization_id, 'catalog'], (options) => operator.catalog.get(organization_id, options))

export const enrollmentOf = (id: string) =>
  one(['operated-enrollments', id], (options) => operator.enrollments.get(id, options))

type OperatedFilter = Omit<OperatorListEmployersQuery, 'limit' | 'page'>
export const operatedEmployers = (filter: OperatedFilter) =>
  listing(['operated-employers', filter], (asked, options) => operator.employers.list({ ...filter, ...asked }, options))
/** How an employer stands: its stage and who is enrolled. */
export const operatedStanding = (id: string) =>
  one(['operated-employers', 'of', id, 'standing'], async (options) => {
    const { data } = await operator.employers.list({ search: id, limit: 1 }, options)
    return data[0] ?? null
  })
export const connectionsOf = (employer_id: string) =>
  one(['connections', employer_id], (options) => operator.hris.listConnections(employer_id, options))
export const runsOf = (connection_id: string) =>
  listing(['runs', connection_id], (asked, options) => operator.hris.listRuns(connection_id, asked, options))
export const runOf = (id: string) => one(['runs', 'of', id], (options) => operator.hris.getRun(id, options))
export const operatedCensus = (id: string) => one(['censuses', id], (options) => operator.census.get(id, options))
export type RunPeopleFilter = Pick<OperatorListHrisRunPeopleQuery, 'outcome'>
export const runPeople = (id: string, filter: RunPeopleFilter) =>
  listing(['runs', 'of', id, 'people', filter], (asked, options) =>
    operator.hris.listRunPeople(id, { ...filter, ...asked }, options),
  )
export const operatedPlanYears = (employer_id: string) =>
  one(['operated-plan-years', employer_id], (options) => operator.planYears.list(employer_id, options))

export const operatedUsers = (filter: Pick<OperatorListUsersQuery, 'search'>) =>
  listing(['users', filter], (asked, options) => operator.users.list({ ...filter, ...asked }, options))
export const operatedUser = (id: string) => one(['users', 'of', id], (options) => operator.users.get(id, options))
export const operatorInvitations = () =>
  listing(['operator-invitations'], (asked, options) => operator.operators.listInvitations(asked, options))
export const operatorsIn = () => listing(['operators'], (asked, options) => operator.operators.list(asked, options))

export type OperatorAuditFilter = Omit<OperatorListAuditEntriesQuery, 'limit' | 'offset'>
export const operatorAuditTrail = (filter: OperatorAuditFilter): Trail<AuditEntry> => ({
  key: ['operator-audit', filter],
  from: async (offset) => operator.auditEntries.list({ limit: page_size, ...filter, ...(offset && { offset }) }),
})

/** What the days after one brought an organization. */
export const broughtAfter = (organization_id: string, day: Day) =>
  one(['organizations', organization_id, 'brought', day], (options) =>
    operator.webhookEvents.countByDay(organization_id, { from: dayAfter(day) }, options),
  )

/** The same as members see of a request, at the organization that it was of. */
export const operatorTraceOf = (trace_id: string) =>
  one(['operator-traces', trace_id], async (options): Promise<Trace> => {
    const entries = await firstOf(operatorAuditTrail({ trace_id }))
    const organization_id = entries.find((entry) => entry.organization_id !== null)?.organization_id
    if (!organization_id) return { entries, events: [] }
    const { data } = await operator.webhookEvents.list(organization_id, { trace_id, limit: 20 }, options)
    const events = data.map(async (event) => ({
      event,
      deliveries: (await operator.webhookEvents.listDeliveries(event.id, {}, options)).data,
    }))
    return { entries, events: await Promise.all(events) }
  })
