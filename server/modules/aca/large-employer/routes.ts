import { data, dataOf, endpoint, partner } from '../../../http/endpoint.ts'
import { operating } from '../../../runtime/permissions.ts'
import { locateEmployer } from '../../access/auth/queries.ts'
import { findWorkforce } from './queries.ts'
import { shownStatus } from './rules.ts'
import { LargeEmployerQuery, LargeEmployerStatus } from './schemas.ts'

export const endpoints = [
  endpoint({
    tag: 'Employer mandate',
    allows: partner,
    roles: operating,
    locate: locateEmployer,
    operation: 'employers_get_large_employer_status',
    scopes: ['read'],
    method: 'GET',
    path: '/v1/employers/{employer_id}/large-employer-status',
    summary: 'Get the large employer status of an employer',
    description:
      'Returns whether the employer is an applicable large employer in a calendar year, with the full-time employees ' +
      'and full-time equivalents of each month of the year before. All employers of an ALE group count together.',
    query: LargeEmployerQuery,
    returns: { 200: dataOf(LargeEmployerStatus) },
    handle: async (ctx, { params, query }) => {
      const year = query.year ?? Number(ctx.today.slice(0, 4))
      const found = await findWorkforce(ctx, { ...params, year: year - 1 })
      return data(found && JSON.stringify(shownStatus(found, year)))
    },
  }),
]
