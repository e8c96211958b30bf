import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { accessibilityViolations } from '../../server/test/clients/browser.ts'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../server/test/fixtures.ts'
import type { Api } from '../../server/test/harness.ts'
import { first } from '../../server/test/pick.ts'
import { narrow, press, settled, type, type Visit } from './stage.ts'
import type { Widgets } from './widgets.ts'

/** An employee of Harbor with three open benefits and no dependents. */
export async function newcomer(api: Api) {
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

/** A person of the sandbox. */
export const personOf = async (api: Api, employer: string, name: string) => {
  const key = api.story.api_key
  const { id } = first((await api.get(`/v1/employers?search=${employer}`, { key })).body.data)
  return first((await api.get(`/v1/employers/${id}/employees?search=${name}`, { key })).body.data).id
}

/** A family with two open benefits of a new hire. */
export async function aFamily(api: Api) {
  const id = await newcomer(api)
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
export const electionsOf = async (api: Api, id: string) =>
  (await api.get(`/v1/employees/${id}/enrollments`, { key: api.story.api_key })).body.data
    .map(({ benefit, status, coverage_tier }) => `${benefit.name} ${status} ${coverage_tier ?? ''}`.trim())
    .toSorted()

/** Waits until the server has saved this number of choices. Another device continues with those. */
export const draftHas = (api: Api, id: string, choices: number) => {
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

/** Keyboards and screen readers continue from the heading of a new screen. */
async function isFocused(heading: Locator): Promise<void> {
  await expect.poll(() => heading.evaluate((node: any) => node.getRootNode().activeElement === node)).toBe(true)
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
    await expect.poll(() => page.locator('[aria-pressed=true]').count()).toBe(0)
    expect(await accessibilityViolations(page), benefit).toEqual([])
    await press(page, button(`Choose: ${plan}`))
  }
  await heading('Review your choices').waitFor()
  await page.getByText('Family: you, Sam, and Lina').first().waitFor()
  await page.locator('.total button.main:not([aria-disabled=true])').waitFor()
  await isFocused(heading('Review your choices'))
  expect(await accessibilityViolations(page)).toEqual([])
  await press(page, button('Continue to sign'))
  await heading('Sign your choices').waitFor()
  await page.getByText('I authorize my employer').waitFor()
  await isFocused(heading('Sign your choices'))
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

/** Elects for a family until the confirmation, and checks the paychecks. */
export async function electForFamily({ api, host, at, see }: Widgets, size: typeof narrow): Promise<void> {
  host.tokens = 0
  const id = await newcomer(api)
  const seen = await see(at('employee-dashboard', id), size)
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
}
