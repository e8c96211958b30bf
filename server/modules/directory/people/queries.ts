import { chunksOf } from '../../../kernel/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { isSaid, rowsFrom, withSaid } from '../../../database/sql/input-rows.ts'
import { statement } from '../../../database/sql/statement.ts'
import { foldName, nameKey, soundKey } from '../../../kernel/person-names.ts'
import { each, unhurried } from '../../../kernel/slices.ts'
import { residenceJson } from '../../../kernel/fields.ts'
import { isNamed, most_namesakes, type Member, type GivenDetails } from './rules.ts'

const memberRow = `
  member.id, member.first_name, member.last_name, member.suffix, member.email, member.phone, member.date_of_birth,
  member.gender, ${residenceJson('member')} as address`

const namesakes = statement(
  'people.findNamesakes',
  `select ${memberRow} from (
     select member.id
       from (select distinct lower(email) as email from unnest(:emails::text[]) as said (email)) as candidate
      cross join lateral (
        select id from members
         where organization_id = :organization_id and email_key = candidate.email limit 1) as member
     union
     select member.id from (select distinct phone from unnest(:phones::text[]) as said (phone)) as candidate
      cross join lateral (
        select id from members
         where organization_id = :organization_id and phone = candidate.phone limit ${most_namesakes + 1}) as member
     union
     select member.id
       from (select distinct * from unnest(:dates_of_birth::date[], :names::text[]) as said (date_of_birth, names)
            ) as candidate
      cross join lateral (
        select id from members
         where organization_id = :organization_id and date_of_birth = candidate.date_of_birth
           and sound_key = candidate.names
         limit ${most_namesakes + 1}) as member) as found
    cross join lateral (
      select * from members where organization_id = :organization_id and id = found.id limit 1) as member`,
)

/**
 * Everybody in the organization who may be one of the candidates, or who holds one of their details; of namesakes and
 * of people with one phone number one more than can be told apart, each person once. Each detail is looked up once, by
 * index, however large the organization is and whatever the planner believes of it.
 */
export async function findNamesakes(
  ctx: Ctx,
  organization_id: string,
  candidates: Partial<GivenDetails>[],
): Promise<Member[]> {
  const named = candidates.filter(isNamed)
  return namesakes.rows<Member>(ctx, {
    organization_id,
    emails: candidates.flatMap((candidate) => candidate.email ?? []),
    phones: candidates.flatMap((candidate) => candidate.phone ?? []),
    dates_of_birth: named.map((candidate) => candidate.date_of_birth),
    names: await unhurried(each(named, soundKey)),
  })
}

const by_id = statement(
  'people.findMembers',
  `select ${memberRow} from members as member
    where member.organization_id = :organization_id and member.id = any(:member_ids)`,
)

/** The people with these ids. */
export const findMembers = (ctx: Ctx, organization_id: string, member_ids: string[]) =>
  by_id.rows<Member>(ctx, { organization_id, member_ids })

const told = ['id', 'first_name', 'last_name', 'suffix', 'email', 'phone', 'gender'] as const
const lines = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode', 'county'] as const
const columns = ['name_key', 'date_of_birth date', ...told, ...lines]

/** So many are written by one statement: the text of more would hold everybody up. */
const written_at_once = 1000

const asRows = (members: Member[]): string =>
  JSON.stringify(
    members.map((member) => [
      nameKey(member),
      member.date_of_birth,
      ...told.map((name) => member[name]),
      ...lines.map((line) => member.address?.[line] ?? null),
    ]),
  )

const inserted = statement(
  'people.insertMembers',
  `with place as materialized (
     select member_count from organizations where id = :organization_id for no key update)
   insert into members
     (id, organization_id, first_name, last_name, name_key, suffix, email, phone, date_of_birth, gender,
      address_line_1, address_line_2, city, state, zipcode, county, created_at, updated_at, member_number)
   select said.id, :organization_id, first_name, last_name, name_key, suffix, email, phone, date_of_birth, gender,
          address_line_1, address_line_2, city, state, zipcode, county, :now, :now,
          place.member_count + row_number() over (order by said.id)
     from place cross join ${rowsFrom('members', columns)} as said`,
)

export async function insertMembers(ctx: Ctx, organization_id: string, members: Member[]): Promise<void> {
  await Promise.all(
    chunksOf(members, written_at_once).map((some) => inserted.rows(ctx, { organization_id, members: asRows(some) })),
  )
}

const cleared_emails = statement(
  'people.clearEmails',
  `${withSaid('unnest(:member_ids::text[], :emails::text[]) as said (id, email)')}
   update members as member set email = null from said
    where ${isSaid('member', 'id')}
      and member.email_key is not null and member.email_key is distinct from lower(said.email)`,
)

const saved = statement(
  'people.saveMembers',
  `${withSaid(`${rowsFrom('members', columns)} as said`)}
   update members as member
      set first_name = said.first_name, last_name = said.last_name, name_key = said.name_key, suffix = said.suffix,
          email = said.email, phone = said.phone, date_of_birth = said.date_of_birth, gender = said.gender,
          address_line_1 = said.address_line_1, address_line_2 = said.address_line_2, city = said.city,
          state = said.state, zipcode = said.zipcode, county = said.county, updated_at = :now,
          moved_on = case when member.state <> said.state then :today else member.moved_on end
     from said where ${isSaid('member', 'id')}`,
)

/** Saves what is known of people. E-mails that change are given up before any is saved: two may exchange theirs. */
export async function saveMembers(ctx: Ctx, organization_id: string, members: Member[]): Promise<void> {
  const member_ids = members.map(({ id }) => id)
  // null where a person has none
  const emails = members.map(({ email }) => email)
  await Promise.all([
    members.length > 1 && cleared_emails.rows(ctx, { organization_id, member_ids, emails }),
    ...chunksOf(members, written_at_once).map((some) => saved.rows(ctx, { organization_id, members: asRows(some) })),
  ])
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** What the search key of a row of employees is compared with, to find a name that holds what is searched for. */
export const namePattern = (search: string): string => `%${escapeLike(foldName(search))}%\n%`

/** The same for names and e-mail addresses: any of these. */
export function searchPatterns(search: string): string[] {
  const [name, email] = [escapeLike(foldName(search)), escapeLike(search.toLowerCase())]
  // Neither holds a line break, so that what is found is found on one side of it.
  return name === email ? [`%${name}%`] : [namePattern(search), `%\n%${email}%`]
}

/** SQL: whether a row of employees is found by any of the patterns that `:search_patterns` holds. */
export const searchedBy = (employee: string): string => `${employee}.search_key like any (:search_patterns::text[])`
