import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, boundToken } from '../../../test/fixtures.ts'
import { isShardingStatement } from '../../../test/postgres/sharded-queries.ts'
import { codeOf, refusalOf, statusOrCode } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { saveSearchKeys } from './queries.ts'

const api = useApi()
let employer_id: string

beforeAll(async () => {
  employer_id = await createEmployer(api)
})

const hire = (input: object = {}, at = employer_id, key?: string) =>
  api.post(`/v1/employers/${at}/employees`, aPerson(input as Record<string, unknown>), key ? { key } : {})

describe('employees_create_employee', () => {
  it('adds a person to the roster and returns the employee', async () => {
    const answer = await hire({
      first_name: ' Zoë ',
      last_name: 'Łukasz',
      suffix: 'Jr.',
      gender: 'Female',
      phone: '+1 (415) 555-0199',
      compensation_type: 'Salary',
      reference_id: 'E-1',
      email: 'Zoe@Example.com',
      address: { street_1: '5 Elm', city: 'Reno', state: 'nv', zip_code: '895011234' },
    })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toEqual({
      id: expect.stringMatching(/^empl_/),
      member_id: expect.stringMatching(/^mbr_/),
      reference_id: 'E-1',
      first_name: 'Zoë',
      last_name: 'Łukasz',
      suffix: 'Jr.',
      email: 'Zoe@Example.com',
      date_of_birth: '1990-05-17',
      gender: 'Female',
      phone: '4155550199',
      employee_class: 'Full Time',
      status: 'active',
      hire_date: '2026-01-05',
      termination_date: null,
      address: {
        address_line_1: '5 Elm',
        address_line_2: null,
        city: 'Reno',
        state: 'NV',
        zipcode: '89501-1234',
        county: null,
      },
      enrollments: [],
      created_at: '2026-03-10T16:00:00.000Z',
      updated_at: '2026-03-10T16:00:00.000Z',
      employer_id,
      employer_name: expect.any(String),
      start_date: '2026-01-05',
      classification_effective_date: '2026-01-05',
      compensation_type: 'Salary',
      compensation_type_effective_date: '2026-01-05',
      bargaining_unit: null,
      bargaining_unit_effective_date: null,
      deductions: [],
    })
    expect((await api.get(`/v1/employees/${answer.body.data.id}`)).text).toBe(answer.text)
    expect(await api.events(answer.body.data.id)).toEqual(['employee.created'])
  })

  it('links a person of the organization to another employer, and fills in only missing details', async () => {
    const first = await createEmployee(api, employer_id, {
      email: 'rosa@example.com',
      last_name: 'Díaz',
      phone: undefined,
    })
    const other = await createEmployer(api)
    const input = { first_name: first.first_name.toUpperCase(), last_name: 'diaz' }
    const answer = await hire({ ...input, email: 'ROSA@example.com', phone: '7025550100' }, other)
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      member_id: first.member_id,
      date_of_birth: '1990-05-17',
      phone: '7025550100',
      last_name: 'Díaz',
    })
    expect(answer.body.data.warnings?.map(({ field }) => field)).toEqual(['first_name', 'last_name', 'email'])
  })

  it.each([
    ['a person under 18', { date_of_birth: '2008-03-11' }, [400, 'invalid_employee_update', 'date_of_birth']],
    ['a start date after today', { start_date: '2026-03-11' }, [400, 'invalid_employee_update', 'start_date']],
    ['no email', { email: null }, [400, 'invalid_request', 'email']],
    ['a day that does not exist', { start_date: '2026-02-29' }, [400, 'invalid_request', 'start_date']],
    ['an unknown class', { employee_class: 'full time' }, [400, 'invalid_request', 'employee_class']],
    ['a NUL in a name', { first_name: 'A\u0000b' }, [400, 'invalid_request', 'first_name']],
    ['half an emoji in a name', { first_name: 'A\ud83d' }, [400, 'invalid_request', 'first_name']],
    ['a social security number', { SSN: '123-45-6789' }, [400, 'invalid_request', 'SSN']],
    [
      'an address without a street',
      { address: { city: 'Reno', state: 'NV', zipcode: '89501' } },
      [400, 'invalid_request', 'address.address_line_1'],
    ],
  ])('refuses %s and names the field', async (_, input, expected) => {
    expect(refusalOf(await hire(input))).toEqual(expected)
  })

  it('lists every fault of an address in one response', async () => {
    const faults = async (address: object) =>
      (await hire({ address })).error.details.map(({ field }) => field).toSorted()
    const every = ['address.address_line_1', 'address.city', 'address.state', 'address.zipcode']
    expect(await faults({})).toEqual(every)
    expect(await faults({ street_1: 5, zip_code: '1' })).toEqual([
      'address.city',
      'address.state',
      'address.street_1',
      'address.zip_code',
    ])
  })

  it('accepts a person who turns 18 today', async () => {
    expect((await hire({ date_of_birth: '2008-03-10' })).status).toBe(201)
  })

  it('refuses a person on the roster, matched by email, reference, or name with phone or ZIP', async () => {
    const address = { address_line_1: '1 A', city: 'Reno', state: 'NV', zipcode: '89501' }
    const known = await createEmployee(api, employer_id, { reference_id: 'R-7', address })
    const { first_name, last_name, phone, email } = known
    const same = async (field: string, hired: object) => {
      const answer = await hire(hired)
      expect(codeOf(answer)).toEqual([409, 'employee_already_exists'])
      expect(answer.error.details).toEqual([{ field, message: `belongs to ${known.id}` }])
    }
    await same('email', { email, first_name, last_name, date_of_birth: '1991-01-01' })
    await same('reference_id', { reference_id: 'R-7', first_name })
    await same('phone', { first_name: first_name.toUpperCase(), last_name, phone })
    const nearby = { ...address, zipcode: '89501-9999' }
    await same('address.zipcode', { first_name, last_name, phone: undefined, address: nearby })
  })

  it('never guesses between several people', async () => {
    const address = { address_line_1: '1 A', city: 'Reno', state: 'NV', zipcode: '89502' }
    const twin = { first_name: 'Sam', last_name: 'Poe', address }
    const first = await createEmployee(api, employer_id, { ...twin, address: undefined })
    await createEmployee(api, employer_id, twin)
    await api.patch(`/v1/employees/${first.id}`, { effective_date: '2026-03-10', address })
    expect(refusalOf(await hire({ ...twin, phone: undefined }))).toEqual([409, 'ambiguous_person', 'address.zipcode'])
  })

  it("refuses another person's phone, and their email for a person marked as distinct or known", async () => {
    const known = await createEmployee(api, employer_id)
    const other = await createEmployee(api, await createEmployer(api))
    const taken = [422, 'email_taken', 'email']
    expect(refusalOf(await hire({ phone: known.phone }))).toEqual([422, 'invalid_account_update', 'phone'])
    expect(refusalOf(await hire({ email: known.email, distinct: true }))).toEqual(taken)
    const { first_name, last_name, email, phone } = known
    expect(refusalOf(await hire({ first_name, last_name, email, phone, distinct: true }))).toEqual(taken)
    expect(refusalOf(await hire({ email: known.email, member_id: other.member_id }))).toEqual(taken)
  })

  it('answers 20 simultaneous identical requests with one 201 and nineteen 409', async () => {
    const body = aPerson()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => api.post(`/v1/employers/${employer_id}/employees`, body)),
    )
    const codes = answers.map(statusOrCode)
    expect(codes.sort()).toEqual([201, ...Array(19).fill('employee_already_exists')])
  })

  it('hides the employer from another organization and from an employee, and refuses an employer token', async () => {
    const employee = await createEmployee(api, employer_id)
    expect((await hire({}, employer_id, api.story.rival_api_key)).status).toBe(404)
    expect((await hire({}, employer_id, await boundToken(api, 'employee', employee.id))).status).toBe(404)
    expect((await hire({}, employer_id, await boundToken(api, 'employer', employer_id))).status).toBe(403)
  })

  it('keeps the people of two organizations separate', async () => {
    const key = api.story.rival_api_key
    const theirs = await createEmployer(api, {}, { key })
    const body = aPerson({ reference_id: 'SAME' })
    const ours = await api.post(`/v1/employers/${employer_id}/employees`, body)
    const other = await api.post(`/v1/employers/${theirs}/employees`, body, { key })
    expect([ours.status, other.status]).toEqual([201, 201])
    expect(other.body.data.member_id).not.toBe(ours.body.data.member_id)
    const foreign = await api.get(`/v1/employees/${ours.body.data.id}`, { key })
    expect(codeOf(foreign)).toEqual([404, 'not_found'])
  })
})

