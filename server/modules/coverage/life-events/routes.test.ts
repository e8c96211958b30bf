import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear, boundToken } from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { pick } from '../../../test/pick.ts'
import { refusals as elections_refusals } from '../elections/rules.ts'
import { refusals, whyNotReport, windowFrom } from './rules.ts'

const api = useApi()
const unknown = 'qle_01kdq7b4w8e9rs2mh3n5t6v7xz'
const events = (employee_id: string) => `/v1/employees/${employee_id}/qualifying-life-events` as const
const asOperator = () => ({ key: api.operator_key })

let employer_id: string
let employee_id: string
beforeAll(async () => {
  employer_id = await createEmployer(api)
  employee_id = (await createEmployee(api, employer_id)).id
})

/** Reports a life event of a new employee. */
async function reported(input: object = {}) {
  const { id } = await createEmployee(api, employer_id)
  const answer = await api.post(events(id), { type: 'marriage', occurred_on: '2026-03-01', ...input })
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data
}

const decide = (life_event_id: string, decision: 'approve' | 'decline', body?: object, key = api.operator_key) =>
  api.post(`/operator/v1/qualifying-life-events/${life_event_id}/${decision}`, body, { key })

describe('life_events_create', () => {
  it('refuses the same event twice, even for three clicks at once, until it is decided', async () => {
    const { id } = await createEmployee(api, employer_id)
    const birth = { type: 'birth', occurred_on: '2026-03-01' }
    const clicks = await Promise.all([1, 2, 3].map(() => api.post(events(id), birth)))
    expect(clicks.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    const event = pick(clicks, ({ status }) => status === 201).body.data.id
    const refused = await api.post(events(id), { ...birth, description: 'A daughter' })
    expect(refusalOf(refused)).toEqual([409, 'life_event_already_reported', 'type'])
    expect(refused.error.details[0]?.message).toBe(`was reported as ${event}`)
    expect((await api.post(events(id), { ...birth, occurred_on: '2026-03-02' })).status).toBe(201)
    await decide(event, 'decline', { reason: 'The certificate is missing.' })
    expect((await api.post(events(id), birth)).status).toBe(201)
    // Events of type `other` differ by their description.
    const other = { type: 'other', occurred_on: '2026-03-01', description: 'A court order' }
    expect((await api.post(events(id), other)).status).toBe(201)
    expect((await api.post(events(id), { ...other, description: 'A new visa' })).status).toBe(201)
    expect(refusalOf(await api.post(events(id), other))).toEqual([409, 'life_event_already_reported', 'type'])
  })

  it('leaves the life event pending', async () => {
    const answer = await api.post(events(employee_id), {
      type: 'loss_of_coverage',
      occurred_on: '2026-02-28',
      description: ' The plan of a parent ended. ',
      status: 'approved',
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^qle_/),
      employee_id,
      employer_id,
      type: 'loss_of_coverage',
      occurred_on: '2026-02-28',
      description: 'The plan of a parent ended.',
      status: 'pending',
      decided_at: null,
      decision_reason: null,
      window_start: null,
      window_end: null,
      attachments: [],
      created_at: '2026-03-10T16:00:00.000Z',
      updated_at: '2026-03-10T16:00:00.000Z',
    })
  })

  it.each([
    ['no type', { type: undefined }, 'type'],
    ['an unknown type', { type: 'lottery' }, 'type'],
    ['no day', { occurred_on: undefined }, 'occurred_on'],
    ['a day that does not exist', { occurred_on: '2026-02-29' }, 'occurred_on'],
    ['a day after today', { occurred_on: '2026-03-11' }, 'occurred_on'],
    ['other without a description', { type: 'other' }, 'description'],
    ['other with a blank description', { type: 'other', description: ' ' }, 'description'],
    ['a description that is too long', { description: 'x'.repeat(1001) }, 'description'],
  ])('refuses %s and names the field', async (_, input, field) => {
    const answer = await api.post(events(employee_id), { type: 'marriage', occurred_on: '2026-03-01', ...input })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', field])
  })

  it('accepts other with a description', async () => {
    expect(await reported({ type: 'other', description: 'Came home' })).toMatchObject({ type: 'other' })
  })

  it('refuses events more than 60 days ago, which includes those before the date of birth', async () => {
    for (const occurred_on of ['2026-01-08', '1980-01-01'])
      expect(refusalOf(await api.post(events(employee_id), { type: 'divorce', occurred_on }))).toEqual([
        422,
        'life_event_too_old',
        'occurred_on',
      ])
  })

  it('refuses a former employee from the day after the last day', async () => {
    const leaver = await createEmployee(api, employer_id)
    const last_day = (termination_date: string) =>
      api.post(`/v1/employees/${leaver.id}/terminate`, { termination_date })
    await last_day('2026-03-10')
    expect((await api.post(events(leaver.id), { type: 'marriage', occurred_on: '2026-03-01' })).status).toBe(201)
    await last_day('2026-03-09')
    expect(refusalOf(await api.post(events(leaver.id), { type: 'marriage', occurred_on: '2026-03-01' }))).toEqual([
      409,
      'employee_is_not_employed',
      undefined,
    ])
  })
})

