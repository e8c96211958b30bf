import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmployer, importCatalog, openPlanYear, theEmployer } from '../../../test/fixtures.ts'
import { useApi, type CallOptions } from '../../../test/harness.ts'
import { only } from '../../../test/pick.ts'
import { addToPlanYearCounts } from '../../coverage/plan-years/queries.ts'
import { endSubscription } from './actions.ts'

const api = useApi()
let catalog: Awaited<ReturnType<typeof importCatalog>>

beforeAll(async () => {
  catalog = await importCatalog(api)
})
beforeEach(() => api.moveTo('2026-03-10'))

const employer = (name?: string) => {
  api.wait(1000)
  return createEmployer(api, name === undefined ? {} : { name })
}
const open = (employer_id: string, coverage_start: string, coverage_end: string, input: object = {}) =>
  openPlanYear(api, employer_id, catalog, { coverage_start, coverage_end, ...input })
const window = (open_enrollment_start: string, open_enrollment_end: string) => ({
  open_enrollment_start,
  open_enrollment_end,
})
const row = async (employer_id: string) =>
  only((await api.get(`/v1/employers?include_cancelled=true&search=${employer_id}`)).body.data)
const stageOf = async (employer_id: string) => {
  const { stage, as_of_date } = (await row(employer_id)).benefit_lifecycle_stage
  return [stage, as_of_date]
}

/** The book on each of these days, read before and after their daily run. */
async function story(employer_id: string, days: [day: string, stage: string, as_of_date: string | null][]) {
  const seen = async (has_run: boolean) => {
    const reported = []
    for (const [day] of days) {
      api.moveTo(day)
      if (has_run) await api.runDays()
      reported.push([day, ...(await stageOf(employer_id))])
    }
    return reported
  }
  expect(await seen(false)).toEqual(days)
  expect(await seen(true)).toEqual(days)
}

describe('filters of the book', () => {
  const names = async (query: string, options: CallOptions = {}) => {
    const { data, pagination } = (await api.get(`/v1/employers?${query}`, options)).body
    expect(pagination.total).toBe(data.length)
    return data.map((one: { name: string }) => one.name)
  }
  const as_rival = () => ({ key: api.story.rival_api_key })
  const everything = () => ({ key: api.story.super_api_key })

  beforeAll(async () => {
    api.moveTo('2026-03-09')
    // In Rival's book, which contains none of the other employers.
    const rivals = await importCatalog(api, [], api.story.rival_organization_id)
    const seed = async (name: string, benefits?: object[], ...days: [string, string, object?][]) => {
      api.wait(1000)
      const id = await createEmployer(api, { name }, as_rival())
      for (const [coverage_start, coverage_end, input] of days)
        await openPlanYear(api, id, rivals, { coverage_start, coverage_end, ...(benefits && { benefits }), ...input })
      return id
    }
    const only = (...kinds: ('mec' | 'mvp' | 'dental' | 'ichra')[]) =>
      kinds.map((kind) => ({ benefit_id: rivals[kind].benefit_id }))
    const year: [string, string] = ['2026-01-01', '2026-12-31']
    const gone = await seed('Gone', only('dental'), year)
    await seed('New')
    await seed('Soon', only('mec'), ['2026-05-01', '2027-04-30'])
    await seed('Choosing', only('mvp'), [...year, window('2026-03-01', '2026-03-10')])
    await seed('Ending', only('mec', 'dental'), ['2025-05-01', '2026-04-30'])
    await seed('Ended', only('ichra'), ['2025-01-01', '2025-12-31'])
    await seed('Steady', only('ichra', 'mec'), year)
    await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, gone), '2026-03-10'))
  })

  it.each([
    ['', ['Steady', 'Ended', 'Ending', 'Choosing', 'Soon', 'New']],
    ['benefit_lifecycle_stage=active', ['Steady']],
    ['benefit_lifecycle_stage=RENEWAL', ['Ended', 'Ending']],
    ['benefit_lifecycle_stage=open_enrollment,onboarding', ['Choosing', 'Soon', 'New']],
    ['benefit_lifecycle_stage[]=active&benefit_lifecycle_stage[]=cancelled', ['Steady', 'Gone']],
    ['benefit_lifecycle_stage=active&include_cancelled=true', ['Steady']],
    ['benefit_family=mec', ['Steady', 'Ending']],
    ['benefit_family=MVP', ['Choosing']],
    ['benefit_family=ichra,Dental', ['Steady', 'Ending']],
    ['benefit_family[]=dental&include_cancelled=true', ['Ending', 'Gone']],
    ['benefit_family=vpc&benefit_family=vision', []],
    ['benefit_family=mec&benefit_lifecycle_stage=renewal', ['Ending']],
    ['benefit_family=mec&search=stea', ['Steady']],
  ])('return only matching employers: %s', async (query, found) => {
    expect(await names(query, as_rival())).toEqual(found)
    const headers = { 'x-service-organization': api.story.rival_organization_id }
    expect(await names(query, { ...everything(), headers })).toEqual(found)
  })

  it('return the total of all pages with each page', async () => {
    const { body } = await api.get('/v1/employers?benefit_lifecycle_stage=renewal&limit=1&page=2', as_rival())
    expect(body.data.map((one: { name: string }) => one.name)).toEqual(['Ending'])
    expect(body.pagination).toEqual({ limit: 1, page: 2, total: 2, total_pages: 2 })
  })

  it('change at midnight, with or without the daily run', async () => {
    api.moveTo('2026-03-11')
    for (const has_run of [false, true]) {
      if (has_run) await api.runDays()
      expect(await names('benefit_lifecycle_stage=active', as_rival())).toEqual(['Steady', 'Choosing'])
    }
  })

  it('cover every organization for callers that see all', async () => {
    const steady = await employer('Steadier')
    await open(steady, '2026-01-01', '2026-12-31')
    const found = await names('benefit_lifecycle_stage=active&benefit_family=mec&search=stead', everything())
    expect(found.toSorted()).toEqual(['Steadier', 'Steady'])
    expect(await names('benefit_lifecycle_stage=active&search=stead', as_rival())).toEqual(['Steady'])
  })
})

