import { readFile } from 'node:fs/promises'
import { census_fields } from 'openbenefits/census-columns'
import type { Page } from 'playwright-core'
import readWorkbook from 'read-excel-file/node'
import { expect, it } from 'vitest'
import writeWorkbook from 'write-excel-file/node'
import { accessibilityViolations } from '../../../server/test/clients/browser.ts'
import { aPerson, createEmployer } from '../../../server/test/fixtures.ts'
import { outOfReach, type Scene, tooWideAt, turnTo, userCalled, visitAs } from '../stage.ts'

const choose = (page: Page, name: string, lines: string[]) =>
  page
    .getByLabel('Drop a CSV or Excel file here, or choose one')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) })

/**
 * A workbook with dates, numbers, leading zeros, a second sheet and empty rows. Rows 2 and 3 have an unknown class,
 * rows 4 and 5 a wrong state, row 6 a wrong birthday, row 7 a wrong email and row 8 a wrong phone number. The last row
 * is the first one again.
 */
function workbookOf(people: ReturnType<typeof aPerson>[]): Promise<Buffer> {
  const day = (text: string) => ({ value: new Date(text), type: Date, format: 'm/d/yyyy' })
  const rows = people.map((one, at) => [
    `000${at}`,
    one.first_name,
    one.last_name,
    at === 6 ? 'not an email' : one.email,
    at === 7 ? 12 : Number(one.phone),
    at === 5 ? '2/31/1990' : day('1985-07-04'),
    at === 1 || at === 2 ? 'REG' : 'FT',
    '12 Elm St',
    'Cambridge',
    at === 3 || at === 4 ? 'Calif' : 'MA',
    2139,
  ])
  const header = 'Employee ID,First,Last,Email,Phone,DOB,Type,Address,City,State,ZIP'.split(',')
  const empty = header.map(() => null)
  return writeWorkbook([
    { sheet: 'Notes', data: [['Exported on'], [day('2026-03-10')]] },
    { sheet: 'Roster', data: [header, ...rows, rows[0]!, empty, empty.with(3, ' ' as never)] },
  ]).toBuffer()
}

