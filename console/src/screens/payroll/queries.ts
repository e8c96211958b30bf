import type { OperatorListHrisRunPeopleQuery } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { pagedList, resourceQuery } from '../../queries.ts'

export const connectionsQuery = (employer_id: string) =>
  resourceQuery(['connections', employer_id], (options) => operator.hris.listConnections(employer_id, options))
export const runsList = (connection_id: string) =>
  pagedList(['runs', connection_id], (paging, options) => operator.hris.listRuns(connection_id, paging, options))
export const runQuery = (id: string) =>
  resourceQuery(['runs', 'of', id], (options) => operator.hris.getRun(id, options))
export type RunPeopleFilter = Pick<OperatorListHrisRunPeopleQuery, 'outcome'>
export const runPeopleList = (id: string, filter: RunPeopleFilter) =>
  pagedList(['runs', 'of', id, 'people', filter], (paging, options) =>
    operator.hris.listRunPeople(id, { ...filter, ...paging }, options),
  )
