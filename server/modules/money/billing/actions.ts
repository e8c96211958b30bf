import { task } from '../../../jobs/worker.ts'
import { z } from 'zod'
import { chunksOf, lastOf, readAhead } from '../../../kernel/concurrency/chunks.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { addDays, type Day } from '../../../kernel/days.ts'
import { recordEventOfEach } from '../../../runtime/events.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { renderInWorker } from '../../../documents/pdf-rendering.ts'
import { mapInSteps } from '../../../kernel/concurrency/time-slices.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { serviceCaller } from '../../../runtime/caller.ts'
import { FairQueue } from '../../../kernel/concurrency/fair-queue.ts'
import { employees_in_chunk, jobsForEmployers, onEmployers } from '../../../jobs/batches.ts'
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
  numberLines,
  draftProgressOf,
  type BilledEmployee,
  type DraftedLine,
  type DraftProgress,
  type InvoiceAction,
  type InvoiceRun,
  days_as_draft,
  dueOn,
  invoiceLinesFor,
  monthOf,
  refusals,
  whyNotInStatus,
  whyNotPaidOn,
} from './rules.ts'
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
  insertInvoiceRuns,
  insertInvoiceRun,
  saveDrafts,
  saveRuns,
} from './run-queries.ts'

/** A chunk is read, calculated and written in this many pieces, so that waiting writers can proceed after a piece. */
const pieces_of_chunk = 10
const lines_in_piece = 500

/**
 * The daily run: schedules the invoices of the month if that has not been done, even after a missed first of the month.
 */
export async function scheduleInvoices(ctx: Ctx, organization_id: string): Promise<null> {
  await insertInvoiceRuns(ctx, { organization_id, period: monthOf(ctx.today) })
  return null
}

/** The daily run: enqueues the drafting of scheduled invoices again, because jobs stop retrying after some days. */
export async function requestDrafts(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const waiting = await listUnfinishedRuns(ctx, { organization_id, ...chunk })
  if (waiting.length > 0)
    await ctx.enqueueEach('draft_invoice', jobsForEmployers('draft_invoice', organization_id, waiting))
  const employer_ids = waiting.map(({ employer_id }) => employer_id)
  return lastOf(employer_ids, chunk)
}

/** The daily run: issues drafts that are three days old. */
export async function issueDrafts(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const drafted_by = addDays(ctx.today, -days_as_draft)
  const issued = await saveDueIssues(ctx, { organization_id, drafted_by, due_on: dueOn(ctx.today), most: chunk.most })
  await publishIssued(ctx, organization_id, issued)
  const invoice_ids = issued.map(({ invoice_id }) => invoice_id)
  return lastOf(invoice_ids, chunk)
}

/**
 * Drafts the current month of an employer now, even after its invoice was voided. Refuses with 409 if there is an
 * invoice that is not void.
 */
export async function runInvoiceDay(ctx: Ctx, employer: EmployerKey) {
  const period = monthOf(ctx.today)
  if (await hasLiveInvoice(ctx, { ...employer, period })) refuse(refusals.invoice_already_drafted)
  await insertInvoiceRun(ctx, { ...employer, period })
  const { organization_id, employer_id } = employer
  const jobs = jobsForEmployers('draft_invoice', organization_id, [{ employer_id, employee_count: 0 }])
  await ctx.enqueueEach('draft_invoice', jobs)
  return { employer_id, period: period.slice(0, 7) }
}

/**
 * Drafts the scheduled invoices of employers, in order, in chunks of employees. If interrupted, it continues after the
 * last committed chunk. Repeating it changes nothing.
 */
export const draftInvoices = (
  runtime: Runtime,
  employers: Employers,
  employees_per_chunk = employees_in_chunk,
): Promise<void> =>
  stepByStep(runtime, employers, (ctx, some_employers, isAwaited) =>
    draftChunk(ctx, some_employers, employees_per_chunk, isAwaited),
  )

/**
 * Bills the next employees for the earliest waiting month of each employer. An invoice becomes visible with its last
 * employee. Returns whether more remains.
 */
