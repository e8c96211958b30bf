import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { isInputRow, rowsFrom, withInputRows } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import { comparableNameKey, nameKey, searchableName } from '../../../kernel/person-names.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { residenceJson } from '../../../kernel/fields.ts'
import { isNamed, max_namesakes, type Member, type GivenDetails } from './rules.ts'

const memberRow = `
  member.id, member.first_name, member.last_name, member.suffix, member.email, member.phone, member.date_of_birth,
  member.gender, ${residenceJson('member')} as address`

const namesakes = statement(
  'people.findNamesakes',
  `select ${memberRow} from (
     select member.id
       from (select distinct lower(email) as email from unnest(:emails::text[]) as input (email)) as candidate
      cross join lateral (
        select id from members
         where organization_id = :organization_id and email_key = candidate.email limit 1) as member
     union
     select member.id from (select distinct phone from unnest(:phones::text[]) as input (phone)) as candidate
      cross join lateral (
        select id from members
         where organization_id = :organization_id and phone = candidate.phone limit ${max_namesakes + 1}) as member
     union
     select member.id
       from (select distinct * from unnest(:dates_of_birth::date[], :names::text[]) as input (date_of_birth, names)
            ) as candidate
      cross join lateral (
        select id from members
         where organization_id = :organization_id and date_of_birth = candidate.date_of_birth
           and comparable_name = candidate.names
         limit ${max_namesakes + 1}) as member) as found
    cross join lateral (
      select * from members where organization_id = :organization_id and id = found.id limit 1) as member`,
)

/**
 * Finds all people in the organization who may be one of the candidates or who have one of their details, each once.
 * For namesakes and shared phone numbers, it returns one more than can be distinguished. Each detail is looked up once
 * by index, regardless of the size of the organization and the planner's estimates.
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
    names: await runInSlices(mapInSteps(named, comparableNameKey)),
  })
}

const identities_locked = statement(
  'people.lockIdentities',
  `select pg_advisory_xact_lock(identity.key) is not null as is_locked
     from (select hashtextextended(:organization_id || input.detail, 5) as key
             from unnest(:details::text[]) as input (detail) order by 1) as identity`,
)

/**
 * Locks the email address, phone number and name of a candidate in the organization until the transaction ends, so that
 * two employers do not create the same person at the same time. The order of the keys prevents deadlocks.
 */
export const lockIdentities = (ctx: Ctx, organization_id: string, candidate: Partial<GivenDetails>) => {
  const { email, phone, date_of_birth } = candidate
  const name = isNamed(candidate) ? `${date_of_birth} ${comparableNameKey(candidate)}` : undefined
  const details = [email?.toLowerCase(), phone, name].filter((detail) => detail !== undefined && detail !== null)
  return identities_locked.rows(ctx, { organization_id, details })
}

export const findMembers = statement(
  'people.findMembers',
  `select ${memberRow} from members as member
    where member.organization_id = :organization_id and member.id = any(:member_ids)`,
).rows<Member>

const reported = ['id', 'first_name', 'last_name', 'suffix', 'email', 'phone', 'gender'] as const
const lines = ['address_line_1', 'address_line_2', 'city', 'state', 'zipcode', 'county'] as const
const columns = ['name_key', 'date_of_birth date', ...reported, ...lines]

/** The maximum number of rows per statement. Building the text of a larger one would block the event loop. */
const rows_per_write = 1000

const asRows = (members: Member[]): string =>
  JSON.stringify(
    members.map((member) => [
      nameKey(member),
      member.date_of_birth,
      ...reported.map((name) => member[name]),
      ...lines.map((line) => member.address?.[line] ?? null),
    ]),
  )

const inserted = statement(
  'people.insertMembers',
  `insert into members
     (id, organization_id, first_name, last_name, name_key, suffix, email, phone, date_of_birth, gender,
      address_line_1, address_line_2, city, state, zipcode, county, created_at, updated_at)
   select input.id, :organization_id, first_name, last_name, name_key, suffix, email, phone, date_of_birth, gender,
          address_line_1, address_line_2, city, state, zipcode, county, :now, :now
     from ${rowsFrom('members', columns)} as input`,
)

export async function insertMembers(ctx: Ctx, organization_id: string, members: Member[]): Promise<void> {
  await Promise.all(
    chunksOf(members, rows_per_write).map((chunk) => inserted.rows(ctx, { organization_id, members: asRows(chunk) })),
  )
}

