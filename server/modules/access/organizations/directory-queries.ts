import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { easternDay } from '../../../kernel/days.ts'
import { max_found, type Page } from '../../../kernel/pages.ts'
import {
  beginsWith,
  keyOf,
  keysetPageJson,
  isAfterAnchor,
  readKeysetPage,
  rowPageJson,
  objectJson,
  pageList,
  pageJson,
  pageValues,
} from '../../../database/sql/pages.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'

// The directory for operators: organizations, users and memberships. Users belong to no organization, so only callers
// that reach every organization can read them.
const in_reach = inReach('null::text')

const calendar_day = (ctx: ReadCtx) => ({ calendar_day: easternDay(Date.parse(ctx.real_now)) })

/** SQL: today at a row `organization`. */
const present_day = '(:calendar_day::date + organization.clock_offset_days)'

const countOf = (column: string) => `(select coalesce(sum(counted.${column}), 0)::bigint
                             from organization_counts as counted where counted.organization_id = organization.id)`

const organizationJson = `
  select row_to_json(shown) as item from (
    select organization.id, organization.name, organization.type, organization.idp_org_id, organization.idp_provider,
           organization.super_in, organization.sandbox, ${countOf('employer_count')} as employer_count,
           ${countOf('member_count')} as member_count,
           ${present_day} as today, organization.daily_run_on as last_day_run_on,
           coalesce(organization.daily_run_on < ${present_day}, true) as late,
           iso(organization.created_at) as created_at) as shown`

const organization_found = read(
  'organizations.findOperatedOrganization',
  `select shown.item::text as json from organizations as organization cross join lateral (${organizationJson}) as shown
    where organization.id = :organization_id and ${inReach('organization.id')}`,
)

export const findOperatedOrganization = (ctx: ReadCtx, organization_id: string) =>
  organization_found.json(ctx, { organization_id, ...calendar_day(ctx) })

/** SQL: the ids found by any of these lookups, each with its own index. */
const matchesBy = (...ways: string[]) => ways.map((way) => `(${way} limit ${max_found})`).join(' union ')

const searched_name = 'lower(:search::text collate pg_c_utf8)'
const byName = (table: string, name_key: string) =>
  `select id, created_at from ${table} where ${beginsWith(name_key, searched_name)} order by ${name_key}, id`

/** SQL: the organizations whose daily run is behind: a due day has not run, or none ever ran. */
const late_organizations = matchesBy(
  'select id, created_at from organizations where daily_run_on < :calendar_day::date order by daily_run_on',
  'select id, created_at from organizations where daily_run_on is null',
  `select id, created_at from organizations
    where clock_offset_days > 0 and daily_run_on < :calendar_day::date + clock_offset_days order by id`,
)

const organization_of_key = `
  cross join lateral (select * from organizations where id = keys.id offset 0) as organization
  cross join lateral (${organizationJson}) as shown`

const found_organizations = {
  search: matchesBy('select id, created_at from organizations where id = :search', byName('organizations', 'name_key')),
  late: late_organizations,
}

/**
 * SQL: a page of a whole table that only grows, newest first. The total is stored, so the rows ahead are the total less
 * the previous pages.
 */
const allOf = (table: string, in_reach_of: string, shown: string) => {
  const lies_ahead = isAfterAnchor('found')
  return keysetPageJson(
    `select shown.item, keys.position, ${keyOf('keys')} as key from (
       select found.id, found.created_at, row_number() over (order by found.created_at desc, found.id desc) as position
         from ${table} as found where ${in_reach_of} and ${lies_ahead}
        order by found.created_at desc, found.id desc limit :limit offset :offset) as keys
      ${shown}`,
    `select total, greatest(total - :pages_before::bigint * :limit::int, 0) as ahead
       from (select coalesce(sum(counted.row_count), 0)::bigint as total from directory_counts as counted
              where counted.of_table = '${table}') as known`,
  )
}

const all_organizations = read(
  'organizations.listAllOrganizations',
  allOf('organizations', inReach('found.id'), organization_of_key),
)

