import { createApiKey } from '../../modules/access/api-keys/actions.ts'
import { markInvoicePaid } from '../../modules/money/billing/actions.ts'
import { answerTogether, type FirstAnswer } from '../../modules/coverage/elections/joint-actions.ts'
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
import { harborsCatalog, stock, type CatalogIds } from '../catalog.ts'
import { Jobs } from '../jobs.ts'
import { onDay, Timeline } from '../timeline.ts'
import { Company } from './company.ts'
import { books, type Book, type StageEmployer } from './employers.ts'
import { about, chance, personAt, type StagePerson } from './people.ts'
import { claim, findPlanted, listEnrolled, listOwed, listUnanswered } from './queries.ts'
import { sendWebhooks, subscribes, writeTrail } from './traffic.ts'

/** How long ago the first things happened that the stage tells of. */
const days_told = 600

/** The second and the third have as many people as the first, and a session plans each statement once for both. */
const books_at_once = 2

/**
 * Plants the stage of the sandbox: three organizations with the books that they would have by today. Each book comes in
 * one transaction, as the actions of the modules leave it; where it was cut off, the next start tells it anew. What is
 * there stays as it is. `tell` hears of each book that was planted.
 */
export async function plantStage(
  runtime: Runtime,
  tasks: Record<string, Task>,
  tell: (book: Book) => void,
): Promise<void> {
  let at = 0
  const written = books.map((book) => ({ book, people: book.employers.map((one) => peopleOf(one, () => at++)) }))
  const waiting = written.values()
  const failures: unknown[] = []
  const plantNext = async () => {
    for (const { book, people } of waiting)
      try {
        if ((await found(runtime, book)) && (await plantBook(runtime, tasks, book, people))) tell(book)
      } catch (error) {
        failures.push(error)
      }
  }
  await Promise.all(Array.from({ length: books_at_once }, plantNext))
  if (failures.length > 0) throw failures[0]
}

const peopleOf = ({ people }: StageEmployer, next: () => number): StagePerson[] =>
  Array.from({ length: people }, () => personAt(next()))

/**
 * Plants the stage beside a service that is ready, with a line for each book. A start neither waits for it nor fails
 * by it: what is missing then, the next start plants.
 */
export function plantBeside(runtime: Runtime, tasks: Record<string, Task>, say: (line: string) => void): void {
  const tell = ({ name, employers }: Book) => say(`  stage    ${name} is there too, with ${employers.length} employers`)
  plantStage(runtime, tasks, tell).catch((error: unknown) =>
    runtime.log.warn({ err: error }, 'the stage of the sandbox is not whole: the next start goes on with it'),
  )
}

