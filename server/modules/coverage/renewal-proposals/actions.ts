import type { ProposalDocument } from '../../../documents/proposal.ts'
import { renderForOrganization } from '../../../documents/pdf-rendering.ts'
import type { Download } from '../../../http/files/downloads.ts'
import { ageOn, type Day } from '../../../kernel/days.ts'
import { newId } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { priceNextYear } from '../plan-years/actions.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import { countEnrolled, type EnrolledRow, findProposal, insertProposal, listEnrolled } from './queries.ts'
import { currentCosts, type EnrolledGroup, scenarioCosts, whyNotPropose } from './rules.ts'
import type { NewRenewalProposal, RenewalProposal } from './schemas.ts'

/**
 * Compares the cost of the present enrollments of a plan year with their cost in the next one, by scenario, and stores
 * the result. Nothing else changes: the operator opens plan years.
 */
export async function proposeRenewal(
  ctx: Ctx,
  plan_year: PlanYearKey,
  { scenarios, dry_run, ...input }: NewRenewalProposal,
): Promise<RenewalProposal> {
  const { employer_id, benefit_plan_year_id } = plan_year
  const next = await priceNextYear(ctx, plan_year, input)
  const { year, offers } = next
  scenarios.forEach((scenario, index) => refuse(whyNotPropose(scenario, offers, index)))
  const { coverage_start, coverage_end, open_enrollment_start, open_enrollment_end, renewal } = year
  const groups = (await listEnrolled(ctx, plan_year)).map((row) => groupOf(row, coverage_start))
  const enrolled_employee_count = await countEnrolled(ctx, plan_year)
  const current = currentCosts(groups, enrolled_employee_count)
  const id = newId('prop')
  const proposal = {
    renewal_proposal_id: dry_run ? null : id,
    employer_id,
    benefit_plan_year_id,
    coverage_start,
    coverage_end,
    open_enrollment_start,
    open_enrollment_end,
    renewal,
    enrolled_employee_count,
    current,
    scenarios: scenarios.map((scenario) => ({
      name: scenario.name,
      ...scenarioCosts(scenario, groups, next, enrolled_employee_count, current),
    })),
    created_at: ctx.now,
  }
  await insertProposal(ctx, plan_year, id, proposal)
  return proposal
}

/** Equal enrollments, with the age of the people when the next plan year begins. */
function groupOf(row: EnrolledRow, coverage_start: Day): EnrolledGroup {
  const { employee_class, date_of_birth, state, is_personal, premium_in_cents, enrollment_count } = row
  return {
    ...row,
    person: is_personal && date_of_birth ? { employee_class, age: ageOn(date_of_birth, coverage_start), state } : null,
    cost: {
      premium_in_cents: premium_in_cents * enrollment_count,
      employer_contribution_in_cents: row.employer_contribution_in_cents,
      employee_deduction_in_cents: row.employee_deduction_in_cents,
    },
  }
}

/** Renders the PDF of a stored proposal. */
const openProposal: Download = async (ctx, { organization_id, id }) => {
  const found: ProposalDocument | undefined = await findProposal(ctx, { organization_id, id })
  if (!found) return undefined
  const body = await renderForOrganization(organization_id, 'proposal', JSON.stringify(found))
  const file_name = `renewal-${found.proposal.coverage_start}.pdf`
  return { file_name, content_type: 'application/pdf', bytes: body.length, body }
}

export const proposal_downloads = { renewal_proposal: openProposal }
