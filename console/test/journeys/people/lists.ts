import { readFile } from 'node:fs/promises'
import readWorkbook from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { accessibilityViolations } from '../../../../server/test/clients/browser.ts'
import { aPerson, createEmployer } from '../../../../server/test/fixtures.ts'
import { sure } from '../../../../server/test/pick.ts'
import { pagesOfMember, settled, turnTo, userCalled, visitAs, type Scene } from '../../stage.ts'

/** Lists of employers, groups and activity, and the money of people. */
export function listsAtWork(scene: Scene): void {
  const { api } = scene

  it('exports all rows of a filtered list as CSV without formulas and as a workbook', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { data, pagination } = (await api.get('/v1/employers?limit=100', { key })).body
    const names = data.map(({ name }) => name)
    await createEmployer(api, { name: '=HYPERLINK("https://example.com")' }, { key })
    await turnTo(page, '/employers')
    const save = async (format: string) => {
      await page.locator('summary', { hasText: 'Export' }).press('Enter')
      const button = page.getByRole('button', { name: format, exact: true })
      await expect.poll(() => button.isEnabled()).toBe(true)
      const [saved] = await Promise.all([page.waitForEvent('download'), button.press('Enter')])
      await page.keyboard.press('Escape')
      return { name: saved.suggestedFilename(), path: (await saved.path())! }
    }
    const csv = await save('CSV')
    expect(csv.name).toBe('employers.csv')
    const lines = (await readFile(csv.path, 'utf8')).split(/\r?\n/).filter(Boolean)
    expect(lines[0]).toMatch(/^\uFEFFEmployer,Legal name,EIN,Email,Phone,Stage,Employees,/)
    expect(lines).toHaveLength(pagination.total + 2)
    expect(lines[1]).toMatch(/^"'=HYPERLINK/)
    const workbook = await save('Excel')
    expect(workbook.name).toBe('employers.xlsx')
    const [sheet] = await readWorkbook(workbook.path)
    const [header, ...rows] = sure(sheet).data
    const column = (name: string) => sure(header).indexOf(name)
    expect(rows.map((row) => row[column('Employer')])).toEqual(['=HYPERLINK("https://example.com")', ...names])
    expect(rows.slice(1).map((row) => row[column('Employees')])).toEqual(data.map((row) => row.employee_count))
    expect(rows.slice(1).map((row) => row[column('Premium')])).toEqual(
      data.map((row) => row.monthly_premium_in_cents && row.monthly_premium_in_cents / 100),
    )
    expect(
      rows.slice(1).map((row) => (row[column('Renews')] as Date | null)?.toISOString().slice(0, 10) ?? null),
    ).toEqual(data.map((row) => row.renews_on))
    await turnTo(page, '/employers?search=Granite')
    expect((await readFile((await save('CSV')).path, 'utf8')).trim().split(/\r?\n/)).toHaveLength(2)
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('keeps the focus on an employer when a refetch inserts another above it', async () => {
    const page = await scene.maya.page.context().newPage()
    await page.clock.install()
    await page.goto(`${api.url}/console/employers`)
    await settled(page)
    const cafe = page.getByRole('link', { name: 'Copper Kettle Café' })
    await cafe.focus()
    await createEmployer(api, { name: 'Aaron and Daughters' }, { key: api.story.api_key })
    // The list is refetched when the window is visible again and the rows are no longer fresh.
    await page.clock.fastForward(60_000)
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`)
    await page.getByRole('link', { name: 'Aaron and Daughters' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Copper Kettle Café' }).waitFor()
    await page.close()
  })

  it('remembers the columns of the employer list in this browser', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers')
    await page.locator('summary', { hasText: 'Columns' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Premium' }).press('Space')
    await page.getByRole('columnheader', { name: 'Premium' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('columnheader', { name: 'Next date' }).waitFor()
    await expect.poll(() => page.getByRole('columnheader', { name: 'Premium' }).count()).toBe(0)
    await page.locator('summary', { hasText: 'Columns' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Premium' }).press('Space')
    await page.getByRole('columnheader', { name: 'Premium' }).waitFor()
  })

  it('shows the people whose deductions changed since the previous statement', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers')
    await page.getByRole('link', { name: 'Copper Kettle Café' }).press('Enter')
    await page.locator('h1:focus', { hasText: 'Copper Kettle Café' }).waitFor()
    await page.getByRole('link', { name: 'Billing' }).press('Enter')
    await page.getByRole('link', { name: 'Statements' }).press('Enter')
    await page
      .getByRole('table', { name: 'Statements' })
      .getByRole('link', { name: 'Mar 1, 2026 – Mar 31, 2026' })
      .press('Enter')
    await page.getByRole('checkbox', { name: 'Changed 1', exact: true }).press('Space')
    const taken = page.getByRole('table', { name: 'Deductions' })
    await taken.getByText('$11.00 arrears from earlier paychecks').waitFor()
    await expect.poll(() => taken.getByRole('rowheader').allInnerTexts()).toEqual(['Femi Garba'])
    expect(page.url()).toMatch(/\?show=changed$/)
  })

  it('links a person to their lines of the latest statement and invoice, and to the benefits statement', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const cafe = sure((await api.get('/v1/employers?search=Kettle', { key })).body.data[0]).id
    const femi = sure((await api.get(`/v1/employers/${cafe}/employees?search=Femi`, { key })).body.data[0]).id
    await turnTo(page, `/people/${femi}`)
    const [pdf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Benefits statement (PDF)' }).press('Enter'),
    ])
    expect(pdf.suggestedFilename()).toMatch(/\.pdf$/)
    await page.getByRole('table', { name: 'Paychecks' }).getByRole('link').first().press('Enter')
    const names = (table: string) => page.getByRole('table', { name: table }).getByRole('rowheader').allInnerTexts()
    await expect.poll(async () => new Set(await names('Deductions'))).toEqual(new Set(['Femi Garba']))
    await page.getByRole('link', { name: 'Show all employees' }).press('Enter')
    await expect.poll(async () => new Set(await names('Deductions')).size).toBeGreaterThan(1)
    await turnTo(page, `/people/${femi}`)
    await page.getByRole('table', { name: 'Invoices' }).getByRole('link').first().press('Enter')
    await expect.poll(async () => new Set(await names('Lines'))).toEqual(new Set(['Femi Garba']))
    expect(await accessibilityViolations(page)).toEqual([])
  })

  it('sends all members of a group from a file, corrects a refused row, and shows the failed rows', async () => {
    const { page } = scene.maya
    const key = api.story.api_key
    const { id } = sure((await api.get('/v1/groups', { key })).body.data[0])
    const members = (await api.get(`/v1/groups/${id}/members`, { key })).body.data
    const staying = members.filter(({ first_name }) => first_name !== 'Yusuf')
    expect(staying).toHaveLength(members.length - 1)
    const rows = staying.map(
      ({ reference_id, first_name, last_name, email, phone, date_of_birth, address, plan_id }) => {
        const { address_line_1, city, state, zipcode } = sure(address)
        const cells = [reference_id, first_name, last_name, email, phone, date_of_birth, address_line_1]
        return [...cells, city, state, zipcode, plan_id].join(',')
      },
    )
    const home = '9 Orchard Way,Winters,CA,95694,Essential Care Base'
    const lines = [
      'Number,First name,Last name,E-mail,Phone,DOB,Street,City,State,ZIP,Plan',
      ...rows,
      `VG-010,Tom,Ruiz,tom.ruiz@example.com,12,04/05/1980,${home}`,
      `VG-011,Ivy,Moss,ivy.moss@example.com,5305550198,2015-01-01,${home}`,
    ]
    await turnTo(page, `/groups/${id}`)
    await page.getByRole('link', { name: 'Upload members' }).press('Enter')
    const file = { name: 'growers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.getByLabel('Drop a CSV or Excel file here, or choose one').setInputFiles(file)
    await page.getByRole('button', { name: 'Preview changes' }).press('Enter')
    await page.getByText('1 missing, will leave').first().waitFor()
    await page.getByText('2 will join').first().waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    const send = page.getByRole('button', { name: `Send the list of ${rows.length + 2} members` })
    // The list leaves one member out. The page names them, and the user confirms before anything is sent.
    const confirmation = page.getByRole('group', { name: `Send the list of ${rows.length + 2} members` })
    await send.press('Enter')
    await confirmation.getByText('1 person named above will leave the group.').waitFor()
    await confirmation.getByRole('button', { name: /^Send the list/ }).press('Enter')
    await page.getByRole('heading', { name: '1 row to correct first' }).waitFor()
    expect(await accessibilityViolations(page)).toEqual([])
    await page.getByLabel('Phone of Tom Ruiz').fill('5305550199')
    await page.keyboard.press('Enter')
    await send.press('Enter')
    await confirmation.getByRole('button', { name: /^Send the list/ }).press('Enter')
    await page.getByText('In progress.').waitFor()
    await api.work()
    await page.getByRole('table', { name: 'Failed rows' }).getByText('Under 18').waitFor()
    await page.getByRole('table', { name: 'Members' }).getByText('Tom Ruiz').waitFor()
    const now = (await api.get(`/v1/groups/${id}/members`, { key })).body.data
    const names = [...staying.map(({ first_name }) => first_name), 'Tom'].toSorted()
    expect(now.map(({ first_name }) => first_name).toSorted()).toEqual(names)
  })

  it('shows the PDF alongside an invoice if the browser can, and otherwise offers the download', async () => {
    const { page } = scene.maya
    const { invoice } = await pagesOfMember(api)
    await turnTo(page, sure(invoice))
    await page.getByRole('link', { name: 'Download the PDF' }).waitFor()
    expect(await page.getByRole('heading', { name: 'PDF' }).count()).toBe(0)
    // The test browser has no PDF viewer, but the content security policy of frames still applies.
    const visit = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    await visit.page.addInitScript(
      `Object.defineProperty(Navigator.prototype, 'pdfViewerEnabled', { get: () => true })`,
    )
    const fetched = visit.page.waitForResponse((answer) => answer.headers()['content-type'] === 'application/pdf')
    await visit.page.goto(`${api.url}/console${invoice}`)
    expect((await fetched).status()).toBe(200)
    await visit.page.locator('iframe[title^="PDF of INV-"][src^="blob:"]').waitFor()
    await settled(visit.page)
    expect(await accessibilityViolations(visit.page)).toEqual([])
    await visit.page.setViewportSize({ width: 360, height: 740 })
    await visit.page.locator('iframe').waitFor({ state: 'hidden' })
    expect(visit.complaints).toEqual([])
    await visit.close()
  })

  it('updates the enrollment progress during open enrollment without a reload', async () => {
    const { page } = scene.maya
    const { 'plan-year-open': path } = await pagesOfMember(api)
    await turnTo(page, sure(path))
    const progress = page.getByText('have responded for every benefit')
    await progress.waitFor()
    const waived = async () => Number(/(\d+) waived all/.exec(await progress.innerText())?.[1])
    expect(await waived()).toBe(0)
    const [, employer_id, plan_year_id] = sure(/employers\/(\w+)\/plan-years\/(\w+)/.exec(sure(path)))
    const all = `/v1/employers/${employer_id}/benefit-plan-years/${plan_year_id}/enrollments` as const
    const { data } = (await api.get(all as never, { key: api.story.api_key })).body as {
      data: { enrollment_id: string; member_first_name: string }[]
    }
    const hers = data.filter(({ member_first_name }) => member_first_name === 'Priya')
    for (const { enrollment_id } of hers)
      await api.post(`/v1/enrollments/${enrollment_id}/waive` as never, {}, { key: api.story.api_key })
    await expect.poll(waived).toBe(1)
  })

  it('saves a named view of the employer list, and shows the events and the activity of a hire', async () => {
    const { page } = scene.maya
    await turnTo(page, '/employers?stage=renewal')
    await page.getByRole('button', { name: 'Save this view' }).press('Enter')
    await page.getByLabel('View name').fill('To renew')
    await page.keyboard.press('Enter')
    await turnTo(page, '/employers')
    await page.getByRole('link', { name: 'To renew' }).press('Enter')
    await page.waitForURL(/\?stage=renewal$/)
    await page.getByRole('button', { name: 'Delete To renew' }).press('Enter')
    await page.getByRole('link', { name: 'To renew' }).waitFor({ state: 'detached' })

    const key = api.story.api_key
    const employer_id = await createEmployer(api, {}, { key })
    const hired = await api.post(`/v1/employers/${employer_id}/employees`, aPerson(), { key })
    await turnTo(page, `/traces/${sure(hired.headers.get('x-request-id'))}`)
    await page.getByRole('heading', { name: 'employees_create' }).waitFor()
    await page.getByRole('table', { name: 'Events' }).getByText('employee.created').waitFor()
    await turnTo(page, `/employers/${employer_id}/activity`)
    const { first_name, last_name } = hired.body.data
    const listed = page.getByRole('table', { name: 'Activity' }).getByRole('rowheader')
    for (const name of [`${first_name} ${last_name} was hired`, 'The employer was added'])
      await expect.poll(() => listed.allTextContents()).toContain(name)
    await turnTo(page, '/activity')
    await listed.getByText(`${first_name} ${last_name} was hired`).press('Enter')
    await page.getByRole('heading', { name: `${first_name} ${last_name}` }).waitFor()
    await page.getByRole('table', { name: 'Activity' }).getByText('was hired').waitFor()
  })
}
