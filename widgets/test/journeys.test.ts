import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Route } from 'playwright-core'
import { userCalled, visitAs } from '../../console/test/stage.ts'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../server/test/fixtures.ts'
import { first } from '../../server/test/pick.ts'
import { electForFamily, electionsOf, newcomer, personOf } from './employees.ts'
import { narrow, published, readManifest, settled, wide } from './stage.ts'
import { useWidgets } from './widgets.ts'

const widgets = useWidgets()
const { api, at, host, see } = widgets

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
  it('elects three benefits for a family in one submission, and shows the first paycheck, on a phone', () =>
    electForFamily(widgets, narrow))

  it('shows every view in Spanish on a wide screen, and requests nothing twice', async () => {
    const key = api.story.api_key
    const cafe = first((await api.get('/v1/employers?search=Kettle', { key })).body.data).id
    const { data } = (await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body
    const seen = await see(at('employee-dashboard', first(data).id, '&lang=es&view=why&hostile=1'), wide)
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

  it('refuses to run a view if its file was modified in transit', async () => {
    const seen = await see('about:blank', narrow)
    const { page } = seen
    const screens = '**/employee-dashboard-screens.js'
    await page.route(screens, async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: `globalThis.changed = true\n${await answer.text()}` })
    })
    await page.goto(at('employee-dashboard', await personOf(api, 'Kettle', 'Femi'), '&view=me'))
    await page.getByText('You are offline, or the service cannot be reached.').waitFor()
    expect(await page.evaluate('globalThis.changed')).toBeUndefined()
    await seen.close()
    const whole = await see(at('employee-dashboard', await personOf(api, 'Kettle', 'Femi'), '&view=me'))
    await whole.page.getByRole('heading', { name: 'Contact information' }).waitFor()
    await whole.close()
  })

  it('shows what is covered now, with the ID card and the contacts of the carrier', async () => {
    const seen = await see(at('employee-dashboard', await personOf(api, 'Kettle', 'Femi')))
    const { page } = seen
    const now = page.getByRole('region', { name: 'Covered now' })
    await now.waitFor()
    const benefits = await now.locator('strong').allInnerTexts()
    expect(benefits.toSorted()).toEqual(['Dental', 'Essential Care'])
    await page.getByText('ID card and contacts').first().click()
    await page.getByText('(800) 555-01').first().waitFor()
    await expect.poll(() => page.getByRole('link', { name: /^Get your ID card/ }).count()).toBe(1)
    expect(await accessibilityViolations(page)).toEqual([])
    await seen.close()
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
    const seen = await see(at('employee-dashboard', id), narrow)
    await seen.page.getByRole('button', { name: 'Keep everything' }).click()
    await seen.page.getByText('Major Medical Silver').first().waitFor()
    await settled(seen.page)
    await seen.page.getByLabel('Your full name').click()
    await seen.page.keyboard.type('Grace Hopper')
    await seen.page.getByRole('button', { name: 'Agree and sign' }).click()
    await seen.page.getByRole('heading', { name: 'Your choices are submitted' }).waitFor()
    expect(await electionsOf(api, id)).toEqual([
      'Dental enrolled EE',
      'Dental enrolled EE',
      'Major Medical enrolled EE',
      'Major Medical enrolled EE',
    ])
    await seen.close()
  })

  it('identifies which of two deductions of a paycheck is a correction, and for which pay periods', async () => {
    const seen = await see(at('employee-dashboard', await personOf(api, 'Sunrise', 'Luis'), '&view=paychecks'))
    await seen.page
      .getByText(/^Correction for .+ – .+\. It was not deducted then\.$/)
      .first()
      .waitFor()
    await seen.close()
  })

  it('works from the npm package, on a page that allows no files but its own', async () => {
    const id = await newcomer(api)
    const seen = await see(`${host.url}/npm?for=${id}`, narrow)
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
  const seen = await see(link, { viewport: { width: 390, height: 844 } })
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
  // The link continues the visit in this browser only.
  await page.goto(link)
  await page.getByRole('heading', { level: 2 }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/benefits')
  await seen.close()
  const other = await see(link, { viewport: { width: 390, height: 844 } })
  await other.page.getByRole('button', { name: 'Continue' }).click()
  await other.page.getByRole('heading', { name: 'This link has ended' }).waitFor()
  await other.close()
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
    const seen = await see('about:blank', wide)
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

describe('the page of a sandbox', () => {
  it('shows the widgets to members of an organization, and explains to others why they see none', async () => {
    const visitor = await see(`${api.url}/widgets`)
    await visitor.page.getByText('The link that npm start printed lets you choose a user.').waitFor()
    const operator = await visitAs(widgets.browser, api, await userCalled(api, 'Olive Marsh'))
    await operator.page.goto(`${api.url}/widgets`)
    await operator.page.getByText('You are signed in as an operator.').waitFor()
    expect(await accessibilityViolations(operator.page)).toEqual([])
    const maya = await visitAs(widgets.browser, api, await userCalled(api, 'Maya Okafor'), narrow)
    const { page } = maya
    await page.goto(`${api.url}/widgets?lang=es`)
    await page.getByRole('heading', { name: /^Hola, / }).waitFor()
    await page
      .getByRole('region', { name: 'Sandbox' })
      .getByText(/Hoy es\s\d+\s\w+\s\d{4}/)
      .waitFor()
    await page.getByRole('button', { name: 'Mis beneficios', exact: true }).click()
    await page.getByRole('heading', { name: 'Línea de tiempo de su cobertura' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: /^Hola, / }).waitFor()
    await page.goForward()
    await page.reload()
    await page.getByRole('heading', { name: 'Línea de tiempo de su cobertura' }).waitFor()
    // Another language keeps the view.
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('English')
    await page.getByRole('heading', { name: 'Your coverage timeline' }).waitFor()
    await page.getByRole('combobox', { name: 'Language' }).selectOption('Español')
    await page.getByRole('heading', { name: 'Línea de tiempo de su cobertura' }).waitFor()
    await page.getByLabel('Widget').selectOption('Employer Billing')
    await page.getByRole('combobox', { name: 'Empleador' }).selectOption('Copper Kettle Café')
    await page.getByRole('heading', { name: 'Facturación de Copper Kettle Café' }).waitFor()
    expect(await page.locator('#code').innerText()).toContain('<ob-employer-billing for="empr_')
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
    // Back leads to the widget that was selected before.
    await page.goBack()
    await page.getByRole('heading', { name: /^Hola, / }).waitFor()
    for (const seen of [visitor, operator, maya]) {
      expect(seen.complaints).toEqual([])
      await seen.close()
    }
  })
})
