import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { markInvoicePaid } from '../../modules/money/billing/actions.ts'
import { designateBeneficiaries } from '../../modules/coverage/beneficiaries/actions.ts'
import { BeneficiariesInput } from '../../modules/coverage/beneficiaries/schemas.ts'
import { saveFirstAnswers, type FirstAnswer } from '../../modules/coverage/elections/batch-actions.ts'
import { approveLifeEvent, reportLifeEvent } from '../../modules/coverage/life-events/actions.ts'
import { locateLifeEvent } from '../../modules/coverage/life-events/queries.ts'
import { NewLifeEvent } from '../../modules/coverage/life-events/schemas.ts'
import { insertMembership, insertOrganization, insertUser } from '../../modules/access/organizations/queries.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import { addDays, type Day } from '../../kernel/days.ts'
import { newId } from '../../kernel/ids.ts'
import { inOrganization, inTransaction, type Runtime } from '../../runtime/runtime.ts'
import type { Task } from '../../jobs/worker.ts'
import { harborsCatalog, seedCatalog, type CatalogIds } from '../catalog.ts'
import { Jobs, onDay, Timeline } from '../timeline.ts'
import { Company } from './company.ts'
import { books, type Book, type DemoEmployer } from './employers.ts'
import { staffingAnswer } from './staffing.ts'
import { topics, pseudorandom, personAt, type DemoWorker } from './people.ts'
import {
  lockSeeding,
  findSeedState,
  listColleagues,
  listEnrolled,
  listUnpaidInvoices,
  listPendingEnrollments,
} from './queries.ts'
import { sendWebhooks, subscribeToWebhooks, writeAuditLog } from './traffic.ts'

/** The number of days of history in the demo data. */
const days_of_history = 800

/**
 * Two organizations at a time: the second and third together have as many people as the first, and a session plans each
 * statement only once for both.
 */
const parallel_books = 2

/**
 * Seeds the demo data: three organizations with their history up to today. Each organization is one transaction of
 * module actions. If it is interrupted, the next start repeats it. Existing organizations are unchanged. `report` is
 * called for each one that was seeded.
 */
export async function seedDemoData(
  runtime: Runtime,
  tasks: Record<string, Task>,
  report: (book: Book) => void,
): Promise<void> {
  let at = 0
  const written = books.map((book) => ({
    book,
    people: book.employers.map((employer) => peopleOf(employer, () => at++)),
  }))
  const waiting = written.values()
  const failures: unknown[] = []
  const seedNext = async () => {
    for (const { book, people } of waiting)
      try {
        if ((await found(runtime, book)) && (await seedBook(runtime, tasks, book, people))) report(book)
      } catch (error) {
        failures.push(error)
      }
  }
  await Promise.all(Array.from({ length: parallel_books }, seedNext))
  if (failures.length > 0) throw failures[0]
}

const peopleOf = ({ people }: DemoEmployer, next: () => number): DemoWorker[] =>
  Array.from({ length: people }, () => personAt(next()))

/**
 * Seeds the demo data in the background of a running service and prints a line for each organization. It neither delays
 * nor fails a start. The next start seeds missing parts.
 */
export function seedDemoDataInBackground(
  runtime: Runtime,
  tasks: Record<string, Task>,
  print: (line: string) => void,
): void {
  const report = ({ name, employers }: Book) =>
    print(`  demo     ${name} is ready,
  with ${employers.length} employers`)
  seedDemoData(runtime, tasks, report).catch((error: unknown) =>
    runtime.log.warn({ err: error }, 'could not seed all demo data; the next start continues'),
  )
}

/** Creates an organization and its users in a separate transaction, because adding users locks their counter. */
const found = (runtime: Runtime, { id, name, type, slug, members }: Book): Promise<boolean> =>
  inTransaction(runtime, serviceCaller(null), async (seeding_ctx) => {
    const { founded, seeded } = await findSeedState(seeding_ctx.db, id)
    if (founded || seeded) return !seeded
    if (!(await lockSeeding(seeding_ctx.db, id))) return false
    const ctx = onDay(seeding_ctx, addDays(seeding_ctx.today, -days_of_history))
    await insertOrganization(ctx, {
      id,
      name,
      type,
      idp_provider: 'service',
      idp_org_id: id,
      super_in: false,
      sandbox: true,
    })
    for (const member of members) {
      const user_id = newId('usr')
      const email = `${member.name.split(' ')[0]!.toLowerCase()}@${slug}.example.com`
      await insertUser(ctx, { id: user_id, name: member.name, email })
      await insertMembership(ctx, { organization_id: id, user_id, role: member.role })
      if (member.role === 'ADMIN')
        await createApiKey(ctx, {
          name: 'Back office',
          user_id,
          organization_id: id,
          mode: 'test',
          rate_limited: true,
        })
    }
    return true
  })

