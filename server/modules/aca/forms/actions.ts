import type { EmployeeKey } from '../../access/auth/queries.ts'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { findClock, withClock } from '../../../runtime/clock.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { yearOf } from '../../directory/ichra/figure-rules.ts'
import { derivedForm, form_exceptions, offerTestOf, type DerivedForm } from './derivation-rules.ts'
import { documentOf } from './document-rules.ts'
import {
  deleteOverride,
  findFormEmployer,
  findFormFacts,
  listFormFacts,
  saveOverride,
  type ListedForm,
} from './queries.ts'
import type { FormFilter, NewFormOverride } from './schemas.ts'

/** The derived form of an employee. Undefined if out of reach. */
async function deriveForm(
  ctx: ReadCtx,
  employee_id: string,
  tax_year: number,
): Promise<(DerivedForm & { employer_id: string }) | undefined> {
  const found = await findFormFacts(ctx, employee_id, tax_year)
  if (!found) return undefined
  return { employer_id: found.employer_id, ...derivedForm(found.facts, tax_year, found.figures) }
}

/** Form 1095-C of an employee as JSON. Undefined if out of reach. */
export async function readForm(ctx: ReadCtx, employee_id: string, tax_year: number): Promise<string | undefined> {
  const derived = await deriveForm(ctx, employee_id, tax_year)
  if (!derived) return undefined
  const { employer_id, facts, year, form, months, exceptions } = derived
  const { person_id: _, ...employee } = facts.person
  return JSON.stringify({
    employee_id,
    employer_id,
    tax_year,
    need: form.need,
    employee,
    months: months.map(({ line_15, ...lines }, at) => ({
      month: at + 1,
      status: year.months[at]!.status,
      ...lines,
      line_15_in_cents: line_15,
    })),
    covered_people: form.covered_people,
    exceptions,
    override: facts.override && { reason: facts.override.reason, updated_at: facts.override.updated_at },
  })
}

/** The position of a form in the review: the most urgent exception first, then those without one. */
const urgencyOf = ({ exceptions }: DerivedForm): number =>
  exceptions[0] === undefined ? form_exceptions.length : form_exceptions.indexOf(exceptions[0])

/** A page of the forms of an employer that are due, exceptions first. Undefined if out of reach. */
export async function listForms(ctx: ReadCtx, employer_id: string, filter: FormFilter): Promise<string | undefined> {
  const { tax_year = yearOf(ctx.today), exception, limit, page } = filter
  const rows = await listFormFacts(ctx, { employer_id, tax_year, whole_group: false })
  if (rows.length === 0) return undefined
  const due = rows
    .flatMap(({ facts, figures }) => (facts ? [derivedForm(facts, tax_year, figures)] : []))
    .filter(({ form }) => form.need !== 'not_full_time')
    .filter(({ exceptions }) => exception === undefined || exceptions.includes(exception))
    .sort(
      (a, b) =>
        urgencyOf(a) - urgencyOf(b) ||
        a.facts.person.last_name.localeCompare(b.facts.person.last_name) ||
        (a.facts.employee_id < b.facts.employee_id ? -1 : 1),
    )
  const data = due.slice((page - 1) * limit, page * limit).map(({ facts, form, months, exceptions }) => ({
    employee_id: facts.employee_id,
    first_name: facts.person.first_name,
    last_name: facts.person.last_name,
    need: form.need,
    exceptions,
    line_14: months.map(({ line_14 }) => line_14.value),
    line_16: months.map(({ line_16 }) => line_16.value),
  }))
  const pagination = { limit, page, total: due.length, total_pages: Math.ceil(due.length / limit) }
  return JSON.stringify({ data, pagination })
}

/**
 * The offer test of a year as JSON, for the ALE member whose EIN the people of an employer work under. Undefined if out
 * of reach.
 */
export async function readOfferTest(ctx: ReadCtx, employer_id: string, year: number): Promise<string | undefined> {
  const rows = await listFormFacts(ctx, { employer_id, tax_year: year, whole_group: true })
  const own = rows.find(({ is_same_member }) => is_same_member)
  if (!own) return undefined
  const by_ein = Map.groupBy(rows, ({ ein_employer_id }) => ein_employer_id)
  const formsOf = (of_ein: ListedForm[]) =>
    of_ein.flatMap(({ facts }) => (facts ? [derivedForm(facts, year, own.figures)] : []))
  const others = [...by_ein].filter(([ein]) => ein !== own.ein_employer_id).map(([, of_ein]) => formsOf(of_ein))
  const forms = formsOf(by_ein.get(own.ein_employer_id)!)
  const { tests, transmittal, exposure } = offerTestOf(forms, others, year, own.figures)
  return JSON.stringify({
    employer_id,
    year,
    form_count: transmittal.form_count,
    has_qualifying_offer: transmittal.has_qualifying_offer,
    exposure_in_cents: exposure && exposure.in_cents,
    months: tests.map((test, at) => ({
      month: at + 1,
      ...test,
      offered_percent:
        test.full_time_count === 0 ? null : Math.floor((test.offered_count * 1000) / test.full_time_count) / 10,
      total_count: transmittal.months[at]!.total_count,
      exposure_kind: exposure && exposure.months[at]!.kind,
      exposure_in_cents: exposure && Math.round(exposure.months[at]!.twelfths / 12),
    })),
  })
}

/** Sets cells of the form of an employee, or derives all of them again if there are no months. */
export async function overrideForm(ctx: Ctx, key: EmployeeKey, input: NewFormOverride): Promise<void> {
  const { organization_id, employee_id } = key
  const { tax_year, months, reason } = input
  if (months.length === 0) await deleteOverride(ctx, { organization_id, employee_id, tax_year })
  else await saveOverride(ctx, { organization_id, employee_id, tax_year, months: JSON.stringify(months), reason })
}

/** The id of the PDF of a form in a download link: the employee and the tax year. */
export const formPdfId = (employee_id: string, tax_year: number): string => `${employee_id}.${tax_year}`

/** Renders the PDF of the form of an employee at the time of download. */
const openForm: Download = async (ctx, { organization_id, id }) => {
  const [employee_id = '', year = ''] = id.split('.')
  const tax_year = Number(year)
  const derived = await deriveForm(ctx, employee_id, tax_year)
  const employer = derived && (await findFormEmployer(ctx, derived.employer_id))
  if (!derived || !employer) return undefined
  const { today } = withClock(ctx, await findClock(ctx.db, organization_id))
  const ein = ctx.secrets.decrypt(employer.ein_sealed)
  const document = documentOf(derived, { ...employer, ein }, { tax_year, today })
  const body = await renderForOrganization(organization_id, 'form_1095c', JSON.stringify(document))
  return { file_name: `form-1095c-${tax_year}.pdf`, content_type: 'application/pdf', bytes: body.length, body }
}

export const form_downloads = { form_1095c: openForm }
