import { ob, operator } from '../../api.ts'
import { pagedList, resourceQuery, page_size } from '../../queries.ts'
import { isOperator } from '../../session.ts'

/** The queries of the setup of an employer. */

/** The setup of an employer, for members and operators. */
export const setupQuery = (id: string) =>
  resourceQuery(['employers', id, 'setup'], (options) => (isOperator() ? operator : ob).employers.getSetup(id, options))

export const adminsQuery = (id: string) =>
  pagedList(['employers', id, 'admins'], (paging, options) => ob.employers.listAdmins(id, paging, options))

/** The first 100 plans of the organization. */
export const firstPlansQuery = () =>
  resourceQuery(['plans', 'first'], async (options) => (await ob.plans.list({ limit: page_size }, options)).data)
