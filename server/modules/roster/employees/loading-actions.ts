import { chunksOf } from '../../../kernel/concurrency/chunks.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import type { Candidate } from '../../directory/identities/rules.ts'
import { findMembers, findNamesakes } from '../../directory/people/queries.ts'
import { isNamed, People, type Member } from '../../directory/people/rules.ts'
import { findEmployments, findEmployeesById, findReferenced } from './queries.ts'
import { findReported } from './fact-queries.ts'
import { hashOfDetails, Roster } from './rules.ts'

/** The maximum number of candidates per statement. More would delay other requests. */
const candidates_per_query = 1000

/** Finds the people who may match the candidates, and the employments that the candidates name. */
async function findMatching(ctx: Ctx, employer: EmployerKey, candidates: Partial<Candidate>[], repeats: boolean) {
  const references = candidates.flatMap(({ reference_id }) => reference_id ?? [])
  const employee_ids = candidates.flatMap(({ employee_id }) => employee_id ?? [])
  const detail_hashes = repeats ? await runInSlices(mapInSteps(candidates.filter(isNamed), hashOfDetails)) : []
  const [referenced, reported, named, members] = await Promise.all([
    references.length > 0 ? findReferenced(ctx, { ...employer, reference_ids: references }) : [],
    detail_hashes.length > 0 ? findReported(ctx, { ...employer, detail_hashes }) : [],
    employee_ids.length > 0 ? findEmployeesById(ctx, { ...employer, employee_ids }) : [],
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
  if (others.size > 0)
    members.push(...(await findMembers(ctx, { organization_id: employer.organization_id, member_ids: [...others] })))
  return { named, members }
}

/**
 * Loads the people who may match the candidates, and their employments at an employer, in a fixed number of statements.
 * With `repeats`, also loads people whose last report equals a candidate, as when a census is resubmitted.
 */
export async function loadPeople(
  ctx: Ctx,
  employer: EmployerKey,
  candidates: Partial<Candidate>[],
  { repeats = false }: { repeats?: boolean } = {},
): Promise<{ people: People; roster: Roster }> {
  const found = new Map<string, Member>()
  const named: { id: string; member_id: string }[] = []
  for (const chunk of chunksOf(candidates, candidates_per_query)) {
    const meant = await findMatching(ctx, employer, chunk, repeats)
    named.push(...meant.named)
    for (const member of meant.members) found.set(member.id, member)
  }
  const members = [...found.values()]
  const people = new People()
  await runInSlices(mapInSteps(members, (member) => people.put(member)))
  const roster = new Roster([], people, ctx.today, named)
  const ids = people.ids()
  const employments = ids.length > 0 ? await findEmployments(ctx, { ...employer, member_ids: ids }) : []
  await runInSlices(mapInSteps(employments, (employment) => roster.put(employment)))
  return { people, roster }
}