describe('the lifecycle of an employer', () => {
  it('starts with onboarding, and an open enrollment does not change it', async () => {
    const id = await employer()
    expect(await stageOf(id)).toEqual(['onboarding', null])
    await open(id, '2026-04-01', '2027-03-31', window('2026-03-10', '2026-04-05'))
    await story(id, [
      ['2026-03-10', 'onboarding', '2026-04-01'],
      ['2026-03-31', 'onboarding', '2026-04-01'],
      ['2026-04-01', 'open_enrollment', '2026-04-05'],
      ['2026-04-05', 'open_enrollment', '2026-04-05'],
      ['2026-04-06', 'active', '2026-04-01'],
    ])
  })

  it('follows the plan years, with each change on the exact day', async () => {
    const id = await employer()
    await open(id, '2025-05-01', '2026-04-30')
    await open(id, '2026-05-01', '2026-09-30', window('2026-04-01', '2026-04-15'))
    await story(id, [
      // 91 and 90 days before the last day.
      ['2026-01-29', 'active', '2025-05-01'],
      ['2026-01-30', 'renewal', '2026-05-01'],
      ['2026-03-31', 'renewal', '2026-05-01'],
      ['2026-04-01', 'open_enrollment', '2026-04-15'],
      ['2026-04-15', 'open_enrollment', '2026-04-15'],
      ['2026-04-16', 'renewal', '2026-05-01'],
      ['2026-04-30', 'renewal', '2026-05-01'],
      ['2026-05-01', 'active', '2026-05-01'],
      ['2026-07-01', 'active', '2026-05-01'],
      ['2026-07-02', 'renewal', '2026-10-01'],
      ['2026-09-30', 'renewal', '2026-10-01'],
      ['2026-10-01', 'renewal', '2026-10-01'],
    ])
    api.moveTo('2029-01-01')
    expect(await stageOf(id)).toEqual(['renewal', '2026-10-01'])
  })

  it('is renewal between two plan years, from the day after the first one on', async () => {
    const id = await employer()
    await open(id, '2025-03-01', '2026-02-28')
    expect(await stageOf(id)).toEqual(['renewal', '2026-03-01'])
    await open(id, '2026-06-01', '2027-05-31', window('2026-05-10', '2026-05-20'))
    expect(await stageOf(id)).toEqual(['renewal', '2026-03-01'])
    api.moveTo('2026-05-20')
    expect(await stageOf(id)).toEqual(['open_enrollment', '2026-05-20'])
    expect((await row(id)).renews_on).toBe('2026-03-01')
    api.moveTo('2026-05-31')
    expect(await stageOf(id)).toEqual(['renewal', '2026-03-01'])
    api.moveTo('2026-06-01')
    expect(await stageOf(id)).toEqual(['active', '2026-06-01'])
  })

  it('shows the window that ends first, then the other one', async () => {
    const id = await employer()
    await open(id, '2026-01-01', '2026-12-31', window('2026-02-01', '2026-03-12'))
    await open(id, '2027-01-01', '2027-12-31', window('2026-03-01', '2026-03-20'))
    expect(await stageOf(id)).toEqual(['open_enrollment', '2026-03-12'])
    api.moveTo('2026-03-13')
    expect(await stageOf(id)).toEqual(['open_enrollment', '2026-03-20'])
    api.moveTo('2026-03-21')
    expect(await stageOf(id)).toEqual(['active', '2026-01-01'])
  })

  it('ends with the subscription, even during open enrollment', async () => {
    const id = await employer()
    await open(id, '2026-01-01', '2026-12-31', window('2026-02-01', '2026-12-31'))
    await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, id), '2026-03-12'))
    api.moveTo('2026-03-11')
    expect(await stageOf(id)).toEqual(['open_enrollment', '2026-12-31'])
    api.moveTo('2026-03-12')
    expect(await stageOf(id)).toEqual(['cancelled', '2026-03-12'])
  })

  it('changes immediately with the plan year', async () => {
    const id = await employer()
    const year = await open(id, '2026-05-01', '2027-02-28')
    await api.patch(
      `/operator/v1/benefit-plan-years/${year}`,
      { coverage_start: '2026-04-01' },
      { key: api.operator_key },
    )
    expect(await stageOf(id)).toEqual(['onboarding', '2026-04-01'])
  })
})

