import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { first, pick, sure } from '../../server/test/pick.ts'
import { en } from '../src/employee/words-en.ts'
import { es } from '../src/employee/words-es.ts'
import { aFamily, draftHas, electForFamily, electionsOf, newcomer } from './employees.ts'
import { narrow, settled, wide } from './stage.ts'
import { useWidgets } from './widgets.ts'

const widgets = useWidgets()
const { api, at, see } = widgets

/** The part of a DOM element that the tests measure. */
type PageElement = {
  textContent: string
  ownerDocument: {
    createRange: () => { selectNodeContents: (of: unknown) => void; getClientRects: () => ArrayLike<unknown> }
  }
}

describe('an election', () => {
  it('elects three benefits for a family in one submission, and shows the first paycheck, on a desktop', () =>
    electForFamily(widgets, wide))

  it('names beneficiaries in the election, and changes their shares at any time', async () => {
    const key = api.story.api_key
    const id = await newcomer(api)
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, ({ benefit }) => benefit.name === 'Dental').benefit.id
    const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${dental}` as const
    const takes = (takes_beneficiaries: boolean) =>
      api.patch(product, { takes_beneficiaries }, { key: api.operator_key })
    await takes(true)
    const spouse = { relationship: 'spouse', first_name: 'Sam', last_name: 'Hopper', date_of_birth: '1990-05-06' }
    await api.post(`/v1/employees/${id}/dependents`, spouse, { key })
    const seen = await see(at('employee-dashboard', id, '&view=enroll'), narrow)
    const { page } = seen
    await page.getByRole('button', { name: 'Only me, Grace' }).click()
    for (const plan of ['Major Medical Silver', 'Brightside PPO', 'Clearview Basic'])
      await page.getByRole('button', { name: `Choose: ${plan}` }).click()
    await page.getByRole('heading', { name: 'Beneficiaries', level: 2 }).waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    // The dependents are offered, so that their names are not typed again. A choice that was not added is added first.
    await page.getByLabel('Who receives the money?').selectOption('Sam Hopper, Spouse')
    await expect.poll(() => page.getByLabel('Full name').count()).toBe(0)
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
    const again = await see(at('employee-dashboard', id, '&view=enroll&lang=es'), narrow)
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

  it('requests the data that a benefit requires of a dependent, and continues once it is there', async () => {
    const key = api.story.api_key
    const id = await newcomer(api)
    const child = { relationship: 'child', first_name: 'Ada', last_name: 'Hopper', date_of_birth: '2019-04-02' }
    await api.post(`/v1/employees/${id}/dependents`, child, { key })
    const { data } = (await api.get(`/v1/employees/${id}/enrollments`, { key })).body
    const dental = pick(data, ({ benefit }) => benefit.name === 'Dental').benefit.id
    const product = `/operator/v1/organizations/${api.story.organization_id}/benefits/${dental}` as const
    const require = (required_dependent_fields: string[]) =>
      api.patch(product, { required_dependent_fields }, { key: api.operator_key })
    await require(['gender', 'verification'])
    const seen = await see(at('employee-dashboard', id, '&view=enroll'), narrow)
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
    await draftHas(api, id, 1)
    const again = await see(at('employee-dashboard', id, '&view=enroll'), narrow)
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

  it.each([
    ['English', 'en', en],
    ['Spanish', 'es', es],
  ] as const)(
    'elects for a family on a phone in at most 8 taps and 3 screens of scrolling, in %s',
    async (_, lang, w) => {
      const id = await aFamily(api)
      const phone = { viewport: { width: 390, height: 844 } }
      const seen = await see(at('employee-dashboard', id, `&lang=${lang}`), phone)
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
      expect(await electionsOf(api, id)).toEqual([
        'Dental enrolled EF',
        'Major Medical enrolled EF',
        'Vision enrolled EF',
      ])
      expect([taps <= 8, scrolled / 844 <= 3], `${taps} taps, ${scrolled} px`).toEqual([true, true])
      expect(seen.complaints).toEqual([])
      await seen.close()
    },
  )

  it.each([390, 1440])('opens the required document before it can be signed, at a width of %s px', async (width) => {
    const id = await aFamily(api)
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
    const seen = await see(at('employee-dashboard', id), { viewport: { width, height: 844 } })
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
    await expect.poll(() => page.getByRole('button', { name: 'Benefits guide' }).count()).toBe(0)
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Summary plan description' }).click()
    expect((await download).suggestedFilename()).toBe('Summary_plan_description.pdf')
    await page.getByText(/^Opened /).waitFor()
    await page.getByLabel('Your full name').fill('Grace Hopper')
    // On a phone at 200 percent, the name of a benefit wraps between words only.
    await page.setViewportSize({ width: 195, height: 700 })
    const names = page.locator('.line > strong')
    const extra_lines = await names.evaluateAll((found) =>
      (found as unknown as PageElement[]).map((name) => {
        const range = name.ownerDocument.createRange()
        range.selectNodeContents(name)
        return range.getClientRects().length - name.textContent.trim().split(/\s+/).length
      }),
    )
    expect(Math.max(...extra_lines)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width, height: 800 })
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
    const id = await aFamily(api)
    const seen = await see(at('employee-dashboard', id, '&view=enroll'), narrow)
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
    const id = await aFamily(api)
    const phone = await see(at('employee-dashboard', id, '&view=enroll'), narrow)
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
    await draftHas(api, id, 2)
    const laptop = await see(at('employee-dashboard', id), wide)
    await laptop.page.getByText('Your enrollment is in progress. Your choices are saved.').waitFor()
    expect(await accessibilityViolations(laptop.page)).toEqual([])
    await laptop.page.getByRole('button', { name: 'Continue enrolling' }).click()
    await laptop.page.getByRole('heading', { name: 'Vision', level: 2 }).waitFor()
    await laptop.page.getByText('Covers you and Lina').waitFor()
    await laptop.page.getByRole('button', { name: 'I do not want this coverage: Vision' }).click()
    await laptop.page.getByLabel('Why are you waiving coverage?').selectOption('Covered by a spouse’s plan')
    await laptop.page.getByRole('button', { name: 'Waive coverage' }).click()
    await laptop.page.getByRole('heading', { name: 'Review your choices' }).waitFor()
    await draftHas(api, id, 3)
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
    expect(await electionsOf(api, id)).toEqual(['Dental enrolled EF', 'Major Medical enrolled EC', 'Vision waived'])
    await laptop.close()
  })

  it('shows a late price as pending, and keeps choices that were made offline until they can be signed', async () => {
    const id = await newcomer(api)
    const seen = await see(at('employee-dashboard', id, '&view=enroll'), narrow)
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
    const name = page.getByLabel('Your full name')
    // The bar with the total must not cover the field, also when the browser scrolls no further than needed.
    await name.evaluate((input: any) => input.scrollIntoView({ block: 'end' }))
    await name.focus()
    const [field, total] = [sure(await name.boundingBox()), sure(await page.locator('.total').boundingBox())]
    expect(field.y + field.height).toBeLessThanOrEqual(total.y)
    await name.fill('Grace Hopper')
    await button('Agree and sign').click()
    await page.getByRole('heading', { name: 'Your choices are submitted' }).waitFor()
    expect(await electionsOf(api, id)).toEqual([
      'Dental enrolled EE',
      'Major Medical enrolled EE',
      'Vision enrolled EE',
    ])
    expect(seen.complaints).toEqual([])
    await seen.close()
  })
})
