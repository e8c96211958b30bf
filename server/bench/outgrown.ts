import { line, ratios, secondsOf } from './figures.ts'
import { plantCrowd, type Crowd } from './crowd.ts'
import { askAgain, type Question } from './partner.ts'
import { openBench } from './seed.ts'
import { sized } from './sizes.ts'
import { startService, type Options } from './stage.ts'

/** What is asked, and beside what; a question without another is what others stand beside. */
type Row = { title: string; asked: Question; beside?: string }

/** What is asked of a crowd: of its large employer, of the organization of that, and of all. */
function rowsOf({ organization_id, employer_id, plan_year_id }: Crowd, size: number): Row[] {
  const employees = `/v1/employers/${employer_id}/employees`
  const enrollments = `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/enrollments`
  const deep = Math.floor((size * largest_share * 0.9) / 20)
  const there = (title: string, path: string, beside?: string): Row => ({
    title,
    asked: { path, organization_id },
    ...(beside !== undefined && { beside }),
  })
  const all = (title: string, path: string): Row => ({ title, asked: { path } })
  return [
    there('roster', employees),
    there('middle', `${employees}?page=${Math.floor(deep / 1.8)}`, 'roster'),
    there('deep', `${employees}?page=${deep}`, 'roster'),
    there('active', `${employees}?employment_status=active`),
    there('active, deep', `${employees}?employment_status=active&page=${Math.floor(deep * 0.9)}`, 'active'),
    there('1 letter', `${employees}?search=q`),
    there('2 letters', `${employees}?search=ba`),
    there('3 letters', `${employees}?search=quu`),
    there('a name', `${employees}?search=ana%20barana`),
    there('people', '/v1/members'),
    there('people, deep', `/v1/members?page=${deep}`, 'people'),
    there('people, name', '/v1/members?search=quux'),
    there('enrollments', enrollments),
    there('pending', `${enrollments}?election_status=pending`),
    there('their names', `${enrollments}?search=quux`),
    ...Object.entries(filters).flatMap(([title, query]) => [
      there(`book, ${title}`, `/v1/employers?${query}`, 'book, whole'),
      all(`all, ${title}`, `/v1/employers?${query}`),
    ]),
    there('groups', '/v1/groups'),
    all('all groups', '/v1/groups'),
    there('plans', '/v1/plans'),
    all('all plans', '/v1/plans'),
    there('events', '/v1/webhook-events'),
    all('all events', '/v1/webhook-events'),
    there('invoices', `/v1/employers/${employer_id}/invoices`),
  ]
}

const filters = {
  whole: '',
  dental: 'benefit_family=dental',
  active: 'benefit_lifecycle_stage=active',
  gusto: 'hris_provider=gusto',
  name: 'search=foundry%2077',
}

const default_size = sized(200_000, 400)
const largest_share = 0.3

/**
 * Milliseconds of reads among a crowd: `--size` people in 2,000 employers of 20 organizations, three of ten of them
 * with one employer. Deep pages and filters stand beside the first page of the same list.
 */
export async function outgrown({ rounds, size = default_size }: Options): Promise<void> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
  const { client } = await openBench(service)
  const employers = Math.min(2000, Math.ceil(size / 20))
  let crowd!: Crowd
  const planted = await secondsOf(async () => {
    crowd = await plantCrowd(client, { people: size, employers, organizations: 20, largest_share })
  })
  console.log(line('planted in', [planted], 'seconds'))
  const taken = new Map<string, number[]>()
  const rows = rowsOf(crowd, size)
  for (let round = -1; round < rounds; round++)
    for (const { title, asked } of rows) {
      const milliseconds = await askAgain(service, asked)
      if (round >= 0) taken.set(title, [...(taken.get(title) ?? []), milliseconds])
    }
  for (const { title, beside } of rows) {
    console.log(line(title, taken.get(title)!, 'ms'))
    if (beside !== undefined && beside !== title)
      console.log(line('ratio', ratios(taken.get(title)!, taken.get(beside)!), `beside ${beside}`))
  }
}
