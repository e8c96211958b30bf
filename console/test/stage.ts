import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Api } from '../../server/test/harness.ts'
import { sure } from '../../server/test/pick.ts'
import { readingWholeTables } from '../../server/test/postgres/sharded-queries.ts'

const root = join(import.meta.dirname, '../..')

/** Builds the console and the widgets unless their builds are up to date. */
export const buildPages = () =>
  promisify(execFile)(process.execPath, ['scripts/run.js', 'build', 'console', 'widgets'], {
    cwd: root,
    timeout: 120_000,
  })

/** A user of the story by name. The latest one if several match. */
export async function userCalled(api: Api, name: string): Promise<string> {
  const found = await api.database.reads.row<{ id: string }>(
    'select id from users where name = $1 order by id desc limit 1',
    [name],
  )
  return sure(found).id
}

/** Shared by all journeys. */
export type Scene = { api: Api; browser: Browser; maya: Visit; draw?: (page: Page, name: string) => Promise<void> }

export type Visit = { page: Page; complaints: string[]; close: () => Promise<void> }

/** A browser signed in to the sandbox, at the console. */
export async function visitAs(
  browser: Browser,
  api: Api,
  user_id: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en-US', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(90_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // Pages display refused requests, so the browser's own messages about them are not errors. The frame of an email
    // runs no scripts, including those of tests.
    const is_expected = /^Failed to load resource|^Blocked script execution in '\S+\/v1\/downloads\//.test(
      message.text(),
    )
    if (message.type() === 'error' && !is_expected) complaints.push(message.text())
  })
  // The request of a button on the sign-in page, without drawing that page.
  const sign_in = `${api.url}/sign-in/people/${user_id}`
  await context.request.post(sign_in, { headers: { origin: api.url }, maxRedirects: 0 })
  await page.goto(`${api.url}/console`)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return { page, complaints, close: () => context.close() }
}

/** The parts of a page that have not loaded: the pending route, the heading, and placeholders. */
const missing = `(() => {
  const { latestLocation: requested, state: { resolvedLocation: shown } } = __TSR_ROUTER__
  const waiting = document.querySelectorAll('.waiting, [aria-busy=true], [data-former=true], tr:has(.bone)')
  return [
    shown?.href === requested.href ? '' : requested.href,
    document.querySelector('h1')?.textContent.trim() ? '' : 'its heading',
    ...Array.from(waiting, (one) => one.outerHTML.slice(0, 160)),
  ].filter(Boolean)
})()`

