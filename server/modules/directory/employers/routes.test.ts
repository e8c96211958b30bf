import { describe, expect, it } from 'vitest'
import { lockOrganization } from '../../../runtime/locks.ts'
import { createEmployee, importCatalog, openPlanYear, theEmployer, boundToken } from '../../../test/fixtures.ts'
import { countWaiting, useApi } from '../../../test/harness.ts'
import { type ApiResponse } from '../../../test/response.ts'
import { endSubscription, grantSubscription } from './actions.ts'
import { hasActiveSubscription } from './queries.ts'
import { every_organization } from '../../../database/query/rows-of.ts'

const api = useApi()
const path = '/v1/employers'
const unknown = '/v1/employers/empr_01kdq7b4w8e9rs2mh3n5t6v7xz'

let made = 0
type Input = { phone_number?: string | null; [name: string]: unknown }

/** A valid body that collides with no other employer. */
function newcomer(more: Input = {}) {
  const number = String(++made).padStart(7, '0')
  return {
    name: `Bakery ${number}`,
    legal_name: `Bakery ${number} LLC`,
    ein: `12-${number}`,
    email: `owner${number}@bakery.example`,
    address: { address_line_1: '1 Main St', city: 'Reno', state: 'NV', zipcode: '89501' },
    ...more,
  }
}

const create = async (more: Input = {}, key?: string) =>
  (await api.post(path, newcomer(more), key ? { key } : {})).body.data
const reported = ({ status, error }: ApiResponse) => [status, error.code, ...error.details.map(({ field }) => field)]

async function employeeToken(employer_id: string): Promise<string> {
  const { id } = await createEmployee(api, employer_id)
  return boundToken(api, 'employee', id)
}

