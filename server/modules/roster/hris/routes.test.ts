import { describe, expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer, boundToken } from '../../../test/fixtures.ts'
import { codeOf, statusOrCode } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { aWorker, hrisOf } from '../../../test/clients/hris.ts'
import { createApiKey } from '../../access/api-keys/actions.ts'
import { createUser, setUpOrganization } from '../../access/organizations/actions.ts'
import fc from 'fast-check'
import { hris_fields } from '../../../integrations/payroll/provider.ts'
import { RosterRow } from '../census/schemas.ts'
import { parseDay, rowOf } from './rules.ts'

const api = useApi()
const hris = hrisOf(api)

/** Connects an employer with two people in the fake payroll, and syncs once. */
async function connectAndSync(body: object = {}) {
  const connection = await hris.connect({ source: 'sandbox', ...body })
  await hris.report(connection.id, { people: [aWorker(), aWorker()] })
  await hris.sync(connection.id)
  return connection
}

/** Creates one connection in every state, each for its own employer. */
async function everyState() {
  const active = await connectAndSync()
  const pending = await hris.connect({ source: 'csv' })
  const inactive = await connectAndSync()
  await hris.report(inactive.id, { fault: 'access_lost' })
  await hris.sync(inactive.id)
  const paused = await connectAndSync()
  await hris.pause(paused.id)
  return { active, pending, inactive, paused }
}

describe('employers_get_hris', () => {
  it('is null without a connection, and otherwise shows its provider, its state and its last sync', async () => {
    const employer_id = await createEmployer(api)
    expect((await api.get(`/v1/employers/${employer_id}/hris`)).body).toEqual({ data: { hris: null } })
    const input = { provider: 'Gusto', provider_label: 'Gusto Inc.' }
    const { id } = await hris.connect({ source: 'sandbox', ...input }, employer_id)
    const unsynced = {
      provider: 'gusto',
      provider_label: 'Gusto Inc.',
      status: 'pending',
      last_sync_on: null,
      synced_row_count: null,
    }
    const run = { requested_at: expect.any(String) }
    const counts = { updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 1 }
    const waiting = { ...run, state: 'waiting', counts: null }
    expect(await hris.shown(employer_id)).toEqual({ ...unsynced, recent_runs: [waiting] })
    await hris.report(id, { people: [aWorker(), aWorker({ email: null })] })
    await api.work()
    const synced_connection = { ...unsynced, status: 'active', last_sync_on: '2026-03-10', synced_row_count: 1 }
    const first_run = { ...run, state: 'completed', counts: { ...counts, created: 1 } }
    expect(await hris.shown(employer_id)).toEqual({ ...synced_connection, recent_runs: [first_run] })
    await hris.sync(id)
    expect(await hris.shown(employer_id)).toEqual({
      ...synced_connection,
      recent_runs: [{ ...run, state: 'completed', counts: { ...counts, created: 0, unchanged: 1 } }, first_run],
    })
    await hris.disconnect(id)
    expect(await hris.shown(employer_id)).toBeNull()
  })

  it('is shown to a token of the employer, but not to others', async () => {
    const { employer_id } = await connectAndSync()
    const path = `/v1/employers/${employer_id}/hris` as const
    const key = await boundToken(api, 'employer', employer_id)
    expect((await api.get(path, { key })).body.data.hris?.status).toBe('active')
    expect((await api.get(path, { key: api.story.rival_api_key })).status).toBe(404)
  })
})

describe('the roster of a connected employer', () => {
  it('refuses new employees and censuses unless the connection is paused', async () => {
    const requested = async ({ employer_id }: { employer_id: string }) => {
      const hire = await api.post(`/v1/employers/${employer_id}/employees`, aPerson())
      const census = `/v1/employers/${employer_id}/census-sync` as const
      const submitted = await api.post(census, { employees: [aPerson()] })
      const dry_run = await api.post(`${census}?dry_run=true`, { employees: [aPerson()] })
      return [hire, submitted, dry_run].map(statusOrCode)
    }
    const { active, pending, inactive, paused } = await everyState()
    const refused = Array.from({ length: 3 }, () => 'employer_has_hris_connection')
    for (const connection of [active, pending, inactive]) expect(await requested(connection)).toEqual(refused)
    expect(await requested(paused)).toEqual([201, 202, 200])
    await hris.disconnect(active.id)
    expect(await requested(active)).toEqual([201, 202, 200])
  })

  it('refuses to confirm a census that was held before the connection', async () => {
    const employer_id = await createEmployer(api)
    const path = `/v1/employers/${employer_id}/census-sync` as const
    const employees = Array.from({ length: 7 }, () => aPerson())
    await api.post(path, { employees })
    await api.work()
    api.wait(1000)
    const { body } = await api.post(`${path}?mode=replace`, { employees: employees.slice(0, 1) })
    await api.work()
    const { id } = await hris.connect({ source: 'csv' }, employer_id)
    const confirm = () => api.post(`${path}/${body.data.census_sync_id}/confirm`)
    expect(codeOf(await confirm())).toEqual([409, 'employer_has_hris_connection'])
    await hris.pause(id)
    expect((await confirm()).status).toBe(200)
    await api.work()
  })

  it('is refused because of the connection before it is refused because of the subscription', async () => {
    const { employer_id } = await connectAndSync()
    api.moveTo('2026-03-12')
    await hris.operate('POST', `/employers/${employer_id}/subscriptions/end`, { ended_on: '2026-03-12' })
    expect(codeOf(await api.post(`/v1/employers/${employer_id}/employees`, aPerson()))).toEqual([
      409,
      'employer_has_hris_connection',
    ])
    api.moveTo('2026-03-10')
  })
})

