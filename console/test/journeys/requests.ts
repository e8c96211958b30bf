import { expect, it } from 'vitest'
import type { Page } from 'playwright-core'
import { pagesOfMember, pagesOfOperator, settled, userCalled, visitAs, type Scene } from '../stage.ts'

/**
 * What pages ask that need more than one answer; all others ask once. Pages of an employer or of a partner ask once for
 * what heads them, and once for what they show. What shows a present day, or may need somebody to sign in again, asks for
 * the credential too.
 */
const more: Record<string, number> = {
  'add-employer': 0,
  // The row of the book with its stage, what is known of it, what it owes, its plan years, and the day.
  employer: 5,
  'plan-years': 2,
  // Its head, the plan year, and who chooses.
  'plan-year': 3,
  // And how many have answered, for as long as people choose.
  'plan-year-open': 4,
  roster: 2,
  statements: 2,
  // Its head, the statements, and the lines of two of them.
  statement: 4,
  // The sums by age, and the invoices.
  money: 2,
  invoices: 2,
  // Its head, its row, its lines, its proof, and its PDF.
  invoice: 5,
  'employer-events': 2,
  settings: 2,
  'settings-details': 2,
  'settings-eligibility': 2,
  // Employment, eligibility, enrollments, dependents, life events, pay, deductions, and other employments.
  person: 8,
  // Why one enrollment has its days, what happened to it, and the plans that this names.
  'person-why': 11,
  // And the day, what covers a dependent on a day and now, and what each of two plans costs.
  'end-dependent': 13,
  'reinstate-dependent': 13,
  'person-change': 2,
  'person-end': 2,
  // Itself, its members, its syncs, and the plans that members are named with.
  group: 4,
  'group-send': 4,
  trace: 2,
  keys: 2,
  key: 2,
  // Itself, its deliveries, the newest events, which name them, and the day.
  webhook: 4,
  event: 2,
  // Health, what is open, and the life events among it.
  today: 3,
  clocks: 2,
  partners: 2,
  partner: 2,
  'partner-money': 3,
  'partner-statements': 2,
  // Its head, who belongs to it and who is invited to, or its keys and whose they are; and for how long one has been here.
  'partner-members': 4,
  'partner-keys': 4,
  // Who operates it, who is invited to, and for how long one has been here.
  operators: 3,
  catalog: 2,
  // The overview of an operator's employer: the employer, its partner, its status, and its plan years.
  operated: 4,
  'operated-plan-years': 3,
  'operated-statements': 3,
  'operated-statement': 5,
  'operated-invoices': 3,
  // Its head, its row, its lines, its proof, and its PDF.
  'operated-invoice': 6,
  'hris-none': 3,
  hris: 4,
  'hris-file': 4,
  'run-done': 2,
  // Besides, what can be offered, and what it would cost whom.
  builder: 5,
  // As of a member, without what they earn; and of a correction the enrollments, and what is offered of one.
  'operator-person': 10,
  'operator-correct': 3,
  // And the organizations that they could belong to.
  user: 3,
}

/** How often a page asks the interface when it is opened with nothing at hand. */
async function requestsOf(page: Page, url: string): Promise<number> {
  const asked: string[] = []
  const hear = (request: { url: () => string }) => asked.push(new URL(request.url()).pathname)
  page.on('request', hear)
  await page.goto(url)
  await settled(page)
  page.off('request', hear)
  return asked.filter((path) => /^\/(v1|operator\/v1)\//.test(path)).length
}

/** That pages ask once, where one answer has what they show. */
export function requestsAreFew(scene: Scene): void {
  const { api } = scene
  it('asks once for each view, and more where no one answer has it', async () => {
    const found: Record<string, number> = {}
    const count = async (page: Page, pages: Record<string, string>) => {
      for (const [name, path] of Object.entries(pages)) {
        const asked = await requestsOf(page, `${api.url}/console${path}`)
        if (asked !== 1) found[name] = asked
      }
    }
    // How much is asked of what is not there depends on what is answered first.
    const { nowhere: _, ...pages } = await pagesOfMember(api)
    await count(scene.maya.page, pages)
    const operator = await visitAs(scene.browser, api, await userCalled(api, 'Olive Marsh'))
    await count(operator.page, await pagesOfOperator(api))
    await operator.close()
    expect(found).toEqual(more)
  }, 240_000)
}
