import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { buildPages, userCalled, visitAs } from '../../console/test/stage.ts'
import { accessibilityViolations, openBrowser } from '../../server/test/clients/browser.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../server/test/fixtures.ts'
import { useApi } from '../../server/test/harness.ts'
import { first, pick } from '../../server/test/pick.ts'
import { build } from '../tools/package.ts'
import { en } from '../src/employee/words-en.ts'
import { es } from '../src/employee/words-es.ts'
import {
  cors,
  narrow,
  openHost,
  press,
  published,
  readManifest,
  settled,
  signed_out,
  type,
  visit,
  wide,
  type Host,
  type Visit,
} from './stage.ts'

/** The widgets in a real browser, on a page of another origin with a strict content security policy. */
const cors_origins: string[] = []
const api = useApi({ with_story: 'usual_day', rate_limit: { per_minute: 1e6, burst: 1e6 }, cors_origins })
let browser: Browser
let host: Host

beforeAll(async () => {
  ;[browser] = await Promise.all([openBrowser(), api.work(), buildPages(), build(published)])
  host = await openHost(api, api.story.api_key)
  cors_origins.push(host.url)
})
afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const at = (widget: string, id: string, more = '') => `${host.url}/page?widget=${widget}&for=${id}${more}`

it('builds the first view of each widget into one file of at most 45 kB, and serves that build', async () => {
  const { version, files, parts } = await readManifest()
  expect(Object.keys(files)).toEqual(['employee-dashboard', 'employer-benefits', 'employer-billing'])
  expect(Object.keys(parts)).toEqual(['employee-dashboard-screens', 'employer-benefits-screens'])
  for (const [name, { gzip_bytes }] of Object.entries({ ...files, ...parts })) {
    expect(gzip_bytes, name).toBeLessThan(45 * 1024)
    const served = await fetch(`${api.url}/widgets/${version}/${name}.js`)
    expect([served.status, served.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable'])
  }
  expect((await fetch(`${api.url}/widgets/0.0.0-00000000/employee-dashboard.js`)).status).toBe(404)
  // The modules of the npm package also load on a server, without a page.
  for (const name of Object.keys(files)) await import(join(published, `${name}.js`))
})

describe('ob-employee-dashboard', () => {
  /** An employee of Harbor with three open benefits and no dependents. */
  async function newcomer() {
    const key = api.story.api_key
    const catalog = await importCatalog(api, [], api.story.organization_id)
    const employer_id = await createEmployer(api, {}, { key })
    const policy = { classification: 'all', waiting_period: 'first_of_following_month' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy, { key })
    const half = { contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 50 }] }
    const benefits = [catalog.mvp, catalog.dental, catalog.vision].map(({ benefit_id }) => ({ benefit_id, ...half }))
    await openPlanYear(api, employer_id, catalog, { benefits })
    const hire = { first_name: 'Grace', last_name: 'Hopper', start_date: '2026-03-09' }
    const { id } = await createEmployee(api, employer_id, hire, { key })
    await api.work()
    return id
  }

  /** Waits until the server has saved this number of choices. Another device continues with those. */
  const draftHas = (id: string, choices: number) => {
    const path = `/v1/employees/${id}/enrollment-draft` as const
    const saved = async () => (await api.get(path, { key: api.story.api_key })).body.data.answers.length
    return expect.poll(saved).toBe(choices)
  }

  /** Adds a spouse and a child on the screen of the household, with the keyboard. */
  const addFamily = async (page: Page) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await press(page, page.locator('summary', { hasText: 'Add a dependent' }))
    for (const [relationship, first_name, born] of [
      ['Spouse', 'Sam', '02031991'],
      ['Child', 'Lina', '02032015'],
    ] as const) {
      await type(page, page.getByLabel('Relationship'), relationship)
      await type(page, page.getByLabel('Date of birth'), born)
      await type(page, page.getByLabel('First name'), first_name)
      await type(page, page.getByLabel('Last name'), 'Hopper')
      await press(page, button('Add'))
      await page.getByText(`${first_name} was added.`).waitFor()
    }
  }

  const enroll = async ({ page }: Visit) => {
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const heading = (name: string) => page.getByRole('heading', { name, exact: true, level: 2 })
    await heading('Hello, Grace').waitFor()
    await page.getByText('Still to choose: Major Medical, Dental, and Vision.').waitFor()
    await page.locator('button.main:not([aria-disabled=true])').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await press(page, button('Choose my benefits'))
    await heading('Who do you want to cover?').waitFor()
    await addFamily(page)
    expect(await accessibilityViolations(page)).toEqual([])
    await press(page, button('All of us: you, Sam, and Lina'))
    for (const [benefit, plan] of [
      ['Major Medical', 'Major Medical Silver'],
      ['Dental', 'Brightside PPO'],
      ['Vision', 'Clearview Basic'],
    ] as const) {
      await heading(benefit).waitFor()
      await page.getByText('Covers you, Sam, and Lina').waitFor()
      await settled(page)
      // Nothing is preselected.
      expect(await page.locator('[aria-pressed=true]').count()).toBe(0)
      expect(await accessibilityViolations(page), benefit).toEqual([])
      await press(page, button(`Choose: ${plan}`))
    }
    await heading('Review your choices').waitFor()
    await page.getByText('Family: you, Sam, and Lina').first().waitFor()
    await page.locator('.total button.main:not([aria-disabled=true])').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await press(page, button('Continue to sign'))
    await heading('Sign your choices').waitFor()
    await page.getByText('I authorize my employer').waitFor()
    await press(page, button('Agree and sign'))
    await page.getByText('This field is required.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await type(page, page.getByLabel('Your full name'), 'Grace Hoper')
    await press(page, button('Agree and sign'))
    await page.getByText('Your name on record is Grace Hopper.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('Your full name').fill('')
    await type(page, page.getByLabel('Your full name'), 'grace M. Hopper')
    // Pressing twice submits once.
    await press(page, button('Agree and sign'))
    await page.keyboard.press('Enter')
    await heading('Your choices are submitted').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, button('Download as PDF'))])
    expect(download.suggestedFilename()).toMatch(/^benefits-.+\.pdf$/)
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe('%PDF-')
  }

  const sizes = { 'on a phone': narrow, 'on a desktop': wide }
  it.each(Object.entries(sizes))(
    'elects three benefits for a family in one submission, and shows the first paycheck, %s',
    async (_, size) => {
      host.tokens = 0
      const id = await newcomer()
      const seen = await visit(browser, api, at('employee-dashboard', id), size)
      await enroll(seen)
      const rows = (await api.get(`/v1/employees/${id}/enrollments`, { key: api.story.api_key })).body.data
      expect(rows.map(({ status, coverage_tier }) => [status, coverage_tier])).toEqual(
        [1, 2, 3].map(() => ['enrolled', 'EF']),
      )
      expect(rows.map(({ elected_by }) => elected_by)).toEqual(Array(3).fill('employee'))
      const paychecks = (await api.get(`/v1/employees/${id}/paychecks`, { key: api.story.api_key })).body.data
      const dollars = `$${(first(paychecks).total_in_cents / 100).toFixed(2)}`
      const { page } = seen
      await page.getByRole('button', { name: 'Go to your benefits' }).click()
      await page.getByText(dollars).first().waitFor()
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Paychecks' }).click()
      await page.getByText(dollars).first().waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.events).toEqual(['ob-ready', ...Array(3).fill('ob-elected')])
      expect([seen.complaints, host.tokens]).toEqual([[], 1])
      await seen.close()
    },
  )

  it('shows every view in Spanish on a wide screen, and requests nothing twice', async () => {
    const key = api.story.api_key
    const cafe = first((await api.get('/v1/employers?search=Kettle', { key })).body.data).id
    const { data } = (await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body
    const seen = await visit(
      browser,
      api,
      at('employee-dashboard', first(data).id, '&lang=es&view=why&hostile=1'),
      wide,
    )
    const { page, requests } = seen
    await page.getByRole('heading', { name: 'Cuándo comienzan sus beneficios' }).waitFor()
    await page.getByText('Tallyfield header').waitFor()
    await page.getByText('Contact Tallyfield').waitFor()
    const styles = (node: any) => {
      const { fontSize, textTransform } = (globalThis as any).getComputedStyle(node)
      return [fontSize, textTransform]
    }
    expect(await page.getByText('Usted es elegible').evaluate(styles)).toEqual(['14px', 'none'])
    for (const [name, heading] of [
      ['Inicio', 'Hola, Femi'],
      ['Inscribirse', 'Elija sus beneficios'],
      ['Mis beneficios', 'Línea de tiempo de su cobertura'],
      ['Documentos', 'Documentos'],
      ['Dependientes', 'Sus dependientes'],
      ['Eventos de vida', 'Eventos de vida calificados'],
      ['Cheques de pago', 'Sus cheques de pago'],
      ['Formularios de impuestos', 'Formularios de impuestos'],
      ['Información de contacto', 'Información de contacto'],
    ] as const) {
      const button = page.getByRole('button', { name, exact: true })
      if (!(await button.isVisible())) await page.getByRole('button', { name: 'Más', exact: true }).click()
      await button.click()
      await page.getByRole('heading', { name: heading, level: 2 }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page), name).toEqual([])
      for (const width of [320, 1600, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(width)
      }
    }
    expect(requests.toSorted()).toEqual([...new Set(requests)].toSorted())
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  /** A person of the sandbox. */
  const personOf = async (employer: string, name: string) => {
    const key = api.story.api_key
    const { id } = first((await api.get(`/v1/employers?search=${employer}`, { key })).body.data)
    return first((await api.get(`/v1/employers/${id}/employees?search=${name}`, { key })).body.data).id
  }

  it('names beneficiaries in the election, and changes their shares at any time', async () => {
    const key = api.story.api_key
    const id = await newcomer()
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, ({ benefit }) => benefit.name === 'Dental').benefit.id
    const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${dental}` as const
    const takes = (takes_beneficiaries: boolean) =>
      api.patch(product, { takes_beneficiaries }, { key: api.operator_key })
    await takes(true)
    const spouse = { relationship: 'spouse', first_name: 'Sam', last_name: 'Hopper', date_of_birth: '1990-05-06' }
    await api.post(`/v1/employees/${id}/dependents`, spouse, { key })
    const seen = await visit(browser, api, at('employee-dashboard', id, '&view=enroll'), narrow)
    const { page } = seen
    await page.getByRole('button', { name: 'Only me, Grace' }).click()
    for (const plan of ['Major Medical Silver', 'Brightside PPO', 'Clearview Basic'])
      await page.getByRole('button', { name: `Choose: ${plan}` }).click()
    await page.getByRole('heading', { name: 'Beneficiaries', level: 2 }).waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    // The dependents are offered, so that their names are not typed again. A choice that was not added is added first.
    await page.getByLabel('Who receives the money?').selectOption('Sam Hopper, Spouse')
    expect(await page.getByLabel('Full name').count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Primary · Spouse').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Review your choices' }).waitFor()
    await page.getByText('Sam Hopper · 100% · Primary · Spouse').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByText('Primary · Spouse').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Change' }).first().click()
    await page.getByRole('button', { name: /: Major Medical Silver$/ }).waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('button', { name: 'Beneficiaries' }).click()
    await page.getByText('Add a beneficiary').click()
    await page.getByLabel('Who receives the money?').selectOption('Trust')
    await page.getByLabel('Full name').fill('Hopper Trust')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Change the shares').click()
    await page.getByLabel('Share of Sam Hopper in percent').fill('70')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('the shares of primary beneficiaries must add up to 100 percent').waitFor()
    await page.getByLabel('Share of Hopper Trust in percent').fill('30')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('70%').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const [saved] = (await api.get(`/v1/employees/${id}/beneficiaries`, { key })).body.data
    expect(
      saved!.beneficiaries.map(({ name, date_of_birth, share_percentage }) => [name, date_of_birth, share_percentage]),
    ).toEqual([
      ['Sam Hopper', '1990-05-06', 70],
      ['Hopper Trust', null, 30],
    ])
    await seen.close()
    // Another visit shows the beneficiaries until the confirmation, in the language of the employee.
    const again = await visit(browser, api, at('employee-dashboard', id, '&view=enroll&lang=es'), narrow)
    await again.page.getByText('Hopper Trust · 30% · Principal').waitFor()
    await again.page.getByText('Sam Hopper · 70% · Principal · Cónyuge').waitFor()
    await again.page.locator('.total button.main:not([aria-disabled=true])').waitFor()
    await again.page.getByRole('button', { name: 'Continuar para firmar' }).click()
    await again.page.getByLabel('Su nombre completo').fill('Grace Hopper')
    await again.page.getByRole('button', { name: 'Aceptar y firmar' }).click()
    await again.page.getByRole('heading', { name: 'Sus elecciones fueron enviadas' }).waitFor()
    await again.page.getByText('Sam Hopper · 70% · Principal · Cónyuge').waitFor()
    await again.page.getByText('Hopper Trust · 30% · Principal').waitFor()
    expect(await accessibilityViolations(again.page)).toEqual([])
    await takes(false)
    await again.close()
  })

  it('does not announce coverage that ends before it starts', async () => {
    const key = api.story.api_key
    const id = await newcomer()
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, ({ benefit }) => benefit.name === 'Dental')
    const { plans } = (await api.get(`/v1/enrollments/${dental.id}`, { key })).body.data
    const elect = { plan_id: first(plans).id, coverage_tier: 'EE' }
    await api.post(`/v1/enrollments/${dental.id}/elect`, elect, { key })
    const visitHome = () => visit(browser, api, at('employee-dashboard', id, '&view=home'), narrow)
    const before = await visitHome()
    await before.page.getByRole('heading', { name: 'Starting soon' }).waitFor()
    await before.close()
    // Coverage would start on April 1. The enrollment stays enrolled until the last day employed, and then ends.
    await api.post(`/v1/employees/${id}/terminate`, { termination_date: '2026-03-31' }, { key })
    await api.work()
    const ended = (await api.get(`/v1/enrollments/${dental.id}`, { key })).body.data
    expect([ended.status, ended.coverage_start, ended.coverage_end]).toEqual(['enrolled', '2026-04-01', '2026-03-31'])
    const { page, close } = await visitHome()
    await settled(page)
    await page.getByRole('heading', { level: 2 }).waitFor()
    expect(await page.getByRole('heading', { name: 'Starting soon' }).count()).toBe(0)
    await close()
  }, 60_000)

  it('requests the data that a benefit requires of a dependent, and continues once it is there', async () => {
    const key = api.story.api_key
    const id = await newcomer()
    const child = { relationship: 'child', first_name: 'Ada', last_name: 'Hopper', date_of_birth: '2019-04-02' }
    await api.post(`/v1/employees/${id}/dependents`, child, { key })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, ({ benefit }) => benefit.name === 'Dental').benefit.id
    const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${dental}` as const
    const require = (required_dependent_fields: string[]) =>
      api.patch(product, { required_dependent_fields }, { key: api.operator_key })
    await require(['gender', 'verification'])
    const seen = await visit(browser, api, at('employee-dashboard', id, '&view=enroll'), narrow)
    const { page } = seen
    await page.getByRole('button', { name: 'All of us: you and Ada' }).click()
    await page.getByRole('heading', { name: 'A few more details' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('Sex').selectOption('Female')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const certificate = { name: 'ada.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
    await page.getByLabel('Add a document as proof').setInputFiles(certificate)
    await page.getByText('You have entered all the details.').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Choose: Major Medical Silver' }).click()
    await page.getByRole('heading', { name: 'Dental', level: 2 }).waitFor()
    // Opened directly, the election continues at the benefit where the employee left off.
    await draftHas(id, 1)
    const again = await visit(browser, api, at('employee-dashboard', id, '&view=enroll'), narrow)
    await again.page.getByRole('heading', { name: 'Dental', level: 2 }).waitFor()
    await again.page.getByRole('button', { name: 'More' }).click()
    await again.page.getByRole('button', { name: 'Dependents' }).click()
    await again.page.getByText('In review').waitFor()
    await again.page.getByText('Details and documents').click()
    await again.page.getByLabel('City').fill('Austin')
    await again.page.getByRole('button', { name: 'Save' }).click()
    await again.page.locator('[aria-invalid=true]').first().waitFor()
    expect(await accessibilityViolations(again.page)).toEqual([])
    const [ada] = (await api.get(`/v1/employees/${id}/dependents`, { key })).body.data
    expect(ada).toMatchObject({ gender: 'Female', address: null, verification: { status: 'pending' } })
    expect([...seen.complaints, ...again.complaints]).toEqual([])
    await require([])
    await again.close()
    await seen.close()
  })

  it('refuses to run a view if its file was modified in transit', async () => {
    const seen = await visit(browser, api, 'about:blank', narrow)
    const { page } = seen
    const screens = '**/employee-dashboard-screens.js'
    await page.route(screens, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: `globalThis.changed = true\n${await answer.text()}` })
    })
    await page.goto(at('employee-dashboard', await personOf('Kettle', 'Femi'), '&view=me'))
    await page.getByText('You are offline, or the service cannot be reached.').waitFor()
    expect(await page.evaluate('globalThis.changed')).toBeUndefined()
    await seen.close()
    const whole = await visit(browser, api, at('employee-dashboard', await personOf('Kettle', 'Femi'), '&view=me'))
    await whole.page.getByRole('heading', { name: 'Contact information' }).waitFor()
    await whole.close()
  })

  it('draws coverage only for elected benefits, on the days that they covered the person', async () => {
    const ben = await visit(browser, api, at('employee-dashboard', await personOf('Sunrise', 'Castillo'), '&view=why'))
    await ben.page.getByText('Not eligible since').waitFor()
    await settled(ben.page)
    const care = ben.page.getByRole('listitem').filter({ hasText: 'Essential Care' })
    await care.getByText(/^Ended /).waitFor()
    const drawn = (seen: Visit, kind: string) => seen.page.locator(`svg rect.${kind}`).count()
    expect([await drawn(ben, 'covered'), await drawn(ben, 'over')]).toEqual([0, 1])
    expect(await ben.page.getByText('You are not eligible').count()).toBe(2)
    expect(await accessibilityViolations(ben.page)).toEqual([])
    await ben.close()
    const chloe = await visit(browser, api, at('employee-dashboard', await personOf('Sunrise', 'Chloe'), '&view=why'))
    await chloe.page.getByText('You are in your waiting period.').waitFor()
    await settled(chloe.page)
    expect([await drawn(chloe, 'waiting'), await drawn(chloe, 'covered')]).toEqual([3, 1])
    expect(await chloe.page.getByText('Action needed. Coverage can start').count()).toBe(2)
    await chloe.close()
    const kavya = await visit(browser, api, at('employee-dashboard', await personOf('Sunrise', 'Kavya'), '&view=why'))
    await kavya.page.getByText('Not offered in your state').first().waitFor()
    expect(await kavya.page.getByText('Coverage can start').count()).toBe(0)
    await kavya.close()
    // Coverage that continues in the next plan year shows no end.
    const femi = await visit(browser, api, at('employee-dashboard', await personOf('Kettle', 'Femi'), '&view=why'))
    await femi.page.getByText('Covered from Apr 1, 2025').first().waitFor()
    expect(await femi.page.getByText(/^Ends /).count()).toBe(0)
    await femi.close()
  })

  it('shows what is covered now, with the ID card and the contacts of the carrier', async () => {
    const seen = await visit(browser, api, at('employee-dashboard', await personOf('Kettle', 'Femi')))
    const { page } = seen
    const now = page.getByRole('region', { name: 'Covered now' })
    await now.waitFor()
    const benefits = await now.locator('strong').allInnerTexts()
    expect(benefits.toSorted()).toEqual(['Dental', 'Essential Care'])
    await page.getByText('ID card and contacts').first().click()
    await page.getByText('(800) 555-01').first().waitFor()
    expect(await page.getByRole('link', { name: /^Get your ID card/ }).count()).toBe(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
  })

  /** A family with two open benefits of a new hire. */
  async function aFamily() {
    const id = await newcomer()
    const key = api.story.api_key
    for (const [relationship, first_name, date_of_birth] of [
      ['spouse', 'Sam', '1991-02-03'],
      ['child', 'Lina', '2015-02-03'],
    ] as const) {
      const person = { relationship, first_name, last_name: 'Hopper', date_of_birth }
      expect((await api.post(`/v1/employees/${id}/dependents`, person, { key })).status).toBe(201)
    }
    return id
  }

  /** The statuses and coverage levels of an employee by benefit. */
  const elections = async (id: string) =>
    (await api.get(`/v1/employees/${id}/enrollments`, { key: api.story.api_key })).body.data
      .map(({ benefit, status, coverage_tier }) => `${benefit.name} ${status} ${coverage_tier ?? ''}`.trim())
      .toSorted()

  it.each([
    ['English', 'en', en],
    ['Spanish', 'es', es],
  ] as const)(
    'elects for a family on a phone in at most 8 taps and 3 screens of scrolling, in %s',
    async (_, lang, w) => {
      const id = await aFamily()
      const phone = { viewport: { width: 390, height: 844 } }
      const seen = await visit(browser, api, at('employee-dashboard', id, `&lang=${lang}`), phone)
      const { page } = seen
      let [taps, scrolled] = [0, 0]
      const tap = async (name: string) => {
        const button = page.getByRole('button', { name }).first()
        await button.waitFor()
        await settled(page)
        await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true')
        expect(await accessibilityViolations(page)).toEqual([])
        const before = Number(await page.evaluate('scrollY'))
        await button.scrollIntoViewIfNeeded()
        scrolled += Math.abs(Number(await page.evaluate('scrollY')) - before)
        await button.click()
        taps++
      }
      await tap(w.begin)
      await tap(w.everyone(''))
      await tap(`${w.choose_plan}: Major Medical Silver`)
      await tap(`${w.choose_plan}: Brightside PPO`)
      await tap(`${w.choose_plan}: Clearview Basic`)
      await tap(w.to_sign)
      await page.getByLabel(w.full_name).click()
      taps++
      await page.keyboard.type('Grace Hopper')
      await tap(w.sign)
      await page.getByRole('heading', { name: w.confirmation }).waitFor()
      expect(await elections(id)).toEqual(['Dental enrolled EF', 'Major Medical enrolled EF', 'Vision enrolled EF'])
      expect([taps <= 8, scrolled / 844 <= 3], `${taps} taps, ${scrolled} px`).toEqual([true, true])
      expect(seen.complaints).toEqual([])
      await seen.close()
    },
  )

  it.each([390, 1440])('opens the required document before it can be signed, at a width of %s px', async (width) => {
    const id = await aFamily()
    const key = api.story.api_key
    const { employer_id, benefit_plan_year_id } = first(
      (await api.get(`/v1/employees/${id}/enrollments`, { key })).body.data,
    )
    const file = { file_name: 'a.pdf', content: Buffer.from('%PDF-1.7').toString('base64') }
    for (const more of [
      { kind: 'spd', title: 'Summary plan description', benefit_plan_year_id, is_required_at_election: true },
      { kind: 'guide', title: 'Benefits guide', employer_id },
    ])
      expect((await api.post('/v1/documents', { ...file, ...more }, { key })).status).toBe(201)
    const seen = await visit(browser, api, at('employee-dashboard', id), { viewport: { width, height: 844 } })
    const { page } = seen
    const tap = async (name: RegExp) => {
      const button = page.getByRole('button', { name }).first()
      await button.waitFor()
      await settled(page)
      await expect.poll(() => button.getAttribute('aria-disabled')).not.toBe('true')
      await button.click()
    }
    await tap(/^Choose my benefits$/)
    await tap(/^All of us/)
    await tap(/^Choose: Major Medical Silver$/)
    await tap(/^Choose: Brightside PPO$/)
    await tap(/^Choose: Clearview Basic$/)
    await tap(/^Continue to sign$/)
    const sign = page.getByRole('button', { name: 'Agree and sign' })
    await page.getByText('Open each required document before you sign.').waitFor()
    expect(await sign.getAttribute('aria-disabled')).toBe('true')
    expect(await page.getByRole('button', { name: 'Benefits guide' }).count()).toBe(0)
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Summary plan description' }).click()
    expect((await download).suggestedFilename()).toBe('Summary_plan_description.pdf')
    await page.getByText(/^Opened /).waitFor()
    await page.getByLabel('Your full name').fill('Grace Hopper')
    await tap(/^Agree and sign$/)
    await page.getByRole('heading', { name: 'Your choices are submitted' }).waitFor()
    await tap(/^More$/)
    await tap(/^Documents$/)
    await page.getByRole('button', { name: 'Benefits guide' }).waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  it('shows no total before the first choice, and while a choice is refused', async () => {
    const id = await aFamily()
    const seen = await visit(browser, api, at('employee-dashboard', id, '&view=enroll'), narrow)
    const { page } = seen
    await page.getByRole('button', { name: /^All of us/ }).click()
    await page.getByRole('heading', { name: 'Major Medical', level: 2 }).waitFor()
    await settled(page)
    await page.getByRole('status').filter({ hasText: 'Nothing chosen yet' }).waitFor()
    const key = api.story.api_key
    const dependents = (await api.get(`/v1/employees/${id}/dependents`, { key })).body.data
    const lina = pick(dependents, ({ first_name }) => first_name === 'Lina')
    expect((await api.call('DELETE', `/v1/dependents/${lina.id}` as const, { key })).status).toBe(200)
    await page.getByRole('button', { name: 'Choose: Major Medical Silver' }).click()
    await page.getByRole('status').filter({ hasText: 'No total yet.' }).waitFor()
    expect(await page.locator('.total').innerText()).not.toContain('$')
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
  })

  it('continues on another device where the employee left off', async () => {
    const id = await aFamily()
    const phone = await visit(browser, api, at('employee-dashboard', id, '&view=enroll'), narrow)
    await phone.page
      .getByRole('button', { name: 'Only some of them' })
      .or(phone.page.getByText('Only some of them'))
      .click()
    await phone.page.getByRole('checkbox', { name: 'Lina' }).check()
    await phone.page.getByRole('button', { name: 'Continue' }).click()
    await phone.page.getByRole('button', { name: 'Choose: Major Medical Silver' }).click()
    await phone.page.getByRole('heading', { name: 'Dental', level: 2 }).waitFor()
    await settled(phone.page)
    await phone.page.getByText('Covers you and Lina').click()
    await phone.page.getByRole('checkbox', { name: 'Sam' }).check()
    await phone.page.getByRole('button', { name: 'Choose: Brightside PPO' }).click()
    await phone.page.getByRole('heading', { name: 'Vision', level: 2 }).waitFor()
    await draftHas(id, 2)
    const laptop = await visit(browser, api, at('employee-dashboard', id), wide)
    await laptop.page.getByText('Your enrollment is in progress. Your choices are saved.').waitFor()
    expect(await accessibilityViolations(laptop.page)).toEqual([])
    await laptop.page.getByRole('button', { name: 'Continue enrolling' }).click()
    await laptop.page.getByRole('heading', { name: 'Vision', level: 2 }).waitFor()
    await laptop.page.getByText('Covers you and Lina').waitFor()
    await laptop.page.getByRole('button', { name: 'I do not want this coverage: Vision' }).click()
    await laptop.page.getByLabel('Why are you waiving coverage?').selectOption('Covered by a spouse’s plan')
    await laptop.page.getByRole('button', { name: 'Waive coverage' }).click()
    await laptop.page.getByRole('heading', { name: 'Review your choices' }).waitFor()
    await settled(laptop.page)
    // The phone has not seen the waiver. It shows the choices of the laptop instead of replacing them.
    await phone.page.getByRole('button', { name: 'Choose: Clearview Basic' }).click()
    await phone.page.getByText('Your choices were changed on another device.').waitFor()
    await phone.page.getByText('Waived').waitFor()
    expect(await accessibilityViolations(phone.page)).toEqual([])
    await phone.close()
    await laptop.page.getByRole('button', { name: 'Continue to sign' }).click()
    await laptop.page.getByLabel('Your full name').fill('Grace Hopper')
    await laptop.page.getByRole('button', { name: 'Agree and sign' }).click()
    await laptop.page.getByRole('heading', { name: 'Your choices are submitted' }).waitFor()
    expect(await elections(id)).toEqual(['Dental enrolled EF', 'Major Medical enrolled EC', 'Vision waived'])
    await laptop.close()
  })

  it('shows a late price as pending, and keeps choices that were made offline until they can be signed', async () => {
    const id = await newcomer()
    const seen = await visit(browser, api, at('employee-dashboard', id, '&view=enroll'), narrow)
    const { page } = seen
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await button('Only me, Grace').click()
    const arrival = Promise.withResolvers<void>()
    const prices = '**/enrollment-answers'
    await page.route(prices, (route) => arrival.promise.then(() => route.continue()))
    await button('Choose: Major Medical Silver').click()
    await page.getByRole('status').filter({ hasText: 'Calculating…' }).waitFor()
    arrival.resolve()
    await page.getByRole('status').filter({ hasText: 'per paycheck' }).waitFor()
    await page.unroute(prices)
    await button('Choose: Brightside PPO').click()
    await page.getByRole('heading', { name: 'Vision', level: 2 }).waitFor()
    await settled(page)
    await page.context().setOffline(true)
    await button('Choose: Clearview Basic').click()
    await page.getByRole('heading', { name: 'Review your choices' }).waitFor()
    await page.getByRole('alert').getByText('You are offline').waitFor()
    await page.getByRole('status').filter({ hasText: 'Calculating…' }).waitFor()
    expect(await button('Continue to sign').getAttribute('aria-disabled')).toBe('true')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.context().setOffline(false)
    await page.getByRole('status').filter({ hasText: 'per paycheck' }).waitFor()
    await page.locator('.total button.main:not([aria-disabled=true])').click()
    await page.getByLabel('Your full name').fill('Grace Hopper')
    await button('Agree and sign').click()
    await page.getByRole('heading', { name: 'Your choices are submitted' }).waitFor()
    expect(await elections(id)).toEqual(['Dental enrolled EE', 'Major Medical enrolled EE', 'Vision enrolled EE'])
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  it('shows the fields of the child after a birth, and ends in the election once it is approved', async () => {
    const key = api.story.api_key
    const id = await newcomer()
    api.moveTo('2026-05-20')
    await api.runDays()
    const seen = await visit(browser, api, at('employee-dashboard', id, '&view=life-events'), narrow)
    const { page } = seen
    await page.getByLabel('What happened?').selectOption('Birth')
    await page.getByRole('heading', { name: 'The child' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('When?').fill('2026-05-18')
    await page.getByLabel('First name').fill('Ada')
    await page.getByLabel('Last name').fill('Hopper')
    await page.getByLabel('Date of birth').fill('2026-05-18')
    const proof = { name: 'certificate.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') }
    await page.getByLabel('Add a document as proof').last().setInputFiles(proof)
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByRole('link', { name: 'certificate.pdf' }).waitFor()
    const [event] = (await api.get(`/v1/employees/${id}/qualifying-life-events`, { key })).body.data
    expect(event).toMatchObject({ type: 'birth', occurred_on: '2026-05-18', status: 'pending' })
    const approval = `/operator/v1/qualifying-life-events/${event!.id}/approve` as const
    expect((await api.post(approval, {}, { key: api.operator_key })).status).toBe(200)
    await page.reload()
    await page.getByRole('button', { name: 'Choose my benefits' }).click()
    await page.getByRole('button', { name: 'All of us: you and Ada' }).click()
    await page.getByText('Covers you and Ada').waitFor()
    await settled(page)
    await page.getByRole('button', { name: 'Choose: Major Medical Silver' }).click()
    await page.getByRole('heading', { name: 'Dental', level: 2 }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
    api.moveTo('2026-03-10')
  })

  it('keeps every plan of the last year in 3 taps', async () => {
    const key = api.story.api_key
    const catalog = await importCatalog(api, [], api.story.organization_id)
    const employer_id = await createEmployer(api, {}, { key })
    const policy = { classification: 'all', waiting_period: 'none' }
    await api.post(`/v1/employers/${employer_id}/benefit-eligibility-policies`, policy, { key })
    const half = { contribution_tiers: [{ coverage_tier: null, method: 'percentage', percentage: 50 }] }
    const benefits = [catalog.mvp, catalog.dental].map(({ benefit_id }) => ({ benefit_id, ...half }))
    await openPlanYear(api, employer_id, catalog, { coverage_start: '2025-05-01', benefits })
    const { id } = await createEmployee(
      api,
      employer_id,
      { first_name: 'Grace', last_name: 'Hopper', start_date: '2025-06-02' },
      { key },
    )
    await api.work()
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    for (const { benefit, id: enrollment_id } of data) {
      const { plan_id } = benefit.name === 'Dental' ? catalog.dental : catalog.mvp
      const elect = { plan_id, coverage_tier: 'EE' }
      expect((await api.post(`/v1/enrollments/${enrollment_id}/elect`, elect, { key })).status).toBe(200)
    }
    const open = { open_enrollment_start: '2026-03-01', open_enrollment_end: '2026-03-31' }
    await openPlanYear(api, employer_id, catalog, {
      coverage_start: '2026-05-01',
      benefits,
      renewal: 'active',
      ...open,
    })
    await api.work()
    const seen = await visit(browser, api, at('employee-dashboard', id), narrow)
    await seen.page.getByRole('button', { name: 'Keep everything' }).click()
    await seen.page.getByText('Major Medical Silver').first().waitFor()
    await settled(seen.page)
    await seen.page.getByLabel('Your full name').click()
    await seen.page.keyboard.type('Grace Hopper')
    await seen.page.getByRole('button', { name: 'Agree and sign' }).click()
    await seen.page.getByRole('heading', { name: 'Your choices are submitted' }).waitFor()
    expect(await elections(id)).toEqual([
      'Dental enrolled EE',
      'Dental enrolled EE',
      'Major Medical enrolled EE',
      'Major Medical enrolled EE',
    ])
    await seen.close()
  })

  it.each([390, 1440])(
    'shows the released tax forms and the disclosures before the consent to electronic delivery, at %s px',
    async (width) => {
      const key = api.story.api_key
      const employer_id = await createEmployer(api, {}, { key })
      const hire = { first_name: 'Grace', last_name: 'Hopper', start_date: '2024-06-03', employee_class: 'Full Time' }
      const { id } = await createEmployee(api, employer_id, hire, { key })
      const run = async (action: 'derive' | 'release') => {
        await api.post(`/v1/employers/${employer_id}/forms-1095c/${action}`, { tax_year: 2025 }, { key })
        await api.work()
      }
      await run('derive')
      const seen = await visit(browser, api, at('employee-dashboard', id), { viewport: { width, height: 844 } })
      const { page } = seen
      const button = (name: string) => page.getByRole('button', { name, exact: true })
      await button('More').click()
      await button('Tax forms').click()
      await page.getByText('You have no tax forms yet.').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await run('release')
      await page.reload()
      await button('More').click()
      await button('Tax forms').click()
      const link = page.getByRole('link', { name: 'Form 1095-C for 2025 (PDF)' })
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      expect(download.suggestedFilename()).toBe('form-1095c-2025.pdf')
      const { legal_name, email, address } = (await api.get(`/v1/employers/${employer_id}`, { key })).body.data
      const disclosure = (text: string) => page.getByRole('listitem').filter({ hasText: text })
      for (const contact of [legal_name, email, address.city]) await disclosure(contact).first().waitFor()
      await page.getByText('If you do not agree, your employer gives you your forms on paper.').waitFor()
      await press(page, button('I agree to electronic delivery'))
      await page.getByRole('status').filter({ hasText: 'You agreed on' }).waitFor()
      await page.getByText('Your rights').click()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      const printed = async () =>
        (await api.get(`/v1/employers/${employer_id}/form-filing?tax_year=2025`, { key })).body.data.print_count
      expect(await printed()).toBe(0)
      await press(page, button('Withdraw my consent'))
      await page.getByRole('status').filter({ hasText: 'You withdrew your consent on' }).waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect([await printed(), seen.complaints]).toEqual([1, []])
      await seen.close()
    },
  )

  it('compares plans with the expected cost of a year, and explains each term', async () => {
    const seen = await visit(browser, api, at('employee-dashboard', await aFamily(), '&view=enroll'), wide)
    const { page } = seen
    await page.getByRole('button', { name: 'Only me, Grace' }).click()
    await page.getByRole('button', { name: 'Compare plans' }).click()
    const row = (name: string) => page.getByRole('row').filter({ hasText: name }).getByRole('cell')
    await settled(page)
    const cells = async (name: string) => (await row(name).allInnerTexts()).map((text) => text.trim())
    expect(await accessibilityViolations(page)).toEqual([])
    const before = await cells('Expected cost for the year')
    await page.getByLabel('How much care do you expect to use?').selectOption('High')
    await expect.poll(() => cells('Expected cost for the year')).not.toEqual(before)
    await page.getByRole('button', { name: 'Annual deductible' }).click()
    await page.getByText('The amount you pay for covered care each year before').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    // On a phone, everything that can be tapped is at least 44 px high.
    await page.setViewportSize(narrow.viewport)
    await page.getByText('Plan details').first().click()
    const targets = page.locator('ob-employee-dashboard').locator('a:not([slot]), button, summary, select')
    const heights = await targets.evaluateAll((all: any[]) =>
      all.filter((one) => one.checkVisibility()).map((one) => [one.textContent, one.getBoundingClientRect().height]),
    )
    expect(heights.length).toBeGreaterThan(10)
    expect(heights.filter(([, height]) => height < 44)).toEqual([])
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByText('Glossary').click()
    await page.getByText('Your share of the cost of covered care').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
  })

  it('identifies which of two deductions of a paycheck is a correction, and for which pay periods', async () => {
    const seen = await visit(
      browser,
      api,
      at('employee-dashboard', await personOf('Sunrise', 'Luis'), '&view=paychecks'),
    )
    await seen.page
      .getByText(/^Correction for .+ – .+\. It was not deducted then\.$/)
      .first()
      .waitFor()
    await seen.close()
  })

  it('works from the npm package, on a page that allows no files but its own', async () => {
    const id = await newcomer()
    const seen = await visit(browser, api, `${host.url}/npm?for=${id}`, narrow)
    const { page } = seen
    await page.getByRole('heading', { name: 'Hello, Grace' }).waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Contact information', exact: true }).click()
    await page.getByLabel('Phone').waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect([seen.complaints, seen.events]).toEqual([[], ['ob-ready']])
    await seen.close()
  })

  /** Reports a marriage, attaches a file that is not a document, then one with a hostile name, and removes it. */
  const proveMarriage = async ({ page }: Visit) => {
    const name = '<img src=x onerror=alert(1)>.exe'
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Life events' }).click()
    await page.getByLabel('What happened?').selectOption('Marriage')
    await page.getByLabel('When?').fill('2026-03-01')
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByText('Thank you.').waitFor()
    await page.getByText('Mar 1, 2026').waitFor()
    const choose = (bytes: string) =>
      page
        .getByLabel('Add a document as proof')
        .first()
        .setInputFiles({ name, mimeType: 'application/pdf', buffer: Buffer.from(bytes) })
    await choose('MZ')
    await page.getByRole('alert').getByText('must be a PDF').waitFor()
    await choose('%PDF-1.7')
    await page.getByRole('link', { name }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await page.getByRole('link', { name }).waitFor({ state: 'detached' })
  }

  it('shares one token among tabs, renews it once even after sleep, and retries by itself', async () => {
    const id = await newcomer()
    const seen = await visit(browser, api, 'about:blank', wide)
    const { page, events } = seen
    const context = page.context()
    await context.clock.install()
    const other = await context.newPage()
    const before = host.tokens
    const fetched = () => host.tokens - before
    for (const tab of [page, other]) {
      await tab.goto(at('employee-dashboard', id, '&view=me'))
      await tab.getByLabel('City').waitFor()
    }
    expect(fetched()).toBe(1)
    const channel = JSON.stringify(`openbenefits-token:${api.url}/ ${id}`)
    await other.evaluate(`globalThis.due = 0
      new BroadcastChannel(${channel}).onmessage = ({ data }) => { if (data.held) due = data.held.renew_at }`)
    await page.getByLabel('Phone').fill('(415) 555-0199')
    // The token is due for renewal after 12 of its 15 minutes. One of the tabs renews it.
    await context.clock.fastForward('13:00')
    await expect.poll(() => other.evaluate('due > Date.now()')).toBe(true)
    expect(fetched()).toBe(2)
    // The laptop sleeps for three hours. The token has expired when it wakes, and is renewed once.
    await context.clock.fastForward('03:00:00')
    await expect.poll(fetched).toBe(3)
    expect(await page.getByLabel('Phone').inputValue()).toBe('(415) 555-0199')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await other.getByRole('button', { name: 'More', exact: true }).click()
    await other.getByRole('button', { name: 'Dependents' }).click()
    await other.getByText('You have no dependents yet.').waitFor()
    expect(fetched()).toBe(3)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByRole('button', { name: 'Dependents' }).click()
    await page.getByText('You are offline').waitFor()
    await page.unroute('**/v1/**')
    await context.clock.fastForward('00:09')
    await page.getByText('You have no dependents yet.').waitFor()
    expect(await page.getByText('You are offline').count()).toBe(0)
    // After a sign-out elsewhere, the next failed request shows one message and dispatches one event.
    host.is_signed_out = true
    await context.clock.fastForward('03:00:00')
    await page.getByRole('button', { name: 'Home' }).click()
    await page.getByText('Your session has ended.').waitFor()
    expect(await page.locator('.trouble').count()).toBe(1)
    host.is_signed_out = false
    expect(events).toEqual(['ob-ready', 'ob-error offline', 'ob-error token_refused'])
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  it('keeps form entries while offline, and shows one message when the session has ended', async () => {
    const id = await newcomer()
    const far = { ...wide, timezoneId: 'Pacific/Kiritimati' }
    const seen = await visit(browser, api, at('employee-dashboard', id, '&view=me'), far)
    const { page } = seen
    await page.getByLabel('Phone').fill('415')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('[aria-invalid=true]').waitFor()
    expect(await page.getByLabel('Phone').inputValue()).toBe('415')
    await page.getByLabel('Phone').fill('(415) 555-0123')
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('You are offline').waitFor()
    expect(await page.getByLabel('Phone').inputValue()).toBe('(415) 555-0123')
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    await proveMarriage(seen)
    // The user is signed out in the middle of a form, and signs in again in another tab. The entries are still there.
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('button', { name: 'Contact information', exact: true }).click()
    await page.getByLabel('City').fill('Troy')
    await page.route('**/contact', (route) => route.fulfill({ status: 401, json: signed_out, headers: cors }))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Your session has ended.').waitFor()
    expect(await page.getByLabel('City').isVisible()).toBe(false)
    await page.unroute('**/contact')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('City').waitFor()
    expect(await page.getByLabel('City').inputValue()).toBe('Troy')
    host.is_signed_out = true
    await page.reload()
    await page.getByText('Your session has ended.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    host.is_signed_out = false
    expect([...new Set(seen.events)]).toEqual([
      'ob-ready',
      'ob-error offline',
      'ob-error unauthorized',
      'ob-error token_refused',
    ])
    await seen.close()
  })
})

/** The animation of a placeholder. */
const animationOf = (bone: any): string => (globalThis as any).getComputedStyle(bone).animationName

/** The file that a browser saves when a button is pressed. */
async function savedBy({ page }: Visit, name: string, part?: string): Promise<{ name: string; lines: string[] }> {
  const within = part === undefined ? page : page.getByRole('region', { name: part })
  const [download] = await Promise.all([page.waitForEvent('download'), within.getByRole('button', { name }).click()])
  const text = await readFile(await download.path(), 'utf8')
  return { name: download.suggestedFilename(), lines: text.trim().split('\r\n') }
}

describe('ob-employer-benefits', () => {
  it('reminds selected people and then all others after a preview, schedules messages and lists them', async () => {
    const key = api.story.api_key
    const { id } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
    const path = `/v1/employers/${id}` as const
    const window = first((await api.get(`${path}/enrollment-windows`, { key })).body.data)
    const { can_answer, benefit_plan_year_id: year_id } = window
    const list = `${path}/enrollment-windows/${year_id}/people?can_answer=true` as const
    const chosen = first((await api.get(list, { key })).body.data)
    const name = `${chosen.member_first_name} ${chosen.member_last_name}`
    const messages = async () => (await api.get(`${path}/enrollment-messages`, { key })).body
    const seen = await visit(browser, api, at('employer-benefits', id, `&plan-year=${year_id}`), narrow)
    const { page } = seen
    const button = (text: string | RegExp) => page.getByRole('button', { name: text, exact: true })
    await button(`See all ${can_answer}`).click()
    await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await button('Remind 1').click()
    await page.getByText('person gets a reminder').waitFor()
    await page.getByText(`Hello ${chosen.member_first_name},`).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await messages()).pagination.total).toBe(0)
    await button('Send 1 reminder').click()
    await page.getByText('1 person was reminded.').waitFor()
    await page.setViewportSize(wide.viewport)
    await page
      .getByRole('row', { name: /Reminder, By request/ })
      .getByText(name)
      .waitFor()
    await button(`Remind ${can_answer}`).click()
    await page.getByText('Got a message today').waitFor()
    await button(`Send ${can_answer - 1} reminders`).click()
    await page.getByText(`${can_answer - 1} people were reminded.`).waitFor()
    await page.getByLabel('Reminder halfway through').check()
    await button('Save messages').click()
    await page.getByText('The automatic messages were saved.').waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect((await api.get(`${path}/enrollment-schedule`, { key })).body.data).toMatchObject({ half_way: true })
    expect((await messages()).pagination.total).toBe(can_answer)
    expect(seen.complaints).toEqual([])
    await seen.close()
  })

  it('shows an employer the people to remind, why a person waits, and the cost of each tier', async () => {
    const key = api.story.api_key
    const { id, name } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
    const years = `/v1/employers/${id}/benefit-plan-years` as const
    const pending = async ({ id: year_id }: { id: string }) =>
      (await api.get(`${years}/${year_id}/enrollments?election_status=pending&sort=window_end` as const, { key })).body
    const all_years = (await api.get(years, { key })).body.data
    const requested = await Promise.all(all_years.map(async (year) => ({ year, waiting: await pending(year) })))
    const { year, waiting } = pick(requested, (one) => one.waiting.pagination.total > 0)
    const list = `${years}/${year.id}/enrollments` as const
    const { people } = (await api.get(`${list}/summary` as const, { key })).body.data
    const all = (await api.get(list, { key })).body
    const next = first(waiting.data)
    const ending = (await api.get(`${list}?sort=coverage_end` as const, { key })).body.data
    const in_full = await Promise.all(
      all_years.map(async (one) => (await api.get(`${years}/${one.id}` as const, { key })).body.data),
    )
    const allowing = pick(in_full, (one) => one.contribution_strategy.ichra_contribution_classes.length > 0)
    const classes = allowing.contribution_strategy.ichra_contribution_classes
    const { today } = (await api.get('/v1/auth/token', { key })).body.data
    const all_ends = [
      'Name,Event,Until',
      `,Open enrollment,${year.open_enrollment_end}`,
      ...ending
        .filter(({ coverage_end: to, coverage_start: from }) => to && to >= today && to >= from)
        .map((one) => `${one.member_first_name} ${one.member_last_name},${one.benefit_name},${one.coverage_end}`),
      `,Plan year,${year.coverage_end}`,
    ]
    const next_name = `${next.member_first_name} ${next.member_last_name}`
    const window_people = `/v1/employers/${id}/enrollment-windows/${year.id}/people?can_answer=true` as const
    const { total } = (await api.get(window_people, { key })).body.pagination
    for (const size of [narrow, wide]) {
      const seen = await visit(browser, api, at('employer-benefits', id, `&plan-year=${year.id}`), size)
      const { page } = seen
      const button = (text: string | RegExp) => page.getByRole('button', { name: text, exact: true })
      await page.getByRole('heading', { name: `Benefits of ${name}` }).waitFor()
      await page.getByRole('heading', { name: 'People to remind' }).waitFor()
      await settled(page)
      const counts = page.getByRole('row', { name: /^Any benefit/ }).getByRole('cell')
      expect(await counts.allInnerTexts()).toEqual(
        [people.eligible, people.enrolled, people.waived, people.pending, people.expired].map(String),
      )
      expect(await accessibilityViolations(page)).toEqual([])
      const ends = await savedBy(seen, 'Save as CSV', 'Ending soon')
      expect(ends.lines).toEqual(all_ends)
      const go = (control: Locator) => (size === wide ? press(page, control) : control.click())
      await go(button(`See all ${total}`))
      await page.getByRole('heading', { name: 'Enrollment center' }).waitFor()
      await go(button('People'))
      await page.getByText(`${all.pagination.total} enrollment`).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      if (size === wide) await type(page, page.getByLabel('Name or reference'), next.member_last_name)
      else await page.getByLabel('Name or reference').fill(next.member_last_name)
      await page.getByRole('row').nth(1).getByText(next_name).waitFor()
      const saved = await savedBy(seen, 'Save all as CSV')
      expect([saved.name, saved.lines.length]).toEqual([
        expect.stringMatching(/^enrollments-/),
        1 + all.pagination.total,
      ])
      await go(button(next_name).first())
      await page.getByRole('heading', { name: next_name, level: 2 }).waitFor()
      await settled(page)
      expect(await page.getByRole('definition').allInnerTexts()).not.toContain('false')
      expect(await accessibilityViolations(page)).toEqual([])
      const held = await savedBy(seen, 'Save as CSV', 'Enrollments')
      expect(held.lines[0]).toBe(
        'Benefit,Status,Window ends,Plan,Coverage level,From,Until,You pay per month,Employee pays per month',
      )
      expect(held.lines.slice(1).map((line) => line.split(',').slice(0, 3))).toContainEqual([
        next.benefit_name,
        'Pending',
        next.window_ends_on,
      ])
      await go(button('Plan years'))
      await go(button(new RegExp(`^${year.product_name}`)).first())
      await page.getByRole('heading', { name: 'Monthly cost by coverage level' }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      const prices = await savedBy(seen, 'Save as CSV', 'Monthly cost by coverage level')
      expect(prices.lines[0]).toBe('Benefit,Plan,Coverage level,Premium,You pay,Employee pays')
      await page.goto(at('employer-benefits', id, `&view=plan-year&plan-year=${allowing.id}`))
      const allowed = await savedBy(seen, 'Save as CSV', 'Monthly ICHRA allowance')
      expect(allowed.lines).toEqual([
        'Class,Allowance',
        ...classes.map(
          ({ name, allowance_in_cents: cents }) => `${name.includes(',') ? `"${name}"` : name},${cents / 100}`,
        ),
      ])
      await button('Payroll').click()
      await page.getByRole('heading', { name: 'Recent syncs' }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })

  it('shows an employer the people by full-time status, and the offer test', async () => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, { name: 'Prairie Temps' }, { key })
    const path = `/v1/employers/${employer_id}` as const
    const hire = { employee_class: 'Full Time', start_date: '2025-06-02' }
    await createEmployee(api, employer_id, hire)
    const unmeasured = await visit(browser, api, at('employer-benefits', employer_id, '&view=aca'), narrow)
    await unmeasured.page.getByText('Hours are not measured.').waitFor()
    await unmeasured.close()
    const policies = [{ method: 'look_back', standard_starts_on: '2025-10-15' }]
    await api.put(`${path}/measurement-policies`, { policies }, { key })
    await api.post(`${path}/forms-1095c/derive`, { tax_year: 2026 }, { key })
    await api.work()
    for (const size of [narrow, wide]) {
      const seen = await visit(browser, api, at('employer-benefits', employer_id, '&view=aca'), size)
      const { page } = seen
      await page.getByText('full-time employees, of 1 in all').waitFor()
      await page.getByRole('group', { name: 'Offers of coverage in 2026' }).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
    const of_small_employers = {
      form_type: '1095-B',
      has_conditional_spouse_offer: false,
      uses_98_percent_method: false,
    }
    await api.put(`${path}/form-settings`, { tax_year: 2026, ...of_small_employers }, { key })
    await api.work()
    const small = await visit(browser, api, at('employer-benefits', employer_id, '&view=aca'), narrow)
    await small.page.getByText('full-time employees, of 1 in all').waitFor()
    await settled(small.page)
    expect(await small.page.getByText('Offers of coverage in 2026').count()).toBe(0)
    await small.close()
  })

  it('shows an employer the progress of open enrollment, and only the notes that are shared with it', async () => {
    const key = api.story.api_key
    const { id } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
    const path = `/v1/employers/${id}` as const
    const { people } = first((await api.get(`${path}/enrollment-windows`, { key })).body.data)
    await api.post(`${path}/notes`, { text: 'They may leave us' }, { key })
    await api.post(`${path}/notes`, { text: 'We <b>renew</b> in May', shared_with_employer: true }, { key })
    for (const size of [narrow, wide]) {
      const seen = await visit(browser, api, at('employer-benefits', id, '&view=enrollment'), size)
      const { page } = seen
      await page.getByRole('heading', { name: 'Enrollment center' }).waitFor()
      await page.getByText(`${people.eligible} people`, { exact: true }).waitFor()
      await page.getByText(`of ${people.eligible} people have finished`).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByLabel('Status').selectOption('enrolled')
      await page
        .getByRole('status')
        .filter({ hasText: `${people.enrolled} p` })
        .waitFor()
      await page.getByRole('button', { name: 'Notes', exact: true }).click()
      await page.getByText('We <b>renew</b> in May').waitFor()
      expect(await page.getByText('They may leave us').count()).toBe(0)
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(size.viewport.width)
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })
})

it('opens an employee’s dashboard with the one-time link in an email, on a page of the service', async () => {
  const key = api.story.api_key
  const { id } = first((await api.get('/v1/employers?search=Granite', { key })).body.data)
  const path = `/v1/employers/${id}` as const
  const { benefit_plan_year_id } = first((await api.get(`${path}/enrollment-windows`, { key })).body.data)
  const list = `${path}/enrollment-windows/${benefit_plan_year_id}/people?can_answer=true` as const
  const { employee_id } = first((await api.get(list, { key })).body.data)
  api.moveTo('2026-03-11')
  await api.post(`${path}/enrollment-reminders`, { benefit_plan_year_id, employee_ids: [employee_id] }, { key })
  const messages = `${path}/enrollment-messages?employee_id=${employee_id}` as const
  const message = first((await api.get(messages, { key })).body.data)
  const { content } = (await api.get(`/v1/enrollment-messages/${message.id}`, { key })).body.data
  const link = /https?:\/\/\S+\/benefits\/\S+/.exec(content!.text)![0]
  const seen = await visit(browser, api, link, { viewport: { width: 390, height: 844 } })
  const { page } = seen
  expect(await accessibilityViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  await settled(page)
  expect(new URL(page.url()).pathname).toBe('/benefits')
  expect(await accessibilityViolations(page)).toEqual([])
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  await page.getByRole('button', { name: 'Enroll', exact: true }).click()
  await settled(page)
  await page.getByRole('link', { name: 'Español' }).click()
  await page.getByRole('heading', { name: 'Sus beneficios' }).waitFor()
  await settled(page)
  expect(seen.complaints).toEqual([])
  await page.goto(link)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'This link has ended' }).waitFor()
  await seen.close()
})

/** The requests of each first view, by round trip. */
const first_views: Record<string, string[][]> = {
  'employee-dashboard': [['auth/token', 'empl_', 'enrollments', 'paychecks']],
  'employer-benefits': [
    ['auth/token', 'empr_', 'benefit-plan-years'],
    ['summary', 'people', 'enrollments'],
  ],
  'employer-billing': [['auth/token', 'empr_', 'invoices']],
}

it.each(Object.entries(first_views))(
  '%s loads its first view in as few round trips as possible',
  async (widget, rounds) => {
    const key = api.story.api_key
    const { id: cafe } = first((await api.get('/v1/employers?search=Kettle', { key })).body.data)
    const femi = (await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data
    const seen = await visit(browser, api, 'about:blank', wide)
    const { page } = seen
    const held: Route[] = []
    const requested = () => held.map((route) => new URL(route.request().url()).pathname.replace(/_[^/]+$/, '_'))
    await page.route('**/v1/**', (route) => void held.push(route))
    await page.goto(at(widget, widget === 'employee-dashboard' ? first(femi).id : cafe))
    for (const round of rounds) {
      await expect.poll(() => held.length).toBe(round.length)
      expect(requested().map((path) => round.find((end) => path.endsWith(end)))).toEqual(expect.arrayContaining(round))
      await Promise.all(held.splice(0).map((route) => route.continue()))
    }
    await page.getByRole('heading', { level: 2 }).waitFor()
    await settled(page)
    expect([held.length, seen.complaints]).toEqual([0, []])
    await seen.close()
  },
)

describe('an employer’s widgets', () => {
  it('handle a slow, failing or unreachable service, a page at 200%, and a React page', async () => {
    const key = api.story.api_key
    const { id, name } = first((await api.get('/v1/employers?search=Kettle', { key })).body.data)
    /** 640 px wide at twice the pixel density: a window of 1,280 px at 200% zoom. */
    const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
    const seen = await visit(browser, api, at('employer-benefits', id, '&styled=1'), zoomed)
    const { page } = seen
    await page.getByRole('heading', { name: 'People to remind' }).waitFor()
    await settled(page)
    const slant = (node: any) => (globalThis as any).getComputedStyle(node).fontStyle
    expect(await page.locator('[part=heading]').first().evaluate(slant)).toBe('italic')
    expect((await page.getByRole('button', { name: 'Overview' }).boundingBox())!.height).toBeGreaterThanOrEqual(52)
    const requested = [
      'auth/token',
      `employers/${id}`,
      `employers/${id}/benefit-plan-years`,
      'summary',
      'enrollments',
      'people',
    ]
    expect(seen.requests.map((one) => requested.find((end) => one.endsWith(end))).toSorted()).toEqual(
      requested.toSorted(),
    )
    const troubles = ['slow', 'at fault', 'at fault', 'at fault', 'fine']
    const motions: string[] = []
    const motion = () => page.locator('.bone').first().evaluate(animationOf)
    await page.route('**/hris', async (route) => {
      const trouble = troubles.shift()
      if (trouble === 'at fault') return route.fulfill({ status: 500, body: 'oops', headers: cors })
      if (trouble === 'slow') {
        await page.getByText('Loading').waitFor({ state: 'attached' })
        motions.push(await motion())
        await page.emulateMedia({ reducedMotion: 'no-preference' })
        motions.push(await motion())
      }
      return trouble === 'slow' ? route.abort() : route.continue()
    })
    await page.getByRole('button', { name: 'Payroll' }).click()
    await page.getByRole('alert').getByText('Something went wrong on our side.').waitFor()
    expect(motions).toEqual(['none', 'breathe'])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Your payroll system' }).waitFor()
    await expect.poll(() => page.getByRole('alert').getByText('Something went wrong').count()).toBe(0)
    for (const view of ['Overview', 'People', 'Plan years']) {
      await page.getByRole('button', { name: view, exact: true }).click()
      await settled(page)
      for (const width of [320, 1600, 640]) {
        await page.setViewportSize({ width, height: 400 })
        expect(await page.evaluate('document.documentElement.scrollWidth'), view).toBeLessThanOrEqual(width)
      }
    }
    const events = () => page.locator('output').innerText()
    await page.goto(`${host.url}/react?for=${id}&service=${encodeURIComponent(`${api.url}/`)}`)
    await page.getByRole('heading', { name: `Billing for ${name}` }).waitFor()
    await page.getByRole('button', { name: 'People', exact: true }).click()
    await page.getByRole('heading', { name: 'People and enrollments' }).waitFor()
    expect((await events()).split(' ').toSorted()).toEqual(['people', 'ready', 'ready'])
    expect(seen.complaints).toEqual([])
    await seen.close()
  })
})

describe('ob-employer-billing', () => {
  /** An invoice of the story that adjusts an earlier month, and its adjustment line. */
  async function adjustedOf(key: string) {
    const employers = (await api.get('/v1/employers?limit=100', { key })).body.data
    for (const employer of employers) {
      const path = `/v1/employers/${employer.id}/invoices` as const
      const { data } = (await api.get(`${path}?include_drafts=true` as const, { key })).body
      for (const { invoice_id } of data) {
        const lines = (await api.get(`${path}/${invoice_id}/lines` as const, { key })).body.data
        const line = lines.find(({ kind }) => kind === 'adjustment')
        if (line) return { employer, invoice_id, line }
      }
    }
    throw new Error('The story has no adjustment.')
  }

  it('explains an adjustment of an earlier month to an accountant', async () => {
    const key = api.story.api_key
    const { employer, invoice_id, line } = await adjustedOf(key)
    const list = `/v1/employers/${employer.id}/invoices` as const
    const { totals } = (await api.get(list, { key })).body
    const paid = (await api.get(`${list}?status=paid&period_from=2026-01`, { key })).body.data
    const dollars = (cents: number) => (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
    for (const size of [narrow, wide]) {
      const seen = await visit(browser, api, at('employer-billing', employer.id), size)
      const { page } = seen
      // On a wide screen, use only the keyboard.
      const choose = async (label: string, option: string) => {
        const control = page.getByLabel(label)
        if (size === wide) await type(page, control, option.split(' ')[0]!)
        else await control.selectOption(option)
      }
      await page.getByRole('heading', { name: `Billing for ${employer.name}` }).waitFor()
      await page.getByText(dollars(totals.open_in_cents), { exact: true }).first().waitFor()
      await choose('Show', 'Paid')
      await choose('Year', 'This year')
      const rows = page.getByRole('group', { name: 'Invoices', exact: true })
      if (paid.length > 0) await rows.getByText(first(paid).invoice_id).waitFor()
      else await page.getByText('No invoices match.').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await choose('Show', 'All invoices')
      await choose('Year', 'All years')
      const lines = page.getByRole('button', { name: invoice_id })
      await (size === wide ? press(page, lines) : lines.click())
      await page.getByRole('heading', { name: `Invoice ${invoice_id}` }).waitFor()
      const text_shown = page.getByRole('region', { name: 'Adjustments for earlier months' })
      await text_shown
        .getByText(new RegExp(`${line.employee_name}: ${line.benefit_name} for`))
        .first()
        .waitFor()
      await settled(page)
      for (const width of [320, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect(await accessibilityViolations(page), String(width)).toEqual([])
      }
      await page.getByRole('button', { name: 'All invoices' }).click()
      await settled(page)
      for (const width of [320, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
        expect(await accessibilityViolations(page), String(width)).toEqual([])
      }
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })
})

describe('the page of a sandbox', () => {
  it('shows the widgets to members of an organization, and explains to others why they see none', async () => {
    const visitor = await visit(browser, api, `${api.url}/widgets`)
    await visitor.page.getByText('The link that npm start printed lets you choose a user.').waitFor()
    const operator = await visitAs(browser, api, await userCalled(api, 'Olive Marsh'))
    await operator.page.goto(`${api.url}/widgets`)
    await operator.page.getByText('You are signed in as an operator.').waitFor()
    expect(await accessibilityViolations(operator.page)).toEqual([])
    const maya = await visitAs(browser, api, await userCalled(api, 'Maya Okafor'), narrow)
    const { page } = maya
    await page.goto(`${api.url}/widgets?lang=es`)
    await page.getByRole('heading', { name: /^Hola, / }).waitFor()
    await page
      .getByRole('region', { name: 'Sandbox' })
      .getByText(/Today is\s\w+\s\d+,\s\d{4}/)
      .waitFor()
    await page.getByLabel('Widget').selectOption('Employer Billing')
    await page.getByRole('combobox', { name: 'Employer' }).selectOption('Copper Kettle Café')
    await page.getByRole('heading', { name: 'Facturación de Copper Kettle Café' }).waitFor()
    expect(await page.locator('#code').innerText()).toContain('<ob-employer-billing for="empr_')
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    for (const seen of [visitor, operator, maya]) {
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })
})
