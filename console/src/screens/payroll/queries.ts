import type { OperatorListHrisRunPeopleQuery } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

export const connectionsOf = (employer_id: string) =>
  resourceQuery(['connections', employer_id], (options) => operator.hris.listConnections(employer_id, options))
export const runsOf = (connection_id: string) =>
  pagedList(['runs', connection_id], (paging, options) => operator.hris.listRuns(connection_id, paging, options))
export const runOf = (id: string) => resourceQuery(['runs', 'of', id], (options) => operator.hris.getRun(id, options))
export type RunPeopleFilter = Pick<OperatorListHrisRunPeopleQuery, 'outcome'>
export const runPeople = (id: string, filter: RunPeopleFilter) =>
  pagedList(['runs', 'of', id, 'people', filter], (paging, options) =>
    operator.hris.listRunPeople(id, { ...filter, ...paging }, options),
  )