describe('life_events_list', () => {
  it('lists those of one employment, newest first, in pages', async () => {
    const { id } = await createEmployee(api, employer_id)
    for (const type of ['marriage', 'birth', 'adoption']) {
      await api.post(events(id), { type, occurred_on: '2026-03-01' })
      api.wait(1000)
    }
    api.moveTo('2026-03-10')
    const first = await api.get(`${events(id)}?limit=2`)
    expect(first.body.data.map(({ type }) => type)).toEqual(['adoption', 'birth'])
    expect(first.body.pagination).toEqual({ limit: 2, page: 1, total: 3, total_pages: 2 })
    expect((await api.get(`${events(id)}?limit=2&page=2`)).body.data).toHaveLength(1)
  })
})

describe('permissions to read and report life events', () => {
  it('lets employees read and report their own, not those of others', async () => {
    const key = await boundToken(api, 'employee', employee_id)
    expect((await api.post(events(employee_id), { type: 'birth', occurred_on: '2026-03-01' }, { key })).status).toBe(
      201,
    )
    expect((await api.get(events(employee_id), { key })).body.pagination.total).toBeGreaterThan(0)
    const other = await createEmployee(api, employer_id)
    expect(refusalOf(await api.get(events(other.id), { key }))).toEqual([404, 'not_found', undefined])
    expect(refusalOf(await api.post(events(other.id), { type: 'birth', occurred_on: '2026-03-01' }, { key }))).toEqual([
      404,
      'not_found',
      undefined,
    ])
  })

  it('forbids employers', async () => {
    const key = await boundToken(api, 'employer', employer_id)
    expect(refusalOf(await api.get(events(employee_id), { key }))).toEqual([403, 'forbidden', undefined])
    expect(
      refusalOf(await api.post(events(employee_id), { type: 'birth', occurred_on: '2026-03-01' }, { key })),
    ).toEqual([403, 'forbidden', undefined])
    const client = await boundToken(api, 'employer', await createEmployer(api))
    expect(refusalOf(await api.get(events(employee_id), { key: client }))).toEqual([404, 'not_found', undefined])
  })

  it('hides life events from other organizations', async () => {
    const key = api.story.rival_api_key
    expect(refusalOf(await api.get(events(employee_id), { key }))).toEqual([404, 'not_found', undefined])
    expect(
      refusalOf(await api.post(events(employee_id), { type: 'birth', occurred_on: '2026-03-01' }, { key })),
    ).toEqual([404, 'not_found', undefined])
  })
})

