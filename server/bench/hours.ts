import { easternDay, monthEnd } from '../kernel/days.ts'
import { copyTables, makeCopies } from './harness/copy.ts'
import { compare, secondsOf } from './harness/figures.ts'
import { call } from './harness/partner.ts'
import { openBench, seedEmployer } from './harness/seed.ts'
import { sized, startService, type Options } from './harness/service.ts'

const default_size = sized(100_000, 20)

/** Hours per second of one month of `--size` people in each round, compared with COPY of the same rows into a copy. */
export async function hours({ rounds, size = default_size }: Options): Promise<void> {
  const service = await startService()
  const { runtime, client } = await openBench(service)
  const { employer_id, organization_id } = await seedEmployer(runtime, client, size)
  await client.query(`update employees set hired_on = '2020-01-01' where employer_id = $1`, [employer_id])
  await client.query('vacuum analyze employees')
  await makeCopies(client, ['hours_of_service'])
  const [reported, copied]: [number[], number[]] = [[], []]
  for (let month = rounds; month > 0; month--) {
    const starts_on = easternDay(Date.now() - month * 31 * 86_400_000).slice(0, 8) + '01'
    const period = { period_starts_on: starts_on, period_ends_on: monthEnd(starts_on), kind: 'worked' }
    const rows = Array.from({ length: size }, (_, at) => ({ ...period, reference_id: `E-${at + 1}`, hours: 100.25 }))
    const report = () => call(service, 'POST', `/v1/employers/${employer_id}/hours`, { rows }, organization_id)
    reported.push(size / (await secondsOf(report)))
    const table = { hours_of_service: `employer_id = $1 and period_starts_on = '${starts_on}'` }
    copied.push(size / (await copyTables(client, table, employer_id)))
  }
  compare(['hours', reported], ['copy', copied], 'rows/s')
}
