import type { Ctx } from '../../platform/ctx.ts'
import { addDays, type Day } from '../../platform/days.ts'
import { recordEvents } from '../../platform/events.ts'
import { enqueueEach } from '../../platform/jobs.ts'
import { renderApart } from '../../platform/pdf-rendering.ts'
import { generic, Refusal, refuse } from '../../platform/refusal.ts'
import { serviceCaller } from '../../platform/caller.ts'
import { contextOf, inOrganization, type World } from '../../platform/world.ts'
import { findEmployerPlace } from '../auth/queries.ts'
import { lockOrganization } from '../organizations/queries.ts'
import {
  addToInvoice,
  findDocument,
  findInvoicePlace,
  findUnfinishedRun,
  hasLiveInvoice,
  insertInvoice,
  insertLines,
  insertPdf,
  listBillable,
  listUnfinishedRuns,
  listUnrendered,
  lockInvoice,
  noteInvoiceDay,
  noteRun,
  saveDraft,
  saveDueIssues,
  saveIssue,
  savePayment,
  saveRun,
  saveVoid,
  type BillableRow,
  type Collected,
  type LineRecord,
  type Place,
  type Run,
} from './queries.ts'
import {
  days_as_draft,
  days_to_render,
  dueOn,
  invoice_already_drafted,
  linesFor,
  monthOf,
  monthsInReach,
  sumOf,
  tierName,
  whyNot,
  whyNotPaidOn,
} from './rules.ts'

/** Employees in one transaction of an invoice. */
const chunk_size = 1000

// Drafting ---------------------------------------------------------------------------------------

/**
 * The turn of the day: has the month billed where that was not done, catching up when the first of the month was missed,
 * and issues the drafts that have stood for three days. A job gives up after some days, we don't: PDFs that are missing
 * are asked for again too.
 */
export async function turnInvoices(ctx: Ctx, organization_id: string): Promise<void> {
  const period = monthOf(ctx.today)
  await noteInvoiceDay(ctx, organization_id, period, monthsInReach(period)[0]!)
  const waiting = await listUnfinishedRuns(ctx, organization_id)
  if (waiting.length > 0) await enqueueEach(ctx.db, 'draft_invoice', waiting.map(draftJob))
  await requestPdfs(ctx, await listUnrendered(ctx, organization_id, addDays(ctx.today, -days_to_render)))
  const drafted_by = addDays(ctx.today, -days_as_draft)
  await announce(ctx, await saveDueIssues(ctx, organization_id, drafted_by, dueOn(ctx.today)))
}

const draftJob = ({ organization_id, employer_id }: Place) => ({
  payload: { organization_id, employer_id },
  key: `draft_invoice:${employer_id}`,
})

/** Has the present month of one employer billed now, also when its invoice was voided; 409 when there is a live one. */
export async function runInvoiceDay(ctx: Ctx, employer_id: string) {
  const found = await findEmployerPlace(ctx, { employer_id })
  if (!found) throw new Refusal(generic.not_found)
  const place = { organization_id: found.organization_id, employer_id }
  await lockOrganization(ctx, place.organization_id)
  const period = monthOf(ctx.today)
  if (await hasLiveInvoice(ctx, place, period)) refuse(invoice_already_drafted)
  await noteRun(ctx, place, period)
  await enqueueEach(ctx.db, 'draft_invoice', [draftJob(place)])
  return { employer_id, period: period.slice(0, 7) }
}

/**
 * Drafts the invoices of an employer that are to be drafted, in order, each in chunks of employees. Killed, it goes on
 * after the last chunk that was committed; run again it changes nothing.
 */
export async function draftInvoices(world: World, place: Place, employees_at_once = chunk_size): Promise<void> {
  while (await inOrganization(world, place.organization_id, (ctx) => draftChunk(ctx, place, employees_at_once)));
}

/** The same within a transaction at hand, which holds the organization: for a story that is told in one. */
export async function draftInvoicesWithin(ctx: Ctx, place: Place): Promise<void> {
  while (await draftChunk(ctx, place, chunk_size));
}

/** Bills the next employees of the earliest month that waits; with the last ones the invoice is seen. Tells whether there was one. */
async function draftChunk(ctx: Ctx, place: Place, employees_at_once: number): Promise<boolean> {
  const run = await findUnfinishedRun(ctx, place)
  if (!run) return false
  const rows = await listBillable(ctx, run, monthsInReach(run.period)[0]!, employees_at_once)
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
  if (finished && run.invoice_id !== null) await saveDraft(ctx, run.organization_id, run.invoice_id)
  return true
}