describe('employers_create', () => {
  it('creates an employer with its first admin, its event and, in the sandbox, a subscription', async () => {
    const body = newcomer({ phone_number: '+1 (415) 555-0123', reference_id: ' r-1 ' })
    const answer = await api.post(path, body)
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      data: {
        id: expect.stringMatching(/^empr_/),
        organization_id: api.story.organization_id,
        name: body.name,
        legal_name: body.legal_name,
        ein: `**-***${body.ein.slice(-4)}`,
        reference_id: 'r-1',
        email: body.email,
        phone_number: '4155550123',
        active: true,
        address: { ...body.address, address_line_2: null },
        eligibility_policy_id: null,
        owner: null,
        created_at: '2026-03-10T16:00:00.000Z',
        updated_at: '2026-03-10T16:00:00.000Z',
      },
    })
    expect(Object.keys(answer.body.data).slice(0, 6)).toEqual([
      'id',
      'organization_id',
      'name',
      'legal_name',
      'ein',
      'reference_id',
    ])
    const { id } = answer.body.data
    expect(await api.events(id)).toEqual(['employer.created'])
    expect(await api.act((ctx) => hasActiveSubscription(ctx, { employer_id: id, day: ctx.today }))).toBe(true)
    expect((await api.get(`${path}?search=${body.email.toUpperCase()}`)).body.data[0]?.id).toBe(id)
  })

  it('never stores or shows the EIN in plain text', async () => {
    const { id } = await create({ ein: '77-1234567' })
    const [row] = await api.database.reads.rows<{ text: string }>(
      'select employers::text as text from employers where id = $1',
      [id],
    )
    expect(row!.text).not.toContain('1234567')
    const again = await api.post(path, newcomer({ ein: '77-1234567' }))
    expect(again.text).not.toContain('1234567')
    expect((await api.post(path, newcomer({ ein: '77-123456x' }))).text).not.toContain('123456x')
  })

  it('accepts common spellings', async () => {
    const employer = await create({
      name: '  Cafe\u0301 Río ',
      phone_number: '1.415.555.0199',
      address: { address_line_1: ' 1 Main St ', address_line_2: null, city: 'Reno', state: 'nv', zipcode: '895011234' },
    })
    expect(employer).toMatchObject({ name: 'Café Río', phone_number: '4155550199', reference_id: null })
    expect(employer.address).toEqual({
      address_line_1: '1 Main St',
      address_line_2: null,
      city: 'Reno',
      state: 'NV',
      zipcode: '89501-1234',
    })
  })

  it('accepts null for optional fields, and texts of 255 characters', async () => {
    const employer = await create({ phone_number: null, reference_id: null, name: 'n'.repeat(255) })
    expect(employer).toMatchObject({ phone_number: null, reference_id: null, name: 'n'.repeat(255) })
    expect((await api.post(path, newcomer({ reference_id: 'r'.repeat(255) }))).status).toBe(201)
  })

  it('ignores read-only fields', async () => {
    const employer = await create({
      id: 'empr_x',
      organization_id: api.story.rival_organization_id,
      created_at: '2020-01-01',
      active: false,
      eligibility_policy_id: 'x',
    })
    expect(employer).toMatchObject({
      organization_id: api.story.organization_id,
      created_at: '2026-03-10T16:00:00.000Z',
      active: true,
      eligibility_policy_id: null,
    })
  })

  const address = { address_line_1: '1 Main St', city: 'Reno', state: 'NV', zipcode: '89501' }
  it.each<[string, object, string]>([
    ['no name', { name: undefined }, 'name'],
    ['a name that is null', { name: null }, 'name'],
    ['a blank name', { name: '   ' }, 'name'],
    ['a name of 256 characters', { name: 'n'.repeat(256) }, 'name'],
    ['NUL in a name', { name: 'a\u0000b' }, 'name'],
    ['a control character in a legal name', { legal_name: 'a\u0007b' }, 'legal_name'],
    ['half a character in a name', { name: 'a\ud800' }, 'name'],
    ['a name that is a number', { name: 7 }, 'name'],
    ['a reference of 256 characters', { reference_id: 'r'.repeat(256) }, 'reference_id'],
    ['an EIN without its dash', { ein: '123456789' }, 'ein'],
    ['an EIN with a line break', { ein: '12-3456789\n' }, 'ein'],
    ['an EIN with prefix 00', { ein: '00-1234567' }, 'ein'],
    ['an EIN in other digits', { ein: '１２-3456789' }, 'ein'],
    ['an EIN that is a number', { ein: 123456789 }, 'ein'],
    ['an invalid email address', { email: 'nobody' }, 'email'],
    ['an email address of 255 characters', { email: `${'e'.repeat(243)}@bakery.test` }, 'email'],
    ['a phone number of 9 digits', { phone_number: '415555012' }, 'phone_number'],
    ['no address', { address: undefined }, 'address'],
    ['an address that is text', { address: '1 Main St' }, 'address'],
    ['an unknown state', { address: { ...address, state: 'ZZ' } }, 'address.state'],
    ['a ZIP code of 6 digits', { address: { ...address, zipcode: '895011' } }, 'address.zipcode'],
    ['an address without a city', { address: { ...address, city: undefined } }, 'address.city'],
    ['a social security number', { ssn: '1' }, 'ssn'],
  ])('refuses %s and names the field', async (_, more, field) => {
    expect(reported(await api.post(path, newcomer({ ...more })))).toEqual([400, 'invalid_request', field])
  })

  it.each<[string, (held: ReturnType<typeof newcomer>) => Input, string, string]>([
    ['EIN', (held) => ({ ein: held.ein }), 'EIN_ALREADY_EXISTS', 'ein'],
    ['name, in another case', (held) => ({ name: ` ${held.name.toUpperCase()} ` }), 'NAME_ALREADY_EXISTS', 'name'],
    [
      'legal name, in another case',
      (held) => ({ legal_name: held.legal_name.toUpperCase() }),
      'LEGAL_NAME_ALREADY_EXISTS',
      'legal_name',
    ],
    [
      'email address, in another case',
      (held) => ({ email: held.email.toUpperCase() }),
      'EMAIL_ALREADY_EXISTS',
      'email',
    ],
    [
      'phone number, spelled differently',
      (held) => ({ phone_number: `+1 ${held.phone_number}` }),
      'PHONE_ALREADY_EXISTS',
      'phone_number',
    ],
  ])('refuses the %s of another employer', async (_, taken, code, field) => {
    const held = newcomer({ name: `Época ${made}`, phone_number: `415556${String(made).padStart(4, '0')}` })
    expect((await api.post(path, held)).status).toBe(201)
    const answer = await api.post(path, newcomer(taken(held)))
    expect(reported(answer)).toEqual([409, code, field])
    expect(answer.headers.get('x-should-retry')).toBe('false')
  })

  it('reports the first collision of the list, and a collision before a PO Box', async () => {
    const held = newcomer({ phone_number: '2125550100' })
    await api.post(path, held)
    const box = { ...held, address: { ...held.address, address_line_1: 'PO Box 1' } }
    expect(reported(await api.post(path, box))).toEqual([409, 'EIN_ALREADY_EXISTS', 'ein'])
    expect(reported(await api.post(path, { ...box, ein: '12-9999999' }))).toEqual([409, 'NAME_ALREADY_EXISTS', 'name'])
  })

  it.each([
    [{ address_line_1: 'P.O. Box 9' }, 'address.address_line_1'],
    [{ address_line_2: 'po box 9' }, 'address.address_line_2'],
  ])('refuses a PO Box in either line: %j', async (line, field) => {
    expect(reported(await api.post(path, newcomer({ address: { ...address, ...line } })))).toEqual([
      422,
      'po_box_not_allowed',
      field,
    ])
  })

  it('creates one employer for 20 identical concurrent requests', async () => {
    const body = newcomer()
    const answers = await Promise.all(Array.from({ length: 20 }, () => api.post(path, body)))
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(409)])
    expect(new Set(answers.filter(({ status }) => status === 409).map(({ error }) => error.code))).toEqual(
      new Set(['EIN_ALREADY_EXISTS']),
    )
  })

  it('lets two organizations have the same employer without learning of each other', async () => {
    const body = newcomer({ phone_number: '2125550111' })
    const ours = (await api.post(path, body)).body.data
    const theirs = await api.post(path, body, { key: api.story.rival_api_key })
    expect([theirs.status, theirs.body.data.organization_id]).toEqual([201, api.story.rival_organization_id])
    for (const search of [body.ein, body.name, body.email, ours.id]) {
      const { data } = (await api.get(`${path}?search=${search}`, { key: api.story.rival_api_key })).body
      expect(
        data.map((row) => row.id),
        `Rival sees only its own by ${search}`,
      ).toEqual(search === ours.id ? [] : [theirs.body.data.id])
    }
  })

  it('requires callers of several organizations to select one', async () => {
    const key = api.story.multi_organization_api_key
    expect(reported(await api.post(path, newcomer(), { key }))).toEqual([
      400,
      'organization_required',
      'X-Service-Organization',
    ])
    const headers = { 'x-service-organization': api.story.rival_organization_id }
    expect((await api.post(path, newcomer(), { key, headers })).body.data.organization_id).toBe(
      api.story.rival_organization_id,
    )
    expect(reported(await api.post(path, newcomer(), { key: api.story.super_api_key }))).toEqual([
      400,
      'organization_required',
      'X-Service-Organization',
    ])
  })

  it('rejects bound tokens', async () => {
    const { id } = await create()
    expect(reported(await api.post(path, newcomer(), { key: await boundToken(api, 'employer', id) }))).toEqual([
      403,
      'forbidden',
    ])
    expect(reported(await api.post(path, newcomer(), { key: await employeeToken(id) }))).toEqual([403, 'forbidden'])
  })
})

