import { beforeAll, describe, expect, it } from 'vitest'
import {
  aGroupMember,
  aPerson,
  createEmployee,
  createEmployer,
  createGroup,
  importCatalog,
} from '../../../test/fixtures.ts'
import { refusalOf } from '../../../test/response.ts'
import { useApi } from '../../../test/harness.ts'
import { first, pick, sure } from '../../../test/pick.ts'

/** Regression tests for mistaken and missed matches of people. */
const api = useApi()
let at: string

beforeAll(async () => {
  at = await createEmployer(api)
})

type Input = Record<string, unknown>

const hire = (candidate: Input, employer_id = at) =>
  api.post(`/v1/employers/${employer_id}/employees`, aPerson(candidate))
const roster = async (employer_id = at) => (await api.get(`/v1/employers/${employer_id}/employees?limit=100`)).body.data
const address = { address_line_1: '1 Elm', city: 'Troy', state: 'NY', zipcode: '12180' }

/** Submits a census after its dry run, and returns the outcome. Both must agree. */
async function census(employees: Input[], employer_id = at, query = '') {
  const path = `/v1/employers/${employer_id}/census-sync` as const
  const dry_run = await api.post(`${path}?dry_run=true${query}`, { employees })
  const answer = await api.post(`${path}${query.replace('&', '?')}`, { employees })
  expect(answer.status, answer.text).toBe(202)
  await api.work()
  const outcome = (await api.get(`${path}/${answer.body.data.census_sync_id}`)).body.data
  const { counts, failures, warnings, state } = outcome
  expect(dry_run.body.data).toMatchObject({ counts, failures, warnings, state })
  return outcome
}
const unknownClasses = (count: number) =>
  Array.from({ length: count }, () => ['employee_class', 'is unknown and counts as Full Time'])
const none = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }
const ambiguous = (field: string, index = 0) =>
  expect.objectContaining({ index, field, reason: expect.stringMatching(/^ambiguous_person: /) })
const emailTaken = (index = 0) =>
  expect.objectContaining({
    index,
    field: 'email',
    reason: expect.stringMatching(/^email_taken: .*employee_id or member_id/),
  })
/** The warnings of a census as field and code. */
const codesOf = ({ warnings }: { warnings: { field: string | null; reason: string }[] }) =>
  warnings.map(({ field, reason }) => [field, reason.split(':')[0]])

