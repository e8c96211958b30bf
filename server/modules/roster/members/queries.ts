import { inReach } from '../../../database/sql/reach.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { max_found } from '../../../kernel/pages.ts'
import { fullNamesOf, searchableName } from '../../../kernel/person-names.ts'
import { residenceJson } from '../../../kernel/fields.ts'
import {
  rowsAfterAnchor,
  beginsWith,
  keyOf,
  keysetPageJson,
  isAfterAnchor,
  pageJson,
  pageValues,
  readKeysetPage,
  searchStrategyOf,
  targetList,
} from '../../../database/sql/pages.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { read, readVariants } from '../../../database/sql/statement.ts'
import { employeeJson, employmentStatus } from '../employees/queries.ts'
import { enrollmentFields, enrollmentSources } from '../../coverage/enrollments/queries.ts'
import { searchPatterns } from '../../directory/people/queries.ts'
import type { MemberFilter, OperatorMemberFilter, DependentSearch, OperatorDependentSearch } from './schemas.ts'
import { dependentJson } from '../../coverage/dependents/queries.ts'

const of_member = `member.id = :member_id and ${inReach('member.organization_id')}`

/** Locates a person within reach. Callers bound to one employer or employee reach none. */
export const locateMember = read(
  'members.locateMember',
  `select member.id as member_id, member.organization_id from members as member where ${of_member}`,
).row<MemberKey>

type MemberKey = { member_id: string; organization_id: string }

/** SQL: the present and former employments of a row `member`, newest first. */
const employmentsJson = `
  coalesce((select json_agg(json_build_object(
                     'employee_id', employee.id, 'employer_id', employee.employer_id,
                     'employer_name', employer.name, 'reference_id', employee.reference_id,
                     'status', ${employmentStatus}) order by employee.created_at desc, employee.id desc)
              from employees as employee
              join employers as employer on employer.id = employee.employer_id
               and employer.organization_id = employee.organization_id
             where employee.member_id = member.id
               and employee.organization_id = member.organization_id), '[]')`

const memberJson = `
  select row_to_json(shown) as item from (
    select member.id, member.organization_id, member.first_name, member.last_name, member.suffix, member.email,
           member.date_of_birth, member.gender, member.phone, ${residenceJson('member')} as address,
           ${employmentsJson} as employments,
           iso(member.created_at) as created_at, iso(member.updated_at) as updated_at) as shown`

export const findMember = read(
  'members.findMember',
  `select shown.item::text as json from members as member cross join lateral (${memberJson}) as shown
    where ${of_member}`,
  { batch: 8 },
).json

/** SQL: the people found by a full id or reference. */
const meant = `
  select :search::text as id
  union all
  select employee.member_id from employees as employee
   where employee.reference_id = :search and employee.organization_id = (:reach_organization_ids::text[])[1]
  union all
  select employee.member_id from employees as employee
   where employee.id = :search and employee.organization_id = (:reach_organization_ids::text[])[1]`

/** SQL: whether a row of members matches: by a part of the name or address, or by a full id or reference. */
const isFound = `
  (search_key(member.name_key, member.email) like any (:patterns::text[])
     and search_key(member.name_key, member.email) like all (:words::text[])
   or member.id = any (array(${meant})))`

/** SQL: the people who match by a part of their name or address, found with the trigram index. */
const found_by_letters = `, found as materialized (
  select person.id, person.created_at
    from target cross join lateral people_found(target.id, :patterns::text[], :words::text[]) as person
   union
  select person.id, person.created_at
    from target
   cross join (${meant}) as meant
   cross join lateral (
     select * from members where id = meant.id and organization_id = target.id offset 0) as person)`

const lies_ahead = isAfterAnchor('member')

/** SQL: true for everyone. Makes PostgreSQL read the people of an organization in order (docs/design/data/sql.md). */
const in_order = `member.created_at > '-infinity'`

/**
 * Keys and totals come from an index-only scan of the organization's people. The displayed data is read only for the
 * rows of the page.
 */
