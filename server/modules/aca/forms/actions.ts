import type { z } from 'zod'
import type { EmployeeKey, EmployerKey } from '../../access/auth/queries.ts'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { passesOfferTest } from '../offers/rules.ts'
import { derivedForm, exposureOfYear, type DerivedForm } from './derivation-rules.ts'
import { deriveAgain, measuredMonthsOf, requestAgain } from './derive-actions.ts'
import { copyOf, documentOf, fileNameOf, type FormEmployer, type FormFiler } from './document-rules.ts'
import {
  findFormYear,
  listCounts,
  listCoverageStarts,
  listEmployeesAmong,
  listFilingScopes,
  saveFormSettings,
  saveTaxFacts,
} from './derived-queries.ts'
import { originOf } from './employment-rules.ts'
import { monthsOf, type FormFacts } from './fact-rules.ts'
import type { EmployeeTaxFactsInput, TaxFactsInput } from './fact-schemas.ts'
import { joinMeasured } from './person-rules.ts'
import { deleteOverride, findFormEmployer, insertOverride, listFormFacts } from './queries.ts'
import { form_refusals } from './rules.ts'
import type { FormSettingsInput, NewFormOverride } from './schemas.ts'

/** The derived form of an employee. Undefined if out of reach. */
async function deriveForm(
  ctx: ReadCtx,
  employee_id: string,
  tax_year: number,
): Promise<(DerivedForm & { employer_id: string; filing_errors: object[]; of_employee: FormFacts }) | undefined> {
  const found = await listFormFacts(ctx, employee_id, tax_year)
  if (found.length === 0) return undefined
  const months = found.map(({ facts, work }) => (facts.is_own && work ? measuredMonthsOf(work, tax_year, ctx) : []))
  const employments = found.map(({ facts }) => facts)
  const by_hours = joinMeasured(months.filter((list) => list.length > 0))
  return {
    employer_id: found[0]!.target_employer_id,
    filing_errors: found[0]!.filing_errors,
    of_employee: employments.find((one) => one.employee_id === employee_id)!,
    ...derivedForm(employments, tax_year, found[0]!.figures, by_hours),
  }
}

/** The form of an employee as JSON. Undefined if out of reach. */
export async function readForm(ctx: ReadCtx, employee_id: string, tax_year: number): Promise<string | undefined> {
  const derived = await deriveForm(ctx, employee_id, tax_year)
  if (!derived) return undefined
  const { employer_id, filing_errors, facts, form, reported, months, exceptions, names_not_accepted } = derived
  const { w2_wages_in_cents, multiemployer_months, continuation_coverage } = derived.of_employee
  const { person_id: _, ...employee } = facts.person
  return JSON.stringify({
    employee_id,
    employer_id,
    tax_year,
    form_type: facts.form_type,
    need: form.need,
    employee,
    months: months.map(({ line_15, ...lines }, at) => ({
      month: at + 1,
      status: reported[at]!.status,
      ...lines,
      line_15_in_cents: line_15,
    })),
    origin_of_coverage: facts.form_type === '1095-B' ? originOf(facts, tax_year) : null,
    covered_people: form.covered_people,
    tax_facts: { w2_wages_in_cents, multiemployer_months, continuation_coverage },
    exceptions,
    names_not_accepted,
    filing_errors,
    override: facts.override && { reason: facts.override.reason, updated_at: facts.override.updated_at },
  })
}

/**
 * The offer test of a year as JSON, for the ALE member whose EIN the people of an employer work under, by the last
 * derivation of forms. Undefined if out of reach.
 */
export async function readOfferTest(ctx: ReadCtx, employer_id: string, year: number): Promise<string | undefined> {
  const rows = await listCounts(ctx, { employer_id, tax_year: year })
  const own = rows.find(({ is_own }) => is_own)
  if (!own) return undefined
  const { derived_at, form_type, counts, figures } = own
  const others = rows.flatMap((row) => (row.is_own || !row.counts ? [] : [row.counts]))
  const exposure = counts && form_type === '1095-C' ? exposureOfYear(counts, others, year, figures) : null
  return JSON.stringify({
    employer_id,
    year,
    form_type,
    derived_at,
    form_count: counts?.form_count ?? 0,
    has_qualifying_offer: counts?.has_qualifying_offer ?? false,
    exposure_in_cents: exposure && exposure.in_cents,
    months: (counts?.months ?? []).map((month, at) => ({
      month: at + 1,
      ...month,
      passes: passesOfferTest(month),
      offered_percent:
        month.full_time_count === 0 ? null : Math.floor((month.offered_count * 1000) / month.full_time_count) / 10,
      exposure_kind: exposure && exposure.months[at]!.kind,
      exposure_in_cents: exposure && Math.round(exposure.months[at]!.twelfths / 12),
    })),
  })
}

/**
 * Sets cells of the form of an employee, or derives all of them again if there are no months. Another derivation counts
 * the form again. The organization must be locked, so that no derivation runs at the same time.
 */