describe('a census', () => {
  it('does not match Nina to Olga because of a mistyped email address', async () => {
    const employer_id = await createEmployer(api)
    const olga = aPerson({ first_name: 'Olga', reference_id: 'O' })
    await census([olga], employer_id)
    const before = await roster(employer_id)
    const nina = aPerson({
      first_name: 'Nina',
      last_name: olga.last_name,
      date_of_birth: '1982-08-08',
      reference_id: 'N',
    })
    const outcome = await census([{ ...nina, email: olga.email }], employer_id)
    expect([outcome.counts, outcome.failures]).toEqual([{ ...none, failed: 1 }, [emailTaken()]])
    expect(JSON.stringify(outcome.failures)).not.toMatch(/olga|mbr_|empl_/i)
    expect(await roster(employer_id)).toEqual(before)
  })

  it('keeps twins who share birthday, last name, ZIP code and phone apart, but only once they are marked as distinct', async () => {
    const employer_id = await createEmployer(api)
    const sam = aPerson({ first_name: 'Sam', last_name: 'Twin', address })
    await census([sam], employer_id)
    const eva = { ...sam, first_name: 'Eva', email: 'eva.twin@example.com' }
    expect((await census([sam, eva], employer_id)).failures).toEqual([ambiguous('phone', 1)])
    const settled = [sam, { ...eva, distinct: true }]
    expect((await census(settled, employer_id)).counts).toEqual({ ...none, unchanged: 1, created: 1 })
    expect((await census(settled, employer_id)).counts).toEqual({ ...none, unchanged: 2 })
    expect((await census([sam, eva], employer_id)).counts).toEqual({ ...none, unchanged: 2 })
    expect(new Set((await roster(employer_id)).map((row) => row.member_id)).size).toBe(2)
  })

  it('matches a married person by reference or id, and refuses their email address without either', async () => {
    const employer_id = await createEmployer(api)
    const [mia, ida] = [aPerson({ reference_id: 'M' }), aPerson()]
    await census([mia, ida], employer_id)
    const married = [
      { ...mia, last_name: 'Married' },
      { ...ida, last_name: 'Married Too' },
    ]
    const outcome = await census(married, employer_id)
    expect([outcome.counts, outcome.failures]).toEqual([{ ...none, updated: 1, failed: 1 }, [emailTaken(1)]])
    const { member_id } = pick(await roster(employer_id), (row) => row.email === ida.email)
    const named = [married[0]!, { ...married[1], member_id }]
    expect((await census(named, employer_id)).counts).toEqual({ ...none, updated: 1, unchanged: 1 })
  })

  it('swaps email addresses and phone numbers of existing people in any order and across chunks', async () => {
    const employer_id = await createEmployer(api)
    const [one, two, three] = [
      aPerson({ reference_id: '1' }),
      aPerson({ reference_id: '2' }),
      aPerson({ reference_id: '3' }),
    ]
    await census([one, two, three], employer_id)
    const filler = Array.from({ length: 500 }, () => aPerson())
    const newcomer = aPerson({ reference_id: '4', email: three.email })
    const turned = [
      newcomer,
      { ...one, email: two.email, phone: two.phone },
      ...filler,
      { ...two, email: three.email, phone: one.phone },
      { ...three, email: one.email },
    ]
    const taken = await census(turned, employer_id)
    expect([taken.counts, taken.failures]).toEqual([{ ...none, updated: 3, created: 500, failed: 1 }, [emailTaken()]])
    const given = [{ ...newcomer, email: 'four@example.com' }, ...turned.slice(1)]
    expect((await census(given, employer_id)).counts).toEqual({ ...none, created: 1, unchanged: 503 })
    const onward = [{ ...turned[1], email: 'free@example.com' }, aPerson({ email: two.email })]
    expect((await census(onward.toReversed(), employer_id)).counts).toEqual({ ...none, created: 1, updated: 1 })
    const oldest = (await api.get(`/v1/employers/${employer_id}/employees?page=6&limit=100`)).body.data
    const listed = [...(await roster(employer_id)), ...oldest].filter((row) => row.reference_id)
    const emails = listed.map((row) => [row.reference_id, row.email])
    expect(emails.toSorted()).toEqual([
      ['1', 'free@example.com'],
      ['2', three.email],
      ['3', one.email],
      ['4', 'four@example.com'],
    ])
  })

  it('gives an email address to a new person whose row waited for a swap', async () => {
    const employer_id = await createEmployer(api)
    const [one, two, three] = [aPerson({ reference_id: '1' }), aPerson({ reference_id: '2' }), aPerson()]
    await census([one, two, three], employer_id)
    const newcomer = aPerson({ email: three.email })
    const turned = [
      newcomer,
      { ...one, email: two.email },
      { ...two, email: one.email },
      { ...three, email: aPerson().email },
    ]
    expect((await census(turned, employer_id)).counts).toEqual({ ...none, created: 1, updated: 3 })
  })

  it('processes a row without a phone that another person keeps, with a warning each time', async () => {
    const employer_id = await createEmployer(api)
    const [sam, kim] = [aPerson({ reference_id: 'S', address }), aPerson({ reference_id: 'K', address })]
    await census([sam], employer_id)
    const shared = [{ ...kim, phone: sam.phone }, sam]
    for (const counts of [{ unchanged: 1, created: 1 }, { unchanged: 2 }]) {
      const outcome = await census(shared, employer_id)
      expect([outcome.counts, outcome.failures]).toEqual([{ ...none, ...counts }, []])
      expect(outcome.warnings).toContainEqual({
        index: 0,
        reference_id: 'K',
        field: 'phone',
        reason: 'phone_taken: belongs to another person, so the row was processed without it',
      })
    }
    expect(pick(await roster(employer_id), (row) => row.reference_id === 'K')).toMatchObject({
      phone: null,
      email: kim.email,
    })
    // Once Sam's phone number changes, the same row gives the shared number to Kim.
    const moved = [shared[0]!, { ...sam, phone: aPerson().phone }]
    const outcome = await census(moved, employer_id)
    expect([outcome.counts, codesOf(outcome)]).toEqual([{ ...none, updated: 2 }, unknownClasses(2)])
  })

  it('swaps email addresses even if one row has a phone number that a third person keeps', async () => {
    const employer_id = await createEmployer(api)
    const [one, two, three] = [aPerson({ reference_id: '1' }), aPerson({ reference_id: '2' }), aPerson()]
    await census([one, two, three], employer_id)
    const turned = [
      { ...one, email: two.email, phone: three.phone },
      { ...two, email: one.email, phone: one.phone },
    ]
    const outcome = await census(turned, employer_id)
    expect([outcome.counts, codesOf(outcome)]).toEqual([
      { ...none, updated: 2 },
      [
        ['employee_class', 'is unknown and counts as Full Time'],
        ['phone', 'phone_taken'],
        ['employee_class', 'is unknown and counts as Full Time'],
        ['phone', 'phone_taken'],
      ],
    ])
    expect((await census(turned, employer_id)).counts).toEqual({ ...none, unchanged: 2 })
  })

  it('keeps twins with swapped references apart', async () => {
    const employer_id = await createEmployer(api)
    const sam = aPerson({ first_name: 'Sam', last_name: 'Twin', address, reference_id: '1' })
    const eva = aPerson({ first_name: 'Eva', last_name: 'Twin', address, reference_id: '2' })
    await census([sam, eva], employer_id)
    const before = await roster(employer_id)
    const swapped = [
      { ...sam, reference_id: '2' },
      { ...eva, reference_id: '1' },
    ]
    const { counts, failures } = await census(swapped, employer_id)
    expect([counts, failures.map(({ reason }) => reason.split(':')[0])]).toEqual([
      { ...none, failed: 2 },
      ['reference_of_other_person', 'reference_of_other_person'],
    ])
    expect(await roster(employer_id)).toEqual(before)
  })

  it('does not match a new employee to a former one with the same reference and birthday', async () => {
    const employer_id = await createEmployer(api)
    const leaver = aPerson({ reference_id: 'SEAT' })
    await census([leaver], employer_id)
    await census([{ ...leaver, termination_date: '2026-03-05' }], employer_id)
    const newcomer = aPerson({ reference_id: 'SEAT', start_date: '2026-03-09' })
    expect(newcomer.date_of_birth).toBe(leaver.date_of_birth)
    expect((await census([newcomer], employer_id)).failures).toMatchObject([
      { field: 'reference_id', reason: expect.stringMatching(/^reference_of_other_person: /) },
    ])
    expect(refusalOf(await hire(newcomer, employer_id))).toEqual([409, 'reference_of_other_person', 'reference_id'])
    expect((await roster(employer_id)).map((row) => row.first_name)).toEqual([leaver.first_name])
  })

  it('corrects a birthday at the same employer with a warning, and refuses it at another', async () => {
    const [here, there] = [await createEmployer(api), await createEmployer(api)]
    const person = aPerson({ employee_class: 'Full Time' })
    await census([person], here)
    const other = { ...person, date_of_birth: '1990-05-18' }
    expect((await census([other], there)).failures).toEqual([emailTaken()])
    expect(refusalOf(await hire(other, there))).toEqual([422, 'email_taken', 'email'])
    expect(refusalOf(await hire(other, here))).toEqual([409, 'employee_already_exists', 'email'])
    const outcome = await census([other], here)
    expect([outcome.counts, codesOf(outcome)]).toEqual([
      { ...none, updated: 1 },
      [['date_of_birth', 'date_of_birth_corrected']],
    ])
    expect(first(await roster(here))).toMatchObject({ date_of_birth: '1990-05-18' })
    expect(codesOf(await census([other], here))).toEqual([])
  })

  it('reports the details that a linked person keeps', async () => {
    const [here, there] = [await createEmployer(api), await createEmployer(api)]
    const person = aPerson({ address, gender: 'Male', employee_class: 'Full Time' })
    await census([person], here)
    const other = {
      ...person,
      first_name: person.first_name.toUpperCase(),
      phone: aPerson().phone,
      gender: 'Female',
      address: { ...address, city: 'Albany' },
    }
    const kept = ['address', 'first_name', 'gender', 'phone'].map((field) => [field, 'kept_as_known'])
    expect(codesOf(await census([other], there))).toEqual(kept)
    expect(codesOf(await census([other], there))).toEqual(kept)
    const again = await census([other], there)
    expect(again.counts).toEqual({ ...none, unchanged: 1 })
  })

  it('matches a repeated row even if all details were changed elsewhere', async () => {
    const [here, there] = [await createEmployer(api), await createEmployer(api)]
    const person = aPerson({ address, employee_class: 'Full Time' })
    await census([person], here)
    const { member_id } = first(await roster(here))
    const changed = {
      ...aPerson({ address: { ...address, zipcode: '10001' } }),
      date_of_birth: '1970-01-01',
      member_id,
    }
    await census([person], there)
    expect((await census([changed], there)).counts).toEqual({ ...none, updated: 1 })
    const outcome = await census([person], here)
    expect([outcome.counts, outcome.failures]).toEqual([{ ...none, unchanged: 1 }, []])
    expect(codesOf(outcome).map(([, code]) => code)).toEqual(Array(6).fill('kept_as_known'))
    expect((await roster(here)).map((row) => row.first_name)).toEqual([changed.first_name])
  })

  it('does not refuse a repeated row whose email address now belongs to another person', async () => {
    const employer_id = await createEmployer(api)
    const person = aPerson({ address, employee_class: 'Full Time' })
    await census([person], employer_id)
    const { id } = first(await roster(employer_id))
    await api.patch(`/v1/employees/${id}`, { effective_date: '2026-03-10', email: 'moved@stories.example.com' })
    expect((await hire({ email: person.email }, employer_id)).status).toBe(201)
    const outcome = await census([person], employer_id)
    expect([outcome.counts, codesOf(outcome)]).toEqual([{ ...none, unchanged: 1 }, [['email', 'email_taken']]])
    // A row that reports anything new is refused.
    expect((await census([{ ...person, suffix: 'Jr.' }], employer_id)).failures).toEqual([emailTaken()])
  })

  it('swaps nothing if one of the holders cannot give up their detail', async () => {
    const employer_id = await createEmployer(api)
    const [one, two, three] = [
      aPerson({ reference_id: '1' }),
      aPerson({ reference_id: '2' }),
      aPerson({ reference_id: '3' }),
    ]
    await census([one, two, three], employer_id)
    const before = await roster(employer_id)
    const wrong = [
      { ...one, email: two.email },
      { ...two, email: three.email },
      { ...three, email: one.email, start_date: '2026-04-01' },
    ]
    const { counts, failures } = await census(wrong, employer_id)
    expect(counts).toEqual({ ...none, failed: 3 })
    expect(failures.map((each) => [each.index, each.field])).toEqual([
      [0, 'email'],
      [1, 'email'],
      [2, 'start_date'],
    ])
    expect(await roster(employer_id)).toEqual(before)
  })

  it('continues row by row if PostgreSQL refuses waiting rows', async () => {
    const employer_id = await createEmployer(api)
    const [one, two] = [aPerson({ reference_id: '1' }), aPerson({ reference_id: '2' })]
    await census([one, two], employer_id)
    await api.database.pool.query(`alter table members add constraint no_zed check (first_name <> 'Zed')`)
    const rows = [
      { ...one, email: two.email, first_name: 'Zed', last_name: one.last_name },
      { ...two, email: one.email },
    ]
    const path = `/v1/employers/${employer_id}/census-sync` as const
    const { census_sync_id } = (await api.post(path, { employees: rows })).body.data
    await api.work()
    await api.database.pool.query('alter table members drop constraint no_zed')
    expect((await api.get(`${path}/${census_sync_id}`)).body.data).toMatchObject({
      state: 'completed',
      processed_count: 2,
      counts: { failed: 2 },
    })
  })

  it('accepts a new reference for a rehired employee, and refuses one that was reassigned', async () => {
    const employer_id = await createEmployer(api)
    const person = aPerson({ reference_id: 'OLD' })
    await census([person], employer_id)
    await census([{ ...person, termination_date: '2026-03-05' }], employer_id)
    const back = { ...person, reference_id: 'NEW', start_date: '2026-03-09' }
    expect((await census([back], employer_id)).counts).toEqual({ ...none, rehired: 1 })
    expect((await census([back], employer_id)).counts).toEqual({ ...none, unchanged: 1 })
    expect(new Set((await roster(employer_id)).map((row) => row.member_id)).size).toBe(1)
    const { failures } = await census([aPerson({ reference_id: 'OLD', date_of_birth: '1977-07-07' })], employer_id)
    expect(failures).toMatchObject([
      { field: 'reference_id', reason: expect.stringMatching(/^reference_of_other_person: /) },
    ])
  })

  it('refuses a current employee with another reference as ambiguous', async () => {
    const employer_id = await createEmployer(api)
    const person = aPerson({ reference_id: 'OLD' })
    await census([person], employer_id)
    const other = { ...person, reference_id: 'NEW' }
    expect((await census([other], employer_id)).failures).toEqual([ambiguous('reference_id')])
    const { id: employee_id } = first(await roster(employer_id))
    expect((await census([{ ...other, employee_id }], employer_id)).counts).toEqual({ ...none, updated: 1 })
    expect((await census([other], employer_id)).counts).toEqual({ ...none, unchanged: 1 })
  })

  it('changes nothing if it is repeated, even for people with other employers', async () => {
    const [here, there] = [await createEmployer(api), await createEmployer(api)]
    const person = aPerson({ address })
    const moved = { ...person, phone: aPerson().phone, address: { ...address, city: 'Albany' }, suffix: 'Jr.' }
    await census([person], here)
    expect((await census([moved], there)).counts).toEqual({ ...none, created: 1 })
    for (const employer_id of [there, here, there])
      expect((await census([employer_id === here ? person : moved], employer_id)).counts).toEqual({
        ...none,
        unchanged: 1,
      })
    expect((await roster(here))[0]).toMatchObject({ phone: person.phone, address, suffix: 'Jr.' })
    // A newer report of an employer applies everywhere, and a repeated older report does not undo it.
    expect((await census([{ ...moved, phone: '2065550101' }], there)).counts).toEqual({ ...none, updated: 1 })
    expect((await census([person], here)).counts).toEqual({ ...none, unchanged: 1 })
    expect((await roster(here))[0]).toMatchObject({ phone: '2065550101' })
  })

  it('changes nothing if its rows equal a hire or an earlier census that changed nothing', async () => {
    const [here, there] = [await createEmployer(api), await createEmployer(api)]
    const [hired, known] = [aPerson({ address, employee_class: 'Full Time' }), aPerson({ address })]
    await hire(hired, here)
    await census([known], here)
    expect((await census([known], here)).counts).toEqual({ ...none, unchanged: 1 })
    const moved = [hired, known].map((person) => ({ ...person, phone: aPerson().phone }))
    await census([hired, known], there)
    expect((await census(moved, there)).counts).toEqual({ ...none, updated: 2 })
    expect((await census([hired, known], here)).counts).toEqual({ ...none, unchanged: 2 })
  })

  it('does not correct or end former employments, unless the start is after the last day', async () => {
    const employer_id = await createEmployer(api)
    const person = aPerson({ start_date: '2020-01-06' })
    await census([person, aPerson()], employer_id)
    const ended = { ...person, termination_date: '2026-03-09' }
    await census([ended], employer_id)
    const before = await roster(employer_id)
    for (const start_date of ['2026-03-09', '2020-01-06', '2019-01-07']) {
      const { failures, counts } = await census([{ ...person, start_date, last_name: person.last_name }], employer_id)
      expect([counts.failed, failures[0]?.field, failures[0]?.reason.split(':')[0]]).toEqual([
        1,
        'start_date',
        'overlaps_former_employment',
      ])
    }
    expect((await census([ended], employer_id)).counts).toEqual({ ...none, unchanged: 1 })
    expect(await roster(employer_id)).toEqual(before)
    expect((await census([{ ...person, start_date: '2026-03-10' }], employer_id)).counts).toEqual({
      ...none,
      rehired: 1,
    })
  })

  it('does not move the first day of an employee to the last one on that day', async () => {
    const employer_id = await createEmployer(api)
    const person = aPerson({ start_date: '2020-01-06' })
    await census([{ ...person, termination_date: '2026-03-10' }], employer_id)
    const { failures } = await census([{ ...person, start_date: '2026-03-10' }], employer_id)
    expect(failures).toMatchObject([
      { field: 'start_date', reason: expect.stringMatching(/^overlaps_former_employment: /) },
    ])
    expect(await roster(employer_id)).toMatchObject([{ hire_date: '2020-01-06' }])
  })

  it('stays fast with a thousand people with the same name and birthday, who are ambiguous from the 22nd on', async () => {
    const employer_id = await createEmployer(api)
    const alike = { first_name: 'Test', last_name: 'User', date_of_birth: '1990-01-01' }
    const rows = Array.from({ length: 1_000 }, () => aPerson(alike))
    const outcome = await census(rows, employer_id)
    expect([outcome.counts, outcome.failures.length]).toEqual([{ ...none, created: 21, failed: 979 }, 979])
    expect(outcome.failures[0]).toEqual(ambiguous('last_name', 21))
    expect((await census(rows, employer_id)).counts).toEqual({ ...none, unchanged: 21, failed: 979 })
    const distinct = rows.map((row) => ({ ...row, distinct: true }))
    expect((await census(distinct, employer_id)).counts).toEqual({ ...none, unchanged: 21, created: 979 })
    expect((await census(rows, employer_id)).counts).toEqual({ ...none, unchanged: 1_000 })
  })

  it.each(['dryrun=true', 'dry_run=true&foo=1', 'Mode=replace'])('rejects the query ?%s', async (query) => {
    const answer = await api.post(`/v1/employers/${at}/census-sync?${query}`, { employees: [aPerson()] })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', query.split('&').at(-1)!.split('=')[0]])
  })
})