describe('employers_get', () => {
  it('shows an employer, also to a token bound to it and to callers that see all', async () => {
    const employer = await create()
    for (const key of [api.story.api_key, await boundToken(api, 'employer', employer.id), api.story.super_api_key]) {
      const answer = await api.get(`${path}/${employer.id}`, { key })
      expect([answer.status, answer.body]).toEqual([200, { data: employer }])
    }
  })

  it('hides the employer from all others', async () => {
    const { id } = await create()
    const keys = [
      api.story.rival_api_key,
      await employeeToken(id),
      await boundToken(api, 'employer', (await create()).id),
    ]
    for (const key of keys) expect(reported(await api.get(`${path}/${id}`, { key }))).toEqual([404, 'not_found'])
  })

  it('returns 404 for unknown and malformed ids', async () => {
    expect(reported(await api.get(unknown))).toEqual([404, 'not_found'])
    expect(reported(await api.get(`${path}/empr_1`))).toEqual([404, 'not_found'])
  })
})

describe('employers_update', () => {
  it('changes the fields that are sent, and publishes one event', async () => {
    const before = await create({ phone_number: '3105550100', reference_id: 'r' })
    api.wait(1000)
    const changes = {
      name: `New ${before.name}`,
      active: false,
      address: { ...before.address, address_line_2: 'Floor 3' },
    }
    const { status, body } = await api.put(`${path}/${before.id}`, changes)
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, ...changes, updated_at: body.data.updated_at })
    expect(body.data.updated_at > before.updated_at).toBe(true)
    expect((await api.get(`${path}/${before.id}`)).body).toEqual(body)
    expect(await api.events(before.id)).toEqual(['employer.created', 'employer.updated'])
  })

  it('writes nothing if nothing changes', async () => {
    const before = await create({ ein: '55-7654321' })
    api.wait(1000)
    const same = [
      undefined,
      {},
      { name: before.name },
      { ein: '55-7654321' },
      { ein: before.ein },
      { id: 'x', organization_id: 'x', created_at: 'x' },
      before,
    ]
    for (const body of same) expect((await api.put(`${path}/${before.id}`, body)).body).toEqual({ data: before })
    expect(await api.events(before.id)).toEqual(['employer.created'])
  })

  it('clears optional fields with null, and keeps the others', async () => {
    const before = await create({
      phone_number: '3105550101',
      reference_id: 'r',
      address: { ...newcomer().address, address_line_2: 'Floor 3' },
    })
    const nothing = { name: null, legal_name: null, ein: null, email: null, active: null, address: null }
    expect((await api.put(`${path}/${before.id}`, nothing)).body.data).toEqual(before)
    const { data } = (
      await api.put(`${path}/${before.id}`, {
        phone_number: null,
        reference_id: null,
        address: { ...before.address, address_line_2: null },
      })
    ).body
    expect(data).toMatchObject({
      phone_number: null,
      reference_id: null,
      address: { ...before.address, address_line_2: null },
    })
  })

  it('changes all fields or none', async () => {
    const before = await create()
    expect(reported(await api.put(`${path}/${before.id}`, { name: 'Other', email: 'nobody' }))).toEqual([
      400,
      'invalid_request',
      'email',
    ])
    expect(reported(await api.put(`${path}/${before.id}`, { name: 'Other', ein: '12-0000000' }))).toEqual([
      400,
      'invalid_request',
      'ein',
    ])
    expect((await api.get(`${path}/${before.id}`)).body.data).toEqual(before)
  })

  it('refuses values of another employer, then a PO Box', async () => {
    const held = await create({ phone_number: '3105550102' })
    const { id, address } = await create()
    const put = async (body: object) => reported(await api.put(`${path}/${id}`, body))
    expect(await put({ name: held.name.toUpperCase(), address: { ...address, address_line_1: 'Box 7' } })).toEqual([
      409,
      'NAME_ALREADY_EXISTS',
      'name',
    ])
    expect(await put({ legal_name: held.legal_name })).toEqual([409, 'LEGAL_NAME_ALREADY_EXISTS', 'legal_name'])
    expect(await put({ email: held.email })).toEqual([409, 'EMAIL_ALREADY_EXISTS', 'email'])
    expect(await put({ phone_number: '310-555-0102' })).toEqual([409, 'PHONE_ALREADY_EXISTS', 'phone_number'])
    expect(await put({ address: { ...address, address_line_1: 'Box 7' } })).toEqual([
      422,
      'po_box_not_allowed',
      'address.address_line_1',
    ])
  })

  it('offers benefits by the state of the employer to employees without a known state', async () => {
    const { id, address } = await create()
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`${path}/${id}/benefit-eligibility-policies`, policy)
    await openPlanYear(api, id, await importCatalog(api), { offered_states: ['NJ'] })
    await api.work()
    const employee = await createEmployee(api, id)
    const granted = async () => (await api.get(`/v1/employees/${employee.id}/enrollments`)).body.data.length
    await api.put(`${path}/${id}`, { address: { ...address, city: 'Elko' } })
    await api.work()
    expect(await granted()).toBe(0)
    await api.put(`${path}/${id}`, { address: { ...address, city: 'Newark', state: 'NJ', zipcode: '07102' } })
    await api.work()
    expect(await granted()).toBe(2)
  })

  it('lets only one of two concurrent changes have a name', async () => {
    const pair = [await create(), await create()]
    const answers = await Promise.all(pair.map(({ id }) => api.put(`${path}/${id}`, { name: 'Wanted by both' })))
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409])
    expect(reported(answers.find(({ status }) => status === 409)!)).toEqual([409, 'NAME_ALREADY_EXISTS', 'name'])
  })

  it('hides the employer from other organizations, and rejects tokens bound to it', async () => {
    const { id } = await create()
    expect(reported(await api.put(`${path}/${id}`, { name: 'Mine' }, { key: api.story.rival_api_key }))).toEqual([
      404,
      'not_found',
    ])
    expect(reported(await api.put(`${path}/${id}`, { name: 'Mine' }, { key: await employeeToken(id) }))).toEqual([
      404,
      'not_found',
    ])
    expect(
      reported(await api.put(`${path}/${id}`, { name: 'Mine' }, { key: await boundToken(api, 'employer', id) })),
    ).toEqual([403, 'forbidden'])
    expect(reported(await api.put(unknown, { name: 7 }))).toEqual([404, 'not_found'])
  })
})