const member_page = readVariants('members.listMembers', { search: [null, 'by_letters', 'by_each'] }, ({ search }) => {
  const people =
    search === 'by_letters'
      ? 'found as member where true'
      : `members as member where member.organization_id = target.id and ${in_order} ${search ? `and ${isFound}` : ''}`
  const totals = search
    ? `select counted.* from target
        cross join lateral (
          select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead from ${people}) as counted`
    : `select member_count as total,
              ${rowsAfterAnchor('member_count', `select from ${people} and ${lies_ahead}`)} as ahead
         from target`
  const rows = `
    select shown.item, keys.position, ${keyOf('keys')} as key from target
     cross join lateral (
       select member.id, member.created_at,
              row_number() over (order by member.created_at desc, member.id desc) as position
         from ${people} and ${lies_ahead}
        order by member.created_at desc, member.id desc limit :limit offset :offset) as keys
     cross join lateral (
       select * from members where id = keys.id and organization_id = target.id offset 0) as member
     cross join lateral (${memberJson}) as shown`
  return `
    with target as materialized (
      select id, (select coalesce(sum(counted.member_count), 0)::bigint from organization_counts as counted
                   where counted.organization_id = organization.id) as member_count
        from organizations as organization
       where id = (:reach_organization_ids::text[])[1] and ${inReach('id')})
    ${search === 'by_letters' ? found_by_letters : ''}
    ${keysetPageJson(rows, totals)}`
})

const no_search = { search: null, patterns: null, words: null }

/** A page of the people of the one organization of the caller, newest first. */
export function listMembers(ctx: ReadCtx, { search, ...page }: MemberFilter): Promise<string | undefined> {
  if (search === undefined) return readKeysetPage(ctx, member_page({ search: null }), page, no_search)
  const searched = searchPatterns(search)
  return readKeysetPage(ctx, member_page({ search: searchStrategyOf(searched.patterns) }), page, {
    search,
    ...searched,
  })
}

/** SQL: whether a row has a searched full name. The complete last name bounds the rows that are read. */
const isFullName = (row: string): string => `
  ${row}.last_name_key = any (:last_names::text[]) and exists (
    select from unnest(:first_names::text[], :last_names) as full_name (first_name, last_name)
     where full_name.last_name = ${row}.last_name_key and starts_with(${row}.name_key, full_name.first_name))`

/** SQL: the searches across all organizations. Each reads a bounded range of an index. */
const ways = [
  `members as member where ${beginsWith('member.last_name_key', ':last_name::text')}`,
  `members as member where ${isFullName('member')}`,
  'members as member where member.id = :search',
  'members as member where member.email_key = lower(:search)',
  `employees as employee join members as member
     on member.id = employee.member_id and member.organization_id = employee.organization_id
   where employee.id = :search`,
  `employees as employee join members as member
     on member.id = employee.member_id and member.organization_id = employee.organization_id
   where employee.reference_id = :search`,
]

/** SQL: the keys of people found by the searches that also satisfy the condition `wanted`. */
const foundMembers = (wanted: string): string =>
  ways
    .map(
      (way) => `(
    select member.id, member.organization_id from ${way}
       and ${wanted}
       and ${inReach('member.organization_id')} limit ${max_found})`,
    )
    .join(' union ')

const keyedJson = (key: string) => `
  select shown.item from (
    select * from members where id = ${key}.id and organization_id = ${key}.organization_id offset 0) as member
   cross join lateral (${memberJson}) as shown`

/** SQL: whether a person has an employment at the employer, if one is given. The array is for the index. */
const at_employer = `
  (:employer_id::text is null or :employer_id = any (array(
     select employment.employer_id from employees as employment
      where employment.member_id = member.id and employment.organization_id = member.organization_id)))`

/** SQL: a page of the rows whose keys were found, newest first. `itemOf`: the query of an item by its key. */
const pageOf = (found: string, itemOf: (key: string) => string) => `
  with found as materialized (${found}) ${pageJson(
    `select shown.item, keys.position
       from (select found.*, row_number() over (order by found.id desc) as position
               from found order by found.id desc limit :limit::int offset :offset::bigint) as keys
      cross join lateral (${itemOf('keys')}) as shown`,
    '(select count(*) from found)',
  )}`

const matches_found = read(
  'members.findMembers',
  pageOf(
    foundMembers(`(:organization_id::text is null or member.organization_id = :organization_id) and ${at_employer}`),
    keyedJson,
  ),
)

/** Like `pageOf`, for a distributed database. */
const pageAcrossTenants = (name: string, found: string, itemOf: (key: string) => string) =>
  distributedList(name, {
    from: `(${found}) as found`,
    row: 'found',
    reach: inReach('found.organization_id'),
    choices: {},
    where: () => 'true',
    order: { by: 'id' },
    item: itemOf('found'),
    pages: 'of_first',
  })

const foundAcrossTenants = pageAcrossTenants('members.found', foundMembers(at_employer), keyedJson)

