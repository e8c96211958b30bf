import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { first } from '../../../server/test/pick.ts'
import { type Scene, settled, tooWideAt, turnTo, userCalled, visitAs } from '../stage.ts'

/** Journeys through failures, which must not lose the user's work. */
export function troublesAtWork(scene: Scene): void {
  const { api } = scene

  it('keeps form entries when the session ends, and continues after another sign-in', async () => {
    const user_id = await userCalled(api, 'Omar Haddad')
    const { page, close } = await visitAs(scene.browser, api, user_id)
    await turnTo(page, '/groups?add=yes')
    const name = '"><img src=x onerror="document.title=1">'
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Your reference').fill('TAKEN')
    const operator = { key: api.operator_key }
    const sessions = await api.get(`/operator/v1/sessions?user_id=${user_id}`, operator)
    await api.call('DELETE', `/operator/v1/sessions/${first(sessions.body.data).id}`, operator)
    const ended = page.getByText('Your session has ended. Your entries stay here')
    await page.getByRole('button', { name: 'Add group' }).press('Enter')
    await ended.waitFor()
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe(name)
    const other = await page.context().newPage()
    await other.goto(`${api.url}/sign-in`)
    await other.locator(`form[action$="${user_id}"] button`).click()
    await other.getByRole('navigation', { name: 'Main' }).waitFor()
    await other.close()
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await ended.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add group' }).press('Enter')
    await page.getByRole('heading', { name }).waitFor()
    expect(await page.title()).toContain('onerror')
    await close()
  })

  it('shows that the service is slow or failing, and retries', async () => {
    const { page } = scene.maya
    const answer = {
      code: 'internal',
      message: 'Something went wrong on our side.',
      trace_id: 'trace-1',
      error: { code: 'internal' },
    }
    let [pass, held] = [() => undefined as void, true]
    await page.route('**/v1/groups?*', async (route) => {
      if (!held) return route.continue()
      await new Promise<void>((go) => (pass = go))
      return route.fulfill({ status: 500, json: answer })
    })
    await page.evaluate(`history.pushState({}, '', '/console/groups?add=no')`)
    await page.locator('table[aria-busy=true]').waitFor()
    const alert = page.getByRole('alert')
    for (let failures = 0; (await alert.count()) === 0; failures++) {
      expect(failures).toBeLessThan(200)
      pass()
      await page.waitForTimeout(50)
    }
    held = false
    await alert.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.getByRole('table', { name: 'Groups' }).getByRole('rowheader').first().waitFor()
    await page.unroute('**/v1/groups?*')
  })

  it('keeps the frame when the service stops before a page loads, and loads the page when it is back', async () => {
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    await settled(page)
    // Simulates a stopped server.
    await page.route('**/*', (route) => route.abort('connectionrefused'))
    const main = page.getByRole('navigation', { name: 'Main' })
    await main.getByRole('link', { name: 'Groups' }).press('Enter')
    await page.getByRole('heading', { name: 'This page has not loaded yet' }).waitFor()
    const bar = page.getByRole('status').filter({ hasText: 'You’re offline' })
    await bar.getByText('Check your connection').waitFor()
    await expect.poll(() => main.isVisible()).toBe(true)
    expect(new URL(page.url()).pathname).toBe('/console/groups')
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    await bar.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.getByRole('heading', { name: 'This page has not loaded yet' }).waitFor()
    await page.unroute('**/*')
    await bar.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.getByRole('heading', { name: 'Groups' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Groups' }).getByRole('rowheader').first().waitFor()

    // A loaded page without its data also recovers by itself.
    await main.getByRole('link', { name: 'Employers' }).press('Enter')
    await page.getByRole('table', { name: 'Employers' }).getByRole('rowheader').first().waitFor()
    await page.route('**/v1/**', (route) => route.abort('connectionrefused'))
    await page.route('**/console/', (route) => route.abort('connectionrefused'))
    await page.getByRole('searchbox').fill('maple')
    const trouble = page.getByRole('alert').filter({ hasText: 'This loads as soon as the service responds' })
    await trouble.waitFor()
    await bar.waitFor()
    await page.unroute('**/v1/**')
    await page.unroute('**/console/')
    await trouble.waitFor({ state: 'detached' })
    await page.getByRole('rowheader', { name: 'Maple Row Clinic' }).waitFor()
    await bar.waitFor({ state: 'detached' })
    // React logs the errors that the page displays.
    expect(complaints.filter((text) => !/does not respond|can’t be loaded/.test(text))).toEqual([])
    await close()
  })

  it('reloads the console once when an upgrade has renamed the files of a page', async () => {
    const { page, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    await settled(page)
    let loads = 0
    page.on('request', (request) => (loads += Number(request.isNavigationRequest())))
    const gone = /\/assets\/groups-[^/]*\.js$/
    let left = 1
    const rename = () =>
      page.route(gone, (route) => (left-- > 0 ? route.fulfill({ status: 404, body: 'Not found' }) : route.continue()))
    await rename()
    const main = page.getByRole('navigation', { name: 'Main' })
    await page.evaluate(`history.pushState({}, '', '/console/groups')`)
    await page.getByRole('table', { name: 'Groups' }).getByRole('rowheader').first().waitFor()
    expect([loads, new URL(page.url()).pathname]).toEqual([1, '/console/groups'])

    // A file that stays missing does not reload the console forever.
    await page.evaluate(`location.assign('/console/employers')`)
    await page.getByRole('heading', { name: 'Employers' }).waitFor()
    loads = 0
    left = Infinity
    await page.evaluate(`history.pushState({}, '', '/console/groups')`)
    await page.getByRole('heading', { name: 'This page can’t be loaded' }).waitFor()
    expect(loads).toBe(1)
    await expect.poll(() => main.isVisible()).toBe(true)
    await close()
  })
}