describe('employers_update_settings', () => {
  const usual = {
    pay_frequency: 'bi_weekly',
    first_pay_date: null,
    deduction_method: 'annualized',
    census_mode: 'merge',
    census_values: [],
    deductions_per_year: null,
    final_deductions: 'collect',
    arrears_limit_percent: 100,
    administered_from: null,
    correction_reach_months: 3,
  }

  it('saves the settings that are sent, returns all of them, and leaves the employer unchanged', async () => {
    const employer = await create()
    const put = async (body?: object) => (await api.put(`${path}/${employer.id}/settings`, body)).body
    expect(await put()).toEqual({ data: usual })
    expect(await put({ pay_frequency: 'weekly', first_pay_date: '2026-01-02' })).toEqual({
      data: { ...usual, pay_frequency: 'weekly', first_pay_date: '2026-01-02' },
    })
    const all = {
      ...usual,
      pay_frequency: 'monthly',
      first_pay_date: null,
      deduction_method: 'per_month',
      census_mode: 'replace',
      census_values: [
        { field: 'employee_class', text: 'REG', value: 'Full Time' },
        { field: 'gender', text: 'N/A', value: null },
      ],
    }
    expect(await put(all)).toEqual({ data: all })
    expect(await put({ pay_frequency: null, deduction_method: null, census_mode: null })).toEqual({ data: all })
    expect((await api.get(`${path}/${employer.id}`)).body.data).toEqual(employer)
  })

  it.each([
    [{ pay_frequency: 'daily' }, 'pay_frequency'],
    [{ first_pay_date: '2026-02-30' }, 'first_pay_date'],
    [{ deduction_method: 'none' }, 'deduction_method'],
    [{ census_mode: 7 }, 'census_mode'],
    [{ census_values: [{ field: 'gender', text: 'N/A' }] }, 'census_values[0].value'],
    [{ deductions_per_year: 26 }, 'deductions_per_year'],
    [{ deductions_per_year: 48 }, 'deductions_per_year'],
    [{ pay_frequency: 'monthly', deductions_per_year: 24 }, 'deductions_per_year'],
    [{ final_deductions: 'forget' }, 'final_deductions'],
    [{ arrears_limit_percent: 501 }, 'arrears_limit_percent'],
  ])('refuses %j and names the field', async (body, field) => {
    const { id } = await create()
    expect(reported(await api.put(`${path}/${id}/settings`, body))).toEqual([400, 'invalid_request', field])
  })

  it('hides the employer from other organizations, and rejects tokens bound to it', async () => {
    const { id } = await create()
    expect(reported(await api.put(`${path}/${id}/settings`, {}, { key: api.story.rival_api_key }))).toEqual([
      404,
      'not_found',
    ])
    expect(
      reported(await api.put(`${path}/${id}/settings`, {}, { key: await boundToken(api, 'employer', id) })),
    ).toEqual([403, 'forbidden'])
  })
})