/** Reviews the changes as soon as nothing is left to fix. */
export async function review(page: Page): Promise<void> {
  await page.getByText(/^[\d,]+ rows? can be imported\.$/).waitFor()
  await page.getByRole('button', { name: 'Review changes' }).press('Enter')
}

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
    const next = page.getByRole('button', { name: 'Check rows' })
    await page.getByText('Choose what “ACTIVE” means.').waitFor()
    await expect.poll(() => next.isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Meaning of ACTIVE in Class' }).selectOption('Full Time')
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Meaning of FT in Class' }).inputValue())
      .toBe('Full Time')
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    await page.reload()
    await page.getByRole('combobox', { name: 'Meaning of ACTIVE in Class' }).waitFor()
    await next.press('Enter')

    await page.getByRole('heading', { name: '1 row to fix' }).waitFor()
    await page.getByText('is the same as in row 1 (reference E-0)').waitFor()
    await expect.poll(() => page.getByText('employees[').count()).toBe(0)
    await page.reload()
    await page.getByText('is the same as in row 1 (reference E-0)').waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    expect(await outOfReach(page)).toEqual([])

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).press('Enter'),
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

    await page.getByRole('button', { name: `Skip row 6, ${ann.first_name} ${ann.last_name}` }).press('Enter')
    await review(page)
    const with_eve = page.getByRole('region', { name: 'Changes from 5 rows' })
    await with_eve.getByRole('heading', { name: '1 row to check' }).waitFor()
    await with_eve.getByText(`${eve.first_name} ${eve.last_name} (row 5, E-4)`).waitFor()
    await page.getByRole('button', { name: 'Restore' }).press('Enter')
    await page.getByText('is the same as in row 1').waitFor()
    await page.getByRole('button', { name: /^Skip row 6/ }).press('Enter')
    await review(page)
    // A valid row can also be skipped.
    await page.getByRole('button', { name: `Skip row 5, ${eve.first_name} ${eve.last_name}` }).press('Enter')
    const plan = page.getByRole('region', { name: 'Changes from 4 rows' })
    await plan.waitFor()
    await page.getByText('2 rows skipped: 6, 5.').waitFor()
    await plan.getByRole('button', { name: 'Add 4' }).press('Enter')
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
    // The draft, which is personal data, is deleted when the user leaves it.
    await page.getByText('2 rows skipped: 6, 5.').waitFor()
    await page.getByRole('button', { name: 'Import another file' }).press('Enter')
    await expect
      .poll(() => page.evaluate('Object.keys(sessionStorage).filter((key) => /roster/.test(key))'))
      .toEqual([])
    // The next file has the meaning that was chosen for this one.
    await choose(page, 'next.csv', [header, ...rows])
    await page.getByRole('heading', { name: 'next.csv, 6 rows' }).waitFor()
    const remembered = page.getByRole('combobox', { name: 'Meaning of ACTIVE in Class' })
    await expect.poll(() => remembered.inputValue()).toBe('Full Time')
    await page.getByRole('button', { name: 'Back', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Continue with next.csv' }).waitFor()
    await choose(page, 'other.csv', [header, ...rows])
    await page.getByRole('heading', { name: 'other.csv, 6 rows' }).waitFor()
    expect(complaints).toEqual([])
    await close()
  })

  it.each([1440, 390])('imports a workbook with eight invalid rows, fixed in six actions, at %i px', async (width) => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'), {
      viewport: { width, height: 900 },
    })
    const people = Array.from({ length: 9 }, () => aPerson())
    const nameOf = (at: number) => `${people[at]!.first_name} ${people[at]!.last_name}`
    await turnTo(page, `/employers/${employer_id}/census`)
    await page
      .getByLabel('Drop a CSV or Excel file here, or choose one')
      .setInputFiles({ name: 'roster.xlsx', mimeType: 'application/zip', buffer: await workbookOf(people) })

    // 1: rows 2 and 3 have an unknown class.
    await page.getByRole('heading', { name: 'roster.xlsx, 10 rows' }).waitFor()
    const meaning = page.getByRole('combobox', { name: 'Meaning of REG in Class' })
    await meaning.selectOption('Full Time')
    expect(
      await page
        .getByRole('row', { name: /^REG class/ })
        .getByRole('cell')
        .last()
        .innerText(),
    ).toBe('2')
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await page.getByRole('heading', { name: '6 rows to fix' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    expect(await outOfReach(page)).toEqual([])
    const fix = async (label: string, value: string) => {
      await page.getByLabel(label).fill(value)
      await page.getByLabel(label).press('Enter')
    }
    // 2: rows 4 and 5 have the same wrong state. 3 to 5: a birthday, an email and a phone number.
    await fix('State of 2 rows', 'CA')
    await fix(`Date of birth of ${nameOf(5)}`, '1990-02-28')
    await fix(`Email of ${nameOf(6)}`, people[6]!.email)
    await fix(`Phone of ${nameOf(7)}`, people[7]!.phone)
    // 6: row 10 is the first person again.
    await page.getByRole('button', { name: `Skip row 10, ${nameOf(0)}` }).press('Enter')
    await review(page)
    await page.getByRole('region', { name: 'Changes from 9 rows' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    await page.getByRole('button', { name: 'Add 9' }).press('Enter')
    await page.getByText('0 of 9 rows done').waitFor()
    await api.work()
    await page.getByText('9 of 9 rows done').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download', exact: true }).press('Enter'),
    ])
    expect(await readFile((await download.path())!, 'utf8')).toMatch(/\n10,,skipped,0000,/)
    expect(await accessibilityViolations(page)).toEqual([])
    expect(await tooWideAt(page)).toEqual([])
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees`, { key })).body
    const facts = data.map(({ reference_id, date_of_birth, phone, employee_class, address }) => [
      reference_id,
      date_of_birth,
      phone,
      employee_class,
      address?.state,
      address?.zipcode,
    ])
    const expected = people.map(({ phone }, at) => {
      const birthday = at === 5 ? '1990-02-28' : '1985-07-04'
      return [`000${at}`, birthday, phone, 'Full Time', at === 3 || at === 4 ? 'CA' : 'MA', '02139']
    })
    expect(facts.toSorted()).toEqual(expected)
    expect(complaints).toEqual([])
    await close()
  })

  it('offers templates that it can read, and a choice of the sheet that has the roster', async () => {
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    await turnTo(page, `/employers/${employer_id}/census`)
    const upload = page.getByLabel('Drop a CSV or Excel file here, or choose one')
    const save = async (name: string) => {
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).press('Enter'),
      ])
      return (await saved.path())!
    }
    const [columns] = (await readFile(await save('CSV'), 'utf8')).split(/\r?\n/)
    expect(columns!.slice(1).split(',')).toEqual(census_fields.map(({ label }) => label))
    const [roster] = await readWorkbook(await save('Excel'))
    expect(roster).toEqual({ sheet: 'Roster', data: [census_fields.map(({ label }) => label)] })

    const header = ['First name', 'Last name', 'Email']
    const worksheets = ['Office', 'Field'].map((sheet, at) => ({
      sheet,
      data: [header, ...Array.from({ length: at + 1 }, () => ['Ann', 'Lee', 'ann@example.com'])],
    }))
    await upload.setInputFiles({
      name: 'two.xlsx',
      mimeType: 'application/zip',
      buffer: await writeWorkbook(worksheets).toBuffer(),
    })
    await page.getByRole('heading', { name: 'Which sheet has the roster?' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Use Field' }).press('Enter')
    await page.getByRole('heading', { name: 'two.xlsx, 2 rows' }).waitFor()
    await page.getByRole('button', { name: 'Back', exact: true }).press('Enter')
    await upload.setInputFiles({ name: 'old.xls', mimeType: 'application/zip', buffer: Buffer.from('d0cf11e0', 'hex') })
    await page.getByText('This Excel file can’t be read.').waitFor()
    expect(complaints).toEqual([])
    await close()
  })

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
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await review(page)
    await page.getByRole('combobox', { name: 'People missing from the file' }).selectOption('are terminated')
    const plan = page.getByRole('region', { name: 'Changes from 1 row' })
    await plan.getByRole('heading', { name: '18 missing from the file' }).waitFor()
    for (const one of staff) await plan.getByText(nameOf(one), { exact: true }).first().waitFor()
    const terminate = page.getByRole('button', { name: 'Terminate 18 and add 1' })
    await terminate.press('Enter')
    const confirmation = page.getByRole('group', { name: 'Terminate 18 and add 1' })
    const button = confirmation.getByRole('button', { name: 'Terminate 18 and add 1' })
    expect(await button.getAttribute('class')).toContain('danger')
    await expect.poll(() => button.isDisabled()).toBe(true)
    await confirmation.getByLabel('Type 18 to confirm').fill('17')
    await expect.poll(() => button.isDisabled()).toBe(true)
    await confirmation.getByLabel('Type 18 to confirm').fill('18')
    expect(await accessibilityViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'detached' })
    await terminate.press('Enter')
    await confirmation.getByLabel('Type 18 to confirm').fill('18')
    await button.press('Enter')
    await page.getByText('0 of 1 row done').waitFor()
    // The service holds the census, and the page confirms the termination of the people whom the user confirmed.
    await api.work()
    await expect.poll(() => page.locator('.counts').innerText()).toMatch(/1 created/)
    await expect
      .poll(async () => {
        await api.work()
        return page.locator('.counts').innerText()
      })
      .toMatch(/18 terminated/)
    const { data } = (await api.get(`/v1/employers/${employer_id}/employees?limit=50`, { key })).body
    expect(data.filter(({ termination_date }) => termination_date !== null)).toHaveLength(18)

    // Up to five people are terminated with the rows: they are named, and the user confirms first.
    await page.getByRole('button', { name: 'Import another file' }).press('Enter')
    const left = data.filter(({ termination_date }) => termination_date === null)
    expect(left).toHaveLength(1)
    await choose(page, 'leavers.csv', [
      `${columns.join()},termination_date`,
      ...left.map((one) => [...columns.map((column) => one[column]), '2026-03-10'].join()),
    ])
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await review(page)
    const apply = page.getByRole('button', { name: 'Terminate 1' })
    await apply.press('Enter')
    const sure = page.getByRole('group', { name: 'Terminate 1' })
    await sure.getByText('1 person named above will be terminated').waitFor()
    await expect.poll(() => page.getByText('0 of 1 row done').count()).toBe(0)
    await sure.getByRole('button', { name: 'Terminate 1' }).press('Enter')
    await page.getByText('0 of 1 row done').waitFor()
    await api.work()
  })

  it('offers only the way back for a file that changes nothing', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const employee = aPerson()
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: [employee] }, { key })
    await api.work()
    const columns = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth'] as const
    await turnTo(page, `/employers/${employer_id}/census`)
    await choose(page, 'same.csv', [columns.join(), columns.map((column) => employee[column]).join()])
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await review(page)
    const plan = page.getByRole('region', { name: 'Changes from 1 row' })
    await plan.getByText('Nothing would change.').waitFor()
    expect(await plan.getByRole('button').allTextContents()).toEqual(['Back'])
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('returns from a census that is held, because more people are missing than confirmed, to its review', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const staff = Array.from({ length: 7 }, (_, at) => ({ ...aPerson(), reference_id: `S-${at}` }))
    await api.post(`/v1/employers/${employer_id}/census-sync`, { employees: staff }, { key })
    await api.work()
    api.wait(1000)
    const columns = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth'] as const
    await turnTo(page, `/employers/${employer_id}/census`)
    const added = aPerson()
    await choose(page, 'other.csv', [columns.join(), columns.map((column) => added[column]).join()])
    await page.getByRole('button', { name: 'Check rows' }).press('Enter')
    await review(page)
    await page.getByRole('combobox', { name: 'People missing from the file' }).selectOption('are terminated')
    await page.getByRole('button', { name: 'Terminate 7 and add 1' }).press('Enter')
    const confirmation = page.getByRole('group', { name: 'Terminate 7 and add 1' })
    await confirmation.getByLabel('Type 7 to confirm').fill('7')
    await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })
    api.wait(1000)
    await confirmation.getByRole('button', { name: 'Terminate 7 and add 1' }).press('Enter')
    await page.getByText('0 of 1 row done').waitFor()
    await api.work()
    await page.getByRole('button', { name: 'Back to review' }).press('Enter')
    await page.getByRole('heading', { name: '8 missing from the file' }).waitFor()
    await page.getByRole('list', { name: 'Steps' }).getByRole('button', { name: 'Upload' }).press('Enter')
    await page.getByRole('button', { name: 'Discard' }).press('Enter')
    await page.getByLabel('Drop a CSV or Excel file here, or choose one').waitFor()
  })
}
