import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../kernel/ids.ts'
import { aPerson, createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, only, sure } from '../../../test/pick.ts'
import { enroll, none_enrolled, planYearsOf } from '../../../test/clients/plan-years.ts'
import { addToPlanYearCounts } from './queries.ts'

const api = useApi()
const { copy, listed, detail } = planYearsOf(api)
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => void (catalog = await importCatalog(api)))

const tokenOf = async (type: 'employer' | 'employee', id: string) =>
  (await api.post('/v1/auth/access-tokens', { grant_type: 'client_credentials', bound_entity: { type, id } })).body
    .access_token
const nextYear = { coverage_start: '2027-01-01' }

describe('employers_list_benefit_plan_years', () => {
  const days: [string, string, boolean][] = [
    ['2026-10-31', 'upcoming', false],
    ['2026-11-01', 'open_enrollment', false],
    ['2026-11-30', 'open_enrollment', false],
    ['2026-12-01', 'upcoming', false],
    ['2026-12-31', 'upcoming', false],
    ['2027-01-01', 'active', true],
    ['2027-12-31', 'active', true],
    ['2028-01-01', 'inactive', false],
  ]
  it('shows the status of a plan year on each day', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog, {
      ...nextYear,
      open_enrollment_start: '2026-11-01',
      open_enrollment_end: '2026-11-30',
    })
    const seen = []
    for (const [day] of days) {
      api.moveTo(day)
      const { status, is_current } = first(await listed(employer_id))
      seen.push([day, status, is_current])
    }
    api.moveTo('2026-03-10')
    expect(seen).toEqual(days)
  })

  it('shows a current plan year as active while its window is open', async () => {
    const employer_id = await createEmployer(api)
    await openPlanYear(api, employer_id, catalog, {
      open_enrollment_start: '2026-03-01',
      open_enrollment_end: '2026-03-31',
    })
    expect((await listed(employer_id))[0]).toMatchObject({ status: 'active', is_current: true })
  })

  it('lists the newest first, without the fields of the detail, and filters by year', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const next = (await copy(id)).body.data.id
    const rows = await listed(employer_id)
    expect(rows.map((row: { id: string }) => row.id)).toEqual([next, id])
    const {
      spd_file_url: _,
      contribution_strategy: __,
      eligibility_policy: ___,
      choice_groups: ____,
      benefits,
      ...common
    } = await detail(employer_id, id)
    const bare = benefits.map(({ enrollment_rate: _, ...benefit }: { enrollment_rate: object }) => benefit)
    expect(rows[1]).toEqual({ ...common, benefits: bare, is_current: true })
    expect(await listed(employer_id, '?year=2026')).toEqual([rows[1]])
    expect(await listed(employer_id, '?year=2020')).toEqual([])
    expect(refusalOf(await api.get(`/v1/employers/${employer_id}/benefit-plan-years?year=next`))).toEqual([
      400,
      'invalid_request',
      'year',
    ])
  })

  it('counts eligible and enrolled employees of the plan year and of each benefit', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const { benefit_id } = catalog.mec
    const changed = (benefit_id: string | null, eligible: number, enrolled: number) => ({
      plan_year_id: id,
      benefit_id,
      eligible,
      enrolled,
      granted: 0,
    })
    await api.act((ctx) =>
      addToPlanYearCounts(ctx, api.story.organization_id, [
        changed(null, 6, 2),
        changed(benefit_id, 7, 5),
        changed(catalog.dental.benefit_id, 0, 0),
      ]),
    )
    await api.act((ctx) =>
      addToPlanYearCounts(ctx, api.story.organization_id, [changed(null, 2, -1), changed(benefit_id, -1, -1)]),
    )
    const shown = await detail(employer_id, id)
    // 1 of 8 is 12.5%, 4 of 6 are 66.7%.
    expect(shown.enrollment_rate).toEqual({ eligible: 8, enrolled: 1, percentage: 13 })
    expect(shown.benefits.map((benefit) => benefit.enrollment_rate)).toEqual([
      { eligible: 6, enrolled: 4, percentage: 67 },
      none_enrolled,
    ])
    expect((await listed(employer_id))[0]?.enrollment_rate).toEqual(shown.enrollment_rate)
  })

  it('shows the active eligibility policy in the detail', async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const input = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, { ...input, waiting_period: '30_days' })
    const { body } = await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, input)
    expect((await detail(employer_id, id)).eligibility_policy).toMatchObject(body.data)
  })

  it('is readable only by the organization and by tokens of the employer', async () => {
    const employer_id = await createEmployer(api)
    const other = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    const employee = await createEmployee(api, employer_id)
    const list = `/v1/employers/${employer_id}/benefit-plan-years` as const
    for (const path of [list, `${list}/${id}`, `${list}/${id}/enrollments`, `${list}/${id}/enrollments/summary`]) {
      const status = async (key: string) => (await api.get(path, { key })).status
      expect(await status(await tokenOf('employer', employer_id))).toBe(200)
      expect(await status(await tokenOf('employer', other))).toBe(404)
      expect(await status(await tokenOf('employee', employee.id))).toBe(404)
      expect(await status(api.story.rival_api_key)).toBe(404)
      expect(await status(api.story.super_api_key)).toBe(200)
    }
    for (const path of [`${list}/${newId('plyr')}`, `/v1/employers/${other}/benefit-plan-years/${id}`]) {
      expect((await api.get(path)).status).toBe(404)
      expect((await api.get(`${path}/enrollments`)).status).toBe(404)
    }
  })
})

