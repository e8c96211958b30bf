import { newId } from '../../../kernel/ids.ts'
import { invalid, refuse } from '../../../kernel/refusal.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import type { EmployeeKey } from '../../access/auth/queries.ts'
import {
  findCurrentAgreements,
  findPlanYearOfOrganization,
  insertAgreement,
  insertSignature,
  listAgreements,
} from './queries.ts'
import { standard_agreement, whyNotSign } from './rules.ts'
import type { EnrollmentAgreement, NewEnrollmentAgreement, NewSignature } from './schemas.ts'

/** Creates the next version of an agreement. Returns its id. Existing signatures keep their version. */
export async function createAgreement(
  ctx: Ctx,
  organization_id: string,
  { benefit_plan_year_id, text_en, text_es }: NewEnrollmentAgreement,
): Promise<string> {
  const plan_year_id = benefit_plan_year_id ?? null
  if (plan_year_id && !(await findPlanYearOfOrganization(ctx, { plan_year_id, organization_id })))
    throw invalid({ field: 'benefit_plan_year_id', message: 'is not a plan year of this organization' })
  const id = newId('eagr')
  await insertAgreement(ctx, { organization_id, id, plan_year_id, text_en, text_es })
  return id
}

/** The versions of an organization, newest first, and the default text. */
export async function agreementsOf(ctx: ReadCtx, organization_id: string): Promise<EnrollmentAgreement[]> {
  const found = await listAgreements(ctx, { organization_id })
  return [...(found?.agreements ?? []), standard_agreement]
}

/** The agreements that an employee signs today, each once. Undefined if the employee is out of reach. */
export async function currentAgreements(ctx: ReadCtx, employee_id: string): Promise<EnrollmentAgreement[] | undefined> {
  const found = await findCurrentAgreements(ctx, { employee_id })
  if (!found) return undefined
  const { agreements } = found
  return agreements.length === 0 ? [standard_agreement] : agreements.map((agreement) => agreement ?? standard_agreement)
}

/** Returns the agreements that an employee signs. Refuses with 409 if the employee read other versions. */
export async function agreementsToSign(ctx: Ctx, employee_id: string, signature: NewSignature) {
  const agreements = (await currentAgreements(ctx, employee_id))!
  refuse(whyNotSign(signature, agreements))
  return agreements
}

/** Stores a signature on submitted elections and waivers, with the agreements that the employee read. */
export async function saveSignature(
  ctx: Ctx,
  { employee_id, organization_id }: EmployeeKey,
  { name, pre_tax_consent, language }: NewSignature,
  { agreements, enrollment_ids }: { agreements: EnrollmentAgreement[]; enrollment_ids: string[] },
): Promise<void> {
  const texts = agreements.map((agreement) => ({
    id: agreement.id,
    version: agreement.version,
    text: agreement[`text_${language}`],
  }))
  await insertSignature(ctx, {
    organization_id,
    employee_id,
    name,
    pre_tax_consent,
    language,
    agreements: JSON.stringify(texts),
    enrollment_ids,
    address: (ctx.address ?? null) as string,
  })
}