describe('the employer book', () => {
  it('shows connections, and filters by state and by provider in any case', async () => {
    const { active, pending, inactive, paused } = await everyState()
    const ids = async (query: string) => {
      const { body } = await api.get(`/v1/employers?limit=100&${query}`)
      return new Map(body.data.map((row) => [row.id, row.hris_status]))
    }
    const all = await ids('')
    expect(all.get(active.employer_id)).toEqual({
      provider: 'sandbox',
      provider_label: 'Sandbox payroll',
      status: 'active',
    })
    for (const [status, mine] of Object.entries({ active, pending, inactive, paused })) {
      const found = await ids(`hris_status=${status.toUpperCase()}`)
      expect([...new Set([...found.values()].map((shown) => shown?.status))]).toEqual([status])
      expect(found.has(mine.employer_id)).toBe(true)
    }
    const [csv, both] = [
      await ids('hris_provider=CSV'),
      await ids('hris_provider=csv,sandbox&hris_status=pending,paused'),
    ]
    expect([csv.has(pending.employer_id), csv.has(active.employer_id)]).toEqual([true, false])
    expect([both.has(pending.employer_id), both.has(paused.employer_id), both.has(active.employer_id)]).toEqual([
      true,
      true,
      false,
    ])
    await hris.disconnect(pending.id)
    expect((await ids('hris_status=pending')).has(pending.employer_id)).toBe(false)
  })

  it('lists the providers of employers that are not cancelled, by their labels', async () => {
    const key = api.story.rival_api_key
    const list = async (key: string) => (await api.get('/v1/employers/hris-providers', { key })).body.data
    expect(await list(key)).toEqual([])
    const at = async () => createEmployer(api, {}, { key })
    const zenith = { source: 'csv', provider: 'zenith', provider_label: 'Aardvark by Zenith' }
    await hris.connect({ source: 'csv', provider: 'ADP', provider_label: 'ADP HrisRun' }, await at())
    await hris.connect({ source: 'csv', provider: 'adp', provider_label: 'ADP HrisRun' }, await at())
    await hris.connect(zenith, await at())
    const cancelled = await at()
    await hris.connect({ source: 'csv', provider: 'gone' }, cancelled)
    const former = await hris.connect({ source: 'csv', provider: 'former' }, await at())
    await hris.disconnect(former.id)
    await hris.operate('POST', `/employers/${cancelled}/subscriptions/end`, { ended_on: '2026-03-11' })
    api.moveTo('2026-03-11')
    expect(await list(key)).toEqual([
      { provider: 'zenith', provider_label: 'Aardvark by Zenith' },
      { provider: 'adp', provider_label: 'ADP HrisRun' },
    ])
    api.moveTo('2026-03-10')
    const everywhere = (await list(api.story.super_api_key)).map(({ provider }) => provider)
    expect(everywhere).toEqual(expect.arrayContaining(['adp', 'zenith', 'sandbox']))
  })
})

