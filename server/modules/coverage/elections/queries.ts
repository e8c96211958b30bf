import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { DependentField } from '../../directory/catalog/schemas.ts'
import type { ElectedBy } from '../enrollments/schemas.ts'
import type { ElectionRecord, ElectionOrigin } from './price-rules.ts'
import type { EffectiveOn, EnrollmentFacts } from './rules.ts'
import type { EnrollmentCorrection } from './schemas.ts'
import type { Rival } from './choice-rules.ts'

/** SQL: the facts for decisions about the answers of a row `enrollment`. */
export const factFields = `
   select enrollment.benefit_id, enrollment.plan_year_id, enrollment.employer_id, enrollment.id,
          enrollment.organization_id, enrollment.employee_id, enrollment.answer, enrollment.granted_on,
          enrollment.elected_by, enrollment.window_ends_on, enrollment.coverage_start, enrollment.coverage_end,
          enrollment.inactive_on, enrollment.terminated_at, enrollment.ended_on,
          year.open_enrollment_start, year.open_enrollment_end,
          year.coverage_start as plan_year_start, year.coverage_end as plan_year_end,
          product.product_code, product.required_dependent_fields, member.date_of_birth,
          employee.terminated_on as last_day,
          coalesce((select json_agg(json_build_object(
                             'effective_on', contribution.effective_on,
                             'contribution_strategy', contribution.contribution_strategy)
                             order by contribution.effective_on)
                      from plan_year_contributions as contribution
                     where contribution.plan_year_id = enrollment.plan_year_id
                       and contribution.organization_id = enrollment.organization_id
                       and contribution.benefit_id = enrollment.benefit_id), '[]') as contributions,
          coalesce(member.state, employer.state) as state,
          coalesce((select json_agg(json_build_object(
                             'effective_on', history.effective_on, 'employee_class', history.employee_class)
                             order by history.effective_on)
                      from employee_classifications as history
                     where history.employee_id = employee.id
                       and history.organization_id = employee.organization_id), '[]') as classes,
          coalesce((select json_agg(json_build_object(
                             'id', event.id, 'type', event.type, 'occurred_on', event.occurred_on,
                             'start', event.window_start, 'end', event.window_end,
                             'exception', event.decision_reason is not null) order by event.window_end desc)
                      from qualifying_life_events as event
                     where event.employee_id = employee.id and event.organization_id = employee.organization_id
                       and event.decision = 'approved'), '[]') as life_events,
          coalesce((select json_agg(json_build_object(
                             'effective_on', election.effective_on, 'follows', election.follows,
                             'plan_id', election.plan_id,
                             'coverage_tier', election.coverage_tier,
                             'premium_in_cents', election.premium_in_cents,
                             'individual_plan_name', election.individual_plan_name,
                             'bought_on_exchange', election.bought_on_exchange,
                             'tier_id', election.tier_id, 'amendment_id', election.amendment_id,
                             'domestic_partner_share_in_cents', election.domestic_partner_share_in_cents,
                             'as_elected', election.as_elected,
                             'removed_dependent_ids', election.removed_dependent_ids,
                             'employer_contribution_in_cents', election.employer_contribution_in_cents,
                             'employee_deduction_in_cents', election.employee_deduction_in_cents,
                             'dependent_ids', array(
                               select covered.dependent_id from covered_dependents as covered
                                where covered.enrollment_id = election.enrollment_id
                                  and covered.organization_id = election.organization_id
                                  and covered.effective_on = election.effective_on)) order by election.effective_on)
                      from elections as election
                     where election.enrollment_id = enrollment.id
                       and election.organization_id = enrollment.organization_id), '[]') as elections,
          coalesce((select json_agg(json_build_object(
                             'id', dependent.id, 'relationship', dependent.relationship,
                             'name', dependent.first_name || ' ' || dependent.last_name,
                             'missing', array_remove(array[
                               case when dependent.gender is null then 'gender' end,
                               case when coalesce(dependent.address_line_1, member.address_line_1) is null
                                    then 'address' end,
                               case when dependent.verification in ('unverified', 'rejected')
                                    then 'verification' end], null),
                             'date_of_birth', dependent.date_of_birth, 'ended_on', dependent.ended_on,
                             'covered_until', dependent_covered_until(
                               dependent.relationship, dependent.date_of_birth, dependent.ended_on,
                               dependent.disabled_until))
                             order by dependent.id)
                      from dependents as dependent
                     where dependent.member_id = employee.member_id
                       and dependent.organization_id = employee.organization_id), '[]') as dependents`

/**
 * SQL: the joins for these facts, besides a row `enrollment`. The employee is found by ids behind `offset 0` fences.
 * With statistics of small tables, the planner would otherwise read the whole organization.
 */
