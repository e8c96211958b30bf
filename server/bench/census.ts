import pg from 'pg'
import { copyTables, makeCopies } from './copy.ts'
import { line, ratios, secondsOf } from './figures.ts'
import { awaitCensus, createEmployer, newPeople, submitCensus } from './partner.ts'
import { later, startService, type Options, type Service } from './stage.ts'

const row_count = 10_000

/** Where a census puts people, and how to find those of an employer there. */
const tables = {
  members: 'id in (select member_id from employees where employer_id = $1)',
  employees: 'employer_id = $1',
  employee_classifications: 'employee_id in (select id from employees where employer_id = $1)',
  employee_compensations: 'employee_id in (select id from employees where employer_id = $1)',
}

/**
 * Rows per second of a census of 10,000 new people from the request to the last row, beside `copy` of the same rows in one
 * transaction into copies of the tables with the same indexes and checks, but foreign keys. The copies grow along, so that
 * in every round both sides write into tables of the same size. Events, audit and outcome are the census's own affair.
 */
export async function census({ rounds }: Options): Promise<void> {
  const service = await startService()
  const client = new pg.Client({ connectionString: service.database_url })
  await client.connect()
  later(() => client.end())
  await makeCopies(client, Object.keys(tables))

  await measure(service, client)
  const figures: Figures[] = []
  for (let round = 0; round < rounds; round++) figures.push(await measure(service, client))
  const rates = (name: keyof Figures) => figures.map((figure) => row_count / figure[name])
  console.log(
    line(
      'accepted in',
      figures.map(({ accepted }) => accepted),
      'seconds',
    ),
  )
  console.log(line('census', rates('completed'), 'rows/s'))
  console.log(line('copy', rates('copied'), 'rows/s'))
  console.log(line('ratio', ratios(rates('completed'), rates('copied'))))
}

/** In seconds, from the request to its answer and to the last row. */
type Figures = { accepted: number; completed: number; copied: number }

async function measure(service: Service, client: pg.Client): Promise<Figures> {
  const employer_id = await createEmployer(service)
  const people = newPeople(row_count)
  let accepted = 0
  const completed = await secondsOf(async () => {
    let census_sync_id = ''
    accepted = await secondsOf(async () => ({ census_sync_id } = await submitCensus(service, employer_id, people)))
    await awaitCensus(service, employer_id, census_sync_id)
  })
  return { accepted, completed, copied: await copyTables(client, tables, employer_id) }
}
