import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { beginsWith, pageJson, pageValues } from '../../../database/sql/pages.ts'
import { read } from '../../../database/sql/statement.ts'
import { most_found } from '../../../kernel/pages.ts'
import { foldName } from '../../../kernel/person-names.ts'
import { dependentJson } from '../../coverage/dependents/queries.ts'
import { employmentsJson } from './queries.ts'
import type { DependentSearch, OperatorDependentSearch } from './schemas.ts'

/** SQL: the keys of dependents that match any of several conditions. Each condition reads one range of an index. */
const foundBy = (ways: string[], where: string): string =>
  ways
    .map(
      (way) => `(
    select dependent.id, dependent.organization_id from dependents as dependent
     where ${way} and ${where} and ${inReach('dependent.organization_id')} limit ${most_found})`,
    )
    .join(' union ')

const by_last_name = beginsWith('dependent.last_name_key', ':name::text')
const by_name = beginsWith('dependent.name_key', ':name::text')
/** SQL: true for every dependent. Makes the search within an organization use this index. */
const in_one = { name: `dependent.name_key > ''`, last_name: `dependent.last_name_key > ''` }
const by_id = 'dependent.id = :search'

/** SQL: the FoundDependent of the API, from the key of a dependent. */
const keyedJson = (key: string) => `
  select (shown.item::jsonb || jsonb_build_object(
            'member_first_name', member.first_name, 'member_last_name', member.last_name,
            'employments', ${employmentsJson}))::json as item
    from (select * from dependents
           where id = ${key}.id and organization_id = ${key}.organization_id offset 0) as dependent
   cross join lateral (${dependentJson}) as shown
   cross join lateral (
     select * from members
      where id = dependent.member_id and organization_id = dependent.organization_id offset 0) as member`

const pageOf = (found: string) => `
  with found as materialized (${found}) ${pageJson(
    `select shown.item, keys.position
       from (select found.*, row_number() over (order by found.id desc) as position
               from found order by found.id desc limit :limit::int offset :offset::bigint) as keys
      cross join lateral (${keyedJson('keys')}) as shown`,
    '(select count(*) from found)',
  )}`

const found_at_one = read(
  'members.searchDependents',
  pageOf(
    foundBy(
      [`${by_name} and ${in_one.name}`, `${by_last_name} and ${in_one.last_name}`, by_id],
      'dependent.organization_id = (:reach_organization_ids::text[])[1]',
    ),
  ),
)

/** A page of dependents whose names begin with the search, in the one organization of the caller, newest first. */
export const searchDependents = (ctx: ReadCtx, { search, ...page }: DependentSearch) =>
  found_at_one.json(ctx, { search, name: foldName(search), ...pageValues(page) })

const found_anywhere = read(
  'members.findDependents',
  pageOf(
    foundBy([by_last_name, by_id], '(:organization_id::text is null or dependent.organization_id = :organization_id)'),
  ),
)

const foundAcrossTenants = distributedList('members.foundDependents', {
  from: `(${foundBy([by_last_name, by_id], 'true')}) as found`,
  row: 'found',
  reach: inReach('found.organization_id'),
  choices: {},
  where: () => 'true',
  order: { by: 'id' },
  item: keyedJson('found'),
  pages: 'of_first',
})

/** A page of dependents of any organization whose last names begin with the search, newest first. */
export function findDependents(ctx: ReadCtx, { search, organization_id, ...page }: OperatorDependentSearch) {
  const terms = { search, name: foldName(search) }
  return spansServers(ctx, organization_id)
    ? foundAcrossTenants(ctx, {}, page, terms)
    : found_anywhere.json(ctx, { ...terms, organization_id: organization_id ?? null, ...pageValues(page) })
}