function linesOf({ period }: Run, { enrollment_id, coverage, billed, ...row }: BillableRow): LineRecord[] {
  if (enrollment_id === null) return []
  const { employee_id, employee_name, benefit_name } = row
  return linesFor(period, { coverage, billed }).map((line) => ({
    ...line,
    employee_id,
    enrollment_id,
    employee_name,
    benefit_name,
  }))
}

// States -----------------------------------------------------------------------------------------

type Named = { employer_id: string; invoice_id: string }

/** An invoice within reach, locked with its organization, unless something stands in the way of the deed. */
async function enterInvoice(ctx: Ctx, named: Named, deed: 'issue' | 'void' | 'pay', paid_on?: Day): Promise<string> {
  const place = await findInvoicePlace(ctx, named)
  if (place) await lockOrganization(ctx, place.organization_id)
  const invoice = await lockInvoice(ctx, named)
  if (!invoice) throw new Refusal(generic.not_found)
  if (paid_on !== undefined) refuse(whyNotPaidOn(paid_on, { issued_on: invoice.issued_on, today: ctx.today }))
  refuse(whyNot(deed, invoice.status))
  return invoice.organization_id
}

/** Issues a draft before its time: from now on it is to be paid. An open one stays as it is; 409 when paid or void. */
export async function issueInvoice(ctx: Ctx, named: Named): Promise<void> {
  const organization_id = await enterInvoice(ctx, named, 'issue')
  await announce(ctx, await saveIssue(ctx, organization_id, named.invoice_id, dueOn(ctx.today)))
}

/** Voids a draft or an open invoice: what it billed counts as not billed. A void one stays as it is; 409 when paid. */
export async function voidInvoice(ctx: Ctx, named: Named): Promise<void> {
  const organization_id = await enterInvoice(ctx, named, 'void')
  await mirror(ctx, await saveVoid(ctx, organization_id, named.invoice_id))
}

/**
 * Notes that an open invoice was paid on a day, today unless said. A paid one stays as it is; 409 when draft or void, 400
 * for a day on which it can't have been paid.
 */
export async function markInvoicePaid(ctx: Ctx, named: Named, paid_on: Day = ctx.today): Promise<void> {
  const organization_id = await enterInvoice(ctx, named, 'pay', paid_on)
  await mirror(ctx, await savePayment(ctx, organization_id, named.invoice_id, paid_on))
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

/** What follows from invoices being issued: the world hears of it, and they are rendered, here or by who collects them. */
async function announce(ctx: Ctx, issued: Collected[]): Promise<void> {
  if (issued.length === 0) return
  await recordEvents(
    ctx,
    issued.map(({ organization_id, invoice_id }) => ({
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

/** No job about an employer, by its key: a PDF is the same on whatever day it is rendered, and holds up no clock. */
async function requestPdfs(ctx: Ctx, invoices: Pick<Collected, 'organization_id' | 'invoice_id'>[]) {
  if (invoices.length === 0) return
  const jobs = invoices.map(({ organization_id, invoice_id }) => ({
    payload: { organization_id, invoice_id },
    key: `render_invoice:${organization_id}:${invoice_id}`,
  }))
  await enqueueEach(ctx.db, 'render_invoice', jobs)
}

/** Has what happened to invoices told to the outside system that collects them. */
async function mirror(ctx: Ctx, invoices: Collected[]): Promise<void> {
  const outside = invoices.filter(({ billing_system }) => billing_system !== 'built_in')
  if (outside.length === 0) return
  // Not by the employer: while the outside system is down these wait for long, and the clock of a sandbox goes on.
  const jobs = outside.map(({ organization_id, invoice_id }) => ({
    payload: { organization_id, invoice_id },
    key: `mirror_invoice:${organization_id}:${invoice_id}`,
  }))
  await enqueueEach(ctx.db, 'mirror_invoice', jobs)
}

// PDF --------------------------------------------------------------------------------------------

/** Renders an issued invoice, outside of any transaction, and keeps the PDF. One that is there is not rendered again. */
export async function renderIssuedInvoice(
  world: World,
  { organization_id, invoice_id }: { organization_id: string; invoice_id: string },
): Promise<void> {
  const ctx = contextOf(world, serviceCaller(organization_id), world.database.reads)
  const found = await findDocument(ctx, organization_id, invoice_id)
  if (!found) return
  const lines = found.lines.map((line) => ({ ...line, coverage_tier: tierName(line.coverage_tier) }))
  const pdf = await renderApart({ ...found, lines })
  await inOrganization(world, organization_id, (ctx) => insertPdf(ctx, organization_id, invoice_id, pdf))
}
