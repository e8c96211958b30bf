import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, importCatalog, openPlanYear, createOfferingEmployer } from '../../../test/fixtures.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { only, pick } from '../../../test/pick.ts'

/** The changes that life events allow (Treas. Reg. 1.125-4), and their first day. */
const api = useApi()

let catalog: Awaited<ReturnType<typeof importCatalog>>
let employer_id: string

beforeAll(async () => {
  api.moveTo('2026-03-02')
  catalog = await importCatalog(api)
  const benefits = [{ benefit_id: catalog.mec.benefit_id }]
  employer_id = (await createOfferingEmployer(api, catalog, { benefits })).employer_id
})

const elect = (id: string, coverage_tier: string, dependent_ids: string[] = []) =>
  api.post(`/v1/enrollments/${id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier, dependent_ids })

let names = 0
const dependent = async (employee_id: string, relationship: string, date_of_birth = '1990-01-01'): Promise<string> => {
  const first_name = `Kim ${'abcdefghijklmnopqrstuvwxyz'[names++ % 26]}`
  const input = { relationship, first_name, last_name: 'Costa', date_of_birth }
  return (await api.post(`/v1/employees/${employee_id}/dependents`, input)).body.data.id
}

async function approve(employee_id: string, type: string, occurred_on: string, exception?: string): Promise<void> {
  const event = await api.post(`/v1/employees/${employee_id}/qualifying-life-events`, { type, occurred_on })
  const path = `/operator/v1/qualifying-life-events/${event.body.data.id}/approve` as const
  expect((await api.post(path, { exception }, { key: api.operator_key })).status).toBe(200)
}

/** An employee covered with a spouse and a child since March 2. The window of the grant is closed. */
async function parent() {
  api.moveTo('2026-03-02')
  const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-02' })
  const { id: medical } = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
  const [wife, son] = [await dependent(id, 'spouse'), await dependent(id, 'child', '2015-05-05')]
  expect((await elect(medical, 'EF', [wife, son])).status).toBe(200)
  api.moveTo('2026-05-20')
  return { id, medical, wife, son }
}

const history = (enrollment_id: string) =>
  api.database.reads
    .rows<{ effective_on: string; coverage_tier: string }>(
      'select effective_on, coverage_tier from elections where enrollment_id = $1 order by 1',
      [enrollment_id],
    )
    .then((rows) => rows.map(({ effective_on, coverage_tier }) => `${effective_on} ${coverage_tier}`))

describe('in the window of a birth', () => {
  it('people can be added but not dropped, unless the operator approved an exception', async () => {
    const { id, medical, wife, son } = await parent()
    const allowed = async () => (await api.get(`/v1/enrollments/${medical}`)).body.data.allowed_changes
    expect(await allowed()).toBeNull()
    await approve(id, 'birth', '2026-05-10')
    expect(await allowed()).toEqual({ add: true, drop: [], change_plan: true, waive: false })
    const baby = await dependent(id, 'child', '2026-05-10')
    const refused = await elect(medical, 'EC', [son, baby])
    expect(refusalOf(refused)).toEqual([409, 'change_not_consistent', 'dependent_ids'])
    expect(codeOf(await api.post(`/v1/enrollments/${medical}/terminate`, {}))).toEqual([409, 'change_not_consistent'])
    expect((await elect(medical, 'EF', [wife, son, baby])).status).toBe(200)

    await approve(id, 'birth', '2026-05-10', 'The wife has coverage of her own')
    const all_people = ['spouse', 'domestic_partner', 'child']
    expect(await allowed()).toEqual({ add: true, drop: all_people, change_plan: true, waive: true })
    expect((await elect(medical, 'EC', [son, baby])).body.data.upcoming_election).toMatchObject({
      effective_on: '2026-06-01',
      coverage_tier: 'EC',
    })
  })

  it('an election within 30 days covers the child from the birth, a later one from the next month', async () => {
    const soon = await parent()
    const late = await parent()
    const born = '2026-04-20'
    for (const { id } of [soon, late]) await approve(id, 'birth', born)
    const [first, second] = [await dependent(soon.id, 'child', born), await dependent(late.id, 'child', born)]
    expect((await elect(soon.medical, 'EF', [soon.wife, soon.son, first])).status).toBe(200)
    expect(await history(soon.medical)).toEqual(['-infinity EF', '2026-04-20 EF'])
    api.moveTo('2026-05-21')
    expect((await elect(late.medical, 'EF', [late.wife, late.son, second])).status).toBe(200)
    expect(await history(late.medical)).toEqual(['-infinity EF', '2026-06-01 EF'])
  })

  it('an employee who had waived is covered with the family from the birth', async () => {
    api.moveTo('2026-03-02')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-02' })
    const { id: medical } = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    const wife = await dependent(id, 'spouse')
    await api.post(`/v1/enrollments/${medical}/waive`, {})
    api.moveTo('2026-05-20')
    await approve(id, 'birth', '2026-05-10')
    const baby = await dependent(id, 'child', '2026-05-10')
    expect((await elect(medical, 'EF', [wife, baby])).body.data).toMatchObject({
      status: 'enrolled',
      coverage_start: '2026-05-10',
      coverage_tier: 'EF',
    })
  })
})

describe('a spouse', () => {
  /** Unmarried until May 15, with a child born on May 5. */
  async function groom() {
    api.moveTo('2026-03-02')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-03-02' })
    const { id: medical } = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    await elect(medical, 'EE')
    api.moveTo('2026-05-20')
    await approve(id, 'birth', '2026-05-05')
    await approve(id, 'marriage', '2026-05-15')
    return { id, medical, baby: await dependent(id, 'child', '2026-05-05'), wife: await dependent(id, 'spouse') }
  }

  it('is covered from the next month, not from the birth, if the wedding followed the birth', async () => {
    const { medical, baby, wife } = await groom()
    expect((await elect(medical, 'EF', [baby, wife])).status).toBe(200)
    expect(await history(medical)).toEqual(['-infinity EE', '2026-05-05 EC', '2026-06-01 EF'])
  })

  it('is not covered before the wedding by an election in the window of the grant', async () => {
    api.moveTo('2026-05-04')
    const { id } = await createEmployee(api, employer_id, { start_date: '2026-05-04' })
    const { id: medical } = only((await api.get(`/v1/employees/${id}/enrollments`)).body.data)
    api.moveTo('2026-05-20')
    await approve(id, 'marriage', '2026-05-15')
    expect((await elect(medical, 'ES', [await dependent(id, 'spouse')])).body.data).toMatchObject({
      coverage_start: '2026-05-04',
      coverage_tier: 'EE',
      upcoming_election: { effective_on: '2026-06-01', coverage_tier: 'ES' },
    })
  })
})

describe('after other events', () => {
  it.each([
    ['divorce', 'EC', ['son'], 200],
    ['divorce', 'ES', ['wife'], 409],
    ['divorce', 'EE', [], 409],
    ['gain_of_coverage', 'EE', [], 200],
    ['loss_of_coverage', 'ES', ['wife'], 409],
    ['change_of_residence', 'EE', [], 409],
    ['death_of_dependent', 'EE', [], 409],
  ] as const)('%s: electing %s for %j returns %i', async (type, tier, stay, status) => {
    const { id, medical, ...family } = await parent()
    await approve(id, type, '2026-05-10')
    const ids = stay.map((name) => family[name])
    expect((await elect(medical, tier, ids)).status).toBe(status)
  })

  it('a deceased dependent is dropped from the day after the death', async () => {
    const { id, medical, wife } = await parent()
    await approve(id, 'death_of_dependent', '2026-05-10')
    expect((await elect(medical, 'ES', [wife])).body.data).toMatchObject({
      coverage_tier: 'ES',
      upcoming_election: null,
    })
    expect(await history(medical)).toEqual(['-infinity EF', '2026-05-11 ES'])
  })

  it('no dependent can be added after a divorce', async () => {
    const { id, medical, wife, son } = await parent()
    const baby = await dependent(id, 'child', '2026-05-01')
    await approve(id, 'divorce', '2026-05-10')
    expect(refusalOf(await elect(medical, 'EF', [wife, son, baby]))).toEqual([
      409,
      'change_not_consistent',
      'dependent_ids',
    ])
  })
})

describe('a birth on the last day of a plan year', () => {
  it('covers that day, even with an election in January', async () => {
    const { id, medical, wife, son } = await parent()
    const next = { coverage_start: '2027-01-01', coverage_end: '2027-12-31' }
    await openPlanYear(api, employer_id, catalog, { ...next, benefits: [{ benefit_id: catalog.mec.benefit_id }] })
    api.moveTo('2027-01-10')
    await api.runDays()
    await api.work()
    await approve(id, 'birth', '2026-12-31')
    const baby = await dependent(id, 'child', '2026-12-31')
    expect((await api.get(`/v1/enrollments/${medical}`)).body.data.status).toBe('inactive')
    const answer = await elect(medical, 'EF', [wife, son, baby])
    expect(answer.status, answer.text).toBe(200)
    expect(await history(medical)).toEqual(['-infinity EF', '2026-12-31 EF'])
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`)).body
    const present = pick(data, ({ coverage_start }) => coverage_start === '2027-01-01')
    expect((await elect(present.id, 'EF', [wife, son, baby])).body.data.dependent_ids).toContain(baby)
    api.moveTo('2027-01-31')
    expect(codeOf(await elect(medical, 'EF', [wife, son, baby]))).toEqual([409, 'enrollment_is_inactive'])
  })
})

describe('elections that are repeated or reported late', () => {
  const api = useApi()
  let catalog: Awaited<ReturnType<typeof importCatalog>>

  async function onDay(day: string): Promise<void> {
    api.moveTo(day)
    await api.runDays()
    await api.work()
  }

  /** An employee hired on a day, with medical coverage from that day. */
  async function employed(start_date: string) {
    const { employer_id } = await createOfferingEmployer(api, catalog, {
      benefits: [{ benefit_id: catalog.mec.benefit_id }],
    })
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
        `select election.effective_on, coverage_tier, premium_in_cents,
                array_remove(array_agg(dependent_id order by dependent_id), null) as covered
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
    it('counts as a decision, changes no coverage, and removes the upcoming election', async () => {
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
    it('is covered from the birth, at no cost before it', async () => {
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
    /** Divorce on October 15, birth on the 25th, election on November 20. */
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

    it('is covered from the birth, and the wife costs nothing after her last day', async () => {
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
})
