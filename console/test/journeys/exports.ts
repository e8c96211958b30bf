import { readFile } from 'node:fs/promises'
import Papa from 'papaparse'
import type { Page } from 'playwright-core'
import readWorkbook from 'read-excel-file/node'
import { expect, it } from 'vitest'
import { aPerson, createEmployee, createEmployer } from '../../../server/test/fixtures.ts'
import { first, pick, sure } from '../../../server/test/pick.ts'
import { pagesOfMember, pagesOfOperator, turnTo, userCalled, visitAs, type Scene } from '../stage.ts'

/** Downloads an export of a page and returns its name, header and number of rows. */
async function download(page: Page, at: number, format: 'CSV' | 'Excel') {
  const menu = page.locator('main details', { has: page.locator('summary', { hasText: 'Export' }) }).nth(at)
  await menu.locator('summary').press('Enter')
  const button = menu.getByRole('button', { name: format, exact: true })
  await expect.poll(() => button.isEnabled()).toBe(true)
  const [saved] = await Promise.all([page.waitForEvent('download'), button.press('Enter')])
  await page.keyboard.press('Escape')
  const file = (await saved.path())!
  const rows =
    format === 'CSV'
      ? Papa.parse<string[]>((await readFile(file, 'utf8')).replace('\uFEFF', '').trim()).data
      : sure((await readWorkbook(file))[0]).data
  return { name: saved.suggestedFilename().split('.'), header: sure(rows[0]).map(String), row_count: rows.length - 1 }
}

/** The names of the exports of a page, in order. Each has rows, and the same readable header in both formats. */
async function exportsOf(page: Page, path: string): Promise<string[]> {
  await turnTo(page, path)
  const names: string[] = []
  const count = await page.locator('main summary', { hasText: 'Export' }).count()
  for (let at = 0; at < count; at++) {
    const csv = await download(page, at, 'CSV')
    const workbook = await download(page, at, 'Excel')
    expect([csv.name[1], workbook.name], path).toEqual(['csv', [csv.name[0], 'xlsx']])
    expect({ ...workbook, name: csv.name }, path).toEqual(csv)
    expect(csv.row_count, path).toBeGreaterThan(0)
    for (const title of csv.header) expect(title, path).toMatch(/^[A-Z0-9][^_]+$/)
    names.push(`${csv.name[0]}: ${csv.header[0]}`)
  }
  return names
}

/** Adds an employer with hours and tax forms, and a document that one employee opened and others did not. */
async function fillAcaLists({ api }: Scene, pages: Record<string, string>): Promise<string> {
  const employer_id = await createEmployer(api)
  const { id } = await createEmployee(api, employer_id, { start_date: '2025-06-02', compensation_type: 'Hourly' })
  const worked = { period_starts_on: '2026-01-01', period_ends_on: '2026-01-31', kind: 'worked', hours: 160 }
  await api.post(`/v1/employers/${employer_id}/hours`, { rows: [{ employee_id: id, ...worked }] })
  await api.post(`/v1/employers/${employer_id}/forms-1095c/derive`, { tax_year: 2026 })
  const document_id = sure(pages.document?.split('/').at(-1))
  const key = api.story.api_key
  await api.patch(`/v1/documents/${document_id}`, { is_required_at_election: true }, { key })
  await api.post(`/v1/employees/${id}/documents/${document_id}/open`, {}, { key })
  return employer_id
}

/** Adds rows to lists of the story that are empty. */
async function fillLists(scene: Scene, pages: Record<string, string>): Promise<{ measured: string; filed: string }> {
  const { api } = scene
  const key = api.story.api_key
  const partOf = (page: string, at: number) => sure(sure(pages[page]).split('/').at(at))
  const measured = await createEmployer(api)
  await createEmployee(api, measured)
  const policies = [{ method: 'look_back', standard_starts_on: '2025-10-15' }]
  await api.put(`/v1/employers/${measured}/measurement-policies`, { policies }, { key })
  await api.post(`/v1/webhook-subscriptions/${partOf('webhook', -1)}/test`, {}, { key })
  const year = `/v1/employers/${partOf('plan-year', 2)}/benefit-plan-years/${partOf('plan-year', 4)}` as const
  await api.post(`${year}/renewal-proposals`, { scenarios: [{ name: 'As before' }] }, { key })
  const freight = `/v1/employers/${partOf('enrollment', 2)}` as const
  const { benefit_plan_year_id } = first((await api.get(`${freight}/enrollment-windows`, { key })).body.data)
  await api.post(`${freight}/enrollment-reminders`, { benefit_plan_year_id }, { key })
  await api.post(`/v1/employers/${measured}/admins`, { email: 'hr@example.com', name: 'Ada Lindgren' }, { key })
  const members = (await api.get('/v1/organization-members', { key })).body.data
  const recipient_user_ids = [pick(members, ({ name }) => name === 'Maya Okafor').user_id]
  const book = { name: 'Book', list: 'employers', format: 'csv', frequency: 'daily', recipient_user_ids }
  await api.post('/v1/scheduled-exports', book, { key })
  const filed = await fillAcaLists(scene, pages)
  await api.work()
  return { measured, filed }
}

