import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { aPerson, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { pick } from '../../../test/pick.ts'
import { codeOf, refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import type { EmployeePage } from '../employees/schemas.ts'

const api = useApi()
let employer_id: string

beforeAll(async () => {
  employer_id = await createEmployer(api)
})

const submit = (employees: object[], query = '', at = employer_id) =>
  api.post(`/v1/employers/${at}/census-sync${query}`, { employees })
const outcomeOf = async (census_sync_id: string | null, at = employer_id) =>
  (await api.get(`/v1/employers/${at}/census-sync/${census_sync_id}`)).body.data
const roster = async (at = employer_id, query = ''): Promise<z.output<typeof EmployeePage>> =>
  (await api.get(`/v1/employers/${at}/employees?limit=100${query}`)).body

/** Submits a census, lets the worker process it, and returns its outcome. */
async function sync(employees: object[], query = '', at = employer_id) {
  const dry_run = await submit(employees, `${query ? `${query}&` : '?'}dry_run=true`, at)
  const answer = await submit(employees, query, at)
  expect(answer.status, answer.text).toBe(202)
  await api.work()
  const outcome = await outcomeOf(answer.body.data.census_sync_id, at)
  const { counts, state, failures, missing_count } = outcome
  expect(dry_run.body.data).toMatchObject({ counts, state, failures, missing_count, dry_run: true })
  return outcome
}
const none = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }

describe('employers_submit_census_sync', () => {
  it('creates, keeps, updates, terminates and rehires people, and reports it', async () => {
    const at = await createEmployer(api)
    const rows = [aPerson({ reference_id: 'A' }), aPerson({ reference_id: 'B', start_date: undefined }), aPerson()]
    const accepted = await submit(rows, '', at)
    expect([accepted.status, accepted.body.data]).toEqual([
      202,
      { accepted_at: '2026-03-10T16:00:00.000Z', employer_id: at, census_sync_id: expect.stringMatching(/^csyn_/) },
    ])
    const { census_sync_id } = accepted.body.data
    expect(await outcomeOf(census_sync_id, at)).toMatchObject({
      state: 'queued',
      processed_count: 0,
      row_count: 3,
      completed_at: null,
    })
    await api.work()
    expect(await outcomeOf(census_sync_id, at)).toMatchObject({
      state: 'completed',
      processed_count: 3,
      counts: { ...none, created: 3 },
    })
    expect(await api.events(`${census_sync_id}`)).toEqual(['census_sync.completed'])

    expect((await sync(rows, '', at)).counts).toEqual({ ...none, unchanged: 3 })
    const people = (await roster(at)).data
    const b = people.find((person) => person.reference_id === 'B')!
    expect(b).toMatchObject({ hire_date: null, employee_class: null, classification_effective_date: null })

    const changed = [
      { ...rows[0], last_name: 'Married', employee_class: 'Part Time', compensation_type: 'Hourly' },
      { ...rows[1], start_date: '2026-02-01', employee_class: 'Seasonal' },
      { ...rows[2], termination_date: '2026-03-09' },
    ]
    expect((await sync(changed, '', at)).counts).toEqual({ ...none, updated: 2, terminated: 1 })
    const after = (await roster(at)).data
    expect(after.find((person) => person.reference_id === 'A')).toMatchObject({
      last_name: 'Married',
      employee_class: 'Part Time',
      classification_effective_date: '2026-03-10',
      compensation_type: 'Hourly',
    })
    expect(after.find((person) => person.id === b.id)).toMatchObject({
      hire_date: '2026-02-01',
      employee_class: 'Seasonal',
    })
    const ended = after.find((person) => person.status === 'terminated')!
    expect(await api.events(ended.id)).toEqual(['employee.created', 'employee.updated', 'employee.deactivated'])

    expect((await sync([{ ...rows[2], start_date: '2026-03-10' }], '', at)).counts).toEqual({ ...none, rehired: 1 })
    const all = await roster(at)
    expect(all.pagination.total).toBe(4)
    expect(
      all.data
        .filter((person) => person.member_id === ended.member_id)
        .map((person) => person.status)
        .sort(),
    ).toEqual(['active', 'terminated'])
    expect((await sync([{ ...rows[2], start_date: '2026-03-10' }], '', at)).counts).toEqual({ ...none, unchanged: 1 })
  })

  it('reports failing rows without personal data and processes the others', async () => {
    const known = await createEmployee(api, employer_id)
    const outcome = await sync([
      aPerson({ date_of_birth: '2010-01-01', reference_id: 'YOUNG' }),
      aPerson({ start_date: '2026-04-01' }),
      aPerson({ email: known.email, date_of_birth: '1970-01-01' }),
      aPerson({ phone: known.phone }),
      aPerson({ start_date: '2026-02-02', termination_date: '2026-02-01' }),
      aPerson(),
    ])
    expect(outcome).toMatchObject({ state: 'completed', counts: { ...none, created: 2, failed: 4 } })
    expect(outcome.failures).toEqual([
      {
        index: 0,
        reference_id: 'YOUNG',
        field: 'date_of_birth',
        reason: expect.stringContaining('invalid_employee_update'),
      },
      { index: 1, reference_id: null, field: 'start_date', reason: expect.stringContaining('must not be after today') },
      { index: 2, reference_id: null, field: 'email', reason: expect.stringMatching(/^email_taken: /) },
      { index: 4, reference_id: null, field: 'termination_date', reason: expect.any(String) },
    ])
    expect(outcome.warnings).toContainEqual(
      expect.objectContaining({ index: 3, field: 'phone', reason: expect.stringMatching(/^phone_taken: /) }),
    )
    expect(JSON.stringify([outcome.failures, outcome.warnings])).not.toContain(known.email)
  })

  it('refuses a body with an invalid structure before it accepts any of it', async () => {
    const row = aPerson({ reference_id: 'X' })
    const of = async (employees: unknown) =>
      refusalOf(await api.post(`/v1/employers/${employer_id}/census-sync`, { employees }))
    expect(await of([])).toEqual([400, 'invalid_request', 'employees'])
    expect(await of('x')).toEqual([400, 'invalid_request', 'employees'])
    expect(await of([row, { ...aPerson(), phone: '12' }])).toEqual([400, 'invalid_request', 'employees[1].phone'])
    expect(await of([row, { ...aPerson(), ssn: '1' }])).toEqual([400, 'invalid_request', 'employees[1].ssn'])
    expect(await of([row, { ...aPerson(), reference_id: 'X' }])).toEqual([
      400,
      'invalid_request',
      'employees[1].reference_id',
    ])
    const { first_name, last_name } = row
    expect(await of([row, { ...aPerson(), first_name, last_name, email: row.email.toUpperCase() }])).toEqual([
      400,
      'invalid_request',
      'employees[1].email',
    ])
    expect(await of([row, { ...row, reference_id: 'Y', email: 'other@example.com' }])).toEqual([
      400,
      'invalid_request',
      'employees[1].phone',
    ])
    expect(await of(Array.from({ length: 10_001 }, () => aPerson()))).toEqual([400, 'invalid_request', 'employees'])
  })

  it('reports malformed rows and repeated references in one response', async () => {
    const fieldsOf = async (employees: unknown[]) => {
      const { error } = await api.post(`/v1/employers/${employer_id}/census-sync`, { employees })
      return error.details.map(({ field }: { field: string }) => field)
    }
    const people = Array.from({ length: 120 }, (_, index) => aPerson({ reference_id: `R-${index}` }))
    const repeated = { ...aPerson(), reference_id: 'R-0' }
    const malformed = { ...aPerson(), phone: '12' }
    for (const rows of [people.slice(0, 3), people])
      expect(await fieldsOf([...rows, malformed, repeated])).toEqual([
        `employees[${rows.length}].phone`,
        `employees[${rows.length + 1}].reference_id`,
      ])
  })

  it('identifies rows by 1-based number and reference in messages, and by path in fields', async () => {
    const row = aPerson({ reference_id: 'E-1' })
    const of = async (second: object) => {
      const { message, details } = (
        await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [row, second] })
      ).error
      return [message, details[0]]
    }
    expect(await of({ ...row, reference_id: undefined })).toEqual([
      'row 2, email: is the same as in row 1 (reference E-1)',
      { field: 'employees[1].email', message: 'is the same as in row 1 (reference E-1)' },
    ])
    expect(await of({ ...aPerson(), phone: '12' })).toEqual([
      expect.stringMatching(/^row 2, phone: must /),
      { field: 'employees[1].phone', message: expect.stringMatching(/^must /) },
    ])
    expect((await of(null as never))[0]).toBe('row 2: is required')
  })

  it('lets two people exchange their emails in two rows when an order exists', async () => {
    const at = await createEmployer(api)
    const [one, two] = [aPerson({ reference_id: '1' }), aPerson({ reference_id: '2' })]
    await sync([one, two], '', at)
    const swapped = [
      { ...one, email: 'free@example.com' },
      { ...two, email: one.email },
    ]
    expect((await sync(swapped, '', at)).counts).toEqual({ ...none, updated: 2 })
  })

  it('passes a phone, an email and a reference on to a newcomer within one chunk', async () => {
    const at = await createEmployer(api)
    const address = { address_line_1: '1 Elm', city: 'Troy', state: 'NY', zipcode: '12180' }
    const old = aPerson({ reference_id: 'SEAT-1', address })
    await sync([old], '', at)
    const { id: employee_id } = (await roster(at)).data[0]!
    const moved = { ...old, employee_id, reference_id: 'SEAT-2', phone: aPerson().phone, email: 'moved.on@example.com' }
    const newcomer = aPerson({ reference_id: 'SEAT-1', phone: old.phone, email: old.email })
    expect((await sync([moved, newcomer], '', at)).counts).toEqual({ ...none, created: 1, updated: 1 })
    const seats = (await roster(at)).data.map((row) => [row.reference_id, row.last_name, row.email])
    expect(seats.toSorted()).toEqual([
      ['SEAT-1', newcomer.last_name, old.email],
      ['SEAT-2', old.last_name, 'moved.on@example.com'],
    ])
  })

  it('never overwrites a person when their reference is reused for someone with nothing in common', async () => {
    const at = await createEmployer(api)
    const olga = aPerson({ reference_id: 'DESK' })
    await sync([olga], '', at)
    const nina = aPerson({ reference_id: 'DESK', date_of_birth: '1982-08-08' })
    const outcome = await sync([nina], '?mode=replace', at)
    expect(outcome).toMatchObject({ counts: { ...none, failed: 1 }, failures: [{ reference_id: 'DESK' }] })
    expect((await roster(at)).data).toEqual([expect.objectContaining({ email: olga.email, termination_date: null })])
    const renamed = { ...olga, last_name: 'Married', email: 'olga.married@example.com' }
    expect((await sync([renamed], '', at)).counts).toEqual({ ...none, updated: 1 })
  })

  it('reports a first day that overlaps a former employment and processes the other rows', async () => {
    const at = await createEmployer(api)
    const person = aPerson({ start_date: '2026-01-05' })
    await sync([person], '', at)
    await sync([{ ...person, termination_date: '2026-02-10' }], '', at)
    await sync([{ ...person, start_date: '2026-03-02' }], '', at)
    const outcome = await sync([{ ...person, start_date: '2026-01-05' }, aPerson()], '', at)
    expect(outcome).toMatchObject({
      state: 'completed',
      counts: { ...none, created: 1, failed: 1 },
      failures: [{ field: 'start_date' }],
    })
  })

  it('refuses a second row for one person anywhere, and only the second row of a couple with one email', async () => {
    const at = await createEmployer(api)
    const known = aPerson({ reference_id: 'ONE' })
    await sync([known], '', at)
    const filler = Array.from({ length: 1_000 }, () => aPerson())
    const twice = [
      { ...known, email: 'first@example.com' },
      ...filler,
      aPerson({
        ...known,
        reference_id: 'TWO',
        phone: aPerson().phone,
        last_name: 'Other',
        date_of_birth: '1981-01-01',
        email: known.email,
      }),
    ]
    expect((await submit(twice, '?dry_run=true', at)).body.data.counts).toMatchObject({ failed: 0 })
    const same = [
      { ...known },
      ...filler,
      { ...known, reference_id: undefined, email: 'second@example.com', phone: aPerson().phone, last_name: 'Married' },
    ]
    expect((await sync(same, '', at)).counts).toMatchObject({ created: 1_001 })
    const couple = [
      aPerson({ email: 'home@example.com' }),
      aPerson({ email: 'home@example.com', date_of_birth: '1980-01-01' }),
    ]
    expect((await sync(couple, '', at)).failures).toEqual([expect.objectContaining({ index: 1, field: 'email' })])
  })

  it('continues row by row when PostgreSQL refuses a chunk', async () => {
    const at = await createEmployer(api)
    await api.database.pool.query(`alter table members add constraint no_zed check (first_name <> 'Zed')`)
    const rows = [aPerson(), aPerson({ first_name: 'Zed', reference_id: 'Z' }), aPerson(), aPerson()]
    const { census_sync_id } = (await submit(rows, '', at)).body.data
    await api.work()
    expect(await outcomeOf(census_sync_id, at)).toMatchObject({
      state: 'completed',
      processed_count: 4,
      counts: { ...none, created: 3, failed: 1 },
      failures: [{ index: 1, reference_id: 'Z' }],
    })
    await api.database.pool.query('alter table members drop constraint no_zed')
  })

  it('continues in pieces when PostgreSQL times out on a chunk', async () => {
    const at = await createEmployer(api)
    await api.database.pool.query(`
      create function too_slow() returns trigger language plpgsql as
        $$ begin raise exception 'canceling statement due to statement timeout' using errcode = '57014'; end $$;
      create trigger too_slow before insert on members for each row when (new.first_name = 'Zed') execute function too_slow()`)
    const rows = [aPerson(), aPerson({ first_name: 'Zed', reference_id: 'Z' }), aPerson()]
    const { census_sync_id } = (await submit(rows, '', at)).body.data
    await api.work()
    await api.database.pool.query('drop trigger too_slow on members; drop function too_slow')
    expect(await outcomeOf(census_sync_id, at)).toMatchObject({
      state: 'completed',
      processed_count: 3,
      counts: { ...none, created: 2, failed: 1 },
      failures: [{ index: 1, reference_id: 'Z' }],
    })
  })

  it('links people whom the organization knows from another employer', async () => {
    const at = await createEmployer(api)
    const person = aPerson()
    await sync([person])
    await sync([person], '', at)
    const [here, there] = [(await roster()).data, (await roster(at)).data]
    expect(here.map((row) => row.member_id)).toContain(there[0]!.member_id)
  })

  it('reports what each row would change in a dry run and changes nothing', async () => {
    const at = await createEmployer(api)
    const [ann, bob] = [aPerson({ reference_id: 'ANN', employee_class: 'Full Time' }), aPerson()]
    await sync([ann, bob], '', at)
    const before = await roster(at)
    const newcomer = aPerson({ employee_class: 'Intern' })
    const rows = [bob, { ...ann, employee_class: 'Part Time', suffix: 'Jr' }, newcomer]
    const { status, body } = await submit(rows, '?dry_run=true', at)
    expect([status, body.data.census_sync_id, body.data.counts]).toEqual([
      200,
      null,
      { ...none, created: 1, updated: 1, unchanged: 1 },
    ])
    const reported = (field: string, after: string) => ({ field, before: null, after })
    expect(body.data.planned).toEqual([
      {
        index: 1,
        outcome: 'updated',
        employee_id: pick(before.data, ({ reference_id }) => reference_id === 'ANN').id,
        differences: [reported('suffix', 'Jr'), { field: 'employee_class', before: 'Full Time', after: 'Part Time' }],
      },
      {
        index: 2,
        outcome: 'created',
        employee_id: null,
        differences: [
          reported('first_name', newcomer.first_name),
          reported('last_name', newcomer.last_name),
          reported('email', newcomer.email),
          reported('phone', newcomer.phone),
          reported('date_of_birth', newcomer.date_of_birth),
          reported('start_date', newcomer.start_date),
          reported('employee_class', 'Intern'),
        ],
      },
    ])
    expect(await roster(at)).toEqual(before)
  })

  it('processes thousands of rows in chunks, each person once', async () => {
    const at = await createEmployer(api)
    const rows = Array.from({ length: 1_234 }, (_, index) => aPerson({ reference_id: `N-${index}` }))
    expect(await sync(rows, '', at)).toMatchObject({
      state: 'completed',
      processed_count: 1_234,
      counts: { ...none, created: 1_234 },
    })
    expect((await roster(at)).pagination.total).toBe(1_234)
    expect((await sync(rows, '', at)).counts).toEqual({ ...none, unchanged: 1_234 })
  })

  it('hides the census from another organization and refuses an employer without a subscription', async () => {
    const rows = { employees: [aPerson()] }
    const key = api.story.rival_api_key
    expect((await api.post(`/v1/employers/${employer_id}/census-sync`, rows, { key })).status).toBe(404)
    const { body } = await submit(rows.employees)
    const foreign = await api.get(`/v1/employers/${employer_id}/census-sync/${body.data.census_sync_id}`, { key })
    expect(foreign.status).toBe(404)
    const other = await createEmployer(api)
    expect((await api.get(`/v1/employers/${other}/census-sync/${body.data.census_sync_id}`)).status).toBe(404)
  })
})