/** Waits until the page has loaded completely. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  // Polls from outside, because the page's content security policy forbids evaluated functions.
  await expect.poll(() => page.evaluate(missing)).toEqual([])
}

const pathOf = (page: Page) => new URL(page.url()).pathname.replace(/\/$/, '')

/** Opens a page of the console like a link, without a reload. */
export async function turnTo(page: Page, path: string): Promise<void> {
  const before = pathOf(page)
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(`/console${path}`)})`)
  await settled(page)
  // Wait until the heading has the focus, or later keys would go to the previous element.
  if (pathOf(page) !== before) await page.locator('main :focus').waitFor()
}

/** Inserts many copies of an employee, for long lists. */
export async function colleaguesOf(api: Api, employee_id: string, count: number): Promise<void> {
  const source = readingWholeTables(`
    from (select generate_series(1, $2::int) as number) as copy
    join employees as employee on employee.id = $1
    join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
   cross join lateral (select left(md5(employee.id || copy.number), 25) as made) as its`)
  const given = [employee_id, count]
  await api.database.pool.query(
    `insert into members (id, organization_id, first_name, last_name, name_key, date_of_birth, created_at, updated_at)
     select 'mbr_0' || made, member.organization_id, first_name, last_name, name_key, date_of_birth, member.created_at,
            member.updated_at ${source}`,
    given,
  )
  await api.database.pool.query(
    `insert into employees (id, organization_id, employer_id, member_id, hired_on, report_hash, known_at, created_at,
                            updated_at, roster_number)
     select 'empl_0' || made, employee.organization_id, employer_id, 'mbr_0' || made, hired_on, md5('empl_0' || made),
            known_at, employee.created_at, employee.updated_at, roster_number + copy.number ${source}`,
    given,
  )
  await api.database.pool.query(
    `update employers set employee_count = employee_count + $2
      where id = (select employer_id from employees where id = $1)`,
    given,
  )
}

/** The elements that the keyboard must reach. The first rows stand for the rest of a table. */
const reachable = `[...document.querySelectorAll(
  'main :is(a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary)')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.tabIndex >= 0)`

/**
 * Finds the elements that the keyboard must reach. Each Tab key must reach the next one and show its focus. Then the
 * element before the following one gets the focus, so that rows of long tables are skipped. `reaching.missed` are
 * elements as markup, and `reaching.left` is the number of others that were not reached yet.
 */
const prepared = `(() => {
  const ways = ${reachable}
  const wanted = ways.filter((one) => !(one.closest('tbody tr')?.rowIndex > 3))
  const reaching = { left: wanted.length, missed: [] }
  let presses = 0
  const skip = () => {
    presses = 0
    ways[ways.indexOf(wanted[wanted.length - reaching.left]) - 1]?.focus()
  }
  const isMarked = (one) => {
    const shown = one.matches('input') ? one.parentElement : one
    const marks = [one, shown, one.nextElementSibling].filter(Boolean).map((each) => getComputedStyle(each))
    marks.push(getComputedStyle(one, '::after'))
    return marks.some((style) => style.outlineStyle !== 'none' || style.boxShadow !== 'none')
  }
  const onKey = () => {
    const one = wanted[wanted.length - reaching.left]
    const is_reached = document.activeElement === one
    // A date field has several parts.
    if (!is_reached && ++presses < 6) return
    if (!is_reached || !isMarked(one)) reaching.missed.push(one.outerHTML.slice(0, 160))
    if (--reaching.left === 0) removeEventListener('keyup', onKey, true)
    else skip()
  }
  document.querySelector('main').focus()
  globalThis.reaching = reaching
  if (reaching.left > 0) addEventListener('keyup', onKey, true)
  skip()
  return reaching
})()`

/** The elements that the Tab key cannot reach or that show no focus, as markup. */
export async function outOfReach(page: Page): Promise<string[]> {
  type Reaching = { left: number; missed: string[] }
  let reaching = await page.evaluate<Reaching>(prepared)
  while (reaching.left > 0) {
    for (let press = 0; press < reaching.left; press++) await page.keyboard.press('Tab')
    reaching = await page.evaluate<Reaching>('reaching')
  }
  return reaching.missed
}

/** The widths that a page does not fit. 640 is 1,280 at 200% zoom. */
export async function tooWideAt(page: Page, widths = [360, 640, 1920]): Promise<number[]> {
  const before = page.viewportSize()!
  const found: number[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: before.height })
    if (await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'))
      found.push(width)
  }
  await page.setViewportSize(before)
  return found
}

type EmployerId = `empr_${string}`

/** The ids of employers of the story, by a part of their names. */
const employersCalled = <const Names extends string[]>(api: Api, ...names: Names) =>
  Promise.all(
    names.map(async (name) => {
      const { data } = (await api.get(`/v1/employers?search=${name}`, { key: api.story.api_key })).body
      return sure(data[0]).id
    }),
  ) as Promise<{ [At in keyof Names]: EmployerId }>

/** A person of an employer with an elected benefit. */
async function enrolledAt(api: Api, employer_id: EmployerId) {
  const key = api.story.api_key
  const people = (await api.get(`/v1/employers/${employer_id}/employees?limit=100`, { key })).body.data
  const [found] = people.flatMap(({ id: person_id, enrollments }) =>
    enrollments.flatMap(({ id, status }) => (status === 'enrolled' ? [{ person_id, enrollment_id: id }] : [])),
  )
  return sure(found)
}

/**
 * Two of the bakery's families: one with a covered child, and one with a spouse who ends today, unless already ended.
 */
async function familiesOf(api: Api) {
  const key = api.story.api_key
  const [bakery] = await employersCalled(api, 'Sunrise')
  const dependentOf = async (name: string, relationship: string) => {
    const employee = sure((await api.get(`/v1/employers/${bakery}/employees?search=${name}`, { key })).body.data[0])
    const { data } = (await api.get(`/v1/employees/${employee.id}/dependents`, { key })).body
    return { employee_id: employee.id, id: sure(data.find((one) => one.relationship === relationship)).id }
  }
  const [covered, ended] = [await dependentOf('Amara', 'child'), await dependentOf('Henrik', 'spouse')]
  await api.call('DELETE', `/v1/dependents/${ended.id}`, { key })
  return { covered, ended }
}

/** The pages about an employer in open enrollment. */
const pagesOfWindow = (employer_id: string, plan_year_id: string) => ({
  'plan-year-open': `/employers/${employer_id}/plan-years/${plan_year_id}`,
  enrollment: `/employers/${employer_id}/enrollment`,
  'enrollment-remind': `/employers/${employer_id}/enrollment?remind=yes`,
})

const pagesOfSettings = (employer_id: string) => ({
  aca: `/employers/${employer_id}/aca`,
  'aca-measurement': `/employers/${employer_id}/aca?show=measurement`,
  'aca-filing': `/employers/${employer_id}/aca?show=filing`,
  settings: `/employers/${employer_id}/settings`,
  'settings-details': `/employers/${employer_id}/settings?show=details`,
  'settings-eligibility': `/employers/${employer_id}/settings?show=eligibility`,
  'settings-contacts': `/employers/${employer_id}/settings?show=contacts`,
  'organization-settings': '/settings',
  'scheduled-exports': '/settings/exports',
  mailbox: '/settings/mailbox',
})

/** The pages of a plan's document that is required reading, with a translation, and of a guide of an employer. */
async function pagesOfDocuments(api: Api, employer_id: string) {
  const key = api.story.api_key
  const file = { file_name: 'silver.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
  const add = async (more: object) => sure((await api.post('/v1/documents', { ...file, ...more }, { key })).body.data)
  await add({ employer_id, kind: 'guide', title: 'Benefits guide' })
  const notice = await add({ kind: 'notice', title: 'Marketplace notice', audience: 'public' })
  const translation = { ...file, language: 'es', title: 'Aviso del mercado de seguros' }
  await api.post(`/v1/documents/${notice.id}/translations`, translation, { key })
  return {
    documents: '/settings/documents',
    'add-document': '/settings/documents?add=yes',
    'employer-documents': `/employers/${employer_id}/documents`,
    document: `/documents/${notice.id}`,
  }
}

/** The pages of a plan year. */
const pagesOfYear = (employer_id: string, year: string) => ({
  'plan-years': `/employers/${employer_id}/plan-years`,
  'plan-year': `/employers/${employer_id}/plan-years/${year}`,
  renewal: `/employers/${employer_id}/plan-years/${year}/renewal`,
  agreements: '/settings/agreements?shown=default',
  'add-agreement': `/settings/agreements?add=yes&employer=${employer_id}&year=${year}`,
})

/** The console pages of the story for a member with full access. */
export async function pagesOfMember(api: Api): Promise<Record<string, string>> {
  const key = api.story.api_key
  const [cafe, clinic, freight] = await employersCalled(api, 'Kettle', 'Maple', 'Granite')
  const { person_id, enrollment_id } = await enrolledAt(api, cafe)
  const year = sure((await api.get(`/v1/employers/${cafe}/benefit-plan-years`, { key })).body.data[0]).id
  const { data: years } = (await api.get(`/v1/employers/${freight}/benefit-plan-years`, { key })).body
  const choosing = sure(years.find(({ is_current }) => !is_current)).id
  const invoice = sure((await api.get(`/v1/employers/${clinic}/invoices`, { key })).body.data[0]).invoice_id
  const event = sure((await api.get('/v1/webhook-events', { key })).body.data[0]).id
  const statement = sure((await api.get(`/v1/employers/${cafe}/payroll-deduction-statements`, { key })).body.data[0]).id
  const group = sure((await api.get('/v1/groups', { key })).body.data[0]).id
  const api_key = sure((await api.get('/v1/api-keys', { key })).body.data[0]).id
  const hook = await api.post('/v1/webhook-subscriptions', { url: 'https://hooks.example.com/benefits' }, { key })
  const trace = sure(hook.headers.get('x-request-id'))
  const { covered, ended } = await familiesOf(api)
  return {
    home: '/',
    book: '/employers',
    'book-filtered': '/employers?stage=renewal&stage=open_enrollment',
    'book-nobody': '/employers?search=zzzz',
    'add-employer': '/employers/add',
    ahead: '/employers/ahead',
    money: '/money',
    'money-by-employer': '/money?show=employers',
    'money-statements': '/money?show=statements',
    employer: `/employers/${cafe}`,
    roster: `/employers/${cafe}/roster`,
    ...pagesOfYear(cafe, year),
    ...pagesOfWindow(freight, choosing),
    census: `/employers/${cafe}/census`,
    statements: `/employers/${cafe}/statements`,
    statement: `/employers/${cafe}/statements/${statement}`,
    invoices: `/employers/${clinic}/invoices`,
    invoice: `/employers/${clinic}/invoices/${invoice}`,
    'employer-activity': `/employers/${cafe}/activity`,
    ...pagesOfSettings(cafe),
    ...(await pagesOfDocuments(api, cafe)),
    activity: '/activity',
    people: '/people',
    person: `/people/${person_id}`,
    'person-why': `/people/${person_id}?why=${enrollment_id}&whole=yes`,
    'person-change': `/people/${person_id}/change`,
    'person-end': `/people/${person_id}/change?action=end`,
    'end-dependent': `/people/${covered.employee_id}?ending=${covered.id}`,
    'reinstate-dependent': `/people/${ended.employee_id}?reinstating=${ended.id}&why=${ended.id}`,
    groups: '/groups?add=yes',
    group: `/groups/${group}`,
    'group-send': `/groups/${group}?send=yes`,
    audit: '/audit',
    trace: `/traces/${trace}`,
    keys: '/developers?add=yes',
    key: `/developers/keys/${api_key}`,
    webhooks: '/developers/webhooks?add=yes',
    webhook: `/developers/webhooks/${hook.body.data.id}`,
    events: '/developers/events',
    event: `/developers/events/${event}`,
    nowhere: '/employers/empr_01kdq7b4w8e9rs2mh3n5t6v7xz',
  }
}

/** The console pages of the story for an operator. */
export async function pagesOfOperator(api: Api) {
  const { organization_id, operator_key: key } = api.story
  const employerCalled = async (search: string) =>
    sure((await api.get(`/operator/v1/employers?search=${search}`, { key })).body.data[0]).id
  const [clinic, tools] = [await employerCalled('Maple'), await employerCalled('Ironwood')]
  const cafe = await employerCalled('Copper')
  const member = sure((await api.get(`/operator/v1/organizations/${organization_id}/members`, { key })).body.data[0])
  const connection = sure((await api.get(`/operator/v1/employers/${clinic}/hris-connections`, { key })).body.data[0]).id
  const year = sure((await api.get(`/operator/v1/employers/${clinic}/benefit-plan-years`, { key })).body.data[0]).id
  const run = sure((await api.get(`/operator/v1/hris-connections/${connection}/runs`, { key })).body.data[0]).id
  const files = sure((await api.get(`/operator/v1/employers/${cafe}/hris-connections`, { key })).body.data[0]).id
  const done = sure((await api.get(`/operator/v1/hris-connections/${files}/runs`, { key })).body.data[0]).id
  const invoice = sure((await api.get(`/operator/v1/employers/${clinic}/invoices`, { key })).body.data[0]).invoice_id
  const statements = `/operator/v1/employers/${clinic}/payroll-deduction-statements` as const
  const statement = sure((await api.get(statements, { key })).body.data[0]).id
  const rosa = sure(
    (await api.get(`/v1/employers/${clinic}/employees?search=rosa`, { key: api.story.api_key })).body.data[0],
  )
  return {
    today: '/today',
    clocks: '/clocks',
    jobs: '/jobs?state=waiting',
    affordability: '/affordability?year=2028',
    partners: '/partners?add=yes',
    partner: `/partners/${organization_id}`,
    'partner-money': `/partners/${organization_id}/money`,
    'partner-statements': `/partners/${organization_id}/money?show=statements`,
    'partner-members': `/partners/${organization_id}/members?add=yes`,
    'partner-keys': `/partners/${organization_id}/keys?add=yes`,
    catalog: `/partners/${organization_id}/catalog`,
    operated: `/partners/employers/${clinic}`,
    'operated-plan-years': `/partners/employers/${clinic}/plan-years`,
    builder: `/partners/employers/${clinic}/plan-years/build?from=${year}`,
    'operated-statements': `/partners/employers/${clinic}/statements`,
    'operated-statement': `/partners/employers/${clinic}/statements/${statement}`,
    'operated-invoices': `/partners/employers/${clinic}/invoices`,
    'operated-invoice': `/partners/employers/${clinic}/invoices/${invoice}`,
    hris: `/partners/employers/${clinic}/hris`,
    'hris-file': `/partners/employers/${cafe}/hris`,
    'hris-none': `/partners/employers/${tools}/hris`,
    run: `/partners/runs/${run}`,
    'run-done': `/partners/runs/${done}`,
    users: '/access?add=yes',
    user: `/access/users/${member.user_id}`,
    operators: '/access/operators?add=yes',
    'operator-audit': '/audit',
    'operator-people': '/people?search=quist',
    'operator-person': `/people/${rosa.id}?why=${sure(rosa.enrollments[0]).id}`,
    'operator-correct': `/people/${rosa.id}/change?action=enrollment`,
  }
}