/** Seeds the history of an organization up to today in one transaction. Returns whether it did. */
const seedBook = (
  runtime: Runtime,
  tasks: Record<string, Task>,
  book: Book,
  people: DemoWorker[][],
): Promise<boolean> =>
  inOrganization(runtime, book.id, async (locked) => {
    // Events are written immediately, because the webhook deliveries are made from them.
    const seeding_ctx: Ctx = { ...locked, held_back: undefined }
    if (!(await lockSeeding(seeding_ctx.db, book.id)) || (await findSeedState(seeding_ctx.db, book.id)).seeded)
      return false
    const jobs = new Jobs(runtime, tasks, [book.id])
    const ctx = { ...seeding_ctx, ...jobs.queueIn(seeding_ctx.db) }
    const timeline = new Timeline(ctx, jobs, book.id)
    const since = timeline.ago(days_of_history)
    const catalog_ids = await seedCatalog(onDay(ctx, since), book.id, harborsCatalog(since, timeline.day(-3, 1)))
    const companies = book.employers.map(
      (written, index) => new Company(timeline, catalog_ids, written, index, people[index] ?? []),
    )
    const colleagues = await listColleagues(ctx, { organization_id: book.id })
    companies.forEach((company, index) => company.records(colleagues[index % colleagues.length]!.user_id))
    peopleAnswer(timeline, catalog_ids, companies)
    payInvoices(timeline, companies)
    reportLifeEvents(timeline, companies)
    subscribeToWebhooks(timeline, book)
    await timeline.run()
    await sendWebhooks(ctx, book)
    await jobs.run(ctx, { with_forms: true })
    await writeAuditLog(ctx, book, timeline.requests)
    return true
  })

/**
 * Half of an employer's people submit their choices on one day of open enrollment, and most of the other half on
 * another day.
 */
function peopleAnswer(timeline: Timeline, catalog_ids: CatalogIds, companies: Company[]): void {
  const days = companies.flatMap((company) => company.answering.map((answering) => ({ ...answering, company })))
  const benefit_names = new Map([...catalog_ids.benefits].map(([name, id]) => [id, name]))
  const firm = companies.find(({ written }) => written.stage === 'staffing')
  const answerOf = (reference_id: string, benefit_id: string, half: number) => {
    const person = personOf(reference_id)
    if (person.at % 2 !== half) return undefined
    const answer = firm && reference_id.startsWith(`${firm.location.prefix}-`) ? staffingAnswer : submissionFor
    return answer(person, benefit_names.get(benefit_id)!)
  }
  for (const [day, same_day] of Map.groupBy(days, ({ day }) => day))
    timeline.on(day, async (ctx) => {
      for (const [half, some] of Map.groupBy(same_day, ({ half }) => half)) {
        const ids = some.map(({ company }) => company.employer.key().employer_id)
        const pending = await listPendingEnrollments(ctx, {
          organization_id: timeline.organization_id,
          employer_ids: ids,
        })
        const answers = pending.flatMap(({ id, benefit_id, reference_id }): FirstAnswer[] => {
          const answer = answerOf(reference_id, benefit_id, half)
          if (answer === undefined) return []
          if (answer === 'waived') return [{ enrollment_id: id, waive: { reason: 'Covered by a spouse' } }]
          const { plan_id } = catalog_ids.plans.get(answer.plan)!
          return [{ enrollment_id: id, elect: { plan_id, coverage_tier: answer.tier, dependent_ids: undefined } }]
        })
        await saveFirstAnswers(ctx, timeline.organization_id, answers)
        const life = catalog_ids.benefits.get('Hospital and Life')!
        const elected = new Set(answers.flatMap((answer) => ('elect' in answer ? [answer.enrollment_id] : [])))
        for (const enrollment of pending)
          if (enrollment.benefit_id === life && elected.has(enrollment.id))
            await designateSpouse(ctx, timeline.organization_id, enrollment)
      }
    })
}

