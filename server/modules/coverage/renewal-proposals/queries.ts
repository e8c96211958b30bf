import type { Day } from '../../../kernel/days.ts'
import type { Page } from '../../../kernel/pages.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { PlanYearKey } from '../plan-years/queries.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import type { RenewalProposal } from './schemas.ts'

/** SQL: the enrollments that cover the last day of a plan year, each with its election on that day. */
const covered = `
  from benefit_plan_years as year
  join enrollments as enrollment on enrollment.plan_year_id = year.id
   and enrollment.organization_id = year.organization_id
   and enrollment.answer = 'enrolled' and enrollment.coverage_start <= year.coverage_end
   and coalesce(enrollment.coverage_end >= year.coverage_end, true)
  join lateral (
    select * from elections
     where enrollment_id = enrollment.id and organization_id = enrollment.organization_id
       and effective_on <= year.coverage_end
     order by effective_on desc limit 1) as election on true`

export const listEnrolled = statement(
  'renewal-proposals.listEnrolled',
  `select enrollment.benefit_id, product.name as benefit_name, election.plan_id, plan.name as plan_name,
          election.coverage_tier, election.premium_in_cents, facts.employee_class, facts.date_of_birth, facts.state,
          product.family = 'ichra' as is_personal, count(*) as enrollment_count,
          sum(election.employer_contribution_in_cents)::bigint as employer_contribution_in_cents,
          sum(election.employee_deduction_in_cents)::bigint as employee_deduction_in_cents
   ${covered}
     join benefit_products as product on product.id = enrollment.benefit_id
      and product.organization_id = enrollment.organization_id
     join plans as plan on plan.id = election.plan_id and plan.organization_id = election.organization_id
     left join lateral (
       select member.date_of_birth, coalesce(member.state, employer.state) as state,
              (select history.employee_class from employee_classifications as history
                where history.employee_id = employee.id and history.organization_id = employee.organization_id
                order by history.effective_on desc limit 1) as employee_class
         from employees as employee
         join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
         join employers as employer on employer.id = employee.employer_id
          and employer.organization_id = employee.organization_id
        where employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id
          and product.family = 'ichra') as facts on true
    where year.id = :benefit_plan_year_id and year.organization_id = :organization_id
    group by enrollment.benefit_id, product.name, election.plan_id, plan.name, election.coverage_tier,
             election.premium_in_cents, facts.employee_class, facts.date_of_birth, facts.state, product.family
    order by product.name, plan.name, election.coverage_tier, election.premium_in_cents, facts.date_of_birth`,
).rows<EnrolledRow>

/** Enrollments with the same price in a plan year. The contribution and deduction are their sums per month. */
export type EnrolledRow = {
  benefit_id: string
  benefit_name: string
  plan_id: string
  plan_name: string
  coverage_tier: CoverageTier
  premium_in_cents: number
  employee_class: string | null
  date_of_birth: Day | null
  state: string | null
  /** Whether the cost depends on the person. */
  is_personal: boolean
  enrollment_count: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

/** The number of employees whom a plan year covers on its last day. */
export const countEnrolled = statement(
  'renewal-proposals.countEnrolled',
  `select count(distinct enrollment.employee_id) as total ${covered}
    where year.id = :benefit_plan_year_id and year.organization_id = :organization_id`,
).value

const inserted = statement(
  'renewal-proposals.insertProposal',
  `insert into renewal_proposals (id, organization_id, employer_id, plan_year_id, proposal, created_at)
   values (:id, :organization_id, :employer_id, :plan_year_id, :proposal::jsonb, :now)`,
)

export const insertProposal = (ctx: Ctx, { organization_id }: PlanYearKey, id: string, proposal: RenewalProposal) =>
  inserted.rows(ctx, {
    id,
    organization_id,
    employer_id: proposal.employer_id,
    plan_year_id: proposal.benefit_plan_year_id,
    proposal: JSON.stringify(proposal),
  })

const of_plan_year = targetList('renewal-proposals.listProposals', {
  target: `
    select year.id, year.organization_id from benefit_plan_years as year
     where year.id = :benefit_plan_year_id and year.employer_id = :employer_id
       and ${inReach('year.organization_id', 'year.employer_id')}`,
  from: `renewal_proposals as proposal
          where proposal.plan_year_id = target.id and proposal.organization_id = target.organization_id`,
  row: 'proposal',
  order: 'proposal.id desc',
  item: `(
    select row_to_json(shown) from (
      select proposal.id as renewal_proposal_id, proposal.employer_id, proposal.plan_year_id as benefit_plan_year_id,
             proposal.proposal -> 'coverage_start' as coverage_start,
             proposal.proposal -> 'coverage_end' as coverage_end,
             (select json_agg(json_build_object('name', scenario -> 'name', 'per_year', scenario -> 'per_year')
                              order by number)
                from jsonb_array_elements(proposal.proposal -> 'scenarios') with ordinality as of (scenario, number))
               as scenarios,
             iso(proposal.created_at) as created_at) as shown)`,
})

/** A page of the stored proposals of a plan year, newest first. Undefined if it is out of reach. */
export const listProposals = (
  ctx: ReadCtx,
  plan_year: { employer_id: string; benefit_plan_year_id: string },
  page: Page,
) => of_plan_year(ctx, plan_year, page)

export const locateProposal = read(
  'renewal-proposals.locateProposal',
  `select proposal.id as renewal_proposal_id, proposal.organization_id, proposal.employer_id
     from renewal_proposals as proposal
    where proposal.id = :renewal_proposal_id and proposal.employer_id = :employer_id
      and ${inReach('proposal.organization_id', 'proposal.employer_id')}`,
).row<{ renewal_proposal_id: string; organization_id: string; employer_id: string }>

/** A stored proposal with the names that its PDF shows. */
export const findProposal = statement(
  'renewal-proposals.findProposal',
  `select proposal.proposal, organization.name as organization_name, employer.name as employer_name
     from renewal_proposals as proposal
     join organizations as organization on organization.id = proposal.organization_id
     join employers as employer on employer.id = proposal.employer_id
      and employer.organization_id = proposal.organization_id
    where proposal.id = :id and proposal.organization_id = :organization_id`,
).row<{ proposal: RenewalProposal; organization_name: string; employer_name: string }>