describe('a replacing census', () => {
  it('is held if a row failed and people are missing, except for people to whom that row may refer', async () => {
    const at = await createEmployer(api)
    const rows = Array.from({ length: 6 }, () => aPerson())
    await sync(rows, '', at)
    api.wait(1000)
    const [gone, wrong, ...rest] = rows
    const young = { ...wrong, first_name: 'Other', last_name: 'Name', date_of_birth: '2009-01-01' }
    const outcome = await sync([...rest, young], '?mode=replace', at)
    expect(outcome).toMatchObject({
      state: 'held',
      missing_count: 1,
      counts: { ...none, unchanged: 4, terminated: 0, failed: 1 },
    })
    expect((await roster(at)).data.every((person) => person.termination_date === null)).toBe(true)
    await api.post(`/v1/employers/${at}/census-sync/${outcome.census_sync_id}/confirm`)
    await api.work()
    expect(await outcomeOf(outcome.census_sync_id, at)).toMatchObject({ state: 'completed', counts: { terminated: 1 } })
    const ended = (await roster(at)).data.filter((person) => person.termination_date !== null)
    expect(ended).toEqual([
      expect.objectContaining({ email: gone!.email, termination_date: '2026-03-10', status: 'active' }),
    ])
    api.moveTo('2026-03-11')
    await api.runDays()
    expect((await roster(at, '&employment_status=terminated')).pagination.total).toBe(1)
    expect(await api.events(ended[0]!.id)).toEqual(['employee.created', 'employee.updated', 'employee.deactivated'])
    api.moveTo('2026-03-10')
  })

  it('terminates a missing person whose phone a remaining twin shares', async () => {
    const at = await createEmployer(api)
    const sam = aPerson({ first_name: 'Sam', last_name: 'Twin' })
    const eva = { ...sam, first_name: 'Eva', email: 'eva@twins.example.com', distinct: true }
    await sync([sam, eva], '', at)
    api.wait(1000)
    expect(await sync([eva], '?mode=replace', at)).toMatchObject({
      state: 'completed',
      counts: { ...none, unchanged: 1, terminated: 1 },
    })
    expect((await roster(at)).data.filter((one) => one.termination_date)).toMatchObject([{ email: sam.email }])
  })

  it('terminates people added by an earlier queued census, but not those whom API requests add later', async () => {
    const at = await createEmployer(api)
    const kept = aPerson()
    await submit([kept, aPerson({ reference_id: 'WRONG' })], '', at)
    api.wait(1000)
    await submit([kept], '?mode=replace', at)
    api.wait(1000)
    await createEmployee(api, at, { reference_id: 'SINCE' })
    await api.work()
    const ended = (await roster(at)).data.filter((person) => person.termination_date !== null)
    expect(ended.map((person) => person.reference_id)).toEqual(['WRONG'])
  })

  it('calculates the 20% limit from the people who remain, so it also holds repeated removals on one day', async () => {
    const at = await createEmployer(api)
    const rows = Array.from({ length: 60 }, () => aPerson())
    await sync(rows, '', at)
    api.wait(1000)
    expect(await sync(rows.slice(0, 48), '?mode=replace', at)).toMatchObject({
      state: 'completed',
      counts: { terminated: 12 },
    })
    expect(await sync(rows.slice(0, 36), '?mode=replace', at)).toMatchObject({ state: 'held', missing_count: 12 })
  })

  it('refuses to confirm a held census when a later one was accepted', async () => {
    const at = await createEmployer(api)
    const rows = Array.from({ length: 10 }, () => aPerson())
    await sync(rows, '', at)
    api.wait(1000)
    const held = await sync([aPerson()], '?mode=replace', at)
    expect(held.state).toBe('held')
    api.wait(1000)
    await sync(rows, '', at)
    const answer = await api.post(`/v1/employers/${at}/census-sync/${held.census_sync_id}/confirm`)
    expect(codeOf(answer)).toEqual([409, 'census_sync_superseded'])
  })

  it('lists the people whom it would terminate, in a dry run and while it is held', async () => {
    const at = await createEmployer(api)
    const staff = Array.from({ length: 9 }, (_, index) => aPerson({ reference_id: `R-${index}` }))
    await sync(staff, '', at)
    api.wait(1000)
    const { data } = await roster(at)
    const named = (references: string[]) =>
      references.map((reference_id) => {
        const { id: employee_id, first_name, last_name } = pick(data, (one) => one.reference_id === reference_id)
        return { employee_id, first_name, last_name, reference_id }
      })
    const missingOf = async (rows: object[], query: string) =>
      (await submit(rows, `?dry_run=true${query}`, at)).body.data
    expect(await missingOf(staff.slice(0, 2), '')).toMatchObject({ missing_count: null, missing: [] })
    const few = await missingOf(staff.slice(0, 8), '&mode=replace')
    expect([few.missing_count, few.missing]).toEqual([null, named(['R-8'])])
    const many = await missingOf(staff.slice(0, 2), '&mode=replace')
    const left = named(['R-2', 'R-3', 'R-4', 'R-5', 'R-6', 'R-7', 'R-8'])
    const byName = (people: object[] | null | undefined) => (people ?? []).map((one) => JSON.stringify(one)).toSorted()
    expect([many.missing_count, byName(many.missing)]).toEqual([7, byName(left)])

    const held = await sync(staff.slice(0, 2), '?mode=replace', at)
    expect([held.missing_count, byName(held.missing)]).toEqual([7, byName(left)])
    await api.post(`/v1/employers/${at}/census-sync/${held.census_sync_id}/confirm`)
    expect((await outcomeOf(held.census_sync_id, at)).missing).toBe(null)
    await api.work()
    expect((await outcomeOf(held.census_sync_id, at)).missing).toBe(null)
  })

  it('is held when it would terminate many people, regardless of how many it adds, until it is confirmed', async () => {
    const at = await createEmployer(api)
    await api.put(`/v1/employers/${at}/settings`, { census_mode: 'replace' })
    await sync(
      Array.from({ length: 10 }, () => aPerson()),
      '',
      at,
    )
    api.wait(1000)
    const outcome = await sync(
      Array.from({ length: 100 }, () => aPerson()),
      '',
      at,
    )
    expect(outcome).toMatchObject({
      state: 'held',
      missing_count: 10,
      counts: { ...none, created: 100 },
      completed_at: null,
    })
    expect((await roster(at)).data.every((person) => person.termination_date === null)).toBe(true)

    const path = `/v1/employers/${at}/census-sync/${outcome.census_sync_id}/confirm` as const
    expect((await api.post(path, undefined, { key: api.story.rival_api_key })).status).toBe(404)
    expect((await api.post(path)).status).toBe(200)
    const again = await api.post(path)
    expect(codeOf(again)).toEqual([409, 'census_sync_not_held'])
    await api.work()
    expect(await outcomeOf(outcome.census_sync_id, at)).toMatchObject({
      state: 'completed',
      counts: { ...none, created: 100, terminated: 10 },
    })
  })
})