/** Designates the spouse as the beneficiary of life insurance. Every third employee designates no one. */
async function designateSpouse(
  ctx: Ctx,
  organization_id: string,
  { employee_id, benefit_id, reference_id }: { employee_id: string; benefit_id: string; reference_id: string },
): Promise<void> {
  const { at, family } = personOf(reference_id)
  const spouse = family.find(({ relationship }) => relationship === 'spouse')
  if (!spouse || at % 3 === 0) return
  const name = `${spouse.first_name} ${spouse.last_name}`
  const input = { level: 'primary', type: 'person', name, relationship: 'spouse', share_percentage: 100 }
  const key = { organization_id, employee_id }
  const { caller } = ctx
  const as_employee: Ctx = {
    ...ctx,
    caller: { ...caller, kind: 'employee_token', reach: { ...caller.reach, employee_id } },
  }
  await designateBeneficiaries(as_employee, key, benefit_id, BeneficiariesInput.parse({ beneficiaries: [input] }))
}

const personOf = (reference_id: string): DemoWorker => personAt(Number(reference_id.split('-').at(-1)) - 1000)

type DemoAnswer = { plan: string; tier: 'EE' | 'ES' | 'EC' | 'EF' } | 'waived' | undefined

/** The submission of an employee for a benefit. A few submit nothing. */
function submissionFor({ at, family }: DemoWorker, benefit: string): DemoAnswer {
  const spouse = family.some(({ relationship }) => relationship === 'spouse')
  const children = family.some(({ relationship }) => relationship === 'child')
  const whole = spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
  const tier = pseudorandom(at, topics.alone) < 0.22 ? 'EE' : whole
  const drawn = pseudorandom(at, topics.medical)
  if (drawn > 0.95) return undefined
  const [wanted, plan] = {
    'Essential Care': [0.82, 'Essential Care Base'] as const,
    'Major Medical': [0.8, drawn < 0.45 ? 'Major Medical Silver' : 'Major Medical Bronze'] as const,
    Dental: [0.7, pseudorandom(at, topics.dental) < 0.6 ? 'Brightside PPO' : 'Brightside DHMO'] as const,
    Vision: [0.55, 'Clearview Basic'] as const,
    'Virtual Primary Care': [0.9, 'Nearby Anytime'] as const,
    'Hospital and Life': [0.9, 'Lakeshore Hospital and Term Life'] as const,
  }[benefit]!
  return (drawn * 7 + pseudorandom(at, topics.vision)) % 1 < wanted ? { plan, tier } : 'waived'
}

/** Invoices are paid in their month. Some employers are late with the last ones, and one with more. */
function payInvoices(timeline: Timeline, companies: Company[]): void {
  const lateness = (employer_id: string): number => {
    const index = companies.findIndex(({ employer }) => employer.key().employer_id === employer_id)
    return index % 7 === 3 ? 3 : index % 5 === 2 ? 1 : 0
  }
  for (let month = -24; month <= 0; month++) {
    const day = timeline.day(month, 22)
    if (day > timeline.today) continue
    timeline.on(day, async (ctx) => {
      for (const invoice of await listUnpaidInvoices(ctx, { organization_id: timeline.organization_id }))
        if (-month >= lateness(invoice.employer_id)) await markInvoicePaid(ctx, invoice)
    })
  }
}

/** Life events, some decided and some waiting for a decision. */
function reportLifeEvents(timeline: Timeline, companies: Company[]): void {
  const { ago, organization_id } = timeline
  const reported: string[] = []
  const report = (day: Day, types: ('marriage' | 'birth' | 'loss_of_coverage')[], skip: number) =>
    timeline.on(day, async (ctx: Ctx) => {
      const there = companies.filter(({ begins }) => begins !== undefined && begins < ctx.today)
      const ids = there.map(({ employer }) => employer.key().employer_id)
      const people = await listEnrolled(ctx, { organization_id, employer_ids: ids, most: skip + types.length })
      for (const [index, type] of types.entries()) {
        const person = people[skip + index]
        const event = NewLifeEvent.parse({ type, occurred_on: addDays(ctx.today, -3 - index) })
        if (person) reported.push(await reportLifeEvent(ctx, person, event))
      }
    })
  report(ago(16), ['marriage', 'birth'], 4)
  timeline.on(ago(14), async (ctx) => {
    for (const life_event_id of reported.splice(0))
      await approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!)
  })
  report(ago(2), ['birth', 'loss_of_coverage'], 11)
}