async function draftChunk(
  ctx: Ctx,
  employers: Employers,
  employees_per_chunk: number,
  isAwaited: IsAwaited,
): Promise<boolean> {
  const { organization_id } = employers
  const first = await listFirstRuns(ctx, employers)
  if (first.length === 0) return false
  const { period, correction_reach_months } = first[0]!
  const runs = first.filter((run) => run.period === period && run.correction_reach_months === correction_reach_months)
  const next = await listBilledEmployees(ctx, organization_id, runs, employees_per_chunk)
  const employees_in_piece = Math.ceil(employees_per_chunk / pieces_of_chunk)
  const { people, lines } = await writeLines(ctx, organization_id, next, employees_in_piece, isAwaited)
  const is_end = people.length === next.length && next.length < employees_per_chunk
  const progress = draftProgressOf(runs, people, lines, is_end)
  await saveRuns(ctx, organization_id, progress)
  await concludeDrafts(ctx, organization_id, progress)
  return (
    progress.filter(({ is_complete }) => is_complete).length < first.length || first.some(({ is_last }) => !is_last)
  )
}

/**
 * Calculates and writes the lines of employees, piece by piece. Stops after the first piece if another writer waits for
 * their employers. Returns the lines and their employees.
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
  const pieces_drafted = await readAhead(
    chunksOf(people, employees_in_piece),
    (piece) => listBillable(ctx, organization_id, piece),
    (billable) => mapInSteps(billable, draftedOf),
    async (of_each) => {
      const drafted = of_each.flat()
      if (drafted.length === 0) return
      lines.push(...drafted)
      // Only the first lines of a run wait until its invoice is inserted.
      await (begun = begun.then(() => beginInvoices(ctx, organization_id, drafted)))
      const pieces = chunksOf(numberLines(drafted, counts), lines_in_piece)
      await Promise.all(pieces.map((piece) => insertLines(ctx, organization_id, piece)))
    },
    isAwaited,
  )
  return { people: people.slice(0, pieces_drafted * employees_in_piece), lines }
}

const draftedOf = ({ run, employee_id, enrollment_id, employee_name, benefit_name, ...one }: BillableEnrollment) =>
  invoiceLinesFor(run.period, run.correction_reach_months, one).map((line): DraftedLine => ({
    ...line,
    run,
    employee_id,
    enrollment_id,
    employee_name,
    benefit_name,
  }))

/** Inserts the invoices of runs that have their first lines. */
async function beginInvoices(ctx: Ctx, organization_id: string, lines: DraftedLine[]): Promise<void> {
  const beginning = [...new Set(lines.map(({ run }) => run))].filter(({ invoice_id }) => invoice_id === null)
  if (beginning.length === 0) return
  const employer_ids = beginning.map(({ employer_id }) => employer_id)
  const ids = await insertInvoices(ctx, organization_id, employer_ids, beginning[0]!.period)
  for (const run of beginning) run.invoice_id = ids.get(run.employer_id)!
}

/** Makes complete drafts visible, and opens a task to review each one before it is issued. */
async function concludeDrafts(ctx: Ctx, organization_id: string, progress: DraftProgress[]): Promise<void> {
  const drafts = progress.filter(({ invoice_id }) => invoice_id !== null)
  if (drafts.length === 0) return
  await saveDrafts(ctx, organization_id, drafts)
  const issued_by_itself_on = addDays(ctx.today, days_as_draft)
  const whole = drafts.filter(({ is_complete }) => is_complete)
  if (whole.length === 0) return
  await openTasks(
    ctx,
    whole.map(({ employer_id, invoice_id, period }) => {
      const details = { period: period.slice(0, 7), issued_by_itself_on }
      return { kind: 'invoice_drafted', organization_id, employer_id, resource_id: invoice_id!, details }
    }),
  )
}

/** Closes the review tasks of drafts that were issued or voided. */
const closeDrafted = (ctx: Ctx, organization_id: string, invoices: Pick<CollectedInvoice, 'invoice_id'>[]) =>
  closeTasks(
    ctx,
    { organization_id, kinds: ['invoice_drafted'] },
    invoices.map(({ invoice_id }) => invoice_id),
  )

