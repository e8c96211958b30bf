import { expect, it } from 'vitest'
import { aPerson, createEmployer } from '../../../server/test/fixtures.ts'
import { review } from './censuses.ts'
import { colleaguesOf, settled, turnTo, type Scene } from '../stage.ts'

/** The journey through a census of a thousand rows and a roster of ten thousand. */
export function largeRosterAtWork(scene: Scene): void {
  const { api } = scene

  it('corrects twelve of a thousand rows in place, applies them, and scrolls a roster of ten thousand', async () => {
    const { page, complaints } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const { data: first } = (await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })).body
    await colleaguesOf(api, first.id, 8_999)
    const people = Array.from({ length: 1_000 }, () => aPerson())
    const columns = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth', 'start_date'] as const
    const rows = people.map((person, at) =>
      columns.map((column) => (at % 90 === 3 && column === 'date_of_birth' ? '1990-02-31' : person[column])),
    )
    const csv = [columns, ...rows].map((row) => row.join()).join('\n')
    await turnTo(page, `/employers/${employer_id}/census`)
    const file = { name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.getByLabel('Drop a CSV or Excel file here, or choose one').setInputFiles(file)
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await page.getByRole('heading', { name: '12 rows to fix' }).waitFor()
    const cells = page.getByLabel(/^Date of birth of/)
    await cells.first().focus()
    for (let left = 12; left > 0; left--) {
      // Each corrected row moves the focus to the next one.
      await page.locator(':focus').fill('1990-02-28')
      await page.keyboard.press('Enter')
      await expect.poll(() => cells.count()).toBe(left - 1)
    }
    await review(page)
    await page.getByRole('button', { name: 'Add 1,000' }).press('Enter')
    await page.getByText('0 of 1,000 rows done').waitFor()
    await api.work()
    await page.getByText('1,000 of 1,000 rows done').waitFor()

    await page.getByRole('link', { name: 'Roster', exact: true }).press('Enter')
    const table = page.getByRole('table', { name: 'Roster' })
    await table.getByRole('rowheader').first().waitFor()
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('10001')
    await settled(page)
    const last = page.locator('tr[aria-rowindex="10001"] th')
    // A new page may still scroll to its heading.
    await expect
      .poll(async () => {
        await page.evaluate('scrollTo(0, document.body.scrollHeight)')
        return last.count()
      })
      .toBe(1)
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(120)
    expect(complaints).toEqual([])
  })
}