/** The exports of the lists of members, by page. */
const exportsOfMember = (
  pages: Record<string, string>,
  measured: string,
  filed: string,
): [page: string, exports: string[]][] =>
  (
    [
      [pages.home, ['tasks: Task']],
      [pages.book, ['employers: Employer']],
      [pages.ahead, ['upcoming-dates: Employer']],
      [pages.people, ['people: First name']],
      [pages.activity, ['activity: Time']],
      [pages.money, ['invoices: Invoice']],
      [pages['money-by-employer'], ['owed: Employer']],
      [pages['money-statements'], ['statements: Employer']],
      [pages.roster, ['roster: First name']],
      [pages['plan-years'], ['plan-years: Coverage starts']],
      [pages['plan-year'], ['proposals: Proposed', 'enrollments: First name']],
      [pages.enrollment, ['enrollment: First name', 'messages: Person']],
      [pages.statements, ['statements: Pay period starts']],
      [pages.invoices, ['invoices: Invoice']],
      [pages.invoice, [`${pages.invoice?.split('/').at(-1)}-lines: Person`]],
      [`/employers/${measured}/aca`, ['full-time-status: Name']],
      [`/employers/${measured}/settings?show=contacts`, ['contacts: Contact']],
      [`/employers/${filed}/aca?show=offers&year=2026`, ['offer-test: Month', 'affordable-costs: Name']],
      [`/employers/${filed}/aca?show=forms&year=2026`, ['tax-forms-2026: Name']],
      [`/employers/${filed}/aca?show=hours`, ['hours-reports: Reported']],
      [pages.documents, ['documents: Document']],
      [pages['employer-documents'], ['documents: Document']],
      [pages.document, ['document-versions: Version', 'not-opened: First name', 'receipts: First name']],
      [pages['settings-eligibility'], ['eligibility-policies: Eligible employees']],
      [pages.agreements, ['agreements: Agreement']],
      [pages['scheduled-exports'], ['scheduled-exports: Export']],
      ['/groups', ['groups: Group']],
      [pages.group, ['group-members: First name']],
      [pages.webhooks, ['webhooks: URL']],
      [pages.webhook, ['deliveries: Event']],
      [pages.events, ['events: Event']],
    ] as const
  ).map(([page, exports]) => [sure(page), [...exports]])

/** Journeys through the exports of all lists. The one of the audit log is among those of developers. */
export function exportsAtWork(scene: Scene): void {
  const { api } = scene

  it('exports the lists of members with readable headers, as CSV and Excel', async () => {
    const pages = await pagesOfMember(api)
    const { measured, filed } = await fillLists(scene, pages)
    // A page of its own, because a later journey needs a list that is not loaded yet.
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Maya Okafor'))
    for (const [path, exports] of exportsOfMember(pages, measured, filed))
      expect(await exportsOf(page, path), path).toEqual(exports)
    expect(complaints).toEqual([])
    await close()
  })

  it('exports the lists of operators with readable headers, as CSV and Excel', async () => {
    const pages = await pagesOfOperator(api)
    const employer_id = await createEmployer(api, {}, { key: api.story.rival_api_key })
    // This job waits until the end of the test.
    const census = `/v1/employers/${employer_id}/census-sync` as const
    await api.post(census, { employees: [aPerson()] }, { key: api.story.rival_api_key })
    const invitation = { name: 'Ada Lindgren', email: 'ada@example.com', role: 'OPERATIONS' }
    await api.post(`/operator/v1/organizations/${api.story.organization_id}/invitations`, invitation, {
      key: api.operator_key,
    })
    const { page, complaints, close } = await visitAs(scene.browser, api, await userCalled(api, 'Tess Moreau'))
    const expected: [page: string, exports: string[]][] = [
      [pages.today, ['tasks: Task']],
      [pages.partners, ['partners: Partner']],
      [pages.partner, ['employers: Employer']],
      [pages['partner-members'], ['members: Name', 'invitations: Name']],
      [pages.operators, ['operators: Name']],
      [pages.hris, ['payroll-runs: Started']],
      [pages['run-done'], ['changed-people: Name']],
      [pages.users, ['users: Name']],
      [pages.jobs, ['jobs: Job']],
      [pages['partner-money'], ['invoices: Invoice']],
      [pages['partner-statements'], ['statements: Employer']],
      [pages['operated-plan-years'], ['plan-years: Coverage starts']],
      [pages['operated-statements'], ['statements: Pay period starts']],
      [pages['operated-invoices'], ['invoices: Invoice']],
      [pages['operated-invoice'], [`${sure(pages['operated-invoice'].split('/').at(-1))}-lines: Person`]],
    ]
    for (const [path, exports] of expected) expect(await exportsOf(page, path), path).toEqual(exports)
    expect(complaints).toEqual([])
    await close()
    await api.work()
  })
}