/** Refuses an action that the status of the invoice does not allow. */
async function requireStatusFor(ctx: Ctx, key: InvoiceKey, action: InvoiceAction, paid_on?: Day): Promise<void> {
  const { issued_on, status } = (await lockInvoice(ctx, key))!
  if (paid_on !== undefined) refuse(whyNotPaidOn(paid_on, { issued_on, today: ctx.today }))
  refuse(whyNotInStatus(action, status))
}

/**
 * Issues a draft early, which makes it payable. An open invoice stays unchanged. Refuses with 409 if it is paid or
 * void.
 */
export async function issueInvoice(ctx: Ctx, invoice: InvoiceKey): Promise<void> {
  await requireStatusFor(ctx, invoice, 'issue')
  const { organization_id, invoice_id } = invoice
  const issued = await saveIssue(ctx, { organization_id, invoice_id, due_on: dueOn(ctx.today) })
  await publishIssued(ctx, organization_id, issued)
}

/**
 * Voids a draft or an open invoice with a reason. Its amounts count as not billed, and its PDF is marked as void. A
 * void invoice stays unchanged. Refuses with 409 if it is paid.
 */
export async function voidInvoice(ctx: Ctx, invoice: InvoiceKey, reason: string | null): Promise<void> {
  await requireStatusFor(ctx, invoice, 'void')
  const voided = await saveVoid(ctx, invoice.organization_id, invoice.invoice_id, reason)
  await closeDrafted(ctx, invoice.organization_id, voided)
  await requestJobs(ctx, 'render_invoice', voided)
  await mirror(ctx, voided)
}

/**
 * Records the payment of an open invoice, by default today. A paid invoice stays unchanged. Refuses with 409 if it is a
 * draft or void, and with 400 for an impossible payment day.
 */
export async function markInvoicePaid(ctx: Ctx, invoice: InvoiceKey, paid_on: Day = ctx.today): Promise<void> {
  await requireStatusFor(ctx, invoice, 'pay', paid_on)
  await mirror(ctx, await savePayment(ctx, { ...invoice, paid_on }))
}

/**
 * Records the final status of an invoice in the system that collects it. The organization must be locked. A final
 * status never changes.
 */
export async function recordExternalStatus(
  ctx: Ctx,
  organization_id: string,
  invoice_id: string,
  end: 'paid' | 'void',
): Promise<void> {
  if (end === 'paid') await savePayment(ctx, { organization_id, invoice_id, paid_on: ctx.today })
  else await saveVoid(ctx, organization_id, invoice_id, 'Voided at Stripe.')
}

/** Publishes events for issued invoices, and enqueues their PDFs or their transfer to the billing system. */
async function publishIssued(ctx: Ctx, organization_id: string, issued: CollectedInvoice[]): Promise<void> {
  if (issued.length === 0) return
  await closeDrafted(ctx, organization_id, issued)
  const invoice_ids = issued.map(({ invoice_id }) => invoice_id)
  await recordEventOfEach(ctx, 'invoice.issued', organization_id, invoice_ids)
  await requestJobs(ctx, 'render_invoice', issued.filter(isBuiltIn))
  await mirror(ctx, issued)
}

/**
 * Enqueues a job for each invoice: to render its PDF before it is opened, or to transfer its changes to the external
 * billing system. The keys name no employer, so that a job that waits for long does not block the clock of a sandbox.
 */
async function requestJobs(
  ctx: Ctx,
  name: 'render_invoice' | 'mirror_invoice',
  invoices: Pick<CollectedInvoice, 'organization_id' | 'invoice_id'>[],
): Promise<void> {
  const jobs = invoices.map(({ organization_id, invoice_id }) => ({
    payload: { organization_id, invoice_id },
    key: `${name}:${organization_id}:${invoice_id}`,
  }))
  if (jobs.length > 0) await ctx.enqueueEach(name, jobs)
}

const isBuiltIn = ({ billing_system }: CollectedInvoice): boolean => billing_system === 'built_in'

const mirror = (ctx: Ctx, invoices: CollectedInvoice[]): Promise<void> =>
  requestJobs(
    ctx,
    'mirror_invoice',
    invoices.filter((invoice) => !isBuiltIn(invoice)),
  )

