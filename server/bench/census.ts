import type pg from 'pg'
import { copyTables, makeCopies } from './harness/copy.ts'
import { line, ratios, secondsOf } from './harness/figures.ts'
import {
  alikePeople,
  awaitCensus,
  awaitHris,
  connectHris,
  createEmployer,
  newPeople,
  dryRunCensus,
  submitCensus,
  uploadHris,
} from './harness/partner.ts'
import { connect, is_smoke, longestHold, sized, startService, type Options, type Service } from './harness/service.ts'

const row_count = sized(10_000, 25)

/** The tables that a census fills, and a condition for the rows of an employer. */
const tables = {
  members: 'id in (select member_id from employees where employer_id = $1)',
  employees: 'employer_id = $1',
  employee_classifications: 'employee_id in (select id from employees where employer_id = $1)',
  employee_compensations: 'employee_id in (select id from employees where employer_id = $1)',
}

/**
 * Rows per second of a census of 10,000 new people, and of an HRIS sync of a file with as many, from the request to the
 * last row. The control copies the same rows in one transaction into copies of the tables, which have the same indexes
 * and checks but no foreign keys, and grow at the same pace. Events, audit entries and outcomes have no counterpart.
 */
export async function census({ rounds }: Options): Promise<void> {
  const service = await startService()
  const client = await connect(service.database_url)
  await makeCopies(client, Object.keys(tables))

  // Warm-up, excluded from the result.
  if (!is_smoke) for (const way of [byCensus, byHris]) await measure(service, client, way)
  const censuses: Figures[] = []
  const syncs: Figures[] = []
  for (let round = 0; round < rounds; round++) {
    censuses.push(await measure(service, client, byCensus))
    syncs.push(await measure(service, client, byHris))
  }
  report('census', censuses)
  report('HRIS sync', syncs)

  const others: Record<keyof typeof bodies, Beside[]> = { different: [], alike: [], distinct: [] }
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(bodies) as (keyof typeof bodies)[])
      others[name].push(await measureBeside(service, name))
  for (const name of Object.keys(bodies) as (keyof typeof bodies)[]) reportBeside(name, others[name], others.different)
}

/**
 * Unrelated people; people who share a name and a birthday, of whom 21 can be distinguished; the same, marked distinct.
 */
const bodies = {
  different: { rows: newPeople, created: row_count },
  alike: { rows: alikePeople, created: 21 },
  distinct: {
    rows: (count: number) => alikePeople(count).map((person) => ({ ...person, distinct: true })),
    created: row_count,
  },
}

/**
 * Seconds from the request to the last row, also when the same census is repeated, and the longest blocks of the event
 * loop.
 */
type Beside = {
  completed: number
  dry_run: number
  accepting: number
  processing: number
  again: number
  unchanged: number
}

async function measureBeside(service: Service, name: keyof typeof bodies): Promise<Beside> {
  const { rows, created } = bodies[name]
  const people = rows(row_count)
  const employer_id = await createEmployer(service)
  await longestHold(service)
  await dryRunCensus(service, employer_id, people)
  const dry_run = await longestHold(service)
  let accepting = 0
  const completed = await secondsOf(async () => {
    const { census_sync_id } = await submitCensus(service, employer_id, people)
    accepting = await longestHold(service)
    await awaitCensus(service, employer_id, census_sync_id, created)
  })
  const processing = await longestHold(service)
  await dryRunCensus(service, employer_id, people)
  const again = await longestHold(service)
  const unchanged = await secondsOf(async () => {
    const { census_sync_id } = await submitCensus(service, employer_id, people)
    await awaitCensus(service, employer_id, census_sync_id, 0)
  })
  return { completed, dry_run, accepting, processing, again, unchanged }
}

function reportBeside(name: string, figures: Beside[], different: Beside[]): void {
  const of = (condition: keyof Beside) => figures.map((figure) => figure[condition])
  console.log(`  ${name} people`)
  console.log(line('census', of('completed'), 'seconds'))
  console.log(
    line(
      'beside',
      ratios(
        of('completed'),
        different.map(({ completed }) => completed),
      ),
      'times the seconds of different people',
    ),
  )
  console.log(line('unchanged', of('unchanged'), 'seconds'))
  console.log(line('ratio', ratios(of('completed'), of('unchanged')), 'of the first census to the same again'))
  for (const condition of ['dry_run', 'accepting', 'processing', 'again'] as const)
    console.log(line(condition, of(condition), 'ms, the longest block of the event loop'))
}

function report(name: string, figures: Figures[]): void {
  const accepted = figures.map((figure) => figure.accepted)
  const rates = (condition: 'completed' | 'copied') => figures.map((figure) => row_count / figure[condition])
  console.log(`  ${name}`)
  console.log(line('accepted in', accepted, 'seconds'))
  console.log(line('rows', rates('completed'), 'rows/s'))
  console.log(line('copy', rates('copied'), 'rows/s'))
  console.log(line('ratio', ratios(rates('completed'), rates('copied'))))
}

/** Seconds from the request to its acceptance and to the last row, and the seconds of COPY. */
type Figures = { accepted: number; completed: number; copied: number }

type People = ReturnType<typeof newPeople>
/** Prepares an employer, and returns functions that submit people and wait for the last of them. */
type Way = (
  service: Service,
  employer_id: string,
) => Promise<{ send: (people: People) => Promise<string>; finish: (id: string) => Promise<void> }>

const byCensus: Way = async (service, employer_id) => ({
  send: async (people) => (await submitCensus(service, employer_id, people)).census_sync_id,
  finish: (census_sync_id) => awaitCensus(service, employer_id, census_sync_id),
})

const byHris: Way = async (service, employer_id) => {
  const connection_id = await connectHris(service, employer_id)
  return {
    send: (people) => uploadHris(service, connection_id, people),
    finish: (run_id) => awaitHris(service, run_id),
  }
}

async function measure(service: Service, client: pg.Client, way: Way): Promise<Figures> {
  const employer_id = await createEmployer(service)
  const { send, finish } = await way(service, employer_id)
  const people = newPeople(row_count)
  let accepted = 0
  const completed = await secondsOf(async () => {
    let id = ''
    accepted = await secondsOf(async () => (id = await send(people)))
    await finish(id)
  })
  return { accepted, completed, copied: await copyTables(client, tables, employer_id) }
}