/** Founds an organization unless it is there, apart from its book: who adds users holds their count. */
const found = (runtime: Runtime, { id, name, type, slug, members }: Book): Promise<boolean> =>
  inTransaction(runtime, serviceCaller(null), async (asked) => {
    const { founded, planted } = await findPlanted(asked.db, id)
    if (founded || planted) return !planted
    if (!(await claim(asked.db, id))) return false
    const ctx = onDay(asked, addDays(asked.today, -days_told))
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

/** Tells the book of an organization up to today, in one transaction; tells whether it did. */
const plantBook = (
  runtime: Runtime,
  tasks: Record<string, Task>,
  book: Book,
  people: StagePerson[][],
): Promise<boolean> =>
  inOrganization(runtime, book.id, async (asked) => {
    if (!(await claim(asked.db, book.id)) || (await findPlanted(asked.db, book.id)).planted) return false
    const jobs = new Jobs(runtime, tasks, [book.id])
    const ctx = { ...asked, ...jobs.queueIn(asked.db) }
    const timeline = new Timeline(ctx, jobs, book.id)
    const since = timeline.ago(days_told)
    const catalog_ids = await stock(onDay(ctx, since), book.id, harborsCatalog(since, timeline.day(-3, 1)))
    const companies = book.employers.map(
      (written, at) => new Company(timeline, catalog_ids, written, at, people[at] ?? []),
    )
    for (const company of companies) company.tells()
    peopleAnswer(timeline, catalog_ids, companies)
    companiesPay(timeline, companies)
    familiesChange(timeline, companies)
    subscribes(timeline, book)
    await timeline.tell()
    await sendWebhooks(ctx, book)
    await jobs.run(ctx)
    await writeTrail(ctx, book, timeline.requests)
    return true
  })

/** Half of the people of an employer answer on one day of its open enrollment, and most others on another. */
function peopleAnswer(timeline: Timeline, catalog_ids: CatalogIds, companies: Company[]): void {
  const days = companies.flatMap((company) => company.answering.map((answering) => ({ ...answering, company })))
  const benefit_names = new Map([...catalog_ids.benefits].map(([name, id]) => [id, name]))
  const answerOf = (reference_id: string, benefit_id: string, half: number) => {
    const person = personAt(Number(reference_id.split('-').at(-1)) - 1000)
    return person.at % 2 === half ? saidBy(person, benefit_names.get(benefit_id)!) : undefined
  }
  for (const [day, same_day] of Map.groupBy(days, ({ day }) => day))
    timeline.on(day, async (ctx) => {
      for (const [half, some] of Map.groupBy(same_day, ({ half }) => half)) {
        const ids = some.map(({ company }) => company.employer.key().employer_id)
        const asked = await listUnanswered(ctx, timeline.organization_id, ids)
        const answers = asked.flatMap(({ id, benefit_id, reference_id }): FirstAnswer[] => {
          const said = answerOf(reference_id, benefit_id, half)
          if (said === undefined) return []
          if (said === 'waived') return [{ enrollment_id: id, waive: { reason: 'Covered by a spouse' } }]
          const { plan_id } = catalog_ids.plans.get(said.plan)!
          return [{ enrollment_id: id, elect: { plan_id, coverage_tier: said.tier, dependent_ids: undefined } }]
        })
        await answerTogether(ctx, timeline.organization_id, answers)
      }
    })
}

type StageAnswer = { plan: string; tier: 'EE' | 'ES' | 'EC' | 'EF' } | 'waived' | undefined

/** What somebody answers to a benefit: a few say nothing. */
function saidBy({ at, family }: StagePerson, benefit: string): StageAnswer {
  const spouse = family.some(({ relationship }) => relationship === 'spouse')
  const children = family.some(({ relationship }) => relationship === 'child')
  const whole = spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
  const tier = chance(at, about.alone) < 0.22 ? 'EE' : whole
  const drawn = chance(at, about.medical)
  if (drawn > 0.95) return undefined
  const [wanted, plan] = {
    'Essential Care': [0.82, 'Essential Care Base'] as const,
    'Major Medical': [0.8, drawn < 0.45 ? 'Major Medical Silver' : 'Major Medical Bronze'] as const,
    Dental: [0.7, chance(at, about.dental) < 0.6 ? 'Brightside PPO' : 'Brightside DHMO'] as const,
    Vision: [0.55, 'Clearview Basic'] as const,
    'Virtual Primary Care': [0.9, 'Nearby Anytime'] as const,
  }[benefit]!
  return (drawn * 7 + chance(at, about.vision)) % 1 < wanted ? { plan, tier } : 'waived'
}

/** Invoices are paid in their month; some employers are late with the last ones, and one is late with more. */
function companiesPay(timeline: Timeline, companies: Company[]): void {
  const lateness = (employer_id: string): number => {
    const at = companies.findIndex(({ employer }) => employer.key().employer_id === employer_id)
    return at % 7 === 3 ? 3 : at % 5 === 2 ? 1 : 0
  }
  for (let month = -14; month <= 0; month++) {
    const day = timeline.day(month, 22)
    if (day > timeline.today) continue
    timeline.on(day, async (ctx) => {
      for (const invoice of await listOwed(ctx, timeline.organization_id))
        if (-month >= lateness(invoice.employer_id)) await markInvoicePaid(ctx, invoice)
    })
  }
}

/** What happens in families: decided a while ago, and waiting for a decision. */
function familiesChange(timeline: Timeline, companies: Company[]): void {
  const { ago, organization_id } = timeline
  const reported: string[] = []
  const report = (day: Day, types: ('marriage' | 'birth' | 'loss_of_coverage')[], skip: number) =>
    timeline.on(day, async (ctx: Ctx) => {
      const there = companies.filter(({ begins }) => begins !== undefined && begins < ctx.today)
      const ids = there.map(({ employer }) => employer.key().employer_id)
      const people = await listEnrolled(ctx, organization_id, ids, skip + types.length)
      for (const [at, type] of types.entries()) {
        const person = people[skip + at]
        const said = NewLifeEvent.parse({ type, occurred_on: addDays(ctx.today, -3 - at) })
        if (person) reported.push(await reportLifeEvent(ctx, person, said))
      }
    })
  report(ago(16), ['marriage', 'birth'], 4)
  timeline.on(ago(14), async (ctx) => {
    for (const life_event_id of reported.splice(0))
      await approveLifeEvent(ctx, (await locateLifeEvent(ctx, { life_event_id }))!)
  })
  report(ago(2), ['birth', 'loss_of_coverage'], 11)
}
