import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { makeSandboxLink } from '../../server/modules/sessions/actions.ts'
import { tasks } from '../../server/modules.ts'
import { plantStory, type Story } from '../../server/sandbox/story.ts'
import type { Api } from '../../server/test/harness.ts'
import { sure } from '../../server/test/pick.ts'

const root = join(import.meta.dirname, '../..')

/** Builds the console unless it is there as it is written. */
export const buildConsole = () =>
  promisify(execFile)(process.execPath, ['scripts/run.js', 'build'], { cwd: root, timeout: 120_000 })

/** The whole story of the sandbox, up to the day of the tests. */
export async function plantStage(api: Api): Promise<Story> {
  const story = await plantStory(api.runtime, tasks)
  await api.work()
  return story
}

/** Somebody of the story, by name: the last that was planted. */
export async function userCalled(api: Api, name: string): Promise<string> {
  const found = await api.database.reads.row<{ id: string }>(
    'select id from users where name = $1 order by id desc limit 1',
    [name],
  )
  return sure(found).id
}

export type Visit = { page: Page; complaints: string[]; close: () => Promise<void> }

/** A browser of somebody who has signed in by the link of a sandbox, at the console. */
export async function visitAs(
  browser: Browser,
  api: Api,
  user_id: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const secret = await api.act(makeSandboxLink)
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // A refusal is told by the page, and a page that tells of it is what is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  await page.goto(`${api.url}/sign-in/links/${secret}`)
  await page.locator(`form[action$="${user_id}"] button`).click()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return { page, complaints, close: () => context.close() }
}

/** Waits until nothing is on its way, and all is drawn. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(`document.querySelector('.bone, [aria-busy=true]') === null`)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

/** What a page has against people who don't see it, or not well: the rule, and where. By all rules unless said. */
export async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async (rules) => {
    const options = rules ? { runOnly: rules } : {}
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(options)
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
  }, rules)
}

type Axe = { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> }

/** The pages of the console that there are to see of the story, as somebody who may see all of an organization. */
export async function pagesOfMember(api: Api, { api_key: key }: Story): Promise<Record<string, string>> {
  const idOf = async (search: string) =>
    sure((await api.get(`/v1/employers?search=${search}`, { key })).body.data[0]).id
  const cafe = await idOf('Kettle')
  const clinic = await idOf('Maple')
  const people = (await api.get(`/v1/employers/${cafe}/employees?limit=100`, { key })).body.data
  const person = sure(people.find(({ enrollments }) => enrollments.some(({ status }) => status === 'enrolled')))
  const enrolled = sure(person.enrollments.find(({ status }) => status === 'enrolled')).id
  const year = sure((await api.get(`/v1/employers/${cafe}/benefit-plan-years`, { key })).body.data[0]).id
  const invoice = sure((await api.get(`/v1/employers/${clinic}/invoices`, { key })).body.data[0]).invoice_id
  const event = sure((await api.get('/v1/webhook-events', { key })).body.data[0]).id
  const hook = await api.post('/v1/webhook-subscriptions', { url: 'https://hooks.example.com/benefits' }, { key })
  return {
    book: '/employers',
    'book-filtered': '/employers?stage=renewal&stage=open_enrollment',
    'book-nobody': '/employers?search=zzzz',
    'add-employer': '/employers/add',
    employer: `/employers/${cafe}`,
    roster: `/employers/${cafe}/roster`,
    'plan-years': `/employers/${cafe}/plan-years`,
    'plan-year': `/employers/${cafe}/plan-years/${year}`,
    census: `/employers/${cafe}/census`,
    statements: `/employers/${cafe}/statements`,
    invoices: `/employers/${clinic}/invoices`,
    invoice: `/employers/${clinic}/invoices/${invoice}`,
    settings: `/employers/${cafe}/settings`,
    people: '/people',
    person: `/people/${person.id}`,
    'person-why': `/people/${person.id}?why=${enrolled}&whole=yes`,
    keys: '/developers',
    webhooks: '/developers/webhooks?add=yes',
    webhook: `/developers/webhooks/${hook.body.data.id}`,
    events: '/developers/events',
    event: `/developers/events/${event}`,
    nowhere: '/employers/empr_01kdq7b4w8e9rs2mh3n5t6v7xz',
  }
}

export const pages_of_operator = { today: '/today', clocks: '/clocks' }
