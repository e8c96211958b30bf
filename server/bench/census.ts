import pg from 'pg'
import { copyTables, makeCopies } from './copy.ts'
import { line, ratios, secondsOf } from './figures.ts'
import {
  alikePeople,
  awaitCensus,
  awaitHris,
  connectHris,
  createEmployer,
  newPeople,
  rehearseCensus,
  submitCensus,
  uploadHris,
} from './partner.ts'
import { sized } from './sizes.ts'
import { later, longestHold, startService, type Options, type Service } from './stage.ts'

const row_count = sized(10_000, 40)

/** Where a census puts people, and how to find those of an employer there. */
const tables = {
  members: 'id in (select member_id from employees where employer_id = $1)',
  employees: 'employer_id = $1',
  employee_classifications: 'employee_id in (select id from employees where employer_id = $1)',
  employee_compensations: 'employee_id in (select id from employees where employer_id = $1)',
}

/**
 * Rows per second of a census of 10,000 new people, and of an HRIS sync of as many that come as a file, from the
 * request to the last row; each beside `copy` of the same rows in one transaction into copies of the tables with the
 * same indexes and checks, but foreign keys. The copies grow along, so that in every round all write into tables of the
 * same size. Events, audit and outcome are the syncs' own affair.
 */
export async function census({ rounds }: Options): Promise<void> {
  const service = await startService()
  const client = new pg.Client({ connectionString: service.database_url })
  await client.connect()
  later(() => client.end())
  await makeCopies(client, Object.keys(tables))

  await measure(service, client, byCensus)
  await measure(service, client, byHris)
  const censuses: Figures[] = []
  const syncs: Figures[] = []
  for (let round = 0; round < rounds; round++) {
    censuses.push(await measure(service, client, byCensus))
    syncs.push(await measure(service, client, byHris))
  }
  tell('census', censuses)
  tell('HRIS sync', syncs)

  const beside: Record<keyof typeof bodies, Beside[]> = { different: [], alike: [], distinct: [] }
  for (let round = 0; round < rounds; round++)
    for (const name of Object.keys(bodies) as (keyof typeof bodies)[])
      beside[name].push(await measureBeside(service, name))
  for (const name of Object.keys(bodies) as (keyof typeof bodies)[]) tellBeside(name, beside[name], beside.different)
}

/**
 * People like no others; people of one name and birthday, of whom 21 can be told apart; and the same, said to be
 * distinct.
 */
const bodies = {
  different: { rows: newPeople, created: row_count },
  alike: { rows: alikePeople, created: 21 },
  distinct: {
    rows: (count: number) => alikePeople(count).map((person) => ({ ...person, distinct: true })),
    created: row_count,
  },
}

/** In seconds from the request to the last row, also of the same once more; and the longest holds of the event loop. */
type Beside = {
  completed: number
  rehearsing: number
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
  await rehearseCensus(service, employer_id, people)
  const rehearsing = await longestHold(service)
  let accepting = 0
  const completed = await secondsOf(async () => {
    const { census_sync_id } = await submitCensus(service, employer_id, people)
    accepting = await longestHold(service)
    await awaitCensus(service, employer_id, census_sync_id, created)
  })
  const processing = await longestHold(service)
  await rehearseCensus(service, employer_id, people)
  const again = await longestHold(service)
  const unchanged = await secondsOf(async () => {
    const { census_sync_id } = await submitCensus(service, employer_id, people)
    await awaitCensus(service, employer_id, census_sync_id, 0)
  })
  return { completed, rehearsing, accepting, processing, again, unchanged }
}

function tellBeside(name: string, figures: Beside[], different: Beside[]): void {
  const of = (which: keyof Beside) => figures.map((figure) => figure[which])
  console.log(`  people who are ${name}`)
  console.log(line('census', of('completed'), 'seconds'))
  console.log(
    line(
      'beside',
      ratios(
        of('completed'),
        different.map(({ completed }) => completed),
      ),
      'times those who are different',
    ),
  )
  console.log(line('unchanged', of('unchanged'), 'seconds'))
  console.log(line('ratio', ratios(of('completed'), of('unchanged')), 'of the first to the same once more'))
  for (const which of ['rehearsing', 'accepting', 'processing', 'again'] as const)
    console.log(line(which, of(which), 'ms of the event loop at most'))
}

function tell(name: string, figures: Figures[]): void {
  const accepted = figures.map((figure) => figure.accepted)
  const rates = (which: 'completed' | 'copied') => figures.map((figure) => row_count / figure[which])
  console.log(`  ${name}`)
  console.log(line('accepted in', accepted, 'seconds'))
  console.log(line('rows', rates('completed'), 'rows/s'))
  console.log(line('copy', rates('copied'), 'rows/s'))
  console.log(line('ratio', ratios(rates('completed'), rates('copied'))))
}

/** In seconds, from the request to its answer and to the last row. */
type Figures = { accepted: number; completed: number; copied: number }

type People = ReturnType<typeof newPeople>
/** A way in: prepares an employer for it, sends its people, and waits for the last of them. */
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
