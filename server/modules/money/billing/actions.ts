import { chunksOf, lastOf, readAhead } from '../../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { recordEvents } from '../../../runtime/events.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { renderApart } from '../../../documents/rendering.ts'
import { each } from '../../../kernel/slices.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { FairQueue } from '../../../kernel/fair-queue.ts'
import { employees_in_chunk, jobsTogether } from '../../../jobs/batches.ts'
import {
  contextOf,
  inTransaction,
  stepByStep,
  type Employers,
  type IsAwaited,
  type Runtime,
} from '../../../runtime/runtime.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { closeTasks, openTasks } from '../../directory/tasks/actions.ts'
import { listBillable, type BillableEnrollment } from './billable-queries.ts'
import {
  numbered,
  progressOf,
  type BilledEmployee,
  type DraftedLine,
  type DraftProgress,
  type InvoiceRun,
} from './draft-rules.ts'
import { findDocument, findKeptPdf, readPdf, savePdf, type InOrganization } from './pdf-queries.ts'
import {
  lockInvoice,
  saveDueIssues,
  saveIssue,
  savePayment,
  saveVoid,
  type CollectedInvoice,
  type InvoiceKey,
} from './queries.ts'
import {
  hasLiveInvoice,
  insertInvoices,
  insertLines,
  listBilledEmployees,
  listFirstRuns,
  listUnfinishedRuns,
  noteInvoiceDay,
  noteRun,
  saveDrafts,
  saveRuns,
} from './run-queries.ts'
import { days_as_draft, dueOn, linesFor, monthOf, refusals, whyNot, whyNotPaidOn } from './rules.ts'

/** In so many pieces a chunk is read, worked out and written: others wait to get in for one of them. */
const pieces_of_chunk = 10
const lines_in_piece = 500

/** The daily run: notes that the month is to be billed where that was not done, also when its first was missed. */
export async function noteInvoices(ctx: Ctx, organization_id: string): Promise<null> {
  await noteInvoiceDay(ctx, organization_id, monthOf(ctx.today))
  return null
}

/** The daily run: has drafted what is noted. A job gives up after some days, we don't. */
export async function requestDrafts(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const waiting = await listUnfinishedRuns(ctx, organization_id, chunk)
  if (waiting.length > 0)
    await ctx.enqueueEach('draft_invoice', jobsTogether('draft_invoice', organization_id, waiting))
  return lastOf(
    waiting.map(({ employer_id }) => employer_id),
    chunk,
  )
}

/** The daily run: issues the drafts that have stood for three days. */
export async function issueDrafts(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const drafted_by = addDays(ctx.today, -days_as_draft)
  const issued = await saveDueIssues(ctx, organization_id, { drafted_by, due_on: dueOn(ctx.today), most: chunk.most })
  await announce(ctx, organization_id, issued)
  return lastOf(
    issued.map(({ invoice_id }) => invoice_id),
    chunk,
  )
}

/** Has the present month of one employer billed now, also when its invoice was voided; 409 when there is a live one. */
export async function runInvoiceDay(ctx: Ctx, employer: EmployerKey) {
  const period = monthOf(ctx.today)
  if (await hasLiveInvoice(ctx, employer, period)) refuse(refusals.invoice_already_drafted)
  await noteRun(ctx, employer, period)
  const { organization_id, employer_id } = employer
  await ctx.enqueueEach(
    'draft_invoice',
    jobsTogether('draft_invoice', organization_id, [{ employer_id, employee_count: 0 }]),
  )
  return { employer_id: employer.employer_id, period: period.slice(0, 7) }
}

/**
 * Drafts the invoices of employers that are to be drafted, of each in order, in chunks of employees. Killed, it goes on
 * after the last chunk that was committed; run again it changes nothing.
 */
export const draftInvoices = (
  runtime: Runtime,
  employers: Employers,
  employees_at_once = employees_in_chunk,
): Promise<void> =>
  stepByStep(runtime, employers, (ctx, those, isAwaited) => draftChunk(ctx, those, employees_at_once, isAwaited))

/**
 * Bills the next employees of the earliest months that wait, one of each employer, and all alike; with its last ones an
 * invoice is seen. Tells whether there is more.
 */