describe('operator_list_life_events', () => {
  const list = (query: string) => api.get(`/operator/v1/qualifying-life-events?limit=100&${query}`, asOperator())
  const ids = (answer: Awaited<ReturnType<typeof list>>) => answer.body.data.map(({ id }) => id)

  it('lists the life events of every organization that match the filter, oldest first', async () => {
    const one = await reported()
    const other = await reported()
    api.wait(1000)
    const foreign = await reportedAtRival()
    api.moveTo('2026-03-10')
    await decide(one.id, 'decline', { reason: 'No certificate' })

    const pending = ids(await list('status=pending'))
    expect(pending).not.toContain(one.id)
    expect(pending.indexOf(other.id)).toBeGreaterThan(-1)
    expect(pending.indexOf(foreign)).toBeGreaterThan(pending.indexOf(other.id))
    expect(ids(await list('status=declined'))).toContain(one.id)
    expect(ids(await list(''))).toEqual(expect.arrayContaining([one.id, other.id, foreign]))
    expect(ids(await list(`status=pending&organization_id=${api.story.rival_organization_id}`))).toEqual([foreign])
    const shown = (await list(`organization_id=${api.story.organization_id}`)).body.data
    expect(shown.find(({ id }) => id === other.id)).toEqual({
      ...other,
      organization_id: api.story.organization_id,
    })
  })

  it('refuses unknown statuses and malformed organization ids', async () => {
    expect(refusalOf(await list('status=open'))).toEqual([400, 'invalid_request', 'status'])
    expect(refusalOf(await list('organization_id=org_x'))).toEqual([400, 'invalid_request', 'organization_id'])
  })

  /** A life event of an employee in another organization. */
  async function reportedAtRival(): Promise<string> {
    const options = { key: api.story.rival_api_key }
    const at = await createEmployer(api, {}, options)
    const hired = await api.post(
      `/v1/employers/${at}/employees`,
      {
        first_name: 'Rita',
        last_name: 'Rival',
        email: 'rita@rival.example',
        date_of_birth: '1980-02-29',
        start_date: '2026-01-05',
      },
      options,
    )
    expect(hired.status, hired.text).toBe(201)
    return (await api.post(events(hired.body.data.id), { type: 'adoption', occurred_on: '2026-03-01' }, options)).body
      .data.id
  }
})

describe('operator_approve_life_event', () => {
  it('opens a window of today and the following 30 days', async () => {
    const event = await reported()
    const answer = await decide(event.id, 'approve')
    const decided = {
      ...event,
      status: 'approved',
      decided_at: '2026-03-10T16:00:00.000Z',
      window_start: '2026-03-10',
      window_end: '2026-04-09',
    }
    expect(answer.status).toBe(200)
    expect(answer.body.data).toEqual({ ...decided, organization_id: api.story.organization_id })
    expect((await api.get(events(event.employee_id))).body.data).toEqual([decided])
  })

  it('lets the employee elect until the window closes, and publishes an event for each enrollment', async () => {
    const catalog = await importCatalog(api)
    const at = await createEmployer(api)
    const everyone = { classification: 'all', waiting_period: 'none' }
    expect((await api.post(`/v1/employers/${at}/benefit-eligibility-policies`, everyone)).status).toBe(201)
    await openPlanYear(api, at, catalog)
    const { id } = await createEmployee(api, at)
    const enrollments = async () => (await api.get(`/v1/employees/${id}/enrollments`)).body.data
    const windows = async () => (await enrollments()).map(({ window }) => window)
    const mec = pick(await enrollments(), ({ benefit }) => benefit.id === catalog.mec.benefit_id)
    const elect = () =>
      api.post(`/v1/enrollments/${mec.id}/elect`, { plan_id: catalog.mec.plan_id, coverage_tier: 'EE' })

    api.moveTo('2026-04-20')
    expect(await windows()).toEqual([null, null])
    expect(refusalOf(await elect())).toEqual([409, 'enrollment_window_closed', undefined])
    const event = await api.post(events(id), { type: 'loss_of_coverage', occurred_on: '2026-03-31' })
    expect(await windows()).toEqual([null, null])
    expect((await decide(event.body.data.id, 'approve')).status).toBe(200)
    const opened = { start: '2026-04-20', end: '2026-05-20' }
    expect(await windows()).toEqual([opened, opened])
    for (const { id: enrollment_id } of await enrollments())
      expect(await api.events(enrollment_id)).toEqual([
        'enrollment.granted',
        'enrollment.started',
        'enrollment.started',
      ])
    api.moveTo('2026-05-20')
    expect((await elect()).status).toBe(200)
    api.moveTo('2026-05-21')
    expect(refusalOf(await elect())).toEqual([409, 'enrollment_window_closed', undefined])
    api.moveTo('2026-03-10')
  })

  it('accepts one decision, even for ten requests at the same time', async () => {
    const { id } = await reported()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? decide(id, 'approve') : decide(id, 'decline', { reason: 'No' }))),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)])
    expect(refusalOf(await decide(id, 'approve'))).toEqual([409, 'life_event_already_decided', undefined])
    expect(refusalOf(await decide(id, 'decline', { reason: 'No' }))).toEqual([
      409,
      'life_event_already_decided',
      undefined,
    ])
  })

  it('refuses partners, and returns 404 for an unknown life event', async () => {
    const { id } = await reported()
    expect(refusalOf(await decide(id, 'approve', undefined, api.story.api_key))).toEqual([
      401,
      'unauthorized',
      undefined,
    ])
    expect(refusalOf(await decide(unknown, 'approve'))).toEqual([404, 'not_found', undefined])
    expect(refusalOf(await decide(unknown, 'decline', { reason: 'No' }))).toEqual([404, 'not_found', undefined])
  })
})

