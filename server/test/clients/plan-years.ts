import { newId } from '../../kernel/ids.ts'
import { createEmployee } from '../fixtures.ts'
import type { Api } from '../harness.ts'

/** The operator's requests about plan years, and the partner's reads of them. */
export function planYearsOf(api: Api) {
  const operator = () => ({ key: api.operator_key })
  const ofEmployer = (employer_id: string) => `/operator/v1/employers/${employer_id}/benefit-plan-years` as const
  const ofYear = (id: string) => `/operator/v1/benefit-plan-years/${id}` as const
  return {
    open: (employer_id: string, body: object) => api.post(ofEmployer(employer_id), body, operator()),
    change: (id: string, body: object) => api.patch(ofYear(id), body, operator()),
    copy: (id: string, body: object = {}) => api.post(`${ofYear(id)}/copy`, body, operator()),
    shownToOperator: async (employer_id: string) => (await api.get(ofEmployer(employer_id), operator())).body.data,
    listed: async (employer_id: string, query = '') =>
      (await api.get(`/v1/employers/${employer_id}/benefit-plan-years${query}`)).body.data,
    detail: async (employer_id: string, id: string) =>
      (await api.get(`/v1/employers/${employer_id}/benefit-plan-years/${id}`)).body.data,
  }
}

/** A contribution of a fixed amount in cents, to one tier or to all. */
export const fixed = (amount_in_cents: number, coverage_tier: string | null = null) => ({
  coverage_tier,
  method: 'fixed',
  amount_in_cents,
})

/** The counts of a plan year without eligible or enrolled people. */
export const none_enrolled = { eligible: 0, enrolled: 0, percentage: 0 }

/** Creates an employee with an enrollment as stored, optionally elected in the EE tier. */
export async function enroll(
  api: Api,
  employer_id: string,
  plan_year_id: string,
  { benefit_id, plan_id }: { benefit_id: string; plan_id: string },
  columns: Record<string, unknown> = {},
  person: Record<string, unknown> = {},
) {
  api.wait(1000)
  const employee = await createEmployee(api, employer_id, { reference_id: newId('org'), ...person })
  const enrollment_id = newId('enrl')
  const stored: Record<string, unknown> = {
    window_ends_on: '2026-02-01',
    coverage_start: '2026-02-01',
    coverage_end: null,
    inactive_on: null,
    answer: null,
    ...columns,
  }
  const { organization_id } = api.story
  await api.act(async ({ db, now }) => {
    await db.rows(insert_enrollment, [
      enrollment_id,
      organization_id,
      employer_id,
      employee.id,
      plan_year_id,
      benefit_id,
      stored.window_ends_on,
      stored.coverage_start,
      stored.coverage_end,
      stored.inactive_on,
      stored.answer,
      now,
    ])
    await db.rows('update benefit_plan_years set enrollment_count = enrollment_count + 1 where id = $1', [plan_year_id])
    if (stored.answer === 'enrolled')
      await db.rows(insert_election, [organization_id, enrollment_id, stored.coverage_start, plan_id, now])
  })
  return { enrollment_id, employee_id: employee.id, member_id: employee.member_id, reference_id: employee.reference_id }
}

const insert_enrollment = `
  insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id, anchored_on,
                           granted_on, granted_for, window_ends_on, coverage_start, coverage_end, inactive_on,
                           answer, answered_at, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, '2026-01-01', '2026-01-01', '2026-01-01', $7, $8, $9, $10, $11::text,
          case when $11 is not null then $12::timestamptz end, $12, $12)`

const insert_election = `
  insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
                         premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents, elected_at)
  values ($1, $2, $3, $4, 'EE', 'tier', 8900, 8000, 900, $5)`
