import { ob, operator } from '../../api.ts'
import { listing, one, page_size } from '../../queries.ts'
import { isOperator } from '../../session.ts'

/** The queries of the setup of an employer. */

/** The setup of an employer, for members and operators. */
export const setupOf = (id: string) =>
  one(['employers', id, 'setup'], (options) => (isOperator() ? operator : ob).employers.getSetup(id, options))

export const adminsOf = (id: string) =>
  listing(['employers', id, 'admins'], (paging, options) => ob.employers.listAdmins(id, paging, options))

/** The first 100 plans of the organization. */
export const firstPlans = () =>
  one(['plans', 'first'], async (options) => (await ob.plans.list({ limit: page_size }, options)).data)
