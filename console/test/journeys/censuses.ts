import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { aPerson, createEmployer } from '../../../server/test/fixtures.ts'
import { outOfReach, type Scene, tooWideAt, turnTo, userCalled, visitAs } from '../stage.ts'

const choose = (page: Page, name: string, lines: string[]) =>
  page
    .getByLabel('Drop a CSV file here, or choose one')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })

/** Journeys of members who upload a roster. */
export function censusesAtWork(scene: Scene): void {
  const { api } = scene

  it('corrects, removes and downloads rows of a roster, and keeps them after a reload', async () => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    const people = Array.from({ length: 5 }, () => aPerson())
    const [ann, , , , eve] = people as [(typeof people)[0], unknown, unknown, unknown, (typeof people)[0]]
    const cells = [
      ['Full-time', '07/04/85'],
      ['ACTIVE', '31232'],
      ['active', '7/4/1985'],
      ['FT', '4-Jul-85'],
      ['', '1985-07-04'],
    ]
    const header = 'Employee ID,First,Last,Email,Mobile,DOB,Employment type'
    const rows = people.map(({ first_name, last_name, email, phone }, at) =>
      [`E-${at}`, first_name, last_name, email, phone, cells[at]![1], cells[at]![0]].join(),
    )
    // The last row is Ann again, under another reference.
    rows.push(['', ann.first_name, ann.last_name, ann.email, ann.phone, '07/04/85', 'FT'].join())
    await turnTo(page, `/employers/${employer_id}/census`)
    await choose(page, 'roster.csv', [header, ...rows])

    // The user assigns a meaning to an unknown value once, for all rows and spellings.
    const next = page.getByRole('button', { name: 'Preview changes' })
    await page.getByText('Choose what “ACTIVE” means.').waitFor()
    expect(await next.isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Meaning of ACTIVE in Class' }).selectOption('Full Time')
    expect(await page.getByRole('combobox', { name: 'Meaning of FT in Class' }).inputValue()).toBe('Full Time')
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    await page.reload()
    await page.getByRole('combobox', { name: 'Meaning of ACTIVE in Class' }).waitFor()
    await next.press('Enter')

    await page.getByRole('heading', { name: '1 row to correct first' }).waitFor()
    await page.getByText('is the same as in row 1 (reference E-0)').waitFor()
    expect(await page.getByText('employees[').count()).toBe(0)
    await page.reload()
    await page.getByText('is the same as in row 1 (reference E-0)').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    expect(await outOfReach(page)).toEqual([])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download these rows as CSV' }).press('Enter'),
    ])
    expect(download.suggestedFilename()).toBe('roster.failures.csv')
    expect((await readFile((await download.path())!, 'utf8')).split(/\r?\n/)).toEqual([
      `\uFEFFfailed_row,failed_field,failed_reason,${header}`,
      expect.stringMatching(/^6,email,is the same as in row 1 \(reference E-0\),,.+,07\/04\/85,FT$/),
      '',
    ])

    // The browser's Back and Forward and the page's own buttons both move between the steps.
    await page.getByRole('button', { name: 'Back', exact: true }).press('Enter')
    await next.waitFor()
    await page.goBack()
    await page.getByText('is the same as in row 1').waitFor()

    await page.getByRole('button', { name: `Remove row 6, ${ann.first_name} ${ann.last_name}` }).press('Enter')
    const with_eve = page.getByRole('region', { name: 'Changes from 5 rows' })
    await with_eve.getByRole('heading', { name: '1 row to check' }).waitFor()
    await with_eve.getByText(`${eve.first_name} ${eve.last_name} (row 5, E-4)`).waitFor()
    await page.getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByText('is the same as in row 1').waitFor()
    await page.getByRole('button', { name: /^Remove row 6/ }).press('Enter')
    // A valid row can also be removed.
    await page.getByRole('button', { name: `Remove row 5, ${eve.first_name} ${eve.last_name}` }).press('Enter')
    const plan = page.getByRole('region', { name: 'Changes from 4 rows' })
    await plan.waitFor()
    await page.getByText('2 rows removed: 6, 5.').waitFor()
    await plan.getByRole('button', { name: 'Apply to 4 people' }).press('Enter')
    await page.getByText('0 of 4 rows done').waitFor()
    await api.work()
    await page.getByText('4 of 4 rows done').waitFor()
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees`, { key })).body
    const facts = data.map(({ reference_id, date_of_birth, employee_class }) => [
      reference_id,
      date_of_birth,
      employee_class,
    ])
    expect(facts.toSorted()).toEqual(['E-0', 'E-1', 'E-2', 'E-3'].map((id) => [id, '1985-07-04', 'Full Time']))
    // The draft, which is personal data, is deleted once it is applied.
    await expect
      .poll(() => page.evaluate('Object.keys(sessionStorage).filter((key) => /roster/.test(key))'))
      .toEqual([])
    await page.getByRole('button', { name: 'Choose another file' }).press('Enter')
    await choose(page, 'next.csv', [header, ...rows])
    await page.getByRole('button', { name: 'Choose another file' }).press('Enter')
    await page.getByText('Drop a CSV file here').waitFor()
    await choose(page, 'next.csv', [header, ...rows])
    await page.getByRole('heading', { name: 'next.csv, 6 rows' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  }, 120_000)

  it('terminates missing people only after it names them and their number is typed', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const staff = Array.from({ length: 18 }, (_, at) => ({ ...aPerson(), reference_id: `S-${at}` }))
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: staff }, { key })
    await api.work()
    api.wait(1000)
    const columns = ['reference_id', 'first_name', 'last_name', 'email', 'phone', 'date_of_birth'] as const
    const fileOf = (people: typeof staff) => [
      columns.join(),
      ...people.map((one) => columns.map((column) => one[column]).join()),
    ]
    const nameOf = (one: (typeof staff)[0]) => `${one.first_name} ${one.last_name}`

    await turnTo(page, `/employers/${employer_id}/census`)
    await choose(page, 'other.csv', fileOf([{ ...aPerson(), reference_id: 'NEW' }]))
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByRole('combobox', { name: 'People missing from the file' }).selectOption('are terminated')
    const plan = page.getByRole('region', { name: 'Changes from 1 row' })
    await plan.getByRole('heading', { name: '18 missing from the file' }).waitFor()
    await plan.getByText(nameOf(staff[0]!), { exact: true }).waitFor()
    await plan.getByRole('button', { name: 'Apply to 1 person, then decide about 18 people' }).press('Enter')
    await page.getByText('0 of 1 row done').waitFor()
    await api.work()
    await page.getByRole('heading', { name: '18 people missing from the file' }).waitFor()
    for (const one of staff) await page.getByText(nameOf(one), { exact: true }).first().waitFor()
    await page.getByRole('button', { name: 'Terminate 18 people' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Terminate 18 people' })
    const button = confirmation.getByRole('button', { name: 'Terminate 18 people' })
    expect(await button.getAttribute('class')).toContain('danger')
    expect(await button.isDisabled()).toBe(true)
    await confirmation.getByLabel('Type 18 to confirm').fill('17')
    expect(await button.isDisabled()).toBe(true)
    await confirmation.getByLabel('Type 18 to confirm').fill('18')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Terminate 18 people' }).press('Enter')
    await confirmation.getByLabel('Type 18 to confirm').fill('18')
    await button.press('Enter')
    await confirmation.waitFor({ state: 'detached' })
    await api.work()
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees?limit=50`, { key })).body
    expect(data.filter(({ termination_date }) => termination_date !== null)).toHaveLength(18)

    // Up to five people are terminated with the rows: they are named, and the user confirms first.
    await page.getByRole('button', { name: 'Choose another file' }).press('Enter')
    const left = data.filter(({ termination_date }) => termination_date === null)
    expect(left).toHaveLength(1)
    await choose(page, 'leavers.csv', [
      `${columns.join()},termination_date`,
      ...left.map((one) => [...columns.map((column) => one[column]), '2026-03-10'].join()),
    ])
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    const apply = page.getByRole('button', { name: 'Terminate 1 person' })
    await apply.press('Enter')
    const sure = page.getByRole('group', { name: 'Terminate 1 person' })
    await sure.getByText('1 person named above will be terminated').waitFor()
    expect(await page.getByText('0 of 1 row done').count()).toBe(0)
    await sure.getByRole('button', { name: 'Terminate 1 person' }).press('Enter')
    await page.getByText('0 of 1 row done').waitFor()
    await api.work()
  }, 120_000)
}