describe('employers_list_benefit_plan_year_enrollments', () => {
  let path: `/v1/employers/${string}/benefit-plan-years/${string}/enrollments`
  const people: Record<string, Awaited<ReturnType<typeof enroll>>> = {}
  const rows = async (query = '') => (await api.get(`${path}${query}`)).body.data
  const names = async (query = '') => (await rows(query)).map((row) => row.member_first_name)

  beforeAll(async () => {
    const employer_id = await createEmployer(api)
    const id = await openPlanYear(api, employer_id, catalog)
    path = `/v1/employers/${employer_id}/benefit-plan-years/${id}/enrollments`
    const enrolled = { answer: 'enrolled' }
    const cast: [string, string, Record<string, unknown>][] = [
      ['Abe', 'Effective', enrolled],
      ['Bea', 'Today', { ...enrolled, coverage_start: '2026-03-10' }],
      ['Cid', 'Upcoming', { ...enrolled, coverage_start: '2026-03-11' }],
      ['Dua', 'Last Day', { ...enrolled, coverage_end: '2026-03-10', inactive_on: '2026-03-11' }],
      ['Eve', 'Ended', { ...enrolled, coverage_end: '2026-03-09', inactive_on: '2026-03-10' }],
      [
        'Fay',
        'Cancelled',
        { ...enrolled, coverage_start: '2026-04-01', coverage_end: '2026-03-31', inactive_on: '2026-03-01' },
      ],
      ['Gil', 'Waived', { answer: 'waived' }],
      ['Hal', 'Window', { window_ends_on: '2026-03-10' }],
      ['Ida', 'Late', { window_ends_on: '2026-03-09' }],
      ['Jón', 'Ævarsson', { window_ends_on: '2026-03-09' }],
      ['Kim', 'Inactive', { window_ends_on: '2026-12-31', inactive_on: '2026-03-10' }],
      ['Leo', '100%', { window_ends_on: '2026-12-31', inactive_on: '2026-03-11' }],
    ]
    for (const [first_name, last_name, input] of cast)
      people[first_name] = await enroll(api, employer_id, id, catalog.mec, input, { first_name, last_name })
    await api.act(async ({ db, now }) => {
      const event = (id: string, employee_id: string, decision: string | null, last: string) =>
        db.rows(
          `insert into qualifying_life_events (id, organization_id, employer_id, employee_id, type, occurred_on,
                                               decision, decided_at, window_start, window_end, created_at, updated_at)
           values ($1, $2, $3, $4, 'birth', '2026-02-01', $5::text, case when $5 is not null then $7::timestamptz end,
                   case when $5 = 'approved' then date '2026-02-01' end,
                   case when $5 = 'approved' then $6::date end, $7, $7)`,
          [id, api.story.organization_id, employer_id, employee_id, decision, last, now],
        )
      await event('qle_1', people.Ida!.employee_id, 'approved', '2026-03-09')
      await event('qle_2', people.Ida!.employee_id, 'declined', '2026-12-31')
      await event('qle_3', people.Jón!.employee_id, 'approved', '2026-03-10')
    })
  })

  it('shows the election, the status of coverage, and its cost', async () => {
    const { enrollment_id, employee_id, member_id, reference_id } = people.Abe!
    expect(await rows(`?search=${employee_id}`)).toEqual([
      {
        member_id,
        employee_id,
        employee_external_reference_id: reference_id,
        member_first_name: 'Abe',
        member_last_name: 'Effective',
        election_status: 'Enrolled',
        policy_status: 'Coverage Effective',
        dependent_count: 0,
        carrier: 'Evergreen Health',
        plan: 'Essential Care Base',
        tier: 'EE',
        premium_in_cents: 8_900,
        employer_contribution_in_cents: 8_000,
        employee_deduction_in_cents: 900,
        enrollment_id,
        benefit_id: catalog.mec.benefit_id,
        benefit_name: 'Essential Care',
        coverage_start: '2026-02-01',
        coverage_end: null,
        window_ends_on: null,
        affordability: null,
        missing_figures: null,
      },
    ])
    expect((await rows(`?search=${people.Gil!.employee_id}`))[0]).toMatchObject({
      election_status: 'Waived',
      policy_status: null,
      carrier: null,
      plan: null,
      tier: null,
      premium_in_cents: null,
    })
  })

  it('lists all of them, newest first, with the status of each', async () => {
    const all = await rows()
    expect(all.map((row) => [row.member_first_name, row.election_status, row.policy_status]).toReversed()).toEqual([
      ['Abe', 'Enrolled', 'Coverage Effective'],
      ['Bea', 'Enrolled', 'Coverage Effective'],
      ['Cid', 'Enrolled', 'Coverage Upcoming'],
      ['Dua', 'Enrolled', 'Coverage Effective'],
      ['Eve', 'Enrolled', 'Coverage Ended'],
      ['Fay', 'Enrolled', 'Cancelled'],
      ['Gil', 'Waived', null],
      ['Hal', 'Pending', null],
      ['Ida', 'Expired', null],
      ['Jón', 'Pending', null],
      ['Kim', 'Expired', null],
      ['Leo', 'Pending', null],
    ])
  })

  it('shows Pending until the end of an open enrollment, and then Expired', async () => {
    const employer_id = await createEmployer(api)
    const window = { open_enrollment_start: '2026-11-01', open_enrollment_end: '2026-11-30' }
    const id = await openPlanYear(api, employer_id, catalog, window)
    await enroll(api, employer_id, id, catalog.mec)
    const status = async (day: string) => {
      api.moveTo(day)
      return (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${id}/enrollments`)).body.data[0]
        ?.election_status
    }
    expect(await status('2026-11-30')).toBe('Pending')
    expect(await status('2026-12-01')).toBe('Expired')
    expect(await status('2026-03-10')).toBe('Pending')
  })

  it('counts the covered dependents, and shows the election in force', async () => {
    const { enrollment_id, employee_id, member_id } = people.Abe!
    await api.act(async ({ db, now }) => {
      const { organization_id } = api.story
      await db.rows(
        `insert into elections
         select organization_id, enrollment_id, '2026-05-01', plan_id, 'EF', tier_id, 24900, 8000, 16900, $2
           from elections where enrollment_id = $1`,
        [enrollment_id, now],
      )
      for (const [id, effective_on, until] of [
        ['dep_1', '2026-05-01', null],
        ['dep_2', '2026-05-01', '2026-05-31'],
        ['dep_3', '2026-02-01', '2026-03-10'],
      ]) {
        await db.rows(
          `insert into dependents (id, organization_id, member_id, relationship, first_name, last_name, date_of_birth,
                                   created_at, updated_at)
           values ($1, $2, $3, 'child', 'A', 'B', '2020-01-01', $4, $4)`,
          [id, organization_id, member_id, now],
        )
        await db.rows(
          `insert into covered_dependents (organization_id, enrollment_id, effective_on, dependent_id, covered_until)
           values ($1, $2, $3, $4, $5)`,
          [organization_id, enrollment_id, effective_on, id, until],
        )
      }
    })
    const on = async (day: string) => {
      api.moveTo(day)
      const { tier, premium_in_cents, dependent_count } = only(await rows(`?search=${employee_id}`))
      return [tier, premium_in_cents, dependent_count]
    }
    expect(await on('2026-03-11')).toEqual(['EE', 8_900, 0])
    expect(await on('2026-05-01')).toEqual(['EF', 24_900, 2])
    expect(await on('2026-06-01')).toEqual(['EF', 24_900, 1])
    expect(await on('2026-03-10')).toEqual(['EE', 8_900, 1])
  })

  it.each([
    ['?election_status=Pending', ['Leo', 'Jón', 'Hal']],
    ['?election_status=EXPIRED', ['Kim', 'Ida']],
    ['?election_status=waived&election_status=Expired', ['Kim', 'Ida', 'Gil']],
    ['?election_status[]=waived,expired', ['Kim', 'Ida', 'Gil']],
    ['?search=ana', []],
    ['?search=EFFECT', ['Abe']],
    ['?search=aev%20jon', ['Jón']],
    ['?search=JÓN', ['Jón']],
    ['?search=100%25', ['Leo']],
    ['?search=%25', ['Leo']],
    ['?search=_', []],
    ['?search=%CC%81', []],
    ['?search=i&election_status=expired', ['Kim', 'Ida']],
    ['?search=grpmbr_01kdq7b4w8e9rs2mh3n5t6v7xz', []],
  ])('finds %s', async (query, found) => {
    expect(await names(query)).toEqual(found)
    expect((await api.get(`${path}${query}`)).body.pagination.total).toBe(found.length)
    expect((await api.get(`${path.replace(/\w{4}\/en/, '0000/en')}${query}` as typeof path)).status).toBe(404)
  })

  it('finds rows by exact reference, member or employee', async () => {
    const { reference_id, member_id, employee_id } = people.Bea!
    for (const id of [sure(reference_id), member_id, employee_id]) {
      expect(await names(`?search=${id}`)).toEqual(['Bea'])
      expect(await names(`?search=${id.slice(0, -1)}`)).toEqual([])
    }
  })

  it('paginates, and returns an empty page past the end', async () => {
    const { body } = await api.get(`${path}?limit=5&page=3`)
    expect(body.data.map((row) => row.member_first_name)).toEqual(['Bea', 'Abe'])
    expect(body.pagination).toEqual({ limit: 5, page: 3, total: 12, total_pages: 3 })
    expect((await api.get(`${path}?page=99999`)).body).toMatchObject({ data: [], pagination: { total: 12 } })
    expect((await api.get(`${path}?search=e&limit=1&page=2`)).body.pagination.total).toBeGreaterThan(1)
  })

  it('refuses an unknown status or order, and names it', async () => {
    for (const [query, field] of [
      ['election_status=lost', 'election_status[0]'],
      ['sort=luck', 'sort'],
    ])
      expect(refusalOf(await api.get(`${path}?${query}`))).toEqual([400, 'invalid_request', field])
  })

  it('shows the last day to decide, and sorts by it, by name and by coverage', async () => {
    const windows = (await rows()).map((row) => [row.member_first_name, row.window_ends_on])
    expect(windows.filter(([, last]) => last !== null).toReversed()).toEqual([
      ['Hal', '2026-03-10'],
      ['Jón', '2026-03-10'],
      ['Leo', '2026-12-31'],
    ])
    const no_window = ['Kim', 'Ida', 'Gil', 'Fay', 'Eve', 'Dua', 'Cid', 'Bea', 'Abe']
    expect(await names('?sort=window_end')).toEqual(['Jón', 'Hal', 'Leo', ...no_window])
    expect(await names('?sort=window_end&election_status=pending')).toEqual(['Jón', 'Hal', 'Leo'])
    expect((await names('?sort=coverage_end'))[0]).toBe('Dua')
    expect((await names('?sort=coverage_start')).slice(-3)).toEqual(['Bea', 'Cid', 'Fay'])
    const by_name = ['Leo', 'Jón', 'Fay', 'Abe', 'Eve', 'Kim', 'Dua', 'Ida', 'Bea', 'Cid', 'Gil', 'Hal']
    const found = await names('?search=a')
    expect(await names('?sort=name&search=a')).toEqual(by_name.filter((name) => found.includes(name)))
    const walked: string[] = []
    for (const page of [1, 2, 3]) walked.push(...(await names(`?sort=name&limit=5&page=${page}`)))
    expect(walked).toEqual(by_name)
  })

  it('is counted, and downloaded as CSV with the day of its organization', async () => {
    const no_one_yet = { eligible: 0, enrolled: 0, waived: 0, pending: 0, expired: 0 }
    const summary = async () => (await api.get(`${path}/summary`)).body.data
    const of_mec = { benefit_id: catalog.mec.benefit_id }
    expect(await summary()).toMatchObject({ people: no_one_yet, benefits: [{ ...of_mec, counts: no_one_yet }, {}] })
    await api.act(({ db }) =>
      db.rows(
        `update enrollments set counted_as = counts_as(answer, inactive_on, '2026-12-31', '2026-03-10')
          where plan_year_id = $1`,
        [path.split('/')[5]],
      ),
    )
    const counts = { eligible: 9, enrolled: 4, waived: 1, pending: 3, expired: 1 }
    const { people, benefits, csv_url } = await summary()
    expect([people, benefits[0]]).toEqual([counts, { ...of_mec, counts }])
    const file = await fetch(csv_url)
    const lines = (await file.text()).trim().split('\r\n')
    expect([file.headers.get('content-type'), file.headers.get('content-disposition')]).toEqual([
      'text/csv; charset=utf-8',
      'attachment; filename="enrollments-2026-03-10.csv"',
    ])
    expect(lines).toHaveLength(13)
    expect(lines.at(-1)).toMatch(/^Effective,Abe,empl_.*,Essential Care,Enrolled,,Coverage Effective,2026-02-01,,/)
    expect(lines.at(-1)).toMatch(/,EE,\d,89\.00,80\.00,9\.00,,enrl_/)
    expect(lines.find((line) => line.startsWith('Window,Hal'))).toContain(',Pending,2026-03-10,')
    const token = await tokenOf('employer', path.split('/')[3]!)
    expect((await api.get(`${path}/summary`, { key: token })).status).toBe(200)
    expect((await api.get(`${path}/summary`, { key: api.story.rival_api_key })).status).toBe(404)
  })

  it('does not find people of another employer by their ids', async () => {
    const other = await createEmployee(api, await createEmployer(api), aPerson())
    expect(await names(`?search=${other.id}`)).toEqual([])
  })
})
