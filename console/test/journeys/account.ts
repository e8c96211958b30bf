import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { settled, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** The account menu of the console, and the front page of the sandbox. */
export function accountAtWork(scene: Scene): void {
  const { api } = scene

  it('changes the theme in the account menu, and keeps it after a reload', async () => {
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
    await page.getByText(/^Sandbox,\s\w+\s\d+,\s\d{4}$/).waitFor()
    expect(complaints).toEqual([])
    await close()
  }, 90_000)

  it('signs in as each of the four kinds of users on the front page of the sandbox', async () => {
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    const open = async (door: string) => {
      await page.goto(api.url, { waitUntil: 'load' })
      expect(await accessibilityViolations(page)).toEqual([])
      await page.getByRole('button', { name: door }).first().press('Enter')
    }
    await open('Operator')
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.getByRole('button', { name: /^Olive Marsh/ }).press('Enter')
    await page.getByRole('link', { name: 'Switch person' }).press('Enter')
    await page.getByRole('heading', { name: 'OpenBenefits sandbox' }).waitFor()
    await open('Broker')
    await page.getByRole('heading', { name: 'Employers' }).waitFor()
    await open('HR')
    await page.getByRole('heading', { name: 'Benefits' }).waitFor()
    expect(new URL(page.url()).searchParams.get('widget')).toBe('employer-benefits')
    await open('Employee')
    await page.getByRole('heading', { name: 'Benefits' }).waitFor()
    expect(new URL(page.url()).searchParams.get('frame')).toBe('phone')
    expect(complaints).toEqual([])
    await close()
  }, 90_000)
}
