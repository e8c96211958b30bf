import { describe, expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { useMailServer } from '../../../server/test/fakes/mail-server.ts'
import { first, sure } from '../../../server/test/pick.ts'
import { settled, tooWideAt, turnTo, type Scene } from '../stage.ts'

/** Journeys through the enrollment center. */
export function enrollmentAtWork(scene: Scene): void {
  const { api } = scene
  const openWindow = async () => {
    const key = api.story.api_key
    const employer_id = sure((await api.get('/v1/employers?search=Granite', { key })).body.data[0]).id
    const window = first((await api.get(`/v1/employers/${employer_id}/enrollment-windows`, { key })).body.data)
    return { employer_id, window }
  }

  describe('with a mail server', () => {
    const server = useMailServer(api)
    /** A live organization sends its emails. A sandbox organization shows them in its mailbox. */
    const beLive = (is_live: boolean) =>
      api.database.pool.query('update organizations set sandbox = $2 where id = $1', [
        api.story.organization_id,
        !is_live,
      ])

    it('previews and sends a reminder to everyone who has not enrolled, three clicks from the home page', async () => {
      const { page } = scene.maya
      const { employer_id, window } = await openWindow()
      const { can_answer } = window
      expect(can_answer).toBeGreaterThan(1)
      const list = `/v1/employers/${employer_id}/enrollment-windows/${window.benefit_plan_year_id}/people` as const
      const { data } = (await api.get(`${list}?can_answer=true`, { key: api.story.api_key })).body
      const addresses = data.map(({ email }) => email).toSorted()
      await beLive(true)
      await turnTo(page, '/')
      await page.getByRole('table', { name: 'Open enrollment' }).getByRole('link', { name: 'Granite Freight' }).click()
      await page.getByText('have responded for every benefit').waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      expect(await tooWideAt(page)).toEqual([])
      await page.getByRole('link', { name: `Remind ${can_answer}` }).click()
      const plan = page.getByRole('region', { name: 'Send reminders' })
      await plan.getByText(`${can_answer} will be reminded`).waitFor()
      await plan.getByText(/^Reminder: choose your Granite Freight benefits by /).waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
      await plan.getByRole('button', { name: `Send ${can_answer} reminders` }).click()
      await page.getByText(`${can_answer} people were reminded.`).waitFor()
      await api.work()
      await beLive(false)
      expect(server.received.map(({ to }) => sure(to?.[0]).address).toSorted()).toEqual(addresses)
      for (const { subject, text } of server.received) {
        expect(subject).toMatch(/^Reminder: choose your Granite Freight benefits by /)
        expect(text).toMatch(/Choose my benefits: http\S+\/benefits\/org_/)
      }
      const history = page.getByRole('table', { name: 'Sent messages' })
      await expect.poll(() => history.getByText('Sent', { exact: true }).count()).toBe(can_answer)
      await history.getByRole('link').first().click()
      await page
        .frameLocator('iframe[title=Email]')
        .getByText(/^Hello /)
        .waitFor()
      expect(await accessibilityViolations(page)).toEqual([])
    })
  })

  it('shows the emails of all employers in the mailbox of a sandbox', async () => {
    const { page } = scene.maya
    await turnTo(page, '/settings/mailbox')
    const mailbox = page.getByRole('table', { name: 'Mailbox' })
    await mailbox.getByText('Granite Freight').first().waitFor()
    await mailbox.getByRole('link').first().press('Enter')
    const email = page.frameLocator('iframe[title=Email]')
    await email.getByText(/^Hello /).waitFor()
    // The policy of the console allows the styles of the email.
    const button = email.getByRole('link', { name: 'Choose my benefits' })
    expect(await button.evaluate((link: any) => link.style.fontWeight)).toBe('600')
    expect(await accessibilityViolations(page)).toEqual([])
    await scene.draw?.(page, 'mailbox')
  })

  it('reminds only chosen people, and each at most once a day', async () => {
    const { page } = scene.maya
    const { employer_id } = await openWindow()
    await turnTo(page, `/employers/${employer_id}/enrollment`)
    await page.getByRole('checkbox', { name: 'Not started' }).waitFor()
    const people = page.getByRole('table', { name: 'People' })
    await people.locator('input:enabled').first().press('Space')
    await page.getByRole('link', { name: 'Remind 1' }).press('Enter')
    const plan = page.getByRole('region', { name: 'Send reminders' })
    await plan.getByText('already got a message today').waitFor()
    await plan.getByText('No one can be reminded now.').waitFor()
    await page.reload()
    await plan.getByText('already got a message today').waitFor()
    await plan.getByRole('button', { name: 'Back' }).press('Enter')
    await page.getByRole('link', { name: 'Remind 1' }).waitFor()
  })

  it('saves the automatic messages of an employer', async () => {
    const { page } = scene.maya
    const { employer_id } = await openWindow()
    await turnTo(page, `/employers/${employer_id}/enrollment`)
    await page.getByRole('checkbox', { name: 'Reminder 3 days before the last day' }).press('Space')
    await page.getByRole('button', { name: 'Save messages' }).press('Enter')
    await page.getByText('Saved.').waitFor()
    await settled(page)
    await page.reload()
    await expect
      .poll(() => page.getByRole('checkbox', { name: 'Reminder 3 days before the last day' }).isChecked())
      .toBe(true)
  })
}