export const factSources = `
    cross join lateral (
      select * from employees
       where id = enrollment.employee_id and organization_id = enrollment.organization_id offset 0) as employee
    cross join lateral (
      select * from members
       where id = employee.member_id and organization_id = employee.organization_id offset 0) as member
     join employers as employer on employer.id = employee.employer_id
      and employer.organization_id = employee.organization_id
     join benefit_plan_years as year on year.id = enrollment.plan_year_id
      and year.organization_id = enrollment.organization_id
     join benefit_products as product on product.id = enrollment.benefit_id
      and product.organization_id = enrollment.organization_id`

/** Returns the facts for an answer to an enrollment within reach. The organization must be locked. */
export const findEnrollmentFacts = statement(
  'elections.findEnrollmentFacts',
  `${factFields} from enrollments as enrollment ${factSources}
    where enrollment.id = :enrollment_id
      and ${inReach('enrollment.organization_id', 'enrollment.employer_id', 'enrollment.employee_id')}`,
).row<FoundFacts>

/** An enrollment with the facts for decisions about its answers. */
export type FoundFacts = EnrollmentFacts & {
  benefit_id: string
  plan_year_id: string
  employer_id: string
  elected_by: ElectedBy | null
  ended_on: Day | null
  last_day: Day | null
  required_dependent_fields: DependentField[]
}

const deleted = statement(
  'elections.deleteElections',
  `delete from elections
    where enrollment_id = :enrollment_id and organization_id = :organization_id and effective_on >= :effective_on`,
)

/** Deletes the elections of an enrollment starting on a day, with their covered dependents. */
export const deleteElections = (
  ctx: Ctx,
  { id, organization_id }: Pick<EnrollmentFacts, 'id' | 'organization_id'>,
  from: EffectiveOn,
) => deleted.rows(ctx, { enrollment_id: id, organization_id, effective_on: from })

const deleted_following = statement(
  'elections.deleteFollowing',
  `delete from elections
    where enrollment_id = :enrollment_id and organization_id = :organization_id
      and (follows or effective_on = any(:days::date[]))
   returning effective_on, follows, elected_at, elected_by`,
)

/**
 * Deletes the elections of an enrollment on these days, and all elections that follow from the end of a dependent.
 * Returns the times and sources of the remaining ones.
 */
export async function deleteFollowing(
  ctx: Ctx,
  { id, organization_id }: EnrollmentFacts,
  days: EffectiveOn[],
): Promise<Map<EffectiveOn, ElectionOrigin>> {
  const rows = await deleted_following.rows<ElectionOrigin & { effective_on: EffectiveOn; follows: boolean }>(ctx, {
    enrollment_id: id,
    organization_id,
    days,
  })
  const made = rows.filter(({ follows }) => !follows)
  return new Map(made.map(({ effective_on, elected_at, elected_by }) => [effective_on, { elected_at, elected_by }]))
}

const inserted = statement(
  'elections.insertElections',
  `with input as materialized (
     select * from jsonb_to_recordset(:elections::jsonb) as input (
       enrollment_id text, effective_on date, plan_id text, coverage_tier text, tier_id text, premium_in_cents bigint,
       employer_contribution_in_cents bigint, employee_deduction_in_cents bigint, individual_plan_name text,
       bought_on_exchange boolean, domestic_partner_share_in_cents bigint, follows boolean, amendment_id text,
       removed_dependent_ids text[], made jsonb, covered jsonb)
   ), elected as (
     insert into elections (organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
                            premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents,
                            individual_plan_name, bought_on_exchange, domestic_partner_share_in_cents, follows,
                            amendment_id, removed_dependent_ids, elected_at, elected_by)
     select :organization_id, enrollment_id, effective_on, plan_id, coverage_tier, tier_id,
            premium_in_cents, employer_contribution_in_cents, employee_deduction_in_cents, individual_plan_name,
            bought_on_exchange, domestic_partner_share_in_cents, follows, amendment_id,
            coalesce(removed_dependent_ids, '{}'), coalesce((made ->> 'elected_at')::timestamptz, :now),
            case when made is null then :elected_by else made ->> 'elected_by' end
       from input
     returning enrollment_id)
   insert into covered_dependents (organization_id, enrollment_id, effective_on, dependent_id, covered_until)
   select :organization_id, input.enrollment_id, input.effective_on, one.dependent_id, one.covered_until
     from input cross join lateral jsonb_to_recordset(input.covered) as one (dependent_id text, covered_until date)`,
)

/** Inserts elections of many enrollments, each with its covered dependents. */
export const insertElectionsOf = (
  ctx: Ctx,
  organization_id: string,
  elections: (ElectionRecord & { enrollment_id: string })[],
  elected_by: ElectedBy | null,
) => inserted.rows(ctx, { organization_id, elections: JSON.stringify(elections), elected_by })

