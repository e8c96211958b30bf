import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'

/** Births while another dependent leaves, or before the parent has elected. Amounts are checked to the cent. */
const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>

async function onDay(day: string): Promise<void> {
  api.moveTo(day)
  await api.runDays()
  await api.work()
}

/** An employee hired on a day, with medical coverage from that day. */
async function employed(start_date: string) {
  const employer_id = await createEmployer(api)
  const policy = { classification: 'all', waiting_period: 'none' }
  await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy)
  await openPlanYear(api, employer_id, catalog, { benefits: [{ benefit_id: catalog.mec.benefit_id }] })
  await api.work()
  const { id } = await createEmployee(api, employer_id, { start_date })
  const medical = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
  return { employer_id, id, medical: medical.id }
}

const elect = (id: string, coverage_tier: string, dependent_ids?: string[]) =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier, dependent_ids })

const dependent = async (employee_id: string, relationship: string, date_of_birth: string): Promise<string> => {
  const person = { relationship, first_name: 'Noa', last_name: 'Costa', date_of_birth }
  return (await api.post(`/v1/employees/${employee_id}/dependents`, person)).body.data.id
}

async function approve(employee_id: string, type: string, occurred_on: string): Promise<void> {
  const event = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
  const path = `/operator/v1/qualifying-life-events/${event.body.data.id}/approve` as const
  await api.post(path, undefined, { key: api.operator_key })
}

/** The elections of an enrollment with their first days: coverage level, monthly cents, and covered dependents. */
const history = async (enrollment_id: string) =>
  (
    await api.database.reads.rows<Record<string, unknown>>(
      `select election.effective_on, coverage_tier, premium_in_cents, array_remove(array_agg(dependent_id order by dependent_id), null) as covered
         from elections as election left join covered_dependents as covered
           on covered.enrollment_id = election.enrollment_id and covered.effective_on = election.effective_on
        where election.enrollment_id = $1 group by election.effective_on, coverage_tier, premium_in_cents
        order by 1`,
      [enrollment_id],
    )
  ).map((row) => Object.values(row).flat())

/** The invoices, oldest first, with the month, coverage level and cents of each line. */
async function billed(employer_id: string) {
  const path = `/v1/employers/${employer_id}/invoices` as const
  const lines: string[] = []
  for (const { invoice_id, period } of (await api.get(`${path}?include_drafts=true`)).body.data.reverse())
    for (const line of (await api.get(`${path}/${invoice_id}/lines`)).body.data)
      lines.push([period, line.month, line.coverage_tier, line.premium_in_cents].join(' '))
  return lines
}

beforeAll(async () => {
  catalog = await importCatalog(api)
})

describe('repeating the current election', () => {
  it('counts as an answer, changes no coverage, and removes the upcoming election', async () => {
    api.moveTo('2026-03-01')
    const { id, medical } = await employed('2026-03-01')
    await dependent(id, 'spouse', '1990-01-01')
    await elect(medical, 'EE')
    api.moveTo('2026-03-10')
    const again = (await elect(medical, 'EE')).body.data
    expect(again).toMatchObject({ answered_at: expect.stringContaining('2026-03-10'), upcoming_election: null })
    expect(await history(medical)).toEqual([['-infinity', 'EE', 8_900]])
    expect((await elect(medical, 'ES')).body.data.upcoming_election).toMatchObject({ coverage_tier: 'ES' })
    expect((await elect(medical, 'EE')).body.data.upcoming_election).toBeNull()
    expect(await history(medical)).toEqual([['-infinity', 'EE', 8_900]])
  })
})

describe("a child born before the parent's first election", () => {
  it('is covered from the birth, at no cost before it', { timeout: 120_000 }, async () => {
    api.moveTo('2026-03-01')
    const { employer_id, id, medical } = await employed('2026-03-01')
    const spouse = await dependent(id, 'spouse', '1990-01-01')
    await onDay('2026-03-20')
    const child = await dependent(id, 'child', '2026-03-10')
    expect((await elect(medical, 'EC', [child])).error).toMatchObject({ code: 'dependent_not_coverable' })
    await approve(id, 'birth', '2026-03-10')
    expect((await elect(medical, 'EC', [child])).body.data).toMatchObject({
      coverage_start: '2026-03-01',
      coverage_tier: 'EC',
    })
    expect(await history(medical)).toEqual([
      ['-infinity', 'EE', 8_900],
      ['2026-03-10', 'EC', 16_500, child],
    ])
    await onDay('2026-04-01')
    expect(await billed(employer_id)).toEqual(['2026-03 2026-03 EE 8900', '2026-04 2026-04 EC 16500'])
    // Within the window of the birth, everyone added later is covered from the birth too.
    expect((await elect(medical, 'EF')).body.data).toMatchObject({ coverage_tier: 'EF', upcoming_election: null })
    expect(await history(medical)).toEqual([
      ['-infinity', 'EE', 8_900],
      ['2026-03-10', 'EF', 24_900, ...[spouse, child].sort()],
    ])
  })
})

describe('a child born in the month of a divorce', () => {
  /** Divorce on 15 October, birth on the 25th, election on 20 November. */
  async function divorced() {
    api.moveTo('2026-09-01')
    const parent = await employed('2026-09-01')
    const wife = await dependent(parent.id, 'spouse', '1990-01-01')
    await elect(parent.medical, 'ES')
    await onDay('2026-10-15')
    await api.call('DELETE', `/v1/dependents/${wife}`)
    await onDay('2026-11-20')
    const child = await dependent(parent.id, 'child', '2026-10-25')
    await approve(parent.id, 'birth', '2026-10-25')
    return { ...parent, wife, child }
  }

  it('is covered from the birth, and the wife costs nothing after her last day', { timeout: 120_000 }, async () => {
    const { employer_id, medical, wife, child } = await divorced()
    expect((await elect(medical, 'EC')).body.data).toMatchObject({
      coverage_tier: 'EC',
      premium_in_cents: 16_500,
      dependent_ids: [child],
      upcoming_election: null,
    })
    expect(await history(medical)).toEqual([
      ['-infinity', 'ES', 17_500, wife],
      ['2026-10-25', 'EF', 24_900, ...[wife, child].sort()],
      ['2026-11-01', 'EC', 16_500, child],
    ])
    await onDay('2026-12-01')
    expect(await billed(employer_id)).toEqual([
      '2026-09 2026-09 ES 17500',
      '2026-10 2026-10 ES 17500',
      '2026-11 2026-11 EE 8900',
      '2026-12 2026-12 EC 16500',
      '2026-12 2026-11 EC 7600',
    ])
  })
})
