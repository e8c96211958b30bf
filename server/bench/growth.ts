import { line, ratios, secondsOf } from './harness/figures.ts'
import { millisecondsOf } from './harness/partner.ts'
import { seedPopulation } from './harness/population.ts'
import { openBench, seedBook, seedPlanYears, type Seeded } from './harness/seed.ts'
import { is_smoke, sized, startService, type Options, type Service } from './harness/service.ts'

const default_size = sized(100_000, 40)
const largest_share = 0.3

/**
 * A read, optionally with the title of another read to compare it with. Without an organization, it uses the key that
 * reaches all organizations.
 */
type Read = { title: string; path: string; organization_id?: string; control?: string }

function readsOf({ organization_id, employer_id, plan_year_id }: Seeded, book_id: string, size: number): Read[] {
  const employees = `/v1/employers/${employer_id}/employees`
  const enrollments = `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/enrollments`
  const last_page = Math.max(1, Math.floor((size * largest_share * 0.8) / 20))
  const own = (title: string, path: string, control?: string): Read => ({
    title,
    path,
    organization_id,
    ...(control && { control }),
  })
  const book = Object.entries(filters).flatMap(([title, query]): Read[] => [
    own(`book, ${title}`, `/v1/employers?${query}`, 'book, whole'),
    { title: `all, ${title}`, path: `/v1/employers?${query}` },
  ])
  return [
    own('roster', employees),
    own('deep', `${employees}?page=${last_page}`, 'roster'),
    own('active', `${employees}?employment_status=active`),
    own('active, deep', `${employees}?employment_status=active&page=${last_page}`, 'active'),
    own('1 letter', `${employees}?search=q`),
    own('3 letters', `${employees}?search=quu`),
    own('everybody', `${employees}?search=cos`),
    own('a name', `${employees}?search=ana%20costa%2077`),
    own('people', '/v1/members'),
    own('people, deep', `/v1/members?page=${last_page}`, 'people'),
    own('people, name', '/v1/members?search=quux'),
    own('enrollments', enrollments),
    own('pending', `${enrollments}?election_status=pending`),
    ...book,
    ...['groups', 'plans', 'webhook-events'].flatMap((list): Read[] => [
      own(list, `/v1/${list}`),
      { title: `all ${list}`, path: `/v1/${list}` },
    ]),
    own('invoices', `/v1/employers/${employer_id}/invoices`),
    ...Object.entries({ first: 1, middle: size * 0.475, end: size * 0.94 }).map(([title, employers]): Read => ({
      title: `large book, ${title}`,
      path: `/v1/employers?page=${Math.ceil(employers / 20)}`,
      organization_id: book_id,
    })),
  ]
}

const filters = {
  whole: '',
  deep: 'page=4',
  dental: 'benefit_family=dental',
  active: 'benefit_lifecycle_stage=active',
  gusto: 'hris_provider=gusto',
  name: 'search=bakery%2077',
}

type Side = { service: Service; reads: Read[] }

/**
 * Milliseconds of reads among `--size` people in 2,000 employers of 20 organizations, three tenths of them at one
 * employer, compared with the same reads among a tenth of the people and employers. Deep pages and filters are also
 * compared with the first page of the same list. Another organization has a book of as many employers as there are
 * people.
 */
export async function growth({ rounds, size = default_size }: Options): Promise<void> {
  const few = await open(Math.ceil(size / 10), sized(200, 2))
  const many = await open(size, sized(2000, 4))
  const taken: Record<'few' | 'many', Map<string, number[]>> = { few: new Map(), many: new Map() }
  for (let round = is_smoke ? 0 : -1; round < rounds; round++)
    for (const [at, read] of many.reads.entries()) {
      for (const [name, side] of Object.entries({ few, many }) as ['few' | 'many', Side][]) {
        const { path, organization_id } = side.reads[at]!
        const milliseconds = await millisecondsOf(side.service, path, organization_id)
        if (round >= 0) taken[name].set(read.title, [...(taken[name].get(read.title) ?? []), milliseconds])
      }
    }
  for (const { title, control } of many.reads) {
    const milliseconds = taken.many.get(title)!
    console.log(line(title, milliseconds, 'ms'))
    console.log(line('ratio', ratios(milliseconds, taken.few.get(title)!), 'to a tenth of the data'))
    if (control !== undefined && control !== title)
      console.log(line('ratio', ratios(milliseconds, taken.many.get(control)!), `to ${control}`))
  }
}

async function open(people: number, employers: number): Promise<Side> {
  const service = await startService({ RATE_LIMIT_PER_MINUTE: '1000000', RATE_LIMIT_BURST: '1000000' })
  const { runtime, client } = await openBench(service)
  const organizations = sized(20, 2)
  let largest!: Seeded
  const [book] = await seedPlanYears(runtime, 1)
  const seconds = await secondsOf(async () => {
    largest = await seedPopulation(runtime, client, { people, employers, organizations, largest_share })
    await seedBook(client, book!.organization_id, people)
    await client.query('vacuum analyze')
  })
  console.log(line('seeded in', [seconds], `seconds: ${people.toLocaleString('en-US')} people`))
  return { service, reads: readsOf(largest, book!.organization_id, people) }
}