/** Renders the PDF of an invoice in advance. */
async function prepareInvoicePdf(runtime: Runtime, invoice: InOrganization): Promise<void> {
  const ctx = contextOf(
    runtime,
    serviceCaller(invoice.organization_id),
    runtime.database.files([invoice.organization_id]),
  )
  if (!(await findKeptPdf(ctx, invoice))) await renderOnce(ctx, runtime, invoice)
}

/**
 * Opens the PDF of an invoice for a link: the stored one, or a new one if earlier attempts failed. Undefined if the
 * invoice does not exist.
 */
export const openInvoicePdf: Download = async (ctx, { organization_id, id: invoice_id }, runtime) => {
  const invoice = { organization_id, invoice_id }
  const file = { file_name: `${invoice_id}.pdf`, content_type: 'application/pdf' }
  const openKept = async () => {
    const kept = await findKeptPdf(ctx, invoice)
    return kept && { ...file, bytes: kept.bytes, body: readPdf(ctx, invoice, kept) }
  }
  const kept_pdf = await openKept()
  if (kept_pdf) return kept_pdf
  const pdf = await renderInTurn(ctx, runtime, invoice)
  return pdf ? { ...file, bytes: pdf.length, body: pdf } : openKept()
}

/**
 * If a PDF is not rendered yet, its downloads wait in a queue by organization, so that an organization with a thousand
 * invoices does not block others.
 */
const rendering_queue = new FairQueue({
  max_running: 1,
  max_running_per_key: 1,
  max_waiting_per_key: 50,
  timeout_ms: 60_000,
})

type Rendering = Promise<Buffer | undefined>
const queued_renderings = new Map<string, Rendering>()
const rendering_now = new Map<string, Rendering>()

/** The rendering in progress for an invoice, or a new one. */
function shareRendering(under_way: Map<string, Rendering>, invoice: InOrganization, begin: () => Rendering): Rendering {
  const key = `${invoice.organization_id} ${invoice.invoice_id}`
  return under_way.getOrInsertComputed(key, () => begin().finally(() => under_way.delete(key)))
}

/**
 * Renders an invoice when its organization is next, once for all waiting requests. Undefined if it has been stored in
 * the meantime or does not exist.
 */
const renderInTurn = (ctx: Ctx, runtime: Runtime, invoice: InOrganization): Rendering =>
  shareRendering(queued_renderings, invoice, () =>
    rendering_queue.run(invoice.organization_id, async () =>
      (await findKeptPdf(ctx, invoice)) ? undefined : renderOnce(ctx, runtime, invoice),
    ),
  )

/** Renders an invoice once for waiting requests and the background job. */
const renderOnce = (ctx: Ctx, runtime: Runtime, invoice: InOrganization): Rendering =>
  shareRendering(rendering_now, invoice, () => renderNow(ctx, runtime, invoice))

/** Renders an invoice outside of any transaction. Stores the PDF unless it is a draft. */
async function renderNow(ctx: Ctx, runtime: Runtime, invoice: InOrganization): Rendering {
  const found = await findDocument(ctx, invoice)
  if (!found) return undefined
  const pdf = await renderInWorker('invoice', found.document)
  if (found.status !== 'draft') await storePdf(runtime, invoice, found.rendered_state, pdf)
  return pdf
}

/** Stores a PDF. If the database is read-only, the client still gets the PDF. */
async function storePdf(runtime: Runtime, invoice: InOrganization, rendered_state: string, pdf: Buffer): Promise<void> {
  try {
    await inTransaction(runtime, serviceCaller(invoice.organization_id), (ctx) =>
      savePdf(ctx, { ...invoice, rendered_state, pdf }),
    )
  } catch (error) {
    runtime.log.warn({ err: error, invoice_id: invoice.invoice_id }, 'could not store an invoice PDF')
  }
}

export const tasks = {
  draft_invoice: onEmployers(draftInvoices),
  render_invoice: task(z.object({ organization_id: z.string(), invoice_id: z.string() }), prepareInvoicePdf),
}
