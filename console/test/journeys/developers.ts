import { expect, it } from 'vitest'
import { giveUpSubscription } from '../../../server/modules/events/webhooks/actions.ts'
import { faultsOf } from '../../../server/test/browser.ts'
import { sure } from '../../../server/test/pick.ts'
import { turnTo, type Scene } from '../stage.ts'

/** What those do who connect programs. */
export function developersAtWork(scene: Scene): void {
  const { api } = scene

  it('makes a key, whose secret is shown once, and revokes it', async () => {
    const { page } = scene.maya
    await turnTo(page, '/developers')
    await page.getByRole('link', { name: 'Create a key' }).press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Night export')
    await page.getByRole('checkbox', { name: /^Money/ }).press('Space')
    await page.getByRole('button', { name: 'Create the key' }).press('Enter')
    const secret = await page.getByText(/^obk_test_/).textContent()
    expect((await api.get('/v1/employers', { key: sure(secret) })).status).toBe(200)
    await page.getByRole('link', { name: 'Night export' }).press('Enter')
    await page.getByRole('button', { name: 'Revoke the key' }).press('Enter')
    const asked = page.getByRole('group', { name: 'Revoke the key' })
    await asked.getByText('This can’t be undone').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await asked.getByRole('button', { name: 'Revoke the key' }).press('Enter')
    await page.locator('.status', { hasText: 'Revoked' }).waitFor()
    const { data } = (await api.get('/v1/api-keys', { key: api.story.api_key })).body
    expect(data.find(({ name }) => name === 'Night export')?.status).toBe('revoked')
  }, 60_000)

  it('sends again what a receiver missed on the days that one drags over', async () => {
    const { page } = scene.maya
    const hook = await api.post(
      '/v1/webhook-subscriptions',
      { url: 'https://late.example.com/benefits' },
      { key: api.story.api_key },
    )
    await turnTo(page, `/developers/webhooks/${hook.body.data.id}`)
    const days = page.getByRole('group', { name: 'Days' })
    const { x, y, width } = sure(await days.locator('.days-track').boundingBox())
    const placeOf = (day: number) => x + 8 + ((width - 16) * day) / 59
    await page.mouse.move(placeOf(20), y + 10)
    await page.mouse.down()
    await page.mouse.move(placeOf(30), y + 10, { steps: 3 })
    await page.mouse.up()
    await days.getByText('11 days').waitFor()
    await page.mouse.move(placeOf(25), y + 10)
    await page.mouse.down()
    await page.mouse.move(placeOf(35), y + 10, { steps: 3 })
    await page.mouse.up()
    await days.getByText('Feb 9, 2026 – Feb 19, 2026').waitFor()
    await page.getByRole('slider', { name: 'Days: to' }).press('ArrowLeft')
    await days.getByText('Feb 9, 2026 – Feb 18, 2026').waitFor()
    expect(await faultsOf(page)).toEqual([])
    const sent = page.waitForRequest(/replay$/)
    await page.getByRole('button', { name: 'Resend' }).press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({
      since: expect.stringMatching(/^2026-02-(08|09)T/),
      until: expect.stringMatching(/^2026-02-(18|19)T/),
    })
    await page.getByText('On its way').waitFor()
  }, 60_000)

  it('tells of a webhook what was sent, what was answered, and sends it again; and asks before it is disabled', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const url = 'https://midnight.example.com/benefits'
    const hook = (await api.post('/v1/webhook-subscriptions', { url }, { key })).body.data.id
    await turnTo(page, `/developers/webhooks/${hook}`)
    await page.getByRole('button', { name: 'Send a test' }).press('Enter')
    const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /webhook_subscription\.test/ })
    await row.getByText('Pending').waitFor()
    await page.getByRole('button', { name: 'Disable' }).press('Enter')
    const asked = page.getByRole('group', { name: 'Disable' })
    await asked.getByText('what waits now is given up').waitFor()
    await asked.getByRole('button', { name: 'Disable' }).press('Enter')
    const enable = page.getByRole('button', { name: 'Enable' })
    await enable.waitFor()
    await api.work()
    await enable.press('Enter')
    await page.getByRole('checkbox', { name: 'Failed' }).press('Space')
    await row.getByText('The subscription was disabled.').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await row.getByRole('button', { name: 'Resend' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Waiting' }).press('Space')
    await row.getByText('Pending').waitFor()
    expect(
      (await api.get(`/v1/webhook-subscriptions/${hook}/deliveries?outcome=waiting`, { key })).body.data,
    ).toHaveLength(1)
  }, 60_000)

  it('says of a webhook that was given up what was missed, and proposes those days once it is enabled', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const url = 'https://former-bridge.example.com/benefits'
    const hook = (await api.post('/v1/webhook-subscriptions', { url }, { key })).body.data.id
    await api.post(`/v1/webhook-subscriptions/${hook}/test` as const, {}, { key })
    await api.act((ctx) => giveUpSubscription(ctx, hook, 'failing'))
    await api.work()
    await turnTo(page, `/developers/webhooks/${hook}`)
    await page.getByRole('heading', { name: 'Given up' }).waitFor()
    await page.getByText('1 event, listed below as failed, and all that happened since').waitFor()
    // What nothing can be sent to is offered nothing.
    expect(await page.getByRole('button', { name: 'Resend' }).count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Enable' }).press('Enter')
    await page.getByTitle(/^Missed from/).waitFor()
    await page.waitForURL(/missed=\d{4}-\d\d-\d\d/)
    expect(await page.getByRole('heading', { name: 'Given up' }).count()).toBe(0)
    expect(await faultsOf(page)).toEqual([])
  }, 60_000)
}
