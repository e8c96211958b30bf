import { z } from 'zod'
import { background_priority } from '../../../jobs/enqueue.ts'
import { task } from '../../../jobs/worker.ts'
import { lastOf } from '../../../kernel/concurrency/chunks.ts'
import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { inEmployer, readInOrganization, type Runtime } from '../../../runtime/runtime.ts'
import { listWorkFacts } from '../measurement/queries.ts'
import { explainStatus, type WorkFacts } from '../measurement/rules.ts'
import { addCounts, countForms, derivedForm, urgencyOf, type DerivedForm, type YearCounts } from './derivation-rules.ts'
import {
  deleteDerivedForm,
  deleteFormsNotDue,
  findFormYear,
  finishDerivation,
  hasFormYears,
  listChangedYears,
  listFilingScopes,
  listFormYears,
  listMembersAfter,
  openFormYear,
  saveDerivedForms,
  saveMissingCount,
  type FormYearKey,
  type StoredForm,
} from './derived-queries.ts'
import { copyOf, hashOf } from './document-rules.ts'
import { joinMeasured, type MeasuredMonth } from './person-rules.ts'
import { fileBy, furnishBy, isFormDue } from './rules.ts'
import { listFactsOfMembers, type FilingScope } from './queries.ts'

/** The status of each month of a tax year by measured hours. Empty without a policy for the employee. */
export const measuredMonthsOf = (work: WorkFacts, tax_year: number, ctx: { today: string }): MeasuredMonth[] =>
  explainStatus(work, `${tax_year}-12-31`, ctx.today).months.map(({ status, reason_code }) => ({
    status,
    needs_offer: reason_code === 'first_three_months',
    lacks_hours: reason_code === 'hours_not_reported',
  }))

/** Derives the forms of people who work under an EIN. */
export async function deriveMembers(ctx: Ctx, scope: FilingScope, member_ids: string[]): Promise<DerivedForm[]> {
  const found = await listFactsOfMembers(ctx, scope, member_ids)
  const { organization_id, tax_year } = scope
  const employee_ids = found.flatMap(({ employee_id, facts }) =>
    facts.is_own && facts.is_measured ? [employee_id] : [],
  )
  const work = employee_ids.length > 0 ? await listWorkFacts(ctx, { organization_id, employee_ids }) : []
  const works = new Map(work.map((facts) => [facts.employee_id, facts]))
  // If the ALE group changes during the derivation, a person may work only under other EINs now.
  const people = [...Map.groupBy(found, ({ member_id }) => member_id).values()].filter((rows) =>
    rows.some(({ facts }) => facts.is_own),
  )
  return runInSlices(
    mapInSteps(people, (rows) => {
      const measured = rows.flatMap(({ employee_id }) => {
        const facts = works.get(employee_id)
        const months = facts ? measuredMonthsOf(facts, tax_year, ctx) : []
        return months.length > 0 ? [months] : []
      })
      const employments = rows.map(({ facts }) => facts)
      return derivedForm(employments, tax_year, rows[0]!.figures, joinMeasured(measured))
    }),
  )
}

function storedOf(derived: DerivedForm, tax_year: number): StoredForm {
  const { facts, form, months, exceptions } = derived
  const { person_id, first_name, last_name } = facts.person
  const content = JSON.stringify(copyOf(derived, tax_year))
  return {
    member_id: person_id,
    employee_id: facts.employee_id,
    urgency: urgencyOf(derived),
    last_name,
    state: facts.address?.state ?? null,
    exceptions,
    item: {
      employee_id: facts.employee_id,
      first_name,
      last_name,
      need: form.need,
      exceptions,
      line_14: months.map(({ line_14 }) => line_14.value),
      line_16: months.map(({ line_16 }) => line_16.value),
    },
    content,
    content_hash: hashOf(content),
  }
}

/** Derives the form of a person again after a change, if the forms of the tax year are stored. */
export async function deriveAgain(ctx: Ctx, scope: FilingScope, member_id: string): Promise<void> {
  const { employer_ids: _, ...key } = scope
  if (!(await findFormYear(ctx, key))) return
  await deleteDerivedForm(ctx, { ...key, member_id })
  const forms = (await deriveMembers(ctx, scope, [member_id])).filter(({ form }) => isFormDue(form))
  if (forms.length > 0)
    await saveDerivedForms(
      ctx,
      scope,
      forms.map((form) => storedOf(form, scope.tax_year)),
    )
  await saveMissingCount(ctx, key)
}