async function draftChunk(
  ctx: Ctx,
  employers: Employers,
  employees_at_once: number,
  isAwaited: IsAwaited,
): Promise<boolean> {
  const { organization_id } = employers
  const first = await listFirstRuns(ctx, employers)
  if (first.length === 0) return false
  const { period, correction_reach_months } = first[0]!
  const runs = first.filter((run) => run.period === period && run.correction_reach_months === correction_reach_months)
  const next = await listBilledEmployees(ctx, organization_id, runs, employees_at_once)
  const employees_in_piece = Math.ceil(employees_at_once / pieces_of_chunk)
  const { people, lines } = await writeLines(ctx, organization_id, next, employees_in_piece, isAwaited)
  const is_end = people.length === next.length && next.length < employees_at_once
  const progress = progressOf(runs, people, lines, is_end)
  await saveRuns(ctx, organization_id, progress)
  await concludeDrafts(ctx, organization_id, progress)
  return progress.filter(({ is_whole }) => is_whole).length < first.length || first.some(({ is_last }) => !is_last)
}

/**
 * Works out the lines of employees, a piece of them at a time, and has them written; of the first of them alone when
 * somebody waits to write at their employers. Returns of whom, and the lines.
 */
async function writeLines(
  ctx: Ctx,
  organization_id: string,
  people: BilledEmployee[],
  employees_in_piece: number,
  isAwaited: IsAwaited,
) {
  const lines: DraftedLine[] = []
  const counts = new Map<InvoiceRun, number>()
  let begun: Promise<unknown> = Promise.resolve()
  const done = await readAhead(
    chunksOf(people, employees_in_piece),
    (piece) => listBillable(ctx, organization_id, piece),
    (billable) => each(billable, draftedOf),
    async (of_each) => {
      const drafted = of_each.flat()
      if (drafted.length === 0) return
      lines.push(...drafted)
      // Only the first lines of a run wait, until its invoice is begun.
      await (begun = begun.then(() => beginInvoices(ctx, organization_id, drafted)))
      const pieces = chunksOf(numbered(drafted, counts), lines_in_piece)
      await Promise.all(pieces.map((piece) => insertLines(ctx, organization_id, piece)))
    },
    isAwaited,
  )
  return { people: people.slice(0, done * employees_in_piece), lines }
}

const draftedOf = ({ run, employee_id, enrollment_id, employee_name, benefit_name, ...one }: BillableEnrollment) =>
  linesFor(run.period, run.correction_reach_months, one).map((line): DraftedLine => ({
    ...line,
    run,
    employee_id,
    enrollment_id,
    employee_name,
    benefit_name,
  }))

/** Begins the invoices of the runs that lines are the first ones of. */
async function beginInvoices(ctx: Ctx, organization_id: string, lines: DraftedLine[]): Promise<void> {
  const beginning = [...new Set(lines.map(({ run }) => run))].filter(({ invoice_id }) => invoice_id === null)
  if (beginning.length === 0) return
  const employer_ids = beginning.map(({ employer_id }) => employer_id)
  const ids = await insertInvoices(ctx, organization_id, employer_ids, beginning[0]!.period)
  for (const run of beginning) run.invoice_id = ids.get(run.employer_id)!
}

/** Drafts that are whole are seen from now on, and can be looked at until they are issued. */
async function concludeDrafts(ctx: Ctx, organization_id: string, progress: DraftProgress[]): Promise<void> {
  const drafts = progress.filter(({ invoice_id }) => invoice_id !== null)
  if (drafts.length === 0) return
  await saveDrafts(ctx, organization_id, drafts)
  const issued_by_itself_on = addDays(ctx.today, days_as_draft)
  const whole = drafts.filter(({ is_whole }) => is_whole)
  if (whole.length === 0) return
  await openTasks(
    ctx,
    whole.map(({ employer_id, invoice_id, period }) => {
      const details = { period: period.slice(0, 7), issued_by_itself_on }
      return { kind: 'invoice_drafted', organization_id, employer_id, resource_id: invoice_id!, details }
    }),
  )
}

