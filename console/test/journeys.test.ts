import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { faultsOf, openBrowser } from '../../server/test/browser.ts'
import { aMemberKey, aPerson, createEmployer } from '../../server/test/cast.ts'
import { useApi } from '../../server/test/harness.ts'
import { sure } from '../../server/test/pick.ts'
import {
  buildPages,
  outOfReach,
  pagesOfMember,
  pagesOfOperator,
  settled,
  tooWideAt,
  userCalled,
  visitAs,
  type Visit,
} from './stage.ts'

/** What people do with the console, in a real browser against the real service: one of each for all journeys. */
const api = useApi({ told: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 } })
let browser: Browser
let maya: Visit

beforeAll(async () => {
  ;[browser] = await Promise.all([openBrowser(), api.work(), buildPages()])
  maya = await visitAs(browser, api, await userCalled(api, 'Maya Okafor'))
}, 120_000)
afterAll(() => browser?.close())

const go = (path: string) => maya.page.goto(`${api.url}/console${path}`)

it('answers in three steps from the palette why somebody is covered from a day on', async () => {
  const { page } = maya
  await go('/')
  await page.getByRole('heading', { name: 'Employers' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('rosa')
  await page.getByRole('option', { name: /Rosa Quist/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Rosa Quist' }).waitFor()
  await page
    .getByRole('group', { name: 'Time line' })
    .getByRole('link', { name: /Major Medical Silver/ })
    .click()
  const why = page.getByRole('complementary', { name: 'Why these days' })
  await why.getByText('60 days').waitFor()
  await why.getByText('Elected').first().waitFor()
  expect(page.url()).toMatch(/why=enrl_/)
  await page.reload()
  await why.getByText('60 days').waitFor()
  await page.goBack()
  await why.waitFor({ state: 'detached' })
}, 60_000)

it('keeps the filters of the book in the address, and finds by them', async () => {
  const { page } = maya
  await go('/employers')
  await page.getByRole('checkbox', { name: 'Renewal' }).check()
  const rows = page.getByRole('table', { name: 'Employers' }).getByRole('rowheader')
  const in_renewal = ['Copper Kettle Café', 'Maple Row Clinic']
  await expect.poll(() => rows.allTextContents()).toEqual(in_renewal)
  expect(page.url()).toMatch(/\?stage=renewal$/)
  await page.reload()
  await expect.poll(() => rows.allTextContents()).toEqual(in_renewal)
}, 60_000)

it('keeps what was typed when the service refuses a field, and says so there', async () => {
  const { page } = maya
  await go('/employers/add')
  await page.getByLabel('Name', { exact: true }).fill('Blue Heron Coffee')
  await page.getByLabel('EIN').fill('12')
  await page.getByRole('button', { name: 'Add the employer' }).click()
  const summary = page.getByRole('alert')
  await summary.getByRole('link', { name: 'EIN' }).click()
  const ein = page.getByLabel('EIN')
  expect(await page.locator(':focus').inputValue()).toBe('12')
  expect(await ein.getAttribute('aria-invalid')).toBe('true')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Blue Heron Coffee')
}, 60_000)

it('shows what a census would change before it does, mends a bad row in place, and applies it', async () => {
  const { page } = maya
  const key = api.story.api_key
  const employer_id = await createEmployer(api, {}, { key })
  const employee_class = 'Full Time'
  const [ann, bob] = [
    { ...aPerson(), employee_class },
    { ...aPerson(), employee_class },
  ]
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [ann] }, { key })
  await api.work()
  const lines = [
    'First Name,Last Name,Email Address,Mobile,DOB,Hire Date,Employment type,Team',
    ...[
      { ...ann, employee_class: 'Part Time' },
      { ...bob, date_of_birth: '5/17/2019' },
    ].map((row) =>
      [
        row.first_name,
        row.last_name,
        row.email,
        row.phone,
        row.date_of_birth,
        row.start_date,
        row.employee_class,
        'x',
      ].join(),
    ),
  ]
  await go(`/employers/${employer_id}/census`)
  const file = { name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
  await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles(file)
  await page.getByText('Left out: Team.').waitFor()
  await page.getByRole('button', { name: 'See what it would change' }).click()
  const plan = page.getByRole('region', { name: 'What 2 rows would change' })
  await plan.getByText('Full Time').waitFor()
  await plan.getByText('1 row to mend').waitFor()
  expect(await faultsOf(page)).toEqual([])
  const cell = plan.getByLabel(`Date of birth of ${bob.first_name} ${bob.last_name}`)
  await cell.fill('1990-05-17')
  await cell.press('Enter')
  await page.getByRole('button', { name: 'Apply to 2 people' }).click()
  await page.getByText('0 of 2 rows done').waitFor()
  await api.work()
  await page.getByText('2 of 2 rows done').waitFor()
  const { data } = (await api.get(`/v1/employers/${employer_id}/employees`, { key })).body
  expect(data.map(({ employee_class }) => employee_class).toSorted()).toEqual(['Full Time', 'Part Time'])
}, 90_000)

it('tells what a pay takes otherwise than the pay before, and of whom', async () => {
  const { page } = maya
  await go('/employers')
  await page.getByRole('link', { name: 'Copper Kettle Café' }).click()
  await page.getByRole('link', { name: 'Statements' }).click()
  await page
    .getByRole('table', { name: 'Statements' })
    .getByRole('link', { name: 'Mar 1, 2026 – Mar 31, 2026' })
    .click()
  await page.getByRole('checkbox', { name: 'Changed 1' }).check()
  const taken = page.getByRole('table', { name: 'Deductions' })
  await taken.getByText('$11.00 of it for what earlier pays did not take').waitFor()
  expect(await taken.getByRole('rowheader').allTextContents()).toEqual(['Femi Garba'])
  expect(page.url()).toMatch(/\?show=changed$/)
}, 60_000)

it('shows what a correction would change, and makes it', async () => {
  const { page } = maya
  const key = api.story.api_key
  const employer_id = await createEmployer(api, {}, { key })
  const hired = await api.post(`/v1/employers/${employer_id}/employees`, aPerson({ employee_class: 'Full Time' }), {
    key,
  })
  await go(`/people/${hired.body.data.id}`)
  await page.getByRole('link', { name: 'Correct' }).click()
  await page.getByRole('combobox', { name: 'Class' }).selectOption('Part Time')
  await page.getByRole('button', { name: 'See what would change' }).click()
  const plan = page.getByRole('region', { name: /^What would change of/ })
  await plan.locator('del', { hasText: 'Full Time' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await plan.getByRole('button', { name: /^Change it from/ }).click()
  await page.getByRole('link', { name: 'Correct' }).waitFor()
  const { data } = (await api.get(`/v1/employees/${hired.body.data.id}`, { key })).body
  expect(data.employee_class).toBe('Part Time')
}, 60_000)

it('makes a key, whose secret is shown once, and revokes it', async () => {
  const { page } = maya
  await go('/developers')
  await page.getByRole('link', { name: 'Make a key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Night export')
  await page.getByRole('checkbox', { name: /^Money/ }).check()
  await page.getByRole('button', { name: 'Make the key' }).click()
  const secret = await page.getByText(/^obk_test_/).textContent()
  expect((await api.get('/v1/employers', { key: sure(secret) })).status).toBe(200)
  await page.getByRole('link', { name: 'Night export' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).press('Enter')
  const asked = page.getByRole('group', { name: 'Revoke the key' })
  await asked.getByText('nothing brings it back').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await asked.getByRole('button', { name: 'Revoke the key' }).press('Enter')
  await page.locator('.status', { hasText: 'Revoked' }).waitFor()
  const { data } = (await api.get('/v1/api-keys', { key: api.story.api_key })).body
  expect(data.find(({ name }) => name === 'Night export')?.status).toBe('revoked')
}, 60_000)

it('mends twelve of a thousand rows in place, applies them, and scrolls the roster of ten thousand', async () => {
  const { page } = maya
  const key = api.story.api_key
  const employer_id = await createEmployer(api, {}, { key })
  const people = Array.from({ length: 10_000 }, (_, at) => aPerson({ last_name: `Costa ${name(at)}` }))
  await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: people.slice(0, 9_000) }, { key })
  await api.work()
  const columns = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth', 'start_date'] as const
  const rows = people
    .slice(9_000)
    .map((person, at) =>
      columns.map((column) => (at % 90 === 3 && column === 'date_of_birth' ? '1990-02-31' : person[column])),
    )
  const csv = [columns, ...rows].map((row) => row.join()).join('\n')
  await go(`/employers/${employer_id}/census`)
  const file = { name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles(file)
  await page.getByRole('button', { name: 'See what it would change' }).click()
  await page.getByRole('heading', { name: '12 rows to mend first' }).waitFor()
  for (let left = 12; left > 0; left--) {
    const cell = page.getByLabel(/^Date of birth of/).first()
    await cell.fill('1990-02-28')
    await cell.press('Enter')
    await expect.poll(() => page.getByLabel(/^Date of birth of/).count(), { timeout: 30_000 }).toBe(left - 1)
  }
  await page.getByRole('button', { name: 'Apply to 1,000 people' }).click({ timeout: 90_000 })
  await page.getByText('0 of 1,000 rows done').waitFor()
  await api.work()
  await page.getByText('1,000 of 1,000 rows done').waitFor()

  await page.getByRole('link', { name: 'Roster' }).click()
  const table = page.getByRole('table', { name: 'Roster' })
  await table.getByRole('rowheader').first().waitFor()
  await expect.poll(() => table.getAttribute('aria-rowcount'), { timeout: 30_000 }).toBe('10001')
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  await page.locator('tr[aria-rowindex="10001"] th').waitFor()
  expect(await table.getByRole('row').count()).toBeLessThan(120)
}, 180_000)

it('reconciles an invoice with what was due, and leads from a line to its person', async () => {
  const { page } = maya
  await go('/money')
  await page.getByRole('link', { name: 'Maple Row Clinic' }).click()
  const invoices = page.getByRole('table', { name: 'Invoices' })
  await invoices.getByRole('rowheader').nth(1).getByRole('link').click()
  await page.getByText('It adds up').waitFor()
  const proof = page.getByRole('table', { name: 'What was due and what was billed' })
  const said = await proof
    .getByRole('row', { name: /^Premium/ })
    .getByRole('cell')
    .allTextContents()
  expect(said[0]).toBe(said[1])
  const [, invoice_id] = sure(/(INV-?\w+)$/.exec(page.url()))
  const employer_id = sure(/empr_\w+/.exec(page.url()))[0]
  const known = (
    await api.get(`/v1/employers/${employer_id}/invoices/${invoice_id}/reconciliation`, { key: api.story.api_key })
  ).body.data
  expect(said[0]).toBe(
    (known.due.premium_in_cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }),
  )
  await page.getByRole('table', { name: 'Lines' }).getByRole('link', { name: 'Rosa Quist' }).first().click()
  await page.getByRole('complementary', { name: 'Why these days' }).waitFor()
}, 60_000)

it('keeps a view of the book under a name, and shows what a request caused', async () => {
  const { page } = maya
  await go('/employers?stage=renewal')
  await page.getByRole('button', { name: 'Save this view' }).press('Enter')
  await page.getByLabel('Name of the view').fill('To renew')
  await page.keyboard.press('Enter')
  await go('/employers')
  await page.getByRole('link', { name: 'To renew' }).click()
  await page.waitForURL(/\?stage=renewal$/)
  await page.getByRole('button', { name: 'Forget To renew' }).press('Enter')
  await page.getByRole('link', { name: 'To renew' }).waitFor({ state: 'detached' })

  const key = api.story.api_key
  const employer_id = await createEmployer(api, {}, { key })
  const hired = await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })
  await go(`/traces/${sure(hired.headers.get('x-request-id'))}`)
  await page.getByRole('heading', { name: 'employees_create' }).waitFor()
  await page.getByRole('table', { name: 'What it caused' }).getByText('employee.created').waitFor()
  await go(`/employers/${employer_id}/events`)
  const told = page.getByRole('table', { name: 'Events' }).getByRole('rowheader')
  await expect.poll(() => told.allTextContents(), { timeout: 30_000 }).toContain('employee.created')
  expect(await told.allTextContents()).toContain('employer.created')
}, 60_000)

it('lets an operator decide a life event, and move time ahead', async () => {
  const visit = await visitAs(browser, api, await userCalled(api, 'Tess Moreau'))
  const { page } = visit
  const matters = page.getByRole('table', { name: 'Open matters' })
  await matters.getByRole('rowheader').first().waitFor()
  const before = await matters.getByRole('rowheader').count()
  await matters.getByRole('button', { name: 'Approve' }).first().click()
  await expect.poll(() => matters.getByRole('rowheader').count(), { timeout: 30_000 }).toBe(before - 1)
  await page.goto(`${api.url}/console/partners/${api.story.organization_id}/catalog`)
  const rows = ['Essential Care Base,EE,9900', 'Essential Care Base,ES,18300', 'Essential Care Gold,EE,19900'].map(
    (row) => `Evergreen Health,MEC,Essential Care,${row},2026-12-01`,
  )
  const header = 'carrier,product_code,benefit,plan,coverage_tier,premium_in_cents,effective_on'
  const file = { name: 'rates.csv', mimeType: 'text/csv', buffer: Buffer.from([header, ...rows].join('\n')) }
  await page.getByLabel('Drop a CSV file here, or choose one').setInputFiles(file)
  const plan = page.getByRole('region', { name: 'What rates.csv would change' })
  await plan.getByText('4 new').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await plan.getByRole('button', { name: 'Import it' }).click()
  await page.getByRole('table', { name: 'Plans of Essential Care' }).getByText('$199.00').waitFor()
  await page.getByRole('link', { name: 'Employers' }).click()
  await page.getByRole('link', { name: 'Maple Row Clinic' }).click()
  await page.getByRole('link', { name: 'Plan years' }).click()
  await page.getByRole('link', { name: 'Next one like it' }).click()
  const tiers = page.getByRole('table', { name: 'Per plan and tier' })
  await tiers.getByText('$336.00').first().waitFor()
  await page.getByLabel('For who enrolls alone the employer pays, exactly').first().fill('100')
  await page.getByText('−$84.00').waitFor()
  await page.getByRole('table', { name: 'Person by person' }).getByText('Rosa Quist').first().waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Open it for 2 people' }).click()
  await page.getByRole('table', { name: 'Plan years' }).getByText('Upcoming').waitFor()
  await page.getByRole('link', { name: 'Test clocks' }).click()
  await page.getByLabel('Organization').selectOption({ label: 'Rival Benefits' })
  await page.getByRole('slider').fill('3')
  await page.getByRole('button', { name: 'Move the clock by 3 days' }).click()
  await page.getByRole('heading', { name: 'Mar 13, 2026' }).waitFor()
  for (const path of Object.values(await pagesOfOperator(api))) {
    await page.goto(`${api.url}/console${path}`)
    await settled(page)
    expect(await faultsOf(page), path).toEqual([])
    expect(await tooWideAt(page), path).toEqual([])
    if (/today|clocks|build/.test(path)) expect(await outOfReach(page), path).toEqual([])
  }
  expect(visit.complaints).toEqual([])
  await visit.close()
}, 240_000)

it('shows a member of SALES the book, and nobody’s birthday', async () => {
  await aMemberKey(api, api.story.organization_id, 'SALES')
  const sales = sure(
    await api.database.reads.row<{ id: string }>(
      `select id from users where name like 'SALES %' order by id desc limit 1`,
    ),
  )
  const visit = await visitAs(browser, api, sales.id)
  await visit.page.getByRole('link', { name: 'Maple Row Clinic' }).click()
  await visit.page.getByRole('link', { name: 'Plan years' }).waitFor()
  expect(await visit.page.getByRole('link', { name: 'Roster' }).count()).toBe(0)
  const rosa = (await api.get('/v1/members?search=rosa', { key: api.story.api_key })).body.data[0]
  await visit.page.goto(`${api.url}/console/people/${sure(rosa).employments[0]!.employee_id}`)
  await visit.page.getByRole('alert').waitFor()
  expect(await visit.page.content()).not.toContain('1977')
  await visit.close()
}, 60_000)

/** The pages of the journeys: all that is done there can be done by keyboard alone. */
const journeys = ['book', 'employer', 'census', 'statement', 'invoice', 'person-why', 'person-change', 'keys', 'trace']

/** Between them these pages show each color on each ground. */
const all_colors = ['book', 'roster', 'plan-year', 'invoice', 'person-why', 'keys', 'webhooks', 'nowhere']

it('has nothing that keeps people out, on any page in either theme', async () => {
  const { page } = maya
  for (const [name, path] of Object.entries(await pagesOfMember(api))) {
    await go(path)
    await settled(page)
    expect(await faultsOf(page), name).toEqual([])
    expect(await tooWideAt(page), name).toEqual([])
    if (journeys.includes(name)) expect(await outOfReach(page), name).toEqual([])
    if (!all_colors.includes(name)) continue
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await faultsOf(page, ['color-contrast']), `${name} in the dark`).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Find' }).fill('a')
  await page.getByRole('option').first().waitFor()
  expect(await faultsOf(page), 'the palette').toEqual([])
  expect(maya.complaints).toEqual([])
}, 300_000)

it('loads at most 150 kB of script first, and 80 kB more for a page', () => {
  type Chunk = { file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }
  const dist = join(import.meta.dirname, '../dist')
  const chunks = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const reached = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const next of chunks[name]?.imports ?? []) reached(next, seen)
    return seen
  }
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, sure(chunks[name]).file))).length, 0)
  const [entry = ''] = Object.keys(chunks).filter((name) => chunks[name]!.isEntry)
  const first = reached(entry)
  const pages = Object.keys(chunks).filter((name) => chunks[name]!.isDynamicEntry)
  const added = pages.map((page) => [page, sizeOf([...reached(page)].filter((name) => !first.has(name)))] as const)
  const book = sure(added.find(([page]) => page.includes('book')))[1]
  expect(sizeOf(first) + book).toBeLessThanOrEqual(150_000)
  expect(added.filter(([, size]) => size > 80_000)).toEqual([])
})

/** Letters for a number: names hold no digits. */
const name = (number: number): string =>
  (number >= 26 ? name(Math.floor(number / 26) - 1) : '') + String.fromCharCode(65 + (number % 26))
