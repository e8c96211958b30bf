import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { aMember } from '../../../server/test/fixtures.ts'
import { first, sure } from '../../../server/test/pick.ts'
import { settled, tooWideAt, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** Journeys through notes, and the settings and history of messages. */
export function notesAtWork(scene: Scene): void {
  const { api } = scene
  const key = () => api.story.api_key
  const employerCalled = async (search: string) =>
    sure((await api.get(`/v1/employers?search=${search}`, { key: key() })).body.data[0]).id

  it.each([1440, 390])(
    'assigns a note to a colleague, who completes and reopens her task, at a width of %s px',
    async (width) => {
      const { user_id } = await aMember(api, api.story.organization_id, 'OPERATIONS')
      const { name } = sure(
        (await api.get('/v1/organization-members?limit=100', { key: key() })).body.data.find(
          (member) => member.user_id === user_id,
        ),
      )
      const employer_id = await employerCalled('Granite')
      const viewport = { width, height: 844 }
      const maya = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'), { viewport })
      const { page } = maya
      await turnTo(page, `/employers/${employer_id}`)
      await page.getByRole('button', { name: 'Add note' }).press('Enter')
      const text = page.getByLabel('Note', { exact: true })
      await text.fill('Call Priya before Friday.\nShe prefers <b>mornings</b>. ')
      // The list of members follows the letters after the sign, and the keyboard chooses one.
      await text.press('End')
      await text.pressSequentially('@')
      const list = page.getByRole('listbox', { name: 'Members' })
      await list.getByRole('option').nth(1).waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await scene.draw?.(page, `note-mention-${width}`)
      await text.press('ArrowUp')
      await text.press('Escape')
      await list.waitFor({ state: 'detached' })
      await text.pressSequentially(name.toLowerCase())
      await list.getByRole('option', { name, exact: true, selected: true }).waitFor()
      await text.press('Enter')
      await list.waitFor({ state: 'detached' })
      await expect.poll(() => text.inputValue()).toMatch(new RegExp(`mornings</b>. @${name} $`))
      await scene.draw?.(page, `note-form-${width}`)
      await page.getByRole('button', { name: 'Save note' }).press('Enter')
      await page.getByRole('listitem').getByText('She prefers <b>mornings</b>.').waitFor()
      await page.getByText(`@${name}`).waitFor()
      await settled(page)
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await tooWideAt(page)).toEqual([])
      await scene.draw?.(page, `notes-${width}`)

      const colleague = await visitAs(scene.browser, api, user_id, { viewport })
      const row = colleague.page.getByRole('row').filter({ hasText: 'A note mentions you' })
      await row.getByText('Call Priya before Friday.').waitFor()
      await row.getByRole('button', { name: 'Done' }).press('Enter')
      await row.getByRole('button', { name: 'Undo' }).waitFor()
      await scene.draw?.(colleague.page, `note-task-${width}`)
      const open = async () => (await api.get(`/v1/employers/${employer_id}/notes`, { key: key() })).body.data
      await expect.poll(async () => sure((await open())[0]).mentions[0]?.done_at).not.toBe(null)
      // Waits until the button is enabled, which ignores the second half of a double click.
      await row.getByRole('button', { name: 'Undo' }).click()
      await expect.poll(async () => sure((await open())[0]).mentions[0]?.done_at).toBe(null)
      expect(colleague.complaints).toEqual([])
      await colleague.close()

      // The newest note is the first.
      await page.getByRole('button', { name: 'Edit' }).first().press('Enter')
      await page.getByLabel('Note', { exact: true }).fill('Priya is done.')
      await page.getByRole('checkbox', { name: 'Share with the employer' }).press('Space')
      await page.getByRole('button', { name: 'Save changes' }).press('Enter')
      const edited = page.getByRole('listitem').filter({ hasText: 'Priya is done.' })
      await edited.getByText('Shared with the employer').waitFor()
      await edited.getByRole('button', { name: 'Delete' }).press('Enter')
      await edited.getByRole('group', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).press('Enter')
      await edited.waitFor({ state: 'detached' })
      expect(maya.complaints).toEqual([])
      await maya.close()
    },
  )

  it('shows the messages sent to a person on the person’s page, and saves how messages are sent', async () => {
    const { page } = scene.maya
    const employer_id = await employerCalled('Granite')
    const path = `/v1/employers/${employer_id}` as const
    const { benefit_plan_year_id } = first((await api.get(`${path}/enrollment-windows`, { key: key() })).body.data)
    await api.post(`${path}/enrollment-reminders`, { benefit_plan_year_id }, { key: key() })
    const message = first((await api.get(`${path}/enrollment-messages`, { key: key() })).body.data)
    await turnTo(page, `/people/${message.employee_id}`)
    const sent = page.getByRole('table', { name: 'Sent messages' })
    await sent.getByRole('link', { name: 'Reminder' }).first().press('Enter')
    await page
      .frameLocator('iframe[title=Email]')
      .getByText(/^Hello /)
      .waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    await scene.draw?.(page, 'person-messages')
    await turnTo(page, '/settings')
    await page.getByLabel('Sender name').fill('Harbor Benefits Team')
    await scene.draw?.(page, 'organization-settings')
    await page.getByRole('button', { name: 'Save messages' }).press('Enter')
    await page.getByText('Saved.').waitFor()
    const settings = await api.get('/v1/enrollment-message-settings', { key: key() })
    expect(settings.body.data.sender_name).toBe('Harbor Benefits Team')
  })

  it('schedules the export of a filtered list by email, and deletes it again', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers?stage=active')
    await page.locator('summary', { hasText: 'Export' }).press('Enter')
    await page.getByRole('link', { name: 'By email' }).press('Enter')
    await page.getByRole('heading', { name: 'New scheduled export' }).waitFor()
    await page.getByText('Benefit lifecycle stage: Active').waitFor()
    await page.getByLabel('Name').fill('Active employers')
    await page.getByRole('button', { name: 'Schedule export' }).press('Enter')
    const row = page.getByRole('table', { name: 'Scheduled exports' }).getByRole('row', { name: /^Active employers/ })
    await row.getByText('Each Monday').waitFor()
    await settled(page)
    expect(await accessibilityViolations(page)).toEqual([])
    await scene.draw?.(page, 'scheduled-exports')
    const { data } = (await api.get('/v1/scheduled-exports', { key: key() })).body
    expect(first(data)).toMatchObject({
      list: 'employers',
      format: 'xlsx',
      parameters: { benefit_lifecycle_stage: ['active'] },
      recipients: [{ name: 'Maya Okafor' }],
    })
    await row.getByRole('button', { name: 'Delete Active employers' }).press('Enter')
    await page.getByRole('group', { name: 'Delete' }).getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('No scheduled exports yet.').waitFor()
  })
}
