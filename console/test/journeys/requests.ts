import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { pagesOfMember, pagesOfOperator, settled, userCalled, visitAs, type Scene } from '../stage.ts'

/**
 * The number of requests of pages that need more than one. Pages of an employer or a partner need one for their header
 * and one for their content. Pages that show today's date, or that may require a new sign-in, also request the
 * credential.
 */
const more: Record<string, number> = {
  // The first employers, the tasks by kind, open enrollment, renewals, overdue invoices with their total, trends, and
  // the members who can be owners.
  home: 8,
  // The employers, the counts of the filters, the payroll systems, and the members who can be owners.
  book: 4,
  'book-filtered': 4,
  'book-nobody': 4,
  'add-employer': 0,
  // The employer's row with its stage, the employer, its unpaid invoices, its plan years, trends, its notes, and
  // today.
  employer: 7,
  // The header, the plan years, and today, which decides whether a renewal is due.
  'plan-years': 3,
  // The header, the plan year, its stored proposals, and its enrollments.
  'plan-year': 4,
  // The requests of `plan-year`, and the enrollment progress.
  'plan-year-open': 5,
  // The header, the plan year, and the comparison of scenarios.
  renewal: 3,
  // The header, and the settings with the meanings of values.
  census: 2,
  roster: 2,
  // The header, the windows, the people of one, the schedule, and the messages.
  enrollment: 5,
  // The header, the windows, the people of one, and the preview.
  'enrollment-remind': 4,
  statements: 2,
  // The header, the statements, and the lines of two of them.
  statement: 4,
  // The totals by age, and the invoices.
  money: 2,
  invoices: 2,
  // The header, the invoice, its lines, its reconciliation, and its PDF.
  invoice: 5,
  aca: 2,
  // The header, the overview, and the policies.
  'aca-measurement': 3,
  // The header, the overview, the filing, the settings, the transmittal, and the transmissions.
  'aca-filing': 6,
  // The header, and two pages of a list that is short enough to be drawn whole.
  'employer-activity': 3,
  settings: 2,
  // The header, the employer, and the members who can be owners.
  'settings-details': 3,
  'settings-eligibility': 2,
  'settings-contacts': 2,
  'organization-settings': 2,
  // The agreements, the employer and the plan year.
  'add-agreement': 3,
  // The documents, and the plans that a new one can concern.
  'add-document': 2,
  'employer-documents': 2,
  // The document, its versions, and its receipts.
  document: 3,
  // Employment, eligibility, enrollments, dependents, beneficiaries, life events, pay, deductions, paychecks, invoices,
  // ACA status, messages, notes, activity, and other employments.
  person: 15,
  // The requests of `person`, and the explanation of an enrollment, its history, and the plans that the history names.
  'person-why': 18,
  // The requests of `person`, and today's date, the coverage of a dependent on a day and now, and the cost of two
  // plans.
  'end-dependent': 20,
  'reinstate-dependent': 20,
  'person-change': 2,
  'person-end': 2,
  // The group, its members, its syncs, and the plans of members.
  group: 4,
  'group-send': 4,
  // The entries, and the members whose names replace their ids.
  audit: 2,
  trace: 2,
  keys: 2,
  key: 2,
  // The webhook, its deliveries, the newest events with their names, and today.
  webhook: 4,
  event: 2,
  // Health, the open tasks, and the pending life events.
  today: 3,
  clocks: 2,
  partners: 2,
  partner: 2,
  'partner-money': 3,
  'partner-statements': 2,
  // The header, members and invitations or keys and their owners, and the age of the session.
  'partner-members': 4,
  'partner-keys': 4,
  // The operators, the invitations, and the age of the session.
  operators: 3,
  catalog: 2,
  // The overview of an operator's employer: the employer, its partner, its status, its plan years, and its notes.
  operated: 5,
  'operated-plan-years': 3,
  'operated-statements': 3,
  'operated-statement': 5,
  'operated-invoices': 3,
  // The header, the invoice, its lines, its reconciliation, and its PDF.
  'operated-invoice': 6,
  'hris-none': 3,
  hris: 4,
  'hris-file': 4,
  'run-done': 2,
  // The header, the plan years, the requested one, the catalog, the cost preview, and the affordable cost.
  builder: 7,
  // The same data as on a member's page, except wages, paychecks, messages, beneficiaries and activity, and also the
  // organization of the employer. A correction also needs the enrollments, and the plans of one.
  'operator-person': 13,
  'operator-correct': 3,
  // The page's own data, and the organizations to choose from.
  user: 3,
}

/** The number of API requests when a page is opened with an empty cache. */
async function requestsOf(page: Page, url: string): Promise<number> {
  const requested: string[] = []
  const onRequest = (request: { url: () => string }) => requested.push(new URL(request.url()).pathname)
  page.on('request', onRequest)
  await page.goto(url)
  await settled(page)
  page.off('request', onRequest)
  return requested.filter((path) => /^\/(v1|operator\/v1)\//.test(path)).length
}

/** Pages send one request if one response has all data. */
export function requestsAreFew(scene: Scene): void {
  const { api } = scene
  const visit = async (name: string) => {
    const visit = await visitAs(scene.browser, api, await userCalled(api, name))
    // The first page after the sign-in must not send its requests while others are counted.
    await settled(visit.page)
    // A slow page must not request data again that has turned stale or is refreshed at intervals.
    await visit.page.clock.setFixedTime(new Date())
    await visit.page.addInitScript('globalThis.setInterval = () => 0')
    return visit
  }
  it('sends one request per view, or the number listed for that view', async () => {
    const found: Record<string, number> = {}
    const count = async (page: Page, pages: Record<string, string>) => {
      for (const [name, path] of Object.entries(pages)) {
        const requested = await requestsOf(page, `${api.url}/console${path}`)
        if (requested !== 1) found[name] = requested
      }
    }
    // The number of requests for a missing page depends on the order of responses.
    const { nowhere: _, ...pages } = await pagesOfMember(api)
    const member = await visit('Maya Okafor')
    await count(member.page, pages)
    await member.close()
    const operator = await visit('Olive Marsh')
    await count(operator.page, await pagesOfOperator(api))
    await operator.close()
    expect(found).toEqual(more)
  })
}
