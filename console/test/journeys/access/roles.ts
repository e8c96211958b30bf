import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { aMemberKey } from '../../../../server/test/fixtures.ts'
import { sure } from '../../../../server/test/pick.ts'
import {
  pagesOfMember,
  pagesOfOperator,
  type Scene,
  settled,
  turnTo,
  userCalled,
  type Visit,
  visitAs,
} from '../../stage.ts'

/** The actions that each role can use, and the messages that it gets for the others. */
export function rolesAtWork(scene: Scene): void {
  const { api } = scene

  const user_ids = new Map<string, string>()
  // The sign-in page of a sandbox lists a limited number of users, so each role has only one.
  const visitOf = async (role: 'SALES' | 'ENROLLMENT_AGENT'): Promise<Visit> => {
    const known = user_ids.get(role)
    if (known) return visitAs(scene.browser, api, known)
    await aMemberKey(api, api.story.organization_id, role)
    const found = await api.database.reads.row<{ id: string }>(
      'select id from users where starts_with(name, $1) order by id desc limit 1',
      [role],
    )
    const { id } = sure(found)
    user_ids.set(role, id)
    return visitAs(scene.browser, api, id)
  }
  const rosa = async () => {
    const { data } = (await api.get('/v1/members?search=rosa', { key: api.story.api_key })).body
    return sure(data[0]?.employments[0])
  }
  const waysOf = ({ page }: Visit, name: string) =>
    page.getByRole('navigation', { name }).getByRole('link').allTextContents()

  it('shows a SALES member the employers and no dates of birth', async () => {
    const visit = await visitOf('SALES')
    const { page } = visit
    await turnTo(page, '/employers')
    await page.getByRole('link', { name: 'Maple Row Clinic' }).press('Enter')
    await page.getByRole('heading', { name: 'Maple Row Clinic' }).waitFor()
    expect(await waysOf(visit, 'Main')).toEqual(['Today', 'Employers'])
    expect(await waysOf(visit, 'Maple Row Clinic')).toEqual(['Overview', 'Plans'])
    const { employee_id } = await rosa()
    await page.goto(`${api.url}/console/people/${employee_id}`)
    await page.getByText('You don’t have access').waitFor()
    const { date_of_birth } = (await api.get(`/v1/employees/${employee_id}`, { key: api.story.api_key })).body.data
    const year = sure(/^\d{4}(?=-\d\d-\d\d$)/.exec(date_of_birth)?.[0])
    expect(await page.content()).not.toMatch(new RegExp(`\\b${year}\\b`))
    await turnTo(page, '/employers')
    await expect.poll(() => page.getByRole('link', { name: 'Add employer' }).count()).toBe(0)
    await turnTo(page, '/employers/add')
    await page.getByText('Requires admin or operations').waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Add employer' }).count()).toBe(0)
    await visit.close()
  })

  it.each(['SALES', 'ENROLLMENT_AGENT'] as const)(
    'requests nothing that %s may not read, and shows on each page that access is missing',
    async (role) => {
      const { page, complaints, close } = await visitOf(role)
      const refused: string[] = []
      page.on('response', (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`))
      const closed: string[] = []
      const pages = { ...(await pagesOfMember(api)), today: '/today', partners: '/partners', access: '/access' }
      for (const [name, path] of Object.entries(pages)) {
        await turnTo(page, path)
        expect(await page.locator('main').getByRole('alert').count(), name).toBe(0)
        if ((await page.getByText('You don’t have access.').count()) > 0) closed.push(name)
      }
      expect(refused.filter((one) => !one.startsWith('404'))).toEqual([])
      expect(closed).toEqual(expect.arrayContaining(['money', 'invoice', 'statement', 'settings', 'audit', 'today']))
      expect(closed.includes('person')).toBe(role === 'SALES')
      expect(complaints).toEqual([])
      await close()
    },
  )

  it('lets an ENROLLMENT_AGENT correct people, but not terminate them or upload rosters', async () => {
    const visit = await visitOf('ENROLLMENT_AGENT')
    const { page } = visit
    const { employee_id, employer_id } = await rosa()
    await turnTo(page, `/people/${employee_id}`)
    await page.getByRole('table', { name: 'Enrollments' }).getByRole('rowheader').first().waitFor()
    await expect.poll(() => page.getByRole('heading', { name: /^Deductions/ }).count()).toBe(0)
    // The role cannot open tax forms.
    await page.getByRole('link', { name: 'Correct' }).waitFor()
    expect(await page.getByRole('link', { name: 'Tax form' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Correct' }).press('Enter')
    await page.getByRole('button', { name: 'Preview changes' }).waitFor()
    await turnTo(page, `/people/${employee_id}/change?action=end`)
    await page.getByText('Requires admin or operations').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await turnTo(page, sure((await pagesOfMember(api))['reinstate-dependent']))
    await page.getByRole('button', { name: /^Reinstate/ }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: 'Show in the audit log' }).count()).toBe(0)
    await turnTo(page, `/employers/${employer_id}/census`)
    await page.getByText('Requires admin or operations').waitFor()
    expect(await waysOf(visit, 'Maple Row Clinic')).toEqual(['Overview', 'Employees', 'Plans', 'Activity'])
    await expect.poll(() => page.locator('input[type=file]').count()).toBe(0)
    await visit.close()
  })

  // All roles can use actions that change nothing.
  const reading_actions = ['Download as CSV', 'Download CSV', 'Download the PDF', 'Show more', 'CSV', 'Excel']

  it.each([
    ['support', 'Lena Strand', {}],
    [
      'billing',
      'Igor Blom',
      {
        'operated-invoices': ['Bill the current month'],
        'operated-invoice': ['Mark as paid', 'Void'],
      },
    ],
  ])(
    'offers a %s operator the allowed actions, and shows the required roles of the others',
    async (_role, name, offered) => {
      const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, name))
      const found: Record<string, string[]> = {}
      for (const [shot, path] of Object.entries(await pagesOfOperator(api))) {
        await turnTo(page, path)
        const actions = await page.locator('main :is(button, input[type=file], a.button)').allTextContents()
        const others = [...new Set(actions)].filter((action) => !reading_actions.includes(action))
        if (others.length > 0) found[shot] = others
        if (['catalog', 'builder', 'hris', 'hris-none', 'operated-plan-years', 'clocks'].includes(shot))
          await page.getByText('Requires owner or operations').first().waitFor()
      }
      expect(found).toEqual(offered)
      expect(complaints).toEqual([])
      await close()
    },
  )
}

/** The account menu of the console, and the front page of the sandbox. */
export function accountAtWork(scene: Scene): void {
  const { api } = scene

  it('shows shortcuts and themes in the account menu, and the day of the sandbox above the page', async () => {
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    await turnTo(page, '/employers')
    const ground = () => page.evaluate('getComputedStyle(document.body.parentElement).backgroundColor')
    const light = await ground()
    const menu = page.getByRole('button', { name: /^Maya Okafor/ })
    await menu.press('Enter')
    await page.getByRole('radio', { name: 'Dark' }).press('Space')
    await expect.poll(ground).not.toBe(light)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/^Maya Okafor/)
    const dark = await ground()
    await page.reload()
    await settled(page)
    expect(await ground()).toBe(dark)
    const banner = page.getByRole('region', { name: 'Sandbox' })
    await banner.getByText(/^Today is\s\w+\s\d+,\s\d{4}$/).waitFor()
    await expect.poll(() => page.locator('.identity svg').isVisible()).toBe(true)
    await menu.press('Enter')
    await page.getByText('Close or cancel').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expect.poll(() => banner.isVisible()).toBe(true)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(complaints).toEqual([])
    await close()
  })

  it('signs in as each of the four kinds of users on the front page of the sandbox', async () => {
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    const open = async (door: string) => {
      await page.goto(api.url, { waitUntil: 'load' })
      await expect.poll(() => page.evaluate('[...document.fonts].map(({ status }) => status)')).toEqual(['loaded'])
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: door }).first().press('Enter')
    }
    await open('Operator')
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.getByRole('button', { name: /^Olive Marsh/ }).press('Enter')
    await page.getByRole('link', { name: 'Switch person' }).press('Enter')
    await page.getByRole('heading', { name: 'OpenBenefits sandbox' }).waitFor()
    await open('Broker')
    await page.waitForURL(/\/console\/$/)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await open('HR')
    await page.getByRole('heading', { name: 'Benefits' }).waitFor()
    expect(new URL(page.url()).searchParams.get('widget')).toBe('employer-benefits')
    await open('Employee')
    await page.getByRole('heading', { name: 'Benefits' }).waitFor()
    expect(new URL(page.url()).searchParams.get('frame')).toBe('phone')
    expect(complaints).toEqual([])
    await close()
  })
}
