import { lastOf } from '../../kernel/chunks.ts'
import type { Ctx, DailyChunk } from '../../platform/ctx.ts'
import { addDays, type Day } from '../../kernel/days.ts'
import { recordEvents } from '../../platform/events.ts'
import type { Download } from '../../platform/http/downloads.ts'
import { renderApart } from '../../documents/rendering.ts'
import { refuse } from '../../kernel/refusal.ts'
import { serviceCaller } from '../../platform/caller.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'
import { contextOf, inTransaction, stepByStep, type Runtime } from '../../platform/runtime.ts'
import type { EmployerKey } from '../auth/queries.ts'
import { closeMatters, openMatters } from '../open-matters/actions.ts'
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
  addToInvoice,
  findUnfinishedRun,
  hasLiveInvoice,
  insertInvoice,
  insertLines,
  listBillable,
  listUnfinishedRuns,
  noteInvoiceDay,
  noteRun,
  saveDraft,
  saveRun,
  type BillableRow,
  type InvoiceRun,
  type LineRecord,
} from './run-queries.ts'
import {
  days_as_draft,
  dueOn,
  linesFor,
  monthOf,
  monthsInReach,
  refusals,
  sumOf,
  whyNot,
  whyNotPaidOn,
} from './rules.ts'

/** Employees in one transaction of an invoice. */
const chunk_size = 1000

/** The daily run: notes that the month is to be billed where that was not done, also when its first was missed. */
export async function noteInvoices(ctx: Ctx, organization_id: string): Promise<null> {
  await noteInvoiceDay(ctx, organization_id, monthOf(ctx.today))
  return null
}

/** The daily run: has drafted what is noted. A job gives up after some days, we don't. */
export async function requestDrafts(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const waiting = await listUnfinishedRuns(ctx, organization_id, chunk)
  if (waiting.length > 0) await ctx.enqueueEach('draft_invoice', waiting.map(draftJob))
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

const draftJob = ({ organization_id, employer_id }: EmployerKey) => ({
  payload: { organization_id, employer_id },
  key: `draft_invoice:${employer_id}`,
})

/** Has the present month of one employer billed now, also when its invoice was voided; 409 when there is a live one. */
export async function runInvoiceDay(ctx: Ctx, employer: EmployerKey) {
  const period = monthOf(ctx.today)
  if (await hasLiveInvoice(ctx, employer, period)) refuse(refusals.invoice_already_drafted)
  await noteRun(ctx, employer, period)
  await ctx.enqueueEach('draft_invoice', [draftJob(employer)])
  return { employer_id: employer.employer_id, period: period.slice(0, 7) }
}

/**
 * Drafts the invoices of an employer that are to be drafted, in order, each in chunks of employees. Killed, it goes on
 * after the last chunk that was committed; run again it changes nothing.
 */
export const draftInvoices = (runtime: Runtime, employer: EmployerKey, employees_at_once = chunk_size): Promise<void> =>
  stepByStep(runtime, employer, (ctx) => draftChunk(ctx, employer, employees_at_once))

/**
 * Bills the next employees of the earliest month that waits; with the last ones the invoice is seen. Tells whether
 * there is more.
 */
async function draftChunk(ctx: Ctx, employer: EmployerKey, employees_at_once: number): Promise<boolean> {
  const run = await findUnfinishedRun(ctx, employer)
  if (!run) return false
  const [first_month] = monthsInReach(run.period, run.correction_reach_months)
  const rows = await listBillable(ctx, run, first_month!, employees_at_once)
  const lines = rows.flatMap((row) => linesOf(run, row))
  if (lines.length > 0) {
    run.invoice_id ??= await insertInvoice(ctx, run)
    await insertLines(ctx, run.organization_id, run.invoice_id, lines)
    await addToInvoice(ctx, run.organization_id, run.invoice_id, lines.length, sumOf(lines))
  }
  const employee_ids = new Set(rows.map(({ employee_id }) => employee_id))
  const finished = employee_ids.size < employees_at_once
  run.through_employee_id = rows.at(-1)?.employee_id ?? run.through_employee_id
  await saveRun(ctx, run, finished)
  if (finished && run.invoice_id !== null) await concludeDraft(ctx, run, run.invoice_id)
  return !finished || !run.is_last
}

/** A draft is seen from now on, and can be looked at until it is issued. */
async function concludeDraft(ctx: Ctx, { organization_id, employer_id, period }: InvoiceRun, invoice_id: string) {
  await saveDraft(ctx, organization_id, invoice_id)
  const details = { period: period.slice(0, 7), issued_by_itself_on: addDays(ctx.today, days_as_draft) }
  await openMatters(ctx, [{ kind: 'invoice_drafted', organization_id, employer_id, resource_id: invoice_id, details }])
}

/** Nobody has to look at a draft that is issued or void. */
const closeDrafted = (ctx: Ctx, organization_id: string, invoices: Pick<CollectedInvoice, 'invoice_id'>[]) =>
  closeMatters(
    ctx,
    { organization_id, kind: 'invoice_drafted' },
    invoices.map(({ invoice_id }) => invoice_id),
  )

function linesOf({ period, correction_reach_months }: InvoiceRun, row: BillableRow): LineRecord[] {
  const { enrollment_id, employee_id, employee_name, benefit_name } = row
  if (enrollment_id === null) return []
  return linesFor(period, correction_reach_months, row).map((line) => ({
    ...line,
    employee_id,
    enrollment_id,
    employee_name,
    benefit_name,
  }))
}

/** Refuses a deed that an invoice, as it stands, is not for. */
async function requireFit(ctx: Ctx, key: InvoiceKey, deed: 'issue' | 'void' | 'pay', paid_on?: Day): Promise<void> {
  const { issued_on, status } = (await lockInvoice(ctx, key))!
  if (paid_on !== undefined) refuse(whyNotPaidOn(paid_on, { issued_on, today: ctx.today }))
  refuse(whyNot(deed, status))
}

/** Issues a draft before its time: from now on it is to be paid. An open one stays as it is; 409 when paid or void. */
export async function issueInvoice(ctx: Ctx, invoice: InvoiceKey): Promise<void> {
  await requireFit(ctx, invoice, 'issue')
  const { organization_id, invoice_id } = invoice
  await announce(ctx, organization_id, await saveIssue(ctx, organization_id, invoice_id, dueOn(ctx.today)))
}

/**
 * Voids a draft or an open invoice: what it billed counts as not billed, and its PDF says so. A void one stays as it
 * is; 409 when paid.
 */
export async function voidInvoice(ctx: Ctx, invoice: InvoiceKey): Promise<void> {
  await requireFit(ctx, invoice, 'void')
  const voided = await saveVoid(ctx, invoice.organization_id, invoice.invoice_id)
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
  else await saveVoid(ctx, organization_id, invoice_id)
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
  if (found.status !== 'draft') await keep(runtime, invoice, found.status === 'void', pdf)
  return pdf
}

/** Where nothing can be written now, who wants to read has the PDF all the same. */
async function keep(runtime: Runtime, invoice: InOrganization, says_void: boolean, pdf: Buffer): Promise<void> {
  try {
    await inTransaction(runtime, serviceCaller(invoice.organization_id), (ctx) => savePdf(ctx, invoice, says_void, pdf))
  } catch (error) {
    runtime.log.warn({ err: error, invoice_id: invoice.invoice_id }, 'a PDF could not be kept')
  }
}
