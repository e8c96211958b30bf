import type {
  Day,
  OperatorListEmployersQuery,
  OperatorListJobsQuery,
  OperatorListUsersQuery,
} from 'openbenefits/operator'
import { operator } from './api.ts'
import { addDays } from './format.ts'
import { pagedList, resourceQuery, page_size } from './queries.ts'

/** Queries of operators. `queries.ts` has those of members. */

export const overviewQuery = () => resourceQuery(['overview'], (options) => operator.overview.get(options))
export const operatorTasksList = () => pagedList(['tasks'], (paging, options) => operator.tasks.list(paging, options))
export const reportedLifeEventsQuery = () =>
  pagedList(['reported-life-events'], (paging, options) =>
    operator.lifeEvents.list({ status: 'pending', ...paging }, options),
  )
export const jobsList = (filter: Pick<OperatorListJobsQuery, 'state'>) =>
  pagedList(['jobs', filter], (paging, options) => operator.jobs.list({ ...filter, ...paging }, options))
export const affordabilityFiguresQuery = () =>
  resourceQuery(['affordability-figures'], (options) => operator.ichra.listAffordabilityFigures(options))
/** The newest organizations, or those with names that start with the search text, up to the size of a select. */
export const organizationSearchQuery = (search?: string) =>
  resourceQuery(['organizations', 'called', search], (options) =>
    Promise.resolve(operator.organizations.list({ ...(search && { search }), limit: page_size }, options)),
  )
export const clockQuery = (organization_id: string) =>
  resourceQuery(['organizations', organization_id, 'clock'], (options) =>
    operator.sandbox.getClock(organization_id, options),
  )

export const partnersList = (search: string | undefined) =>
  pagedList(['partners', search], (paging, options) =>
    operator.organizations.list({ ...(search && { search }), ...paging }, options),
  )
export const partnerQuery = (id: string) =>
  resourceQuery(['partners', 'of', id], (options) => operator.organizations.get(id, options))
export const membersList = (organization_id: string) =>
  pagedList(['partners', organization_id, 'members'], (paging, options) =>
    operator.memberships.list(organization_id, paging, options),
  )
export const invitationsList = (organization_id: string) =>
  pagedList(['partners', organization_id, 'invitations'], (paging, options) =>
    operator.invitations.list(organization_id, paging, options),
  )
export const keysList = (organization_id: string) =>
  pagedList(['partners', organization_id, 'keys'], (paging, options) =>
    operator.apiKeys.list({ organization_id, ...paging }, options),
  )
export const catalogQuery = (organization_id: string) =>
  resourceQuery(['partners', organization_id, 'catalog'], (options) => operator.catalog.get(organization_id, options))

export const operatedEnrollmentQuery = (id: string) =>
  resourceQuery(['operated-enrollments', id], (options) => operator.enrollments.get(id, options))

type OperatedFilter = Omit<OperatorListEmployersQuery, 'limit' | 'page'>
export const operatedEmployersList = (filter: OperatedFilter) =>
  pagedList(['operated-employers', filter], (paging, options) =>
    operator.employers.list({ ...filter, ...paging }, options),
  )
/** The stage and the enrollment rate of an employer. */
export const operatedEmployerRowQuery = (id: string) =>
  resourceQuery(['operated-employers', 'of', id, 'standing'], async (options) => {
    const { data } = await operator.employers.list({ search: id, limit: 1 }, options)
    return data[0] ?? null
  })
export const operatedCensusQuery = (id: string) =>
  resourceQuery(['censuses', id], (options) => operator.census.get(id, options))
export const operatedPlanYearsQuery = (employer_id: string) =>
  resourceQuery(['operated-plan-years', employer_id], (options) => operator.planYears.list(employer_id, options))

export const operatedUsersList = (filter: Pick<OperatorListUsersQuery, 'search'>) =>
  pagedList(['users', filter], (paging, options) => operator.users.list({ ...filter, ...paging }, options))
export const operatedUserQuery = (id: string) =>
  resourceQuery(['users', 'of', id], (options) => operator.users.get(id, options))
export const operatorInvitationsList = () =>
  pagedList(['operator-invitations'], (paging, options) => operator.operators.listInvitations(paging, options))
export const operatorsList = () =>
  pagedList(['operators'], (paging, options) => operator.operators.list(paging, options))

/** The events of an organization after a day. */
export const eventCountsQuery = (organization_id: string, day: Day) =>
  resourceQuery(['organizations', organization_id, 'brought', day], (options) =>
    operator.webhookEvents.countByDay(organization_id, { from: addDays(day) }, options),
  )
