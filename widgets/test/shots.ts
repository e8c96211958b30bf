import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { buildPages, userCalled, visitAs } from '../../console/test/stage.ts'
import { drawReadmePicture } from '../../console/test/readme-pictures.ts'
import { openBrowser } from '../../server/test/clients/browser.ts'
import { createEmployee } from '../../server/test/fixtures.ts'
import { useApi } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { openHost, settled, visit } from './stage.ts'

/**
 * Draws every view of the widgets at four widths, in both themes, in English and Spanish, and the printed confirmation.
 * SHOTS selects views by name.
 */
const cors_origins: string[] = []
const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
const folder = join(import.meta.dirname, '../shots')
const wanted = process.env.SHOTS?.split(',')
const widths = [320, 390, 768, 1440]
const color = '#7a1f5c'
const whole = 'h2'
const trouble = '.trouble'

/**
 * A picture: its view, the actions before and after the view appears, and an optional condition to wait for instead of
 * the whole view.
 */
type Shot = {
  name: string
  query: string
  before?: (page: Page) => unknown
  does?: (page: Page) => unknown
  until?: string
}

/** The screens of the election, up to which a picture goes. */
type Until =
  | 'household'
  | 'details'
  | 'benefit'
  | 'comparison'
  | 'waiver'
  | 'beneficiaries'
  | 'review'
  | 'signature'
  | 'confirmation'

/** Elects the first plan of each benefit for the first answer about the household, up to a screen. */
async function elects(page: Page, until: Until): Promise<void> {
  await settled(page)
  if (until === 'household') return
  await page.locator('.choices button').last().click()
  if (until === 'details') return settled(page)
  for (;;) {
    await page.locator('.plan, li:has(.number), form').first().waitFor()
    await settled(page)
    if ((await page.locator('.plan').count()) === 0) break
    if (until === 'comparison') await page.locator('button[aria-expanded]').click()
    if (until === 'waiver') await page.locator('p > button.plain').last().click()
    if (until === 'benefit' || until === 'comparison' || until === 'waiver') return settled(page)
    const screen = await page.locator('h2').innerText()
    await page.locator('.plan button.main:not([aria-disabled=true])').first().click()
    await page.locator('h2', { hasNotText: screen }).waitFor()
  }
  if (until === 'beneficiaries') return
  const next = page.locator('.total button.main:not([aria-disabled=true])')
  await next.waitFor()
  // The beneficiaries come before the review.
  if (await page.locator('select[name$="-type"]').count()) {
    const screen = await page.locator('h2').innerText()
    await next.click()
    await page.locator('h2', { hasNotText: screen }).waitFor()
    await next.waitFor()
  }
  if (until === 'review') return
  await page.locator('.total button.main').click()
  await page.locator('#name').fill('Noor Haddad')
  if (until === 'signature') return
  await page.locator('.total button.main:not([aria-disabled=true])').click()
  await page.getByRole('button', { name: 'PDF' }).waitFor()
}

const reject = (path: string, status: number) => (page: Page) =>
  page.route(path, (route) =>
    route.fulfill({
      status,
      headers: { 'access-control-allow-origin': '*' },
      json: {
        error: { code: 'internal_error', message: 'Oops.' },
        trace_id: '0af7651916cd43dd8448eb211c80319c',
        details: [],
      },
    }),
  )

/** Deletes the saved choices of an earlier picture, with which the election would continue. */
const forgetDrafts = () => api.database.pool.query('delete from enrollment_drafts')