/** Returns the statements sent to PostgreSQL during some work, without begin and commit. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const { query } = pg.Client.prototype
  const sent: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...input: [string | { text: string }]) {
    const [requested] = input
    sent.push(typeof requested === 'string' ? requested : requested.text)
    return query.apply(this, input as never) as never
  }
  try {
    await work()
  } finally {
    pg.Client.prototype.query = query
  }
  return sent.filter((text) => !/^(?:begin|commit)\b/.test(text) && !isShardingStatement(text))
}

describe('employees_update', () => {
  it('sends few statements for a new phone number, and publishes an event for each employment', async () => {
    const { id, member_id } = await createEmployee(api, employer_id)
    const elsewhere = await createEmployee(api, await createEmployer(api), { member_id })
    const phoneIs = (phone: string) => change(id, { effective_date: '2026-03-10', phone })
    // The first request prepares statements and reads credentials.
    await phoneIs('2025550171')
    const sent = await statementsOf(() => phoneIs('2025550172'))
    // With sharding, an event takes four statements instead of one, and one more replaces the triggers.
    expect(sent.length, sent.join('\n\n')).toBeLessThanOrEqual(api.database.distribution ? 18 : 14)
    expect((await api.get(`/v1/employees/${elsewhere.id}`)).body.data.phone).toBe('2025550172')
    for (const employee_id of [id, elsewhere.id])
      expect((await api.events(employee_id)).filter((name) => name === 'employee.updated')).toHaveLength(2)
  })

  it('changes only the given fields, and clears phone and gender with null', async () => {
    const { id } = await createEmployee(api, employer_id, { gender: 'Male' })
    const answer = await change(id, {
      effective_date: '2026-03-10',
      phone: null,
      gender: null,
      email: 'new.mail@example.com',
      first_name: 'No',
      status: 'terminated',
    })
    expect(answer.body.data).toMatchObject({
      phone: null,
      gender: null,
      email: 'new.mail@example.com',
      status: 'active',
    })
    expect(answer.body.data.first_name).not.toBe('No')
    expect(await api.events(id)).toEqual(['employee.created', 'employee.updated'])
  })

  it('returns 200 and changes nothing for a body with only an effective date', async () => {
    const employee = await createEmployee(api, employer_id)
    api.wait(60_000)
    const answer = await change(employee.id, { effective_date: '2026-03-01', email: null })
    expect([answer.status, answer.body.data]).toEqual([200, employee])
    expect(await api.events(employee.id)).toEqual(['employee.created'])
    api.moveTo('2026-03-10')
  })

  it('inserts an earlier effective date into the history and keeps later values', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01' })
    await change(id, { effective_date: '2026-01-01', employee_class: 'Part Time', compensation_type: 'Hourly' })
    const answer = await change(id, {
      effective_date: '2025-06-01',
      employee_class: 'Temporary',
      compensation_type: 'Salary',
    })
    expect(answer.body.data).toMatchObject({
      employee_class: 'Part Time',
      classification_effective_date: '2026-01-01',
      compensation_type: 'Hourly',
      compensation_type_effective_date: '2026-01-01',
    })
    const history = await api.database.reads.rows<{ input: string }>(
      `select effective_on || ' ' || employee_class as input from employee_classifications where employee_id = $1 order by effective_on`,
      [id],
    )
    expect(history.map((row) => row.input)).toEqual([
      '-infinity Full Time',
      '2025-06-01 Temporary',
      '2026-01-01 Part Time',
    ])
  })

  it('returns the first day of the current value, even if the same value was reported again later', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01' })
    const put = async (effective_date: string, employee_class: string) =>
      (await change(id, { effective_date, employee_class })).body.data.classification_effective_date
    expect(await put('2025-06-01', 'Part Time')).toBe('2025-06-01')
    expect(await put('2025-03-01', 'Part Time')).toBe('2025-03-01')
    // The first fact changes nothing while the second is effective. Without the second, it determines the date.
    expect(await put('2025-03-01', 'Full Time')).toBe('2025-06-01')
    expect(await put('2025-06-01', 'Full Time')).toBe('2025-01-01')
  })

  it('explains eligibility with the history of classes, from the first day of the employment', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01', employee_class: 'Part Time' })
    const history = async () => (await api.get(`/v1/employees/${id}/eligibility`)).body.data.class_history
    await change(id, { effective_date: '2026-02-01', employee_class: 'Full Time' })
    await change(id, { effective_date: '2026-03-01', employee_class: 'Full Time' })
    expect(await history()).toEqual([
      { employee_class: 'Part Time', effective_on: '2025-01-01' },
      { employee_class: 'Full Time', effective_on: '2026-02-01' },
    ])
    await change(id, { effective_date: '2026-03-10', start_date: '2026-02-15' })
    expect(await history()).toEqual([{ employee_class: 'Full Time', effective_on: '2026-02-15' }])
  })

  it('keeps a fact that changes nothing when reported, because a later report may give it an effect', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01' })
    await change(id, { effective_date: '2025-09-01', employee_class: 'Full Time' })
    const { body } = await change(id, { effective_date: '2025-06-01', employee_class: 'Part Time' })
    expect(body.data).toMatchObject({
      employee_class: 'Full Time',
      classification_effective_date: '2025-09-01',
    })
  })

  it('keeps facts from before a new first day, and applies them again if that day is moved back', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01' })
    await change(id, { effective_date: '2025-06-01', employee_class: 'Part Time' })
    const move = async (start_date: string) =>
      (await change(id, { effective_date: '2026-03-10', start_date })).body.data.classification_effective_date
    expect(await move('2025-09-01')).toBe('2025-09-01')
    expect(await move('2025-01-01')).toBe('2025-06-01')
  })

  it('publishes a change of a person for each of their employments', async () => {
    const here = await createEmployee(api, employer_id)
    const { first_name, last_name, email, date_of_birth, start_date } = here
    const there = (
      await api.post(`/v1/employers/${await createEmployer(api)}/employees`, {
        first_name,
        last_name,
        email,
        date_of_birth,
        start_date,
      })
    ).body.data
    await change(here.id, { effective_date: '2026-03-10', email: 'both@example.com' })
    expect(await api.events(there.id)).toEqual(['employee.created', 'employee.updated'])
    expect(await api.events(here.id)).toEqual(['employee.created', 'employee.updated'])
  })

  it('moves the start of the history with the first day of the employment', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-01-01' })
    await change(id, { effective_date: '2025-06-01', employee_class: 'Part Time' })
    const earlier = await change(id, { effective_date: '2026-03-10', start_date: '2024-12-01' })
    expect(earlier.body.data).toMatchObject({ hire_date: '2024-12-01', classification_effective_date: '2025-06-01' })
    const later = await change(id, { effective_date: '2026-03-10', start_date: '2025-09-01' })
    expect(later.body.data).toMatchObject({
      start_date: '2025-09-01',
      employee_class: 'Part Time',
      classification_effective_date: '2025-09-01',
    })
  })

  it.each([
    [
      'an effective date after today',
      { effective_date: '2026-03-11', employee_class: 'Intern' },
      'invalid_employee_update',
      'effective_date',
    ],
    [
      'an effective date before the employment',
      { effective_date: '2026-01-04', employee_class: 'Intern' },
      'invalid_employee_update',
      'effective_date',
    ],
    [
      'a start date after today',
      { effective_date: '2026-03-10', start_date: '2026-03-11' },
      'invalid_employee_update',
      'start_date',
    ],
    ['no effective date', { gender: 'Male' }, 'invalid_request', 'effective_date'],
    ['an unknown gender', { effective_date: '2026-03-10', gender: 'x' }, 'invalid_request', 'gender'],
  ])('refuses %s with a 400 and changes nothing', async (_, body, code, field) => {
    const employee = await createEmployee(api, employer_id)
    expect(refusalOf(await change(employee.id, { email: 'half@example.com', ...body }))).toEqual([400, code, field])
    expect((await api.get(`/v1/employees/${employee.id}`)).body.data).toEqual(employee)
  })

  it("refuses another person's email or phone with 400 invalid_employee_update", async () => {
    const [one, other] = [await createEmployee(api, employer_id), await createEmployee(api, employer_id)]
    const of = (body: object) => change(one.id, { effective_date: '2026-03-10', ...body })
    expect(refusalOf(await of({ email: other.email.toUpperCase() }))).toEqual([400, 'invalid_employee_update', 'email'])
    expect(refusalOf(await of({ phone: other.phone }))).toEqual([400, 'invalid_employee_update', 'phone'])
    expect((await of({ email: one.email.toUpperCase() })).body.data.email).toBe(one.email.toUpperCase())
  })
})

const change = (id: string, body: object) => api.patch(`/v1/employees/${id}`, body)

describe('employees_terminate and employees_rehire', () => {
  it('publishes every event of a working life: hired, terminated on a future day, ended, rehired', async () => {
    api.moveTo('2026-03-10')
    const { id, member_id } = await createEmployee(api, employer_id, {
      reference_id: 'LIFE',
      employee_class: 'Part Time',
    })
    const end = (body: object) => api.post(`/v1/employees/${id}/terminate`, body)
    expect((await end({ termination_date: '2026-03-20' })).body.data).toMatchObject({
      status: 'active',
      termination_date: '2026-03-20',
    })
    expect((await end({ termination_date: '2026-03-15', reason: 'Moved' })).body.data.termination_date).toBe(
      '2026-03-15',
    )
    expect(refusalOf(await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-10' }))).toEqual([
      409,
      'employee_not_terminated',
      undefined,
    ])

    api.moveTo('2026-03-15')
    await api.runDays()
    expect((await api.get(`/v1/employees/${id}`)).body.data.status).toBe('active')
    expect(refusalOf(await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-15' }))).toEqual([
      409,
      'employee_not_terminated',
      undefined,
    ])
    api.moveTo('2026-03-17')
    await api.runDays()
    await api.runDays()
    expect((await api.get(`/v1/employees/${id}`)).body.data.status).toBe('terminated')
    expect(await api.events(id)).toEqual([
      'employee.created',
      'employee.updated',
      'employee.updated',
      'employee.deactivated',
    ])
    expect(refusalOf(await end({ termination_date: '2026-03-16' }))).toEqual([
      409,
      'employee_already_terminated',
      undefined,
    ])

    expect(refusalOf(await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-15' }))).toEqual([
      400,
      'invalid_employee_update',
      'start_date',
    ])
    const back = await api.post(`/v1/employees/${id}/rehire`, { start_date: '2026-03-16' })
    expect(back.status).toBe(201)
    expect(back.body.data).toMatchObject({
      member_id,
      status: 'active',
      hire_date: '2026-03-16',
      reference_id: 'LIFE',
      employee_class: 'Part Time',
      termination_date: null,
    })
    expect(back.body.data.id).not.toBe(id)
    expect(await api.events(back.body.data.id)).toEqual(['employee.rehired'])
    api.moveTo('2026-03-10')
  })

  it('publishes the end of an employment that is changed between its last day and the daily run', async () => {
    const { id } = await createEmployee(api, employer_id)
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-20' })
    api.moveTo('2026-03-21')
    await change(id, { effective_date: '2026-03-21', gender: 'Male' })
    await api.runDays()
    expect((await api.events(id)).at(-1)).toBe('employee.deactivated')
    api.moveTo('2026-03-10')
  })

  it('never gives a former employee the reference of another person', async () => {
    const one = await createEmployee(api, employer_id, { reference_id: 'CHAIR' })
    await api.post(`/v1/employees/${one.id}/terminate`, { termination_date: '2026-03-05' })
    await createEmployee(api, employer_id, { reference_id: 'TABLE' })
    const answer = await api.post(`/v1/employees/${one.id}/rehire`, { start_date: '2026-03-10', reference_id: 'TABLE' })
    expect(refusalOf(answer)).toEqual([400, 'invalid_employee_update', 'reference_id'])
  })

  it('accepts a last day 60 days ago', async () => {
    const { id } = await createEmployee(api, employer_id, { start_date: '2025-06-01' })
    const ended = await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-01-09' })
    expect(ended.body.data).toMatchObject({ status: 'terminated', termination_date: '2026-01-09' })
  })

  it('ends an employment in the past immediately', async () => {
    const { id } = await createEmployee(api, employer_id)
    const answer = await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-09' })
    expect(answer.body.data.status).toBe('terminated')
    expect(await api.events(id)).toEqual(['employee.created', 'employee.updated', 'employee.deactivated'])
  })

  it.each([
    ['more than 60 days ago', '2026-01-08', '2025-06-01'],
    ['before the first day', '2026-02-01', '2026-02-02'],
  ])('refuses a last day %s', async (_, termination_date, start_date) => {
    const { id } = await createEmployee(api, employer_id, { start_date })
    expect(refusalOf(await api.post(`/v1/employees/${id}/terminate`, { termination_date }))).toEqual([
      400,
      'invalid_employee_update',
      'termination_date',
    ])
  })
})

describe('employers_list_employees', () => {
  it('lists the newest first, filters, searches and pages', async () => {
    const at = await createEmployer(api)
    const names = ['Álvaro', 'Bea', 'Cleo', 'Dora', 'Eve']
    for (const first_name of names) {
      await createEmployee(api, at, { first_name, last_name: 'Núñez' })
      api.wait(1000)
    }
    const list = async (query = '') => (await api.get(`/v1/employers/${at}/employees${query}`)).body
    const all = await list()
    expect(all.data.map((row) => row.first_name)).toEqual([...names].reverse())
    expect(all.pagination).toEqual({ limit: 20, page: 1, total: 5, total_pages: 1 })
    expect(all.data[0]).toEqual((await api.get(`/v1/employees/${all.data[0]!.id}`)).body.data)

    const second = await list('?limit=2&page=2')
    expect(second.data.map((row) => row.first_name)).toEqual(['Cleo', 'Bea'])
    expect(second.pagination).toEqual({ limit: 2, page: 2, total: 5, total_pages: 3 })
    expect(await list('?limit=100&page=999999999999999')).toEqual({
      data: [],
      pagination: { limit: 100, page: 999999999999999, total: 5, total_pages: 1 },
    })

    // Any page is found by position, whichever page was read before.
    const paged = async (page: number, limit: number) =>
      (await list(`?limit=${limit}&page=${page}`)).data.map((row) => row.first_name)
    expect(await paged(5, 1)).toEqual(['Álvaro'])
    expect(await paged(2, 1)).toEqual(['Dora'])
    expect(await paged(4, 1)).toEqual(['Bea'])
    expect(await paged(6, 1)).toEqual([])

    await api.post(`/v1/employees/${all.data[0]!.id}/terminate`, { termination_date: '2026-03-09' })
    expect((await list('?employment_status=terminated')).data.map((row) => row.first_name)).toEqual(['Eve'])
    expect((await list('?employment_status=active')).pagination.total).toBe(4)

    const found = async (search: string) =>
      (await list(`?search=${encodeURIComponent(search)}`)).data.map((row) => row.first_name)
    expect(await found('alvaro NUN')).toEqual(['Álvaro'])
    expect(await found(all.data[1]!.email.toUpperCase())).toEqual(['Dora'])
    expect(await found('%_x')).toEqual([])
    expect((await list('?search=')).pagination.total).toBe(5)
  })

  it('finds any part of a normalized name or a verbatim email address, but no match across the two', async () => {
    const at = await createEmployer(api)
    const jose = await createEmployee(api, at, {
      first_name: 'José',
      last_name: 'Río Tal',
      email: 'Zed_1@Mail.example.com',
    })
    await createEmployee(api, at, { first_name: 'Bo', last_name: 'Jo', email: 'jose@mail.example.com' })
    const found = async (search: string) =>
      (await api.get(`/v1/employers/${at}/employees?search=${encodeURIComponent(search)}`)).body.data.map(
        (row: { first_name: string }) => row.first_name,
      )
    const cases: [string, string[]][] = [
      ['j', ['Bo', 'José']],
      ['jo', ['Bo', 'José']],
      ['É', ['José']],
      ['josé', ['José']],
      ['jose', ['Bo', 'José']],
      ['jose rio', ['José']],
      ['  tal   josé ', ['José']],
      ['tal tal', ['José']],
      ['rio bo', []],
      ['o  t', ['José']],
      ['z', ['José']],
      ['D_1@m', ['José']],
      ['d%1', []],
      ['talzed', []],
      ['tal zed', []],
      ['mail', ['Bo', 'José']],
    ]
    for (const [search, people] of cases) expect(await found(search), search).toEqual(people)

    await api.act(async (ctx) => {
      await ctx.db.rows(`update members set name_key = 'joan|rio' where id = $1`, [jose.member_id])
      // On a single server, a trigger does this update.
      if (ctx.db.distribution)
        await saveSearchKeys(ctx, { organization_id: api.story.organization_id, member_ids: [jose.member_id] })
    })
    expect(await found('tal')).toEqual([])
    expect(await found('joan')).toEqual(['José'])
    expect(await found('zed')).toEqual(['José'])
  })

  it('refuses a search without letters and digits with 422, and invalid paging with 400', async () => {
    const of = async (query: string) => refusalOf(await api.get(`/v1/employers/${employer_id}/employees?${query}`))
    for (const nothing of ['%25%25', '%E2%80%8B'])
      expect(await of(`search=${nothing}`)).toEqual([422, 'unprocessable', 'search'])
    expect(await of('limit=0')).toEqual([400, 'invalid_request', 'limit'])
    expect(await of('limit=101')).toEqual([400, 'invalid_request', 'limit'])
    expect(await of('page=0')).toEqual([400, 'invalid_request', 'page'])
    expect(await of('employment_status=retired')).toEqual([400, 'invalid_request', 'employment_status'])
  })
})