export async function overrideForm(ctx: Ctx, key: EmployeeKey, input: NewFormOverride): Promise<void> {
  const { organization_id, employee_id, employer_id, member_id } = key
  const { tax_year, months, reason } = input
  const scopes = await listFilingScopes(ctx, { organization_id, employer_id, tax_year })
  const scope = scopes.find(({ is_own }) => is_own)!
  const form_year = await findFormYear(ctx, { organization_id, ein_employer_id: scope.ein_employer_id, tax_year })
  refuse(form_year?.form_type === '1095-B' ? form_refusals.form_without_cells : undefined)
  await deleteOverride(ctx, { organization_id, member_id, employer_ids: scope.employer_ids, tax_year })
  if (months.length > 0)
    await insertOverride(ctx, { organization_id, employee_id, tax_year, months: JSON.stringify(months), reason })
  await deriveAgain(ctx, scope, member_id)
  const year = { organization_id, employer_id: scope.ein_employer_id, tax_year }
  if (form_year?.is_derived) await requestAgain(ctx, year)
}

/** Saves the settings of the forms of the EIN of an employer. Derived forms are derived again. */
export async function setFormSettings(
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  { tax_year, contact, ...settings }: z.output<typeof FormSettingsInput>,
): Promise<void> {
  const scopes = await listFilingScopes(ctx, { organization_id, employer_id, tax_year })
  const { ein_employer_id } = scopes.find(({ is_own }) => is_own)!
  const form_year = await findFormYear(ctx, { organization_id, ein_employer_id, tax_year })
  const changes_type = form_year !== undefined && form_year.form_type !== settings.form_type
  refuse(changes_type && form_year.is_released ? form_refusals.form_type_fixed : undefined)
  const year = { organization_id, employer_id: ein_employer_id, tax_year }
  await saveFormSettings(ctx, { ...year, ...settings, contact: contact && JSON.stringify(contact) })
  if (form_year?.is_derived) await requestAgain(ctx, year)
}

/**
 * Saves facts about employees that only the employer knows. `fieldOf` returns the path of the employee at a position in
 * the request.
 */
async function saveFacts(
  ctx: Ctx,
  organization_id: string,
  { tax_year, employees }: TaxFactsInput,
  fieldOf: (at: number) => string,
): Promise<void> {
  const employee_ids = employees.map(({ employee_id }) => employee_id)
  const starts = await listCoverageStarts(ctx, { organization_id, employee_ids })
  const covered_from = new Map(starts.map((one) => [one.employee_id, one.covered_from]))
  const faults = employees.flatMap(({ employee_id: id, continuation_coverage }, at) => {
    const months = (continuation_coverage ?? []).flatMap((period) => period.months)
    if (months.length === 0) return []
    const first_month = monthsOf(tax_year)[Math.min(...months) - 1]!
    if (covered_from.has(id) && covered_from.get(id)! <= first_month.last) return []
    return [
      {
        field: `${fieldOf(at)}continuation_coverage`,
        message: 'needs medical coverage that begins in the first of the months or before, because COBRA continues it',
      },
    ]
  })
  if (faults.length > 0) throw invalid(...faults)
  await saveTaxFacts(ctx, { organization_id, tax_year, facts: JSON.stringify(employees) })
}

/** Saves the tax facts of employees. Refused if one is not an employee of the employer. */
export async function updateTaxFacts(
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  input: TaxFactsInput,
): Promise<string> {
  const employee_ids = input.employees.map(({ employee_id }) => employee_id)
  const known = new Set(await listEmployeesAmong(ctx, { organization_id, employer_id, employee_ids }))
  const faults = employee_ids.flatMap((id, at) => {
    const field = `employees[${at}].employee_id`
    if (employee_ids.indexOf(id) < at) return [{ field, message: 'repeats an employee' }]
    return known.has(id) ? [] : [{ field, message: 'is not an employee of the employer' }]
  })
  if (faults.length > 0) throw invalid(...faults)
  await saveFacts(ctx, organization_id, input, (at) => `employees[${at}].`)
  return JSON.stringify({ employer_id, tax_year: input.tax_year })
}

/** Saves the tax facts of one employee. */
export const updateFactsOf = (
  ctx: Ctx,
  { organization_id, employee_id }: EmployeeKey,
  { tax_year, dry_run: _, ...facts }: EmployeeTaxFactsInput,
): Promise<void> => saveFacts(ctx, organization_id, { tax_year, employees: [{ employee_id, ...facts }] }, () => '')

/** An employer on a form, with its EIN. */
export const filerOf = ({ secrets }: ReadCtx, { ein_sealed, ...employer }: FormEmployer): FormFiler => ({
  ...employer,
  ein: secrets.decrypt(ein_sealed),
})

/** The id of the PDF of a form in a download link: the employee and the tax year. */
export const formPdfId = (employee_id: string, tax_year: number): string => `${employee_id}.${tax_year}`

/** Renders the PDF of the form of an employee at the time of download. */
const openForm: Download = async (ctx, { organization_id, id }) => {
  const [employee_id = '', year = ''] = id.split('.')
  const tax_year = Number(year)
  const at_home = withClock(ctx, await findClock(ctx.db, organization_id))
  const derived = await deriveForm(at_home, employee_id, tax_year)
  const employer = derived && (await findFormEmployer(at_home, { employer_id: derived.employer_id }))
  if (!derived || !employer) return undefined
  const document = documentOf({
    copy: copyOf(derived, tax_year),
    employer: filerOf(ctx, employer),
    made_on: at_home.today,
    is_corrected: false,
  })
  const body = await renderForOrganization(organization_id, 'form_1095', JSON.stringify([document]))
  return { file_name: fileNameOf(document), content_type: 'application/pdf', bytes: body.length, body }
}

export const form_downloads = { form_1095c: openForm }