describe('a hire', () => {
  it('does not match a new employee to a former one by email address', async () => {
    const leaver = await createEmployee(api, at, { email: 'j.smith@example.com', reference_id: 'JS' })
    await api.post(`/v1/employees/${leaver.id}/terminate`, { termination_date: '2026-03-09' })
    const candidate = { email: leaver.email, last_name: leaver.last_name, date_of_birth: '1999-09-09' }
    expect(refusalOf(await hire(candidate))).toEqual([422, 'email_taken', 'email'])
    expect(refusalOf(await hire({ ...candidate, distinct: true }))).toEqual([422, 'email_taken', 'email'])
    expect(refusalOf(await hire({ ...candidate, last_name: aPerson().last_name, reference_id: 'JS' }))).toEqual([
      409,
      'reference_of_other_person',
      'reference_id',
    ])
    const newcomer = await hire({ ...candidate, email: 'j.smith2@example.com', distinct: true })
    expect([newcomer.status, newcomer.body.data.member_id !== leaver.member_id]).toEqual([201, true])
  })

  it('does not match a wife to the record of her husband at another employer', async () => {
    const husband = await createEmployee(api, at, { email: 'family@example.com' })
    const other = await createEmployer(api)
    const wife = { email: husband.email, last_name: husband.last_name, date_of_birth: '1991-01-01' }
    const answer = await hire(wife, other)
    expect(refusalOf(answer)).toEqual([422, 'email_taken', 'email'])
    expect(answer.error.details).toEqual([
      { field: 'email', message: expect.stringMatching(/employee_id or member_id\. .* another email address/) },
    ])
    expect(answer.text).not.toContain(husband.member_id)
    expect(answer.text).not.toContain(husband.first_name)
    expect((await hire({ ...wife, distinct: true, email: 'her.own@example.com' }, other)).status).toBe(201)
  })

  it('links to the known person, and warns about different details, which are not saved', async () => {
    const known = await createEmployee(api, at, { address, employee_class: 'Full Time' })
    const { first_name, last_name, email, date_of_birth, phone } = known
    const same = { first_name, last_name, email, date_of_birth, phone, gender: 'Female' }
    const plain = await hire(same, await createEmployer(api))
    expect([plain.status, plain.body.data.warnings]).toEqual([201, undefined])
    const other = { ...same, phone: aPerson().phone, gender: 'Male', address: { ...address, city: 'Albany' } }
    const answer = await hire(other, await createEmployer(api))
    expect([answer.status, answer.body.data]).toMatchObject([201, { phone, gender: 'Female', address }])
    expect(answer.body.data.warnings).toEqual(
      ['phone', 'gender', 'address'].map((field) => ({ field, message: expect.stringContaining('differs') })),
    )
  })

  it('creates a distinct person even if the roster has a namesake with the same birthday and address', async () => {
    const known = await createEmployee(api, at, { address })
    const { first_name, last_name, date_of_birth, phone } = known
    const namesake = { first_name, last_name, date_of_birth, phone, address }
    expect(refusalOf(await hire(namesake))).toEqual([409, 'employee_already_exists', 'phone'])
    const answer = await hire({ ...namesake, distinct: true })
    expect([answer.status, answer.body.data.member_id !== known.member_id]).toEqual([201, true])
  })

  it('can specify the person or any of their employments in the organization', async () => {
    const known = await createEmployee(api, at)
    const [one, two] = [await createEmployer(api), await createEmployer(api)]
    const candidate = { ...aPerson(), phone: undefined, email: known.email }
    expect(refusalOf(await hire(candidate, one))).toEqual([422, 'email_taken', 'email'])
    const by_person = await hire({ ...candidate, member_id: known.member_id }, one)
    const by_employment = await hire({ ...candidate, employee_id: known.id }, two)
    for (const { status, body } of [by_person, by_employment])
      expect([status, body.data.member_id, body.data.first_name]).toEqual([201, known.member_id, known.first_name])
    expect(refusalOf(await hire({ employee_id: known.id }))).toEqual([409, 'employee_already_exists', 'employee_id'])
    expect(refusalOf(await hire({ member_id: known.member_id, distinct: true }))).toEqual([
      409,
      'ambiguous_person',
      'distinct',
    ])
    expect(refusalOf(await hire({ member_id: 'mbr_1' }))).toEqual([400, 'invalid_request', 'member_id'])
  })

  it('never matches people of another organization, even by id', async () => {
    const key = api.story.rival_api_key
    const theirs = await createEmployer(api, {}, { key })
    const known = await createEmployee(api, at)
    const hired = (candidate: Input) => api.post(`/v1/employers/${theirs}/employees`, aPerson(candidate), { key })
    const no_one = (field: string) => [400, 'invalid_employee_update', field]
    expect(refusalOf(await hired({ member_id: known.member_id }))).toEqual(no_one('member_id'))
    expect(refusalOf(await hired({ employee_id: known.id }))).toEqual(no_one('employee_id'))
    expect(refusalOf(await hired({ member_id: 'mbr_01kdq7b4w8e9rs2mh3n5t6v7xz' }))).toEqual(no_one('member_id'))
    const { first_name, last_name, email, phone, date_of_birth } = known
    expect((await hired({ first_name, last_name, email, phone, date_of_birth })).status).toBe(201)
  })

  it.each([
    ['an apostrophe', "O'Brien", 'OBRIEN'],
    ['a typographic apostrophe and accents', 'D’Ágostino', "d'agostino"],
    ['a hyphen', 'Smith-Jones', 'Smith Jones'],
    ['a non-breaking hyphen, or none', 'Anne\u2011Lee', 'Annelee'],
    ['invisible characters', 'Sil\u200bva', 'Si\u00adlva'],
  ])('matches a name with %s, also by ZIP code', async (_, one, other) => {
    const { member_id, first_name } = await createEmployee(api, at, { last_name: one, address })
    const candidate = { first_name, last_name: other, phone: undefined, address }
    const answer = await hire(candidate, await createEmployer(api))
    expect([answer.status, answer.body.data?.member_id]).toEqual([201, member_id])
  })
})