describe('the operator', () => {
  it('allows one connection per employer at a time and lists former connections', async () => {
    const employer_id = await createEmployer(api)
    const first = await hris.connect({ source: 'csv' }, employer_id)
    const path = `/employers/${employer_id}/hris-connections` as const
    expect(codeOf(await hris.operate('POST', path, { source: 'csv' }))).toEqual([409, 'hris_connection_already_exists'])
    await hris.disconnect(first.id)
    api.wait(1000)
    const second = await hris.connect({ source: 'sandbox' }, employer_id)
    const { body } = await hris.operate('GET', path)
    expect(body.data.map((one) => [one.id, one.status])).toEqual([
      [second.id, 'pending'],
      [first.id, null],
    ])
  })

  it('refuses a provider name that a filter would read as two values', async () => {
    const path = `/employers/${await createEmployer(api)}/hris-connections` as const
    const answer = await hris.operate('POST', path, { source: 'csv', provider: 'Paychex, Inc.' })
    expect(answer.error.details).toEqual([{ field: 'provider', message: 'must not contain commas' }])
  })

  it('requires an access token for Finch, stores it encrypted and never returns it', async () => {
    const employer_id = await createEmployer(api)
    const path = `/employers/${employer_id}/hris-connections` as const
    const without = await hris.operate('POST', path, { source: 'finch' })
    expect([...codeOf(without), without.error.details]).toEqual([
      400,
      'invalid_request',
      [{ field: 'access_token', message: 'is required for finch' }],
    ])
    const made = await hris.operate('POST', path, { source: 'finch', access_token: 'a-very-secret-token' })
    expect(made.text).not.toContain('a-very-secret-token')
    const { rows } = await api.database.pool.query('select row_to_json(c)::text as text from hris_connections as c')
    const audits = await api.database.pool.query('select row_to_json(a)::text as text from audit_entries as a')
    expect(JSON.stringify([rows, audits.rows])).not.toContain('a-very-secret-token')
    await hris.disconnect(made.body.data.id)
    const forgotten = await api.database.reads.row('select access_sealed from hris_connections where id = $1', [
      made.body.data.id,
    ])
    expect(forgotten).toEqual({ access_sealed: null })
  })

  it('refuses actions that do not fit the state of the connection', async () => {
    const { active, pending, inactive, paused } = await everyState()
    const send = async ({ id }: { id: string }, action: string, body?: object, method = 'POST') =>
      codeOf(await hris.operate(method, `/hris-connections/${id}/${action}`, body))
    const rows = [{ first_name: 'A', last_name: 'B', email: 'a@example.com', dob: '1990-01-01' }]
    expect(await send(active, 'resume')).toEqual([409, 'hris_connection_is_running'])
    expect(await send(paused, 'pause')).toEqual([409, 'hris_connection_is_paused'])
    expect(await send(paused, 'sync')).toEqual([409, 'hris_connection_is_paused'])
    expect(await send(inactive, 'sync')).toEqual([409, 'hris_connection_is_inactive'])
    expect(await send(active, 'upload', { rows })).toEqual([409, 'hris_connection_without_files'])
    expect(await send(active, 'access-token', { access_token: 'x' }, 'PUT')).toEqual([
      409,
      'hris_connection_without_token',
    ])
    expect(await send(pending, 'payroll', {}, 'PUT')).toEqual([409, 'hris_connection_is_not_sandbox'])
    await hris.disconnect(paused.id)
    for (const action of ['pause', 'resume', 'disconnect', 'sync'])
      expect(await send(paused, action), action).toEqual([409, 'hris_connection_has_ended'])
  })

  it('refuses the fake payroll outside of a sandbox', async () => {
    const key = await api.act(async (ctx) => {
      const user_id = await createUser(ctx, { name: 'Ray Real', email: null })
      const made = { name: 'Real', type: null, super_in: false, sandbox: false, admin_user_id: user_id }
      const organization_id = await setUpOrganization(ctx, made)
      return (await createApiKey(ctx, { user_id, organization_id, mode: 'live', rate_limited: false })).api_key
    })
    const path = `/employers/${await createEmployer(api, {}, { key })}` as const
    expect(codeOf(await hris.operate('POST', `${path}/hris-connections`, { source: 'sandbox' }))).toEqual([
      409,
      'sandbox_payroll_not_allowed',
    ])
  })
})

describe('people created through the API while the connection was paused', () => {
  it('are linked and not duplicated when it is resumed', async () => {
    const { id, employer_id } = await connectAndSync()
    await hris.pause(id)
    const created = await createEmployee(api, employer_id)
    const before = await hris.roster(employer_id)
    expect(before).toHaveLength(3)
    const people = before.map((person) => ({
      reference_id: `PAY-${person.id.slice(-4)}`,
      first_name: person.first_name.toUpperCase(),
      last_name: person.last_name,
      email: person.email,
      date_of_birth: person.date_of_birth,
    }))
    await hris.report(id, { people })
    api.wait(1000)
    await hris.resume(id)
    await api.work()
    const [run] = await hris.runs(id)
    expect(run).toMatchObject({ state: 'completed', counts: { created: 0, updated: 3, terminated: 0, failed: 0 } })
    const after = await hris.roster(employer_id)
    expect(after.map((person) => person.id).sort()).toEqual(before.map((person) => person.id).sort())
    expect(after.find((person) => person.id === created.id)).toMatchObject({
      reference_id: `PAY-${created.id.slice(-4)}`,
    })
  })
})

