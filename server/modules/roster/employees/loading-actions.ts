import { chunksOf } from '../../../kernel/chunks.ts'
import { each, unhurried } from '../../../kernel/slices.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { Candidate } from '../../directory/identities/rules.ts'
import { findMembers, findNamesakes } from '../../directory/people/queries.ts'
import { isNamed, People, type Member } from '../../directory/people/rules.ts'
import { findEmployments, findNamed, findReferenced } from './queries.ts'
import { findReported } from './report-queries.ts'
import { hashOfDetails, Roster } from './rules.ts'

/** Candidates who are looked up by one statement of a kind: to say more of them at once would hold everybody up. */
const asked_at_once = 1000

/** The people whom candidates may be, and whose employments they name. */
async function findMeant(ctx: Ctx, employer: EmployerKey, candidates: Partial<Candidate>[], repeats: boolean) {
  const references = candidates.flatMap(({ reference_id }) => reference_id ?? [])
  const employee_ids = candidates.flatMap(({ employee_id }) => employee_id ?? [])
  const said_hashes = repeats ? await unhurried(each(candidates.filter(isNamed), hashOfDetails)) : []
  const [referenced, reported, named, members] = await Promise.all([
    references.length > 0 ? findReferenced(ctx, employer, references) : [],
    said_hashes.length > 0 ? findReported(ctx, employer, said_hashes) : [],
    employee_ids.length > 0 ? findNamed(ctx, employer.organization_id, employee_ids) : [],
    findNamesakes(ctx, employer.organization_id, candidates),
  ])
  const known = new Set(members.map(({ id }) => id))
  const meant = [
    ...referenced,
    ...reported,
    ...named.map(({ member_id }) => member_id),
    ...candidates.flatMap(({ member_id }) => member_id ?? []),
  ]
  const others = new Set(meant.filter((id) => !known.has(id)))
  if (others.size > 0) members.push(...(await findMembers(ctx, employer.organization_id, [...others])))
  return { named, members }
}

/**
 * Loads the people whom candidates may be, and their employments at an employer, in a handful of statements. `repeats`:
 * also the people whose last report is the same as a candidate, as when a census is sent again.
 */
export async function loadPeople(
  ctx: Ctx,
  employer: EmployerKey,
  candidates: Partial<Candidate>[],
  { repeats = false }: { repeats?: boolean } = {},
): Promise<{ people: People; roster: Roster }> {
  const found = new Map<string, Member>()
  const named: { id: string; member_id: string }[] = []
  for (const some of chunksOf(candidates, asked_at_once)) {
    const asked = await findMeant(ctx, employer, some, repeats)
    named.push(...asked.named)
    for (const member of asked.members) found.set(member.id, member)
  }
  const members = [...found.values()]
  const people = new People()
  await unhurried(each(members, (member) => people.put(member)))
  const roster = new Roster([], people, ctx.today, named)
  const ids = people.ids()
  const employments = ids.length > 0 ? await findEmployments(ctx, employer, ids) : []
  await unhurried(each(employments, (employment) => roster.put(employment)))
  return { people, roster }
}
