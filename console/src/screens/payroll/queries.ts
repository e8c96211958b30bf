import type { OperatorListHrisRunPeopleQuery } from 'openbenefits/operator'
import { operator } from '../../api.ts'
import { listing, one } from '../../queries.ts'

export const connectionsOf = (employer_id: string) =>
  one(['connections', employer_id], (options) => operator.hris.listConnections(employer_id, options))
export const runsOf = (connection_id: string) =>
  listing(['runs', connection_id], (paging, options) => operator.hris.listRuns(connection_id, paging, options))
export const runOf = (id: string) => one(['runs', 'of', id], (options) => operator.hris.getRun(id, options))
export type RunPeopleFilter = Pick<OperatorListHrisRunPeopleQuery, 'outcome'>
export const runPeople = (id: string, filter: RunPeopleFilter) =>
  listing(['runs', 'of', id, 'people', filter], (paging, options) =>
    operator.hris.listRunPeople(id, { ...filter, ...paging }, options),
  )