const cleared_emails = statement(
  'people.clearEmails',
  `${withInputRows('unnest(:member_ids::text[], :emails::text[]) as input (id, email)')}
   update members as member set email = null from input
    where ${isInputRow('member', 'id')}
      and member.email_key is not null and member.email_key is distinct from lower(input.email)`,
)

// A change within a ZIP code is a correction of the home and not a move.
const saved = statement(
  'people.saveMembers',
  `${withInputRows(`${rowsFrom('members', columns)} as input`)}, left_homes as (
     insert into former_homes (organization_id, member_id, left_on, state, county, zipcode)
     select :organization_id, member.id, :today, member.state, member.county, member.zipcode
       from members as member join input on ${isInputRow('member', 'id')}
      where (member.state, left(member.zipcode, 5)) <> (input.state, left(input.zipcode, 5))
     on conflict do nothing)
   update members as member
      set first_name = input.first_name, last_name = input.last_name, name_key = input.name_key, suffix = input.suffix,
          email = input.email, phone = input.phone, date_of_birth = input.date_of_birth, gender = input.gender,
          address_line_1 = input.address_line_1, address_line_2 = input.address_line_2, city = input.city,
          state = input.state, zipcode = input.zipcode, county = input.county, updated_at = :now,
          moved_on = case when member.state <> input.state then :today else member.moved_on end
     from input where ${isInputRow('member', 'id')}`,
)

/**
 * Dates the last move of a person back to a day, if later moves were recorded. The home on that day is the one that the
 * person left then. The person counts as changed, so the daily run derives tax forms again.
 */
export const backdateMove = statement(
  'people.backdateMove',
  `with later as (
     delete from former_homes
      where member_id = :member_id and organization_id = :organization_id and left_on > :moved_on::date
      returning left_on, state, county, zipcode
   ), kept as (
     insert into former_homes (organization_id, member_id, left_on, state, county, zipcode)
     select :organization_id, :member_id, :moved_on::date, state, county, zipcode from later order by left_on limit 1
     on conflict do nothing)
   update members set updated_at = :now
    where id = :member_id and organization_id = :organization_id and exists (select from later)`,
).rows

/** Saves the details of people. Clears changed email addresses first, because two people may swap theirs. */
export async function saveMembers(ctx: Ctx, organization_id: string, members: Member[]): Promise<void> {
  const member_ids = members.map(({ id }) => id)
  // Null if the person has no email address.
  const emails = members.map(({ email }) => email)
  await Promise.all([
    members.length > 1 && cleared_emails.rows(ctx, { organization_id, member_ids, emails }),
    ...chunksOf(members, rows_per_write).map((chunk) => saved.rows(ctx, { organization_id, members: asRows(chunk) })),
  ])
}

const escapeLike = (text: string) => text.replaceAll(/[\\%_]/g, '\\$&')

/** The pattern that matches a name with this part in the search key of a person. */
const inName = (part: string): string => `%${escapeLike(part)}%\n%`

/**
 * The patterns that match a name with every word of the search, in any order. The longest word is the first. Words that
 * are parts of others are omitted: 126 times the same letter would take 5 seconds per 100,000 people.
 */
export const namePatterns = (search: string): string[] =>
  searchableName(search)
    .split(' ')
    .filter((word) => word !== '')
    .toSorted((a, b) => b.length - a.length)
    .filter((word, index, words) => !words.slice(0, index).some((longer) => longer.includes(word)))
    .map(inName)

/**
 * The condition of a search: the search key is like one of `patterns`, the second of which may be missing, and like all
 * of `words`. Several words must all be parts of the name. One word is a part of the name or of the email address.
 */
export type PeopleSearch = { patterns: string[]; words: string[] }

export function searchPatterns(search: string): PeopleSearch {
  const [first, ...words] = namePatterns(search)
  const [name, email] = [searchableName(search), search.toLowerCase()]
  if (first !== undefined && name.includes(' ')) return { patterns: [first], words }
  // Neither contains a line break, so each pattern matches within one part of the search key.
  if (name === email) return { patterns: [`%${escapeLike(name)}%`], words }
  return { patterns: [...(first === undefined ? [] : [first]), `%\n%${escapeLike(email)}%`], words }
}