describe('a member sync', () => {
  it('never matches one member to another, and resolves ambiguity like a census', async () => {
    const { mvp } = await importCatalog(api)
    const group_id = await createGroup(api)
    const sync = async (members: Input[]) => {
      const { request_id } = (await api.post(`/v1/groups/${group_id}/members/sync`, { members })).body.data
      await api.work()
      return sure((await api.get(`/v1/groups/${group_id}/members/sync/${request_id}`)).body.data.results)
    }
    const sam = aGroupMember(mvp.plan_id, { first_name: 'Sam', last_name: 'Coop', email: undefined })
    const eva = { ...sam, first_name: 'Eva', reference_id: 'EVA' }
    const failed = (reason: string, { reference_id } = eva) => [{ operation: 'add', reason, reference_id }]
    expect((await sync([sam, eva])).failures).toEqual(failed('ambiguous_person'))
    expect((await sync([sam, { ...eva, distinct: true }])).failures).toEqual([])
    expect(await sync([sam, eva])).toMatchObject({ added_group_member_ids: [], failures: [] })
    const client = aGroupMember(mvp.plan_id, { reference_id: sam.reference_id, date_of_birth: '1966-06-06' })
    expect((await sync([client, eva])).failures).toEqual(failed('reference_of_other_person', sam))
    const members = (await api.get(`/v1/groups/${group_id}/members`)).body.data
    const { member_id } = pick(members, (row) => row.first_name === 'Eva')
    const married = { ...eva, last_name: 'Married', date_of_birth: '1990-05-18', member_id }
    expect((await sync([sam, { ...married, member_id: undefined }])).failures).toEqual(
      failed('reference_of_other_person'),
    )
    expect(await sync([sam, married])).toMatchObject({ added_group_member_ids: [], failures: [] })
    const answer = await api.post(`/v1/groups/${group_id}/members/sync?dry_run=true`, { members: [] })
    expect(refusalOf(answer)).toEqual([400, 'invalid_request', 'dry_run'])
  })
})

it('the database folds names in the same way', async () => {
  const { comparableName, foldName, searchableName } = await import('../../../kernel/person-names.ts')
  const letters = Array.from({ length: 0xffff }, (_, code) => String.fromCharCode(code + 1)).filter((letter) =>
    letter.isWellFormed(),
  )
  const folded = letters.map(foldName)
  const { rows } = await api.database.pool.query<{ received: string }>(
    `select comparable_name(input.name) as received
       from unnest($1::text[]) with ordinality as input (name, at) order by at`,
    [folded],
  )
  expect(rows.map(({ received }) => received)).toEqual(letters.map(comparableName))
  // Control characters are never in names. Later letters are in newer versions of Unicode than the one of PostgreSQL.
  const named = letters.filter((letter) => letter < '\ua7ce' && !/\p{Cc}/u.test(letter))
  const searchable = await api.database.pool.query<{ received: string }>(
    `select searchable_name(input.name) as received
       from unnest($1::text[]) with ordinality as input (name, at) order by at`,
    [named],
  )
  expect(searchable.rows.map(({ received }) => received)).toEqual(named.map(searchableName))
})