const ada = { first_name: 'Ada', last_name: 'Lind', email: 'ada@example.com', date_of_birth: '1990-05-17' }

describe('a day', () => {
  it.each([
    ['2026-03-09', '2026-03-09'],
    ['2026-03-09T00:00:00Z', '2026-03-09'],
    ['2026-03-09 00:00', '2026-03-09'],
    ['3/9/2026', '2026-03-09'],
    ['03/09/2026', '2026-03-09'],
    ['12-31-1999', '1999-12-31'],
    ['31/12/1999', '1999-31-12'],
    ['3/9/26', '3/9/26'],
    ['soon', 'soon'],
  ])('in the form %s is read as %s', (text, day) => expect(parseDay(text)).toBe(day))
})

describe('a row of a payroll system', () => {
  it.each([
    ['employee_class', 'Full-Time', 'Full Time'],
    ['employee_class', 'REGULAR PART TIME', 'Part Time'],
    ['employee_class', 'individual_contractor', 'Individual Contractor'],
    ['employee_class', 'temp', 'Temporary'],
    ['compensation_type', 'salaried', 'Salary'],
    ['bargaining_unit', ' Local 12 ', 'Local 12'],
    ['bargaining_unit', '', null],
    ['gender', 'F', 'Female'],
    ['gender', 'decline_to_specify', 'Prefer not to respond'],
    ['gender', 'unknown', undefined],
    ['phone', '+1 (202) 555-0188', '2025550188'],
    ['phone', '+44 20 7946 0018', undefined],
    ['start_date', '1/5/2026', '2026-01-05'],
    ['reference_id', '  77 ', '77'],
    ['suffix', '', undefined],
  ])('with %s "%s" is read as %s', (field, text, value) => {
    expect(rowOf({ ...ada, [field]: text })).toMatchObject({ ...ada, ...(value !== undefined && { [field]: value }) })
    expect(new Map(Object.entries(rowOf({ ...ada, [field]: text }))).get(field)).toBe(value)
  })

  it('has an address if it is complete and in the United States', () => {
    const address = { address_line_1: '1 Elm St', city: 'Troy', state: 'ny', zipcode: '121801234' }
    expect(rowOf({ ...ada, ...address })).toMatchObject({ address: { state: 'NY', zipcode: '12180-1234' } })
    expect(rowOf({ ...ada, ...address, zipcode: null })).not.toHaveProperty('address.city')
    expect(rowOf({ ...ada, ...address, state: 'ON' })).not.toHaveProperty('address.city')
  })

  it.each([
    ['email', null, 'is missing'],
    ['first_name', ' ', 'is missing'],
    ['date_of_birth', '5/17/90', 'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199'],
    ['termination_date', '2026-02-30', 'must be a valid date in the format YYYY-MM-DD, from 1900 to 2199'],
    ['employee_class', 'Astronaut', 'is unknown'],
    ['last_name', 'x'.repeat(256), 'must be at most 255 characters'],
    ['first_name', 'A\u0000da', 'must not contain control characters'],
  ])('is unusable when %s is %j, and keeps the fields that identify the person', (field, text, why) => {
    const { [field]: _, ...others } = { ...ada, reference_id: '7' } as Record<string, string>
    const reason = `invalid_request: ${why}`
    expect(rowOf({ ...others, [field]: text })).toEqual({ ...others, unusable: { field, reason } })
  })

  it('becomes either a valid census row or an unusable one, for any input', () => {
    const text = fc.option(
      fc.oneof(
        fc.string(),
        fc.string({ unit: 'binary' }),
        fc.constantFrom(...Object.values(ada), '1/1/1980', 'NY', '12180'),
      ),
    )
    const person = fc.record(Object.fromEntries(hris_fields.map((field) => [field, text])), { requiredKeys: [] })
    fc.assert(
      fc.property(person, fc.boolean(), (reported, known) => {
        const row = rowOf(known ? { ...reported, ...ada } : reported)
        if ('unusable' in row) {
          const { unusable, ...rest } = row
          expect(unusable.field).toBeTruthy()
          expect(RosterRow.partial().safeParse(rest).success).toBe(true)
        } else expect(RosterRow.parse(row)).toEqual(row)
      }),
    )
  })
})