/** Nobody has to look at a draft that is issued or void. */
const closeDrafted = (ctx: Ctx, organization_id: string, invoices: Pick<CollectedInvoice, 'invoice_id'>[]) =>
  closeTasks(
    ctx,
    { organization_id, kind: 'invoice_drafted' },
    invoices.map(({ invoice_id }) => invoice_id),
  )

/** Refuses an action that an invoice, as it stands, is not for. */
async function requireFit(ctx: Ctx, key: InvoiceKey, action: 'issue' | 'void' | 'pay', paid_on?: Day): Promise<void> {
  const { issued_on, status } = (await lockInvoice(ctx, key))!
  if (paid_on !== undefined) refuse(whyNotPaidOn(paid_on, { issued_on, today: ctx.today }))
  refuse(whyNot(action, status))
}

/** Issues a draft before its time: from now on it is to be paid. An open one stays as it is; 409 when paid or void. */
export async function issueInvoice(ctx: Ctx, invoice: InvoiceKey): Promise<void> {
  await requireFit(ctx, invoice, 'issue')
  const { organization_id, invoice_id } = invoice
  await announce(ctx, organization_id, await saveIssue(ctx, organization_id, invoice_id, dueOn(ctx.today)))
}

/**
 * Voids a draft or an open invoice, for a reason: what it billed counts as not billed, and its PDF says so. A void one
 * stays as it is; 409 when paid.
 */
export async function voidInvoice(ctx: Ctx, invoice: InvoiceKey, reason: string | null): Promise<void> {
  await requireFit(ctx, invoice, 'void')
  const voided = await saveVoid(ctx, invoice.organization_id, invoice.invoice_id, reason)
  await closeDrafted(ctx, invoice.organization_id, voided)
  await requestPdfs(ctx, voided)
  await mirror(ctx, voided)
}

/**
 * Notes that an open invoice was paid on a day, today unless said. A paid one stays as it is; 409 when draft or void,
 * 400 for a day on which it can't have been paid.
 */
export async function markInvoicePaid(ctx: Ctx, invoice: InvoiceKey, paid_on: Day = ctx.today): Promise<void> {
  await requireFit(ctx, invoice, 'pay', paid_on)
  await mirror(ctx, await savePayment(ctx, invoice.organization_id, invoice.invoice_id, paid_on))
}

/** Notes what became of an invoice where it is collected. The organization is locked; what is over already stays. */
export async function recordOutsideEnd(
  ctx: Ctx,
  organization_id: string,
  invoice_id: string,
  end: 'paid' | 'void',
): Promise<void> {
  if (end === 'paid') await savePayment(ctx, organization_id, invoice_id, ctx.today)
  else await saveVoid(ctx, organization_id, invoice_id, 'Voided at Stripe.')
}

/**
 * What follows from invoices being issued: the runtime hears of it, and they are rendered, here or by who collects
 * them.
 */
async function announce(ctx: Ctx, organization_id: string, issued: CollectedInvoice[]): Promise<void> {
  if (issued.length === 0) return
  await closeDrafted(ctx, organization_id, issued)
  await recordEvents(
    ctx,
    issued.map(({ invoice_id }) => ({
      event_name: 'invoice.issued',
      organization_id,
      resource_id: invoice_id,
    })),
  )
  await requestPdfs(
    ctx,
    issued.filter(({ billing_system }) => billing_system === 'built_in'),
  )
  await mirror(ctx, issued)
}

/**
 * Has PDFs rendered before they are opened, which they may be all the same. No job about an employer, by its key: a PDF
 * is the same on whatever day it is rendered, and holds up no clock.
 */
async function requestPdfs(ctx: Ctx, invoices: Pick<CollectedInvoice, 'organization_id' | 'invoice_id'>[]) {
  if (invoices.length === 0) return
  const jobs = invoices.map(({ organization_id, invoice_id }) => ({
    payload: { organization_id, invoice_id },
    key: `render_invoice:${organization_id}:${invoice_id}`,
  }))
  await ctx.enqueueEach('render_invoice', jobs)
}

