import type pg from 'pg'
import type { CensusRow } from '../../sdk/src/index.ts'
import { copyTables, makeCopies } from './harness/copy.ts'
import { compare, line, ratios, secondsOf } from './harness/figures.ts'
import {
  awaitCensus,
  awaitHris,
  connectHris,
  createEmployer,
  newPeople,
  submitCensus,
  uploadHris,
} from './harness/partner.ts'
import { connect, is_smoke, sized, startService, type Options, type Service } from './harness/service.ts'

const row_count = sized(10_000, 25)

/** The tables that a census writes, each with the condition for the rows of an employer. */
export const census_tables = {
  members: 'id in (select member_id from employees where employer_id = $1)',
  employees: 'employer_id = $1',
  employee_classifications: 'employee_id in (select id from employees where employer_id = $1)',
  employee_compensations: 'employee_id in (select id from employees where employer_id = $1)',
  employee_bargaining_units: 'employee_id in (select id from employees where employer_id = $1)',
}

/**
 * Prepares an employer. Returns a function that submits people and waits until all are processed. `created` of them are
 * new.
 */
type Way = (
  service: Service,
  employer_id: string,
) => Promise<(people: CensusRow[], created: number, onAccepted?: () => void) => Promise<void>>

const byCensus: Way = async (service, employer_id) => async (people, created, onAccepted) => {
  const { census_sync_id } = await submitCensus(service, employer_id, people)
  onAccepted?.()
  await awaitCensus(service, employer_id, census_sync_id, created)
}

const byHris: Way = async (service, employer_id) => {
  const connection_id = await connectHris(service, employer_id)
  return async (people, created, onAccepted) => {
    const run_id = await uploadHris(service, connection_id, people)
    onAccepted?.()
    await awaitHris(service, run_id, created)
  }
}

/**
 * Rows per second of a census of 10,000 new people, and of an HRIS sync of a file with as many, from the request to the
 * last row. The control copies the same rows in one transaction into copies of the tables, which have the same indexes
 * and checks but no foreign keys, and grow at the same pace. Events, audit entries and outcomes have no counterpart.
 * Then the same people again, which changes nothing.
 */
export async function census({ rounds }: Options): Promise<void> {
  const service = await startService()
  const client = await connect(service.database_url)
  await makeCopies(client, Object.keys(census_tables))
  const ways = { census: byCensus, 'HRIS sync': byHris }
  const figures: Record<keyof typeof ways, Figures[]> = { census: [], 'HRIS sync': [] }
  // The first round is a warm-up, excluded from the result.
  for (let round = is_smoke ? 0 : -1; round < rounds; round++)
    for (const name of ['census', 'HRIS sync'] as const) {
      const measured = await measure(service, client, ways[name])
      if (round >= 0) figures[name].push(measured)
    }
  for (const name of ['census', 'HRIS sync'] as const) report(name, figures[name])
}

/**
 * The seconds until the census is accepted, until its last row is processed, for `COPY`, and for the same people again.
 */
type Figures = { accepted: number; completed: number; copied: number; again: number }

async function measure(service: Service, client: pg.Client, way: Way): Promise<Figures> {
  const employer_id = await createEmployer(service)
  const submit = await way(service, employer_id)
  const people = newPeople(row_count)
  const started = performance.now()
  let accepted = 0
  const onAccepted = () => (accepted = (performance.now() - started) / 1000)
  const completed = await secondsOf(() => submit(people, row_count, onAccepted))
  const copied = await copyTables(client, census_tables, employer_id)
  const again = await secondsOf(() => submit(people, 0))
  return { accepted, completed, copied, again }
}

function report(name: string, figures: Figures[]): void {
  const of = (subject: keyof Figures) => figures.map((figure) => figure[subject])
  const rates = (subject: keyof Figures) => of(subject).map((seconds) => row_count / seconds)
  console.log(`  ${name}`)
  console.log(line('accepted in', of('accepted'), 'seconds'))
  compare(['rows', rates('completed')], ['copy', rates('copied')], 'rows/s')
  console.log(line('again', of('again'), 'seconds'))
  console.log(line('ratio', ratios(of('completed'), of('again')), 'of the first time to the same again'))
}