describe('operator_decline_life_event', () => {
  it('shows the reason to the employee and opens no window', async () => {
    const event = await reported()
    const answer = await decide(event.id, 'decline', { reason: ' The certificate is missing. ' })
    expect(answer.status).toBe(200)
    expect((await api.get(events(event.employee_id))).body.data).toEqual([
      {
        ...event,
        status: 'declined',
        decided_at: '2026-03-10T16:00:00.000Z',
        decision_reason: 'The certificate is missing.',
      },
    ])
  })

  it('requires a reason', async () => {
    const { id } = await reported()
    expect(refusalOf(await decide(id, 'decline', {}))).toEqual([400, 'invalid_request', 'reason'])
    expect(refusalOf(await decide(id, 'decline', { reason: ' ' }))).toEqual([400, 'invalid_request', 'reason'])
  })
})

it('a reported life event is an operator task until its decision', async () => {
  const needing = async () =>
    (await api.get('/operator/v1/tasks?kind=life_event_pending&limit=100', asOperator())).body.data
  const [one, other] = [await reported(), await reported()]
  const task = pick(await needing(), ({ resource_id }) => resource_id === one.id)
  expect(task).toMatchObject({ employer_id, details: { employee_id: one.employee_id, occurred_on: '2026-03-01' } })
  expect((await api.call('POST', task.action.path, asOperator())).status).toBe(200)
  await decide(other.id, 'decline', { reason: 'No certificate' })
  const left = (await needing()).map(({ resource_id }) => resource_id)
  expect(left).not.toContain(one.id)
  expect(left).not.toContain(other.id)
})

const today = '2026-03-10'
const employed = { terminated_on: null }

describe('a life event can be reported', () => {
  it.each([
    ['on the day of the event', today, employed, undefined],
    ['60 days later', '2026-01-09', employed, undefined],
    ['not 61 days later', '2026-01-08', employed, refusals.life_event_too_old],
    ['on the last day of employment', today, { terminated_on: today }, undefined],
    [
      'not on the day after the last day of employment',
      today,
      { terminated_on: '2026-03-09' },
      elections_refusals.employee_is_not_employed,
    ],
    [
      'not by a former employee, regardless of its age',
      '2020-01-01',
      { terminated_on: '2026-03-09' },
      elections_refusals.employee_is_not_employed,
    ],
  ])('%s', (_, occurred_on, employment, why) => {
    expect(whyNotReport(occurred_on, employment, today)).toBe(why)
  })

  it('only once it has occurred, which is checked before the employment', () => {
    expect(whyNotReport('2026-03-11', { terminated_on: '2026-01-01' }, today)).toMatchObject({
      kind: { code: 'invalid_request' },
      details: [{ field: 'occurred_on' }],
    })
  })
})

describe('the window of an approval', () => {
  it.each([
    ['2026-03-10', '2026-04-09'],
    ['2026-01-30', '2026-03-01'],
    ['2028-01-30', '2028-02-29'],
    ['2026-12-15', '2027-01-14'],
  ])('from %s ends on %s', (window_start, window_end) => {
    expect(windowFrom(window_start)).toEqual({ window_start, window_end })
  })
})