/** Has what happened to invoices told to the outside system that collects them. */
async function mirror(ctx: Ctx, invoices: CollectedInvoice[]): Promise<void> {
  const outside = invoices.filter(({ billing_system }) => billing_system !== 'built_in')
  if (outside.length === 0) return
  // Not by the employer: while the outside system is down these wait for long, and the clock of a sandbox goes on.
  const jobs = outside.map(({ organization_id, invoice_id }) => ({
    payload: { organization_id, invoice_id },
    key: `mirror_invoice:${organization_id}:${invoice_id}`,
  }))
  await ctx.enqueueEach('mirror_invoice', jobs)
}

/** Has the PDF of an invoice at hand before somebody opens it. */
export async function prepareInvoicePdf(runtime: Runtime, invoice: InOrganization): Promise<void> {
  const ctx = contextOf(
    runtime,
    serviceCaller(invoice.organization_id),
    runtime.database.files([invoice.organization_id]),
  )
  if (!(await findKeptPdf(ctx, invoice))) await renderOnce(ctx, runtime, invoice)
}

/**
 * The PDF of an invoice for a link that is opened: the one that is kept, or else it is rendered now, whatever became of
 * earlier attempts. Undefined when there is no such invoice.
 */
export const openInvoicePdf: Download = async (ctx, { organization_id, id: invoice_id }, runtime) => {
  const invoice = { organization_id, invoice_id }
  const file = { file_name: `${invoice_id}.pdf`, content_type: 'application/pdf' }
  const openKept = async () => {
    const kept = await findKeptPdf(ctx, invoice)
    return kept && { ...file, bytes: kept.bytes, body: readPdf(ctx, invoice, kept) }
  }
  const kept = await openKept()
  if (kept) return kept
  const pdf = await renderInTurn(ctx, runtime, invoice)
  return pdf ? { ...file, bytes: pdf.length, body: pdf } : openKept()
}

/** Whoever opens what is not rendered yet waits for a turn, so that one organization's thousand hold up nobody. */
const renderings = new FairQueue({ at_once: 1, at_once_of_one: 1, waiting_of_one: 50, patience_ms: 60_000 })

type Rendering = Promise<Buffer | undefined>
const awaited = new Map<string, Rendering>()
const beingRendered = new Map<string, Rendering>()

/** What is under way for an invoice already, or else begins now. */
function joined(under_way: Map<string, Rendering>, invoice: InOrganization, begin: () => Rendering): Rendering {
  const key = `${invoice.organization_id} ${invoice.invoice_id}`
  return under_way.getOrInsertComputed(key, () => begin().finally(() => under_way.delete(key)))
}

/**
 * Renders an invoice when it is its turn, once for all who wait for it. Undefined when it is kept by then, or there is
 * none.
 */
const renderInTurn = (ctx: Ctx, runtime: Runtime, invoice: InOrganization): Rendering =>
  joined(awaited, invoice, () =>
    renderings.run(invoice.organization_id, async () =>
      (await findKeptPdf(ctx, invoice)) ? undefined : renderOnce(ctx, runtime, invoice),
    ),
  )

/** Renders an invoice, once for those who wait and for the job that has it at hand before somebody opens it. */
const renderOnce = (ctx: Ctx, runtime: Runtime, invoice: InOrganization): Rendering =>
  joined(beingRendered, invoice, () => renderNow(ctx, runtime, invoice))

/** Renders an invoice, outside of any transaction, and keeps the PDF, unless it is that of a draft. */
async function renderNow(ctx: Ctx, runtime: Runtime, invoice: InOrganization): Rendering {
  const found = await findDocument(ctx, invoice)
  if (!found) return undefined
  const pdf = await renderApart('invoice', found.document)
  if (found.status !== 'draft') await keep(runtime, invoice, found.rendered_state, pdf)
  return pdf
}

/** Where nothing can be written now, who wants to read has the PDF all the same. */
async function keep(runtime: Runtime, invoice: InOrganization, rendered_state: string, pdf: Buffer): Promise<void> {
  try {
    await inTransaction(runtime, serviceCaller(invoice.organization_id), (ctx) =>
      savePdf(ctx, invoice, rendered_state, pdf),
    )
  } catch (error) {
    runtime.log.warn({ err: error, invoice_id: invoice.invoice_id }, 'a PDF could not be kept')
  }
}