describe('subscriptions', () => {
  it('are active from their first day until the day they end, and can be granted again', async () => {
    const { id } = await create()
    const activeOn = (day: string) => api.act((ctx) => hasActiveSubscription(ctx, { employer_id: id, day }))
    await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, id), '2026-04-01'))
    expect(await Promise.all(['2026-03-09', '2026-03-10', '2026-03-31', '2026-04-01'].map(activeOn))).toEqual([
      false,
      true,
      true,
      false,
    ])
    await expect(
      api.act(async (ctx) => grantSubscription(ctx, await theEmployer(ctx, id), '2026-03-31')),
    ).rejects.toMatchObject({
      kind: { code: 'employer_has_active_subscription' },
    })
    await api.act(async (ctx) => grantSubscription(ctx, await theEmployer(ctx, id), '2026-04-01'))
    expect(await activeOn('2026-04-01')).toBe(true)
  })

  it('leave an employer cancelled if a new one is ended before it starts', async () => {
    api.moveTo('2026-03-10')
    const { id } = await create()
    const inBook = async () => (await api.get(`${path}?search=${id}`)).body.pagination.total
    await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, id), '2026-03-11'))
    api.moveTo('2026-03-12')
    await api.act(async (ctx) => grantSubscription(ctx, await theEmployer(ctx, id), '2026-03-20'))
    await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, id), '2026-03-25'))
    expect(await inBook()).toBe(0)
    api.moveTo('2026-03-20')
    await api.runDays()
    expect(await inBook()).toBe(1)
    api.moveTo('2026-03-25')
    await api.runDays()
    expect(await inBook()).toBe(0)
    api.moveTo('2026-03-10')
  })

  it.each([
    ['granted', 'subscriptions', { started_on: '2026-05-01' }],
    ['ended', 'subscriptions/end', { ended_on: '2026-05-01' }],
  ] as const)(
    'are %s under the lock of the organization without locking the employer first',
    async (action, operation, body) => {
      const { id } = await create()
      if (action === 'granted')
        await api.act(async (ctx) => endSubscription(ctx, await theEmployer(ctx, id), '2026-04-01'))
      const { done } = await api.database.transaction(every_organization, async (db) => {
        await lockOrganization(db, api.story.organization_id)
        const done = api.post(`/operator/v1/employers/${id}/${operation}`, body, { key: api.operator_key })
        await expect.poll(() => countWaiting(api)).toBe(1)
        const free = 'select id from employers where id = $1 and organization_id = $2 for update nowait'
        expect(await db.rows(free, [id, api.story.organization_id])).toHaveLength(1)
        return { done }
      })
      expect((await done).body.data).toMatchObject({ employer_id: id })
    },
  )
})
