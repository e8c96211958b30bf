import { expect, it } from 'vitest'
import { first } from '../../../server/test/pick.ts'
import { turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** What becomes of people’s work when something goes wrong. */
export function troublesAtWork(scene: Scene): void {
  const { api } = scene

  it('keeps what is typed when the session ends, and goes on after another sign-in', async () => {
    const user_id = await userCalled(api, 'Omar Haddad')
    const { page, close } = await visitAs(scene.browser, api, user_id)
    await turnTo(page, '/groups?add=yes')
    const name = '"><img src=x onerror="document.title=1">'
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Your reference').fill('TAKEN')
    const operator = { key: api.operator_key }
    const sessions = await api.get(`/operator/v1/sessions?user_id=${user_id}`, operator)
    await api.call('DELETE', `/operator/v1/sessions/${first(sessions.body.data).id}`, operator)
    const ended = page.getByText('Your session has ended. What you typed stays')
    await page.getByRole('button', { name: 'Add the group' }).press('Enter')
    await ended.waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe(name)
    const other = await page.context().newPage()
    await other.goto(`${api.url}/sign-in`)
    await other.locator(`form[action$="${user_id}"] button`).click()
    await other.getByRole('navigation', { name: 'Main' }).waitFor()
    await other.close()
    await page.evaluate(`dispatchEvent(new Event('focus'))`)
    await ended.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add the group' }).press('Enter')
    await page.getByRole('heading', { name }).waitFor()
    expect(await page.title()).toContain('onerror')
    await close()
  }, 90_000)

  it('says when the service is slow or fails, and tries again', async () => {
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
  }, 60_000)
}