/** Derives the forms of a person again after a change of tax identifiers. The organization must be locked. */
export async function deriveFormsOf(ctx: Ctx, key: { organization_id: string; member_id: string }): Promise<void> {
  for (const { employer_id, tax_year } of await listFormYears(ctx, key)) {
    const { organization_id, member_id } = key
    const scopes = await listFilingScopes(ctx, { organization_id, employer_id, tax_year })
    const scope = scopes.find(({ ein_employer_id }) => ein_employer_id === employer_id)
    if (scope) await deriveAgain(ctx, scope, member_id)
  }
}

const jobOf = ({ organization_id, employer_id, tax_year }: FormYearKey) => ({
  payload: { organization_id, employer_id, tax_year },
  key: `derive_forms:${employer_id}:${tax_year}`,
})

/** Requests another derivation of the forms of an EIN. */
export const requestAgain = (ctx: Ctx, year: FormYearKey) => ctx.enqueueEach('derive_forms', [jobOf(year)])

/**
 * Requests a derivation of the forms of an employer, and of the other EINs of its aggregated ALE group. A future tax
 * year is refused, because it has no facts.
 */
export async function requestForms(ctx: Ctx, key: FormYearKey): Promise<void> {
  const { organization_id, tax_year } = key
  if (tax_year > Number(ctx.today.slice(0, 4)))
    throw invalid({ field: 'tax_year', message: 'must not be later than the current year' })
  const years = (await listFilingScopes(ctx, key)).map(({ ein_employer_id }) => ({
    organization_id,
    employer_id: ein_employer_id,
    tax_year,
  }))
  for (const year of years) await openFormYear(ctx, year)
  await ctx.enqueueEach('derive_forms', years.map(jobOf))
}

/**
 * The daily run: derives the forms of this tax year and the one before again, where a fact changed since the last
 * derivation. The changes of the day include measured statuses, because measurement runs first.
 */
async function requestChangedForms(ctx: Ctx, organization_id: string, chunk: DailyChunk): Promise<string | null> {
  const changed = await listChangedYears(ctx, { organization_id, ...chunk })
  const jobs = changed.flatMap(({ employer_id, tax_years }) =>
    tax_years.map((tax_year) => jobOf({ organization_id, employer_id, tax_year })),
  )
  if (jobs.length > 0) await ctx.enqueueEach('derive_forms', jobs, background_priority)
  return lastOf(
    changed.map(({ employer_id }) => employer_id),
    chunk,
  )
}

/** People whose forms are derived in one transaction. */
const people_per_transaction = 100

/** Derives and stores the forms of an EIN and a tax year. A killed job starts again. */
async function deriveForms(runtime: Runtime, key: FormYearKey): Promise<void> {
  const { organization_id } = key
  const scopes = await readInOrganization(runtime, organization_id, (ctx) => listFilingScopes(ctx, key))
  // Undefined if the people of the employer have come under another EIN since the request.
  const scope = scopes.find(({ ein_employer_id }) => ein_employer_id === key.employer_id)
  if (!scope) return
  let counts: YearCounts = countForms([])
  let started_at: string | undefined
  let member_ids: string[] = []
  do {
    const forms = await inEmployer(runtime, key, async (ctx) => {
      started_at ??= ctx.now
      const after = member_ids.at(-1) ?? ''
      member_ids = await listMembersAfter(ctx, scope, after, people_per_transaction)
      const derived = await deriveMembers(ctx, scope, member_ids)
      const due = await runInSlices(
        mapInSteps(
          derived.filter(({ form }) => isFormDue(form)),
          (form) => storedOf(form, scope.tax_year),
        ),
      )
      const last = member_ids.length === people_per_transaction ? member_ids.at(-1)! : null
      await deleteFormsNotDue(ctx, { ...key, after, last, due_ids: due.map(({ member_id }) => member_id) })
      if (due.length > 0) await saveDerivedForms(ctx, scope, due)
      return derived
    })
    counts = addCounts(counts, countForms(forms))
  } while (member_ids.length === people_per_transaction)
  await inEmployer(runtime, key, (ctx) =>
    finishDerivation(ctx, {
      ...key,
      started_at: started_at!,
      counts: JSON.stringify(counts),
      furnish_by: furnishBy(key.tax_year),
      file_by: fileBy(key.tax_year),
    }),
  )
}

const form_year = z.object({ organization_id: z.string(), employer_id: z.string(), tax_year: z.number() })

/** The jobs and the daily run of this module, for the list of modules. */
export const forms_work = {
  tasks: { derive_forms: task(form_year, deriveForms) },
  runDay: [requestChangedForms],
  hasDailyRun: hasFormYears,
}
