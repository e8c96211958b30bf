import { createPolicy } from '../modules/coverage/eligibility/actions.ts'
import { recalculateEmployer } from '../modules/coverage/enrollments/actions.ts'
import { easternDay } from '../kernel/days.ts'
import { OpenBenefits } from '../../sdk/src/index.ts'
import { line, ratios } from './figures.ts'
import { openBench, plantEmployers, withoutJobs } from './seed.ts'
import { sized } from './sizes.ts'
import { startService, type Options, type Service } from './stage.ts'

const at_once = sized(16, 2)
const people = sized(20, 4)

/** Somebody who answers for an employer: its organization, and the open enrollments there. */
type Writer = { organization_id: string; plan_id: string; enrollments: string[] }

/**
 * Elections and waivers a second: of one who writes, of 16 at 16 employers of one organization, and of 16 at 16
 * organizations, which is the most that the machine and a process of the service have to give.
 */
export async function writers({ seconds, rounds }: Options): Promise<void> {
  const service = await startService()
  const beside = await plant(service, 1, at_once)
  const apart = await plant(service, at_once, 1)
  const crowds = { 'one writer': beside.slice(0, 1), 'one organization': beside, '16 of them': apart }
  const rates = Object.fromEntries(Object.keys(crowds).map((name) => [name, [] as number[]]))
  for (let round = 0; round <= rounds; round++)
    for (const [name, crowd] of Object.entries(crowds)) {
      const rate = await rateOf(service, crowd, seconds)
      // The first is to get warm.
      if (round > 0) rates[name]!.push(rate)
    }
  const alone = rates['one writer']!
  for (const [name, measured] of Object.entries(rates)) {
    console.log(line(name, measured, 'answers/s'))
    if (measured !== alone) console.log(line('ratio', ratios(measured, alone)))
  }
}

/** Organizations of so many employers, at each of which somebody may write. */
async function plant(service: Service, organizations: number, employers: number): Promise<Writer[]> {
  const { runtime, client } = await openBench(service)
  const planted: Writer[] = []
  for (let count = 0; count < organizations; count++)
    for (const employer of await plantEmployers(runtime, client, { employers, employee_count: people })) {
      const { organization_id, employer_id, plan_year_id } = employer
      await withoutJobs(runtime, organization_id, (ctx) =>
        createPolicy(ctx, employer, { classification: 'all', waiting_period: 'none' }),
      )
      await recalculateEmployer(runtime, employer)
      // As if each had been granted today: the window is open.
      await client.query(
        `update enrollments
            set granted_on = $3::date, window_ends_on = $3::date + 30, coverage_start = $3::date + 20
          where organization_id = $1 and employer_id = $2`,
        [organization_id, employer_id, easternDay(Date.now())],
      )
      const { rows } = await client.query<{ id: string; plan_id: string }>(
        `select enrollment.id, min(rate.plan_id) as plan_id
           from enrollments as enrollment join plan_year_rates as rate using (plan_year_id, benefit_id)
          where enrollment.plan_year_id = $1 group by enrollment.id, rate.benefit_id
          order by rate.benefit_id limit $2`,
        [plan_year_id, people],
      )
      planted.push({ organization_id, plan_id: rows[0]!.plan_id, enrollments: rows.map(({ id }) => id) })
    }
  await client.query('vacuum analyze')
  return planted
}

async function rateOf({ sandbox }: Service, crowd: Writer[], seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let written = 0
  const write = async ({ organization_id, plan_id, enrollments }: Writer) => {
    const ob = new OpenBenefits({
      baseUrl: sandbox.base_url,
      apiKey: sandbox.super_api_key,
      organization: organization_id,
      maxRetries: 0,
    })
    while (performance.now() < until) {
      const at = written++
      const enrollment_id = enrollments[at % enrollments.length]!
      if (at % 2 === 0) await ob.enrollments.elect(enrollment_id, { plan_id, coverage_tier: 'EE' })
      else await ob.enrollments.waive(enrollment_id, {})
    }
  }
  await Promise.all(crowd.map(write))
  return written / seconds
}
