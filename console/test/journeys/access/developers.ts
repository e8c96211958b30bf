import readWorkbook from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { disableByService } from '../../../../server/modules/events/webhooks/actions.ts'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { sure } from '../../../../server/test/pick.ts'
import { type Scene, turnTo } from '../../stage.ts'

/** Journeys of developers. */
export function developersAtWork(scene: Scene): void {
  const { api } = scene

  it('creates a key, shows its secret once, and revokes it', async () => {
    const { page } = scene.maya
    await turnTo(page, '/developers')
    await page.getByRole('link', { name: 'Create key' }).press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('Night export')
    await page.getByRole('checkbox', { name: /^Money/ }).press('Space')
    await page.getByRole('button', { name: 'Create key' }).press('Enter')
    const secret = await page.getByText(/^obk_test_/).textContent()
    expect((await api.get('/v1/employers', { key: sure(secret) })).status).toBe(200)
    await page.getByRole('link', { name: 'Night export' }).press('Enter')
    await page.getByRole('button', { name: 'Revoke key' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Revoke key' })
    await confirmation.getByText('You can’t undo this').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await confirmation.getByRole('button', { name: 'Revoke key' }).press('Enter')
    await page.locator('.status', { hasText: 'Revoked' }).waitFor()
    const { data } = (await api.get('/v1/api-keys', { key: api.story.api_key })).body
    expect(data.find(({ name }) => name === 'Night export')?.status).toBe('revoked')
  })

  it('resends missed events of the selected days, and refuses a last day before the first', async () => {
    const { page } = scene.maya
    const hook = await api.post(
      '/v1/webhook-subscriptions',
      { url: 'https://late.example.com/benefits' },
      { key: api.story.api_key },
    )
    await turnTo(page, `/developers/webhooks/${hook.body.data.id}`)
    await page.locator('summary', { hasText: 'Resend missed events' }).press('Enter')
    await page.getByLabel('First day').fill('2026-02-09')
    await page.getByLabel('Last day').fill('2026-02-01')
    await page.getByRole('button', { name: 'Resend' }).press('Enter')
    await page.getByText('must not be before the first day').first().waitFor()
    await page.getByLabel('Last day').fill('2026-02-18')
    expect(await accessibilityViolations(page)).toEqual([])
    const sent = page.waitForRequest(/replay$/)
    await page.getByRole('button', { name: 'Resend' }).press('Enter')
    expect((await sent).postDataJSON()).toMatchObject({
      since: expect.stringMatching(/^2026-02-(08|09)T/),
      until: expect.stringMatching(/^2026-02-(18|19)T/),
    })
    await page.getByText('are being sent in order').waitFor()
  })

  it('shows the deliveries of a webhook, resends one, and disables the webhook after a confirmation', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const url = 'https://midnight.example.com/benefits'
    const hook = (await api.post('/v1/webhook-subscriptions', { url }, { key })).body.data.id
    await turnTo(page, `/developers/webhooks/${hook}`)
    await page.getByRole('button', { name: 'Send test event' }).press('Enter')
    const row = page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name: /webhook_subscription\.test/ })
    await row.getByText('Pending').waitFor()
    await page.getByRole('button', { name: 'Disable' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Disable' })
    await confirmation.getByText('waiting deliveries are dropped').waitFor()
    await confirmation.getByRole('button', { name: 'Disable' }).press('Enter')
    const enable = page.getByRole('button', { name: 'Enable' })
    await enable.waitFor()
    await api.work()
    await enable.press('Enter')
    await page.getByRole('checkbox', { name: 'Failed' }).press('Space')
    await row.getByText('The subscription was disabled.').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await row.getByRole('button', { name: 'Resend' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Waiting' }).press('Space')
    await row.getByText('Pending').waitFor()
    expect(
      (await api.get(`/v1/webhook-subscriptions/${hook}/deliveries?outcome=waiting`, { key })).body.data,
    ).toHaveLength(1)
  })

  it('shows the missed events of a disabled webhook, and preselects their days once it is enabled', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const url = 'https://former-bridge.example.com/benefits'
    const hook = (await api.post('/v1/webhook-subscriptions', { url }, { key })).body.data.id
    await api.post(`/v1/webhook-subscriptions/${hook}/test` as const, {}, { key })
    await api.act((ctx) => disableByService(ctx, hook, 'failing'))
    await api.work()
    await turnTo(page, `/developers/webhooks/${hook}`)
    await page.getByRole('heading', { name: 'Disabled automatically' }).waitFor()
    await page.getByText('1 failed delivery listed below, and all later events').waitFor()
    // A disabled webhook offers no resend.
    await expect.poll(() => page.getByRole('button', { name: 'Resend' }).count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Enable' }).press('Enter')
    await page.getByText(/^Events may have been missed since/).waitFor()
    await page.waitForURL(/missed=\d{4}-\d\d-\d\d/)
    await expect.poll(() => page.getByRole('heading', { name: 'Disabled automatically' }).count()).toBe(0)
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('downloads the audit log as Excel, with the columns of its CSV', async () => {
    const { page } = scene.maya
    await api.get('/v1/groups')
    const entries = async () => (await api.get('/v1/audit-entries?operation=groups_list')).body.data.length
    await expect.poll(entries).toBeGreaterThan(0)
    await turnTo(page, '/audit?operation=groups_list')
    await page.locator('summary', { hasText: 'Export' }).press('Enter')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Excel' }).press('Enter'),
    ])
    expect(file.suggestedFilename()).toBe('audit-log.xlsx')
    const [sheet] = await readWorkbook((await file.path())!)
    const [header, ...rows] = sure(sheet).data
    expect(header).toEqual(expect.arrayContaining(['Occurred at', 'Operation', 'Outcome']))
    expect(rows.length).toBeGreaterThan(0)
    expect(new Set(rows.map((row) => row[sure(header).indexOf('Operation')]))).toEqual(new Set(['groups_list']))
    expect(await accessibilityViolations(page)).toEqual([])
  })
}