/** Changes the first benefit that an employee can choose. */
async function changeBenefit(employee_id: string, changes: object): Promise<void> {
  const { data } = (await api.get(`/v1/employees/${employee_id}/enrollments`, { key: api.story.api_key })).body
  const { id } = first(data.filter(({ window }) => window !== null)).benefit
  const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${id}` as const
  await api.patch(product, changes, { key: api.operator_key })
}

it('draws every view of the widgets', async () => {
  await buildPages()
  await api.work()
  const { api_key: key } = api.story
  const browser = await openBrowser()
  const host = await openHost(api, key)
  cors_origins.push(host.url)
  if (!wanted) rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const employer = async (name: string) => first((await api.get(`/v1/employers?search=${name}`, { key })).body.data).id
  const [cafe, freight, bakery] = [await employer('Kettle'), await employer('Granite'), await employer('Sunrise')]
  const person = async (employer_id: string, name: string) =>
    first((await api.get(`/v1/employers/${employer_id}/employees?search=${name}`, { key })).body.data).id
  const [femi, noor] = [await person(cafe, 'Femi'), await person(freight, 'Noor')]
  const [invoice] = (await api.get(`/v1/employers/${cafe}/invoices`, { key })).body.data
  const hire = { first_name: 'Ines', last_name: 'Duarte', employee_type: 'full_time', start_date: '2026-03-02' }
  const { id: ines } = await createEmployee(api, bakery, hire, { key })
  await api.work()
  for (const action of ['derive', 'release'] as const) {
    await api.post(`/v1/employers/${freight}/forms-1095c/${action}`, { tax_year: 2025 }, { key })
    await api.work()
  }
  for (const [kind, title] of [
    ['guide', 'Benefits guide 2026'],
    ['spd', 'Summary plan description'],
  ] as const) {
    const file = { file_name: 'a.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
    await api.post('/v1/documents', { ...file, kind, title, employer_id: freight }, { key })
  }
  const note = { text: 'We renew in May.\nPlease check the roster until then.', shared_with_employer: true }
  await api.post(`/v1/employers/${freight}/notes`, note, { key })
  const dashboard = (id: string, view: string) => `widget=employee-dashboard&for=${id}&view=${view}`
  const benefits = (view: string) => `widget=employer-benefits&for=${freight}&view=${view}&employee=${noor}`
  const billing = (more = '') => `widget=employer-billing&for=${cafe}${more}`
  const one_invoice = `&view=invoice&invoice=${invoice?.invoice_id}`
  const shots: Shot[] = [
    ...['home', 'coverage', 'paychecks', 'why', 'me', 'more'].map((name) => ({ name, query: dashboard(femi, name) })),
    ...['family', 'life-events', 'documents', 'tax-forms'].map((name) => ({ name, query: dashboard(noor, name) })),
    { name: 'why-waiting', query: dashboard(ines, 'why') },
    { name: 'home-waiting', query: dashboard(ines, 'home') },
    { name: 'enroll-closed', query: dashboard(femi, 'enroll') },
    { name: 'home-open', query: dashboard(noor, 'home') },
    ...(['household', 'benefit', 'comparison', 'waiver', 'review', 'signature'] as const).map((name) => ({
      name: `enroll-${name}`,
      query: dashboard(noor, 'enroll'),
      does: (page: Page) => elects(page, name),
    })),
    {
      name: 'me-refused',
      query: dashboard(noor, 'me'),
      does: async (page) => {
        await page.locator('#phone').fill('415')
        await page.locator('#zipcode').fill('x')
        await page.locator('button.main').click()
        await page.locator('[aria-invalid=true]').first().waitFor()
      },
    },
    {
      name: 'life-event-proof',
      query: dashboard(noor, 'life-events'),
      does: async (page) => {
        await page.locator('#type').selectOption('birth')
        await page.locator('#occurred_on').fill('2026-03-01')
        await page.locator('#first_name').fill('Lina')
        await page.locator('#last_name').fill('Haddad')
        await page.locator('#date_of_birth').fill('2026-03-01')
        const buffer = Buffer.from('%PDF-1.7')
        await page
          .locator('#proof')
          .setInputFiles({ name: 'Geburtsurkunde Lina.pdf', mimeType: 'application/pdf', buffer })
        await page.locator('form button.main').click()
        await page.getByRole('link', { name: 'Geburtsurkunde' }).first().waitFor()
      },
    },
    {
      name: 'family-remove',
      query: dashboard(noor, 'family'),
      does: (page) => page.locator('.rows button').first().click(),
    },
    {
      name: 'family-details',
      query: dashboard(noor, 'family'),
      does: (page) => page.locator('.rows summary').first().click(),
    },
    ...[
      'overview',
      'enrollment',
      'remind',
      'people',
      'person',
      'plan-years',
      'plan-year',
      'payroll',
      'notes',
      'aca',
    ].map((name) => ({
      name: `benefits-${name}`,
      query: benefits(name),
    })),
    { name: 'billing', query: billing() },
    { name: 'billing-none', query: billing(), does: (page) => page.locator('#filter').selectOption('void') },
    { name: 'invoice', query: billing(one_invoice) },
    {
      name: 'offline',
      query: dashboard(femi, 'home'),
      before: (page) => page.route('**/v1/**', (route) => route.abort()),
      until: trouble,
    },
    { name: 'failed', query: benefits('overview'), before: reject('**/summary', 500), until: trouble },
    { name: 'ended', query: billing(), before: reject('**/benefits-token*', 401), until: trouble },
    {
      name: 'loading',
      query: dashboard(femi, 'home'),
      before: (page) => page.route('**/v1/**', () => undefined),
      until: '.bones',
    },
    { name: 'confirmation', query: dashboard(noor, 'enroll'), does: (page) => elects(page, 'confirmation') },
    { name: 'branded-home', query: dashboard(femi, 'home') },
    { name: 'branded-invoice', query: billing(one_invoice) },
    { name: 'branded-enroll', query: dashboard(noor, 'enroll'), does: (page) => elects(page, 'benefit') },
  ]
  shots.push({
    name: 'enroll-details',
    query: dashboard(noor, 'enroll'),
    before: () => changeBenefit(noor, { required_dependent_fields: ['gender', 'verification'] }),
    does: (page) => elects(page, 'details'),
  })
  const with_beneficiaries = () => changeBenefit(noor, { required_dependent_fields: [], takes_beneficiaries: true })
  shots.push(
    {
      name: 'enroll-beneficiaries',
      query: dashboard(noor, 'enroll'),
      before: with_beneficiaries,
      does: (page) => elects(page, 'beneficiaries'),
    },
    {
      name: 'beneficiaries',
      query: dashboard(noor, 'beneficiaries'),
      before: with_beneficiaries,
      does: (page) => page.locator('summary').first().click(),
    },
  )
  // Adds data that the story lacks: an invoice collected by Stripe.
  await api.database.pool.query(`update invoices set billing_system = 'stripe' where invoice_id = $1`, [
    invoice?.invoice_id,
  ])
  await api.database.pool.query(
    `insert into stripe_invoices (organization_id, invoice_id, payment_url)
     select organization_id, invoice_id, 'https://invoice.stripe.com/i/1' from invoices where invoice_id = $1
     on conflict (invoice_id, organization_id) do update set payment_url = excluded.payment_url`,
    [invoice?.invoice_id],
  )
  const complaints: string[] = []
  let is_branded = false
  for (const { name, query, before, does, until = whole } of shots.filter(
    (shot) => wanted?.includes(shot.name) ?? true,
  )) {
    if (name.startsWith('branded') && !is_branded) {
      is_branded = true
      await api.put('/v1/organization-branding', { accent_color: color }, { key })
    }
    for (const lang of ['en', 'es']) {
      await forgetDrafts()
      const seen = await visit(browser, api, 'about:blank')
      const { page } = seen
      await page.setViewportSize({ width: 1280, height: 800 })
      await before?.(page)
      await page.goto(`${host.url}/page?${query}&lang=${lang}`)
      await page.locator(until).first().waitFor()
      if (until === whole) await settled(page)
      await does?.(page)
      if (until === whole) await settled(page)
      for (const width of widths)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize({ width, height: 800 })
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
          await page.screenshot({ path: join(folder, `${name}-${width}-${lang}-${colorScheme}.png`), fullPage: true })
        }
      if (name === 'confirmation') {
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('button', { name: 'PDF' }).click(),
        ])
        await download.saveAs(join(folder, `${name}-${lang}.pdf`))
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
        await page.pdf({ path: join(folder, `${name}-${lang}-printed.pdf`), format: 'letter' })
      }
      complaints.push(...seen.complaints)
      await seen.close()
    }
  }
  if (wanted?.includes('readme') ?? true) {
    await forgetDrafts()
    const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 1.5 }
    const seen = await visit(browser, api, `${host.url}/page?${dashboard(noor, 'enroll')}&lang=en`, phone)
    await elects(seen.page, 'benefit')
    await drawReadmePicture(seen.page, 'election', settled)
    complaints.push(...seen.complaints)
    await seen.close()
  }
  if (wanted?.includes('sandbox') ?? true) {
    const maya = await visitAs(browser, api, await userCalled(api, 'Maya Okafor'))
    for (const width of widths) {
      await maya.page.setViewportSize({ width, height: 800 })
      await maya.page.goto(`${api.url}/widgets`)
      await maya.page.getByRole('heading', { level: 2 }).first().waitFor()
      await settled(maya.page)
      await maya.page.screenshot({ path: join(folder, `sandbox-${width}.png`), fullPage: true })
    }
    complaints.push(...maya.complaints)
    await maya.close()
  }
  await browser.close()
  await host.close()
  expect(complaints).toEqual([])
})
