import type {
  Day,
  OperatorListEmployersQuery,
  OperatorListJobsQuery,
  OperatorListUsersQuery,
} from 'openbenefits/operator'
import { operator } from './api.ts'
import { dayAfter } from './format.ts'
import { listing, one, page_size } from './queries.ts'

/** Queries of operators. `queries.ts` has those of members. */

export const overview = () => one(['overview'], (options) => operator.overview.get(options))
export const tasks = () => listing(['tasks'], (paging, options) => operator.tasks.list(paging, options))
export const reportedLifeEvents = () =>
  listing(['reported-life-events'], (paging, options) =>
    operator.lifeEvents.list({ status: 'pending', ...paging }, options),
  )
export const jobsIn = (filter: Pick<OperatorListJobsQuery, 'state'>) =>
  listing(['jobs', filter], (paging, options) => operator.jobs.list({ ...filter, ...paging }, options))
export const affordabilityFigures = () =>
  one(['affordability-figures'], (options) => operator.ichra.listAffordabilityFigures(options))
/** The newest organizations, or those with names that start with the search text, up to the size of a select. */
export const organizationsCalled = (search?: string) =>
  one(['organizations', 'called', search], (options) =>
    Promise.resolve(operator.organizations.list({ ...(search && { search }), limit: page_size }, options)),
  )
export const clockOf = (organization_id: string) =>
  one(['organizations', organization_id, 'clock'], (options) => operator.sandbox.getClock(organization_id, options))

export const partnersIn = (search: string | undefined) =>
  listing(['partners', search], (paging, options) =>
    operator.organizations.list({ ...(search && { search }), ...paging }, options),
  )
export const partner = (id: string) => one(['partners', 'of', id], (options) => operator.organizations.get(id, options))
export const membersOf = (organization_id: string) =>
  listing(['partners', organization_id, 'members'], (paging, options) =>
    operator.memberships.list(organization_id, paging, options),
  )
export const invitationsTo = (organization_id: string) =>
  listing(['partners', organization_id, 'invitations'], (paging, options) =>
    operator.invitations.list(organization_id, paging, options),
  )
export const keysOf = (organization_id: string) =>
  listing(['partners', organization_id, 'keys'], (paging, options) =>
    operator.apiKeys.list({ organization_id, ...paging }, options),
  )
export const catalogOf = (organization_id: string) =>
  one(['partners', organization_id, 'catalog'], (options) => operator.catalog.get(organization_id, options))

export const enrollmentOf = (id: string) =>
  one(['operated-enrollments', id], (options) => operator.enrollments.get(id, options))

type OperatedFilter = Omit<OperatorListEmployersQuery, 'limit' | 'page'>
export const operatedEmployers = (filter: OperatedFilter) =>
  listing(['operated-employers', filter], (paging, options) =>
    operator.employers.list({ ...filter, ...paging }, options),
  )
/** The stage and the enrollment rate of an employer. */
export const operatedEmployerRow = (id: string) =>
  one(['operated-employers', 'of', id, 'standing'], async (options) => {
    const { data } = await operator.employers.list({ search: id, limit: 1 }, options)
    return data[0] ?? null
  })
export const operatedCensus = (id: string) => one(['censuses', id], (options) => operator.census.get(id, options))
export const operatedPlanYears = (employer_id: string) =>
  one(['operated-plan-years', employer_id], (options) => operator.planYears.list(employer_id, options))

export const operatedUsers = (filter: Pick<OperatorListUsersQuery, 'search'>) =>
  listing(['users', filter], (paging, options) => operator.users.list({ ...filter, ...paging }, options))
export const operatedUser = (id: string) => one(['users', 'of', id], (options) => operator.users.get(id, options))
export const operatorInvitations = () =>
  listing(['operator-invitations'], (paging, options) => operator.operators.listInvitations(paging, options))
export const operatorsIn = () => listing(['operators'], (paging, options) => operator.operators.list(paging, options))

/** The events of an organization after a day. */
export const broughtAfter = (organization_id: string, day: Day) =>
  one(['organizations', organization_id, 'brought', day], (options) =>
    operator.webhookEvents.countByDay(organization_id, { from: dayAfter(day) }, options),
  )