/** Inserts elections of an enrollment, each with its covered dependents. */
export const insertElections = (
  ctx: Ctx,
  { id, organization_id }: EnrollmentFacts,
  elections: ElectionRecord[],
  elected_by: ElectedBy | null,
) =>
  insertElectionsOf(
    ctx,
    organization_id,
    elections.map((election) => ({ ...election, enrollment_id: id })),
    elected_by,
  )

/** An election by a renewal, which applies from the start of coverage. */
export type RenewedElectionRecord = Omit<ElectionRecord, 'effective_on' | 'dependent_ids'> & { enrollment_id: string }

/** Inserts renewed elections of many enrollments, each with its covered dependents. */
export const insertRenewals = (ctx: Ctx, organization_id: string, elections: RenewedElectionRecord[]) =>
  insertElectionsOf(
    ctx,
    organization_id,
    elections.map((election) => ({ ...election, effective_on: '-infinity', dependent_ids: [], follows: false })),
    'renewal',
  )

/**
 * Updates the last day on which a dependent is covered in all enrollments, according to the date of birth and the end
 * of the dependent.
 */
export const saveCoveredUntil = statement(
  'elections.saveCoveredUntil',
  `update covered_dependents as covered
      set covered_until = dependent_covered_until(dependent.relationship, dependent.date_of_birth, dependent.ended_on,
                                                dependent.disabled_until)
     from dependents as dependent
    where dependent.id = :dependent_id and dependent.organization_id = :organization_id
      and covered.dependent_id = :dependent_id and covered.organization_id = :organization_id`,
).rows

/** Whether a dependent is covered, now or in the future. */
export const isCovered = statement(
  'elections.isCovered',
  `select 1 as found from covered_dependents as covered
     join enrollments as enrollment on enrollment.id = covered.enrollment_id
      and enrollment.organization_id = covered.organization_id
    where covered.dependent_id = :dependent_id and covered.organization_id = :organization_id
      and coalesce(covered.covered_until >= :today, true)
      and coalesce(enrollment.inactive_on > :today, true) limit 1`,
).exists

const inserted_correction = statement(
  'elections.insertCorrection',
  `insert into enrollment_corrections (organization_id, enrollment_id, position, reason, changes, corrected_at)
   select :organization_id, :enrollment_id, count(*) + 1, :reason, :changes, :now
     from enrollment_corrections where enrollment_id = :enrollment_id and organization_id = :organization_id`,
)

/** Stores a correction of the operator with its reason. */
export const insertCorrection = (
  ctx: Ctx,
  { id, organization_id }: EnrollmentFacts,
  { reason, ...changes }: EnrollmentCorrection,
) =>
  inserted_correction.rows(ctx, {
    enrollment_id: id,
    organization_id,
    reason,
    changes: JSON.stringify(changes),
  })

const rivals = statement(
  'elections.listRivals',
  `select rival.id, rival.organization_id, rival.answer, rival.elected_by, rival.choice, rival.coverage_start,
          rival.coverage_end, rival.inactive_on, year.coverage_end as plan_year_end, product.name as instead,
          coalesce((select max(choice) from (select * from enrollments
                     where employee_id = enrollment.employee_id and organization_id = :organization_id offset 0) as own
                     where own.benefit_id = enrollment.benefit_id and own.id <> enrollment.id
                       and own.answer = 'enrolled'), 0) as own_choice
     from (select * from enrollments where id = :enrollment_id and organization_id = :organization_id offset 0)
            as enrollment
     join plan_year_benefits as own on own.plan_year_id = enrollment.plan_year_id
      and own.organization_id = :organization_id and own.benefit_id = enrollment.benefit_id
     join benefit_products as product on product.id = enrollment.benefit_id
      and product.organization_id = :organization_id
    cross join lateral (
      select * from enrollments
       where employee_id = enrollment.employee_id and organization_id = :organization_id offset 0) as rival
     join plan_year_benefits as other on other.plan_year_id = rival.plan_year_id
      and other.organization_id = :organization_id and other.benefit_id = rival.benefit_id
      and other.choice_group = own.choice_group
     join benefit_plan_years as year on year.id = rival.plan_year_id and year.organization_id = :organization_id
    where rival.benefit_id <> enrollment.benefit_id
    order by rival.id`,
)

/**
 * Lists all enrollments of the same employee, past or present, in the other benefits of an enrollment's choice group.
 */
export const listRivals = (ctx: Ctx, { id, organization_id }: Pick<EnrollmentFacts, 'id' | 'organization_id'>) =>
  rivals.rows<Rival>(ctx, { enrollment_id: id, organization_id })