/** A page of the people found across organizations, newest first. */
export function findMembers(ctx: ReadCtx, { search, organization_id, employer_id, ...page }: OperatorMemberFilter) {
  const { name: last_name, ...others } = nameTerms(search)
  const terms = { ...others, last_name, employer_id: employer_id ?? null }
  return spansServers(ctx, organization_id)
    ? foundAcrossTenants(ctx, {}, page, terms)
    : matches_found.json(ctx, { ...terms, organization_id: organization_id ?? null, ...pageValues(page) })
}

/** SQL: the person whose items are listed. */
const target = `select member.id, member.organization_id from members as member where ${of_member}`

const theirs = 'employee.member_id = target.id and employee.organization_id = target.organization_id'

/** A page of the employments of a person as Employees, newest first. */
export const listEmployments = targetList('members.listEmployments', {
  target,
  from: `employees as employee where ${theirs}`,
  row: 'employee',
  order: 'employee.created_at desc, employee.id desc',
  item: `(${employeeJson})`,
})

/** A page of the enrollments of a person at every employment, newest first. */
export const listMemberEnrollments = targetList('members.listEnrollments', {
  target,
  from: `employees as employee
          join enrollments as enrollment on enrollment.employee_id = employee.id
           and enrollment.organization_id = employee.organization_id
         where ${theirs}`,
  row: 'enrollment',
  order: 'enrollment.created_at desc, enrollment.id desc',
  item: `(select row_to_json(shown) from (select ${enrollmentFields}) as shown)`,
  sources: enrollmentSources,
})

/** SQL: the keys of dependents that match any of several conditions. Each condition reads one range of an index. */
const foundBy = (ways: string[], where: string): string =>
  ways
    .map(
      (way) => `(
    select dependent.id, dependent.organization_id from dependents as dependent
     where ${way} and ${where} and ${inReach('dependent.organization_id')} limit ${max_found})`,
    )
    .join(' union ')

const by_last_name = beginsWith('dependent.last_name_key', ':name::text')
const by_name = beginsWith('dependent.name_key', ':name::text')
/** SQL: true for every dependent. Makes the search within an organization use this index. */
const in_one = { name: `dependent.name_key > ''`, last_name: `dependent.last_name_key > ''` }
const by_full_name = isFullName('dependent')
const by_id = 'dependent.id = :search'

/** SQL: the FoundDependent of the API, from the key of a dependent. */
const keyedDependentJson = (key: string) => `
  select (shown.item::jsonb || jsonb_build_object(
            'member_first_name', member.first_name, 'member_last_name', member.last_name,
            'employments', ${employmentsJson}))::json as item
    from (select * from dependents
           where id = ${key}.id and organization_id = ${key}.organization_id offset 0) as dependent
   cross join lateral (${dependentJson}) as shown
   cross join lateral (
     select * from members
      where id = dependent.member_id and organization_id = dependent.organization_id offset 0) as member`

const found_at_one = read(
  'members.searchDependents',
  pageOf(
    foundBy(
      [
        `${by_name} and ${in_one.name}`,
        `${by_last_name} and ${in_one.last_name}`,
        `${by_full_name} and ${in_one.last_name}`,
        by_id,
      ],
      'dependent.organization_id = (:reach_organization_ids::text[])[1]',
    ),
    keyedDependentJson,
  ),
)

/**
 * The parameters of a search by the beginning of a name. Every name starts with an empty string, so a search for only
 * hyphens would list everyone. Null matches no name.
 */
function nameTerms(search: string) {
  const name = searchableName(search)
  return { search, name: name || null, ...fullNamesOf(name) }
}

/** A page of dependents with the searched name, in the one organization of the caller, newest first. */
export const searchDependents = (ctx: ReadCtx, { search, ...page }: DependentSearch) =>
  found_at_one.json(ctx, { ...nameTerms(search), ...pageValues(page) })

const across_all = [by_last_name, by_full_name, by_id]

const found_anywhere = read(
  'members.findDependents',
  pageOf(
    foundBy(across_all, '(:organization_id::text is null or dependent.organization_id = :organization_id)'),
    keyedDependentJson,
  ),
)

const dependentsAcrossTenants = pageAcrossTenants(
  'members.foundDependents',
  foundBy(across_all, 'true'),
  keyedDependentJson,
)

/** A page of dependents of any organization with the searched name, newest first. */
export function findDependents(ctx: ReadCtx, { search, organization_id, ...page }: OperatorDependentSearch) {
  const terms = nameTerms(search)
  return spansServers(ctx, organization_id)
    ? dependentsAcrossTenants(ctx, {}, page, terms)
    : found_anywhere.json(ctx, { ...terms, organization_id: organization_id ?? null, ...pageValues(page) })
}