describe('the benefits of an employer', () => {
  it('are the product families of the active benefits in the current plan year', async () => {
    const id = await employer()
    const offered = [
      { benefit_id: catalog.vision.benefit_id },
      { benefit_id: catalog.mec.benefit_id },
      { benefit_id: catalog.dental.benefit_id, starts_on: '2026-06-01' },
    ]
    await open(id, '2026-04-01', '2027-03-31', { benefits: offered })
    await open(id, '2027-04-01', '2028-03-31')
    const families = async (day: string) => {
      api.moveTo(day)
      return (await row(id)).benefit_families
    }
    expect(await families('2026-03-31')).toEqual([])
    expect(await families('2026-04-01')).toEqual(['MEC', 'VISION'])
    expect(await families('2026-05-31')).toEqual(['MEC', 'VISION'])
    expect(await families('2026-06-01')).toEqual(['DENTAL', 'MEC', 'VISION'])
    expect(await families('2027-04-01')).toEqual(['DENTAL', 'MEC'])
    expect(await families('2028-04-01')).toEqual([])
  })

  it('include the enrollment rate of the current plan year, or else of the next, or else of the last', async () => {
    const id = await employer()
    const { organization_id } = api.story
    const counted = (plan_year_id: string, eligible: number, enrolled: number) =>
      api.act((ctx) =>
        addToPlanYearCounts(ctx, organization_id, [{ plan_year_id, benefit_id: null, eligible, enrolled, granted: 0 }]),
      )
    const rate = async (day: string) => {
      api.moveTo(day)
      return Object.values((await row(id)).enrollment_rate_summary)
    }
    await counted(await open(id, '2026-04-01', '2027-03-31'), 3, 2)
    await counted(await open(id, '2027-05-01', '2028-04-30'), 200, 1)
    expect(await rate('2026-03-31')).toEqual([3, 2, 67])
    expect(await rate('2027-03-31')).toEqual([3, 2, 67])
    expect(await rate('2027-04-01')).toEqual([200, 1, 1])
    expect(await rate('2028-05-01')).toEqual([200, 1, 1])
  })
})