const organizations_listed = readVariants(
  'organizations.listOperatedOrganizations',
  { by: ['search', 'late'] },
  ({ by }) => {
    const found = `(${found_organizations[by]}) as found where ${inReach('found.id')}`
    return pageJson(
      `select shown.item, keys.position from (
         select found.id, row_number() over (order by found.created_at desc, found.id desc) as position
           from ${found} order by found.created_at desc, found.id desc limit :limit offset :offset) as keys
        ${organization_of_key}`,
      `(select count(*) from ${found})`,
    )
  },
)

/** A page of all organizations, of those that match a search, or of those whose daily run is late. Newest first. */
export function listOperatedOrganizations(
  ctx: ReadCtx,
  { search, late, ...page }: Page & { search?: string | undefined; late: boolean },
): Promise<string | undefined> {
  if (search === undefined && !late) return readKeysetPage(ctx, all_organizations, page, calendar_day(ctx))
  return organizations_listed({ by: search === undefined ? 'late' : 'search' }).json(ctx, {
    search: search ?? null,
    ...calendar_day(ctx),
    ...pageValues(page),
  })
}

const userJson = `
  select row_to_json(shown) as item from (
    select account.id, account.name, account.email, iso(account.created_at) as created_at,
           (select operator.role from operators as operator
             where operator.user_id = account.id and operator.ended_at is null) as operator_role,
           coalesce((select json_agg(json_build_object(
                              'organization_id', membership.organization_id, 'organization_name', target.name,
                              'role', membership.role, 'created_at', iso(membership.created_at),
                              'ended_at', iso(membership.ended_at))
                              order by membership.created_at, membership.organization_id)
                       from memberships as membership
                       join organizations as target on target.id = membership.organization_id
                      where membership.user_id = account.id), '[]') as memberships) as shown`

export const findOperatedUser = read(
  'organizations.findOperatedUser',
  `select shown.item::text as json from users as account cross join lateral (${userJson}) as shown
    where account.id = :user_id and ${in_reach}`,
).json

/** Locates a user. Users belong to no single organization. */
export const locateUser = read(
  'organizations.locateUser',
  `select account.id as user_id, null::text as organization_id from users as account
    where account.id = :user_id and ${in_reach}`,
).row<{ user_id: string; organization_id: null }>

const user_of_key = `
  cross join lateral (select * from users where id = keys.id offset 0) as account
  cross join lateral (${userJson}) as shown`

const all_users = read('organizations.listAllUsers', allOf('users', in_reach, user_of_key))

const found_users = `(${matchesBy(
  'select id, created_at from users where id = :search',
  'select id, created_at from users where lower(email) = lower(:search)',
  byName('users', 'lower(name collate pg_c_utf8)'),
)}) as found where ${in_reach}`

const users_found = read(
  'organizations.findOperatedUsers',
  pageJson(
    `select shown.item, keys.position from (
       select found.id, row_number() over (order by found.created_at desc, found.id desc) as position
         from ${found_users} order by found.created_at desc, found.id desc limit :limit offset :offset) as keys
      ${user_of_key}`,
    `(select count(*) from ${found_users})`,
  ),
)

/** A page of users, or of those that match a search. Newest first. */
export const listOperatedUsers = (ctx: ReadCtx, { search, ...page }: Page & { search?: string | undefined }) =>
  search === undefined
    ? readKeysetPage(ctx, all_users, page, {})
    : users_found.json(ctx, { search, ...pageValues(page) })

/** A page of the memberships of an organization, including ended ones, oldest first. */
export const listMemberships = pageList(
  'organizations.listMemberships',
  rowPageJson({
    from: `memberships as membership
      where membership.organization_id = :organization_id and ${inReach('membership.organization_id')}`,
    row: 'membership',
    order: 'membership.created_at, membership.user_id',
    item: objectJson(`
      membership.organization_id, membership.user_id, membership.role, account.name, account.email,
      iso(membership.created_at) as created_at, iso(membership.ended_at) as ended_at`),
    sources: 'join users as account on account.id = membership.user_id',
  }),
)
