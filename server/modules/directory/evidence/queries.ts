import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { columnsOf, inForce } from '../../../database/sql/fragments.ts'
import { pageJson, pageList } from '../../../database/sql/pages.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { EvidenceAction } from './schemas.ts'

/** SQL: the actions that are elections or waivers, which have an election window. */
const answers = `('elected', 'waived', 'terminated', 'reissued')`

/** SQL: of the windows open today, the one that ends last, as the enrollment shows it. */
const openWindow = `
  select period.* from (
    select 'grant' as kind, enrollment.granted_on as first_day, enrollment.window_ends_on as last_day,
           null::text as life_event_id
    union all
    select 'open_enrollment', year.open_enrollment_start, year.open_enrollment_end, null
      from benefit_plan_years as year
     where year.id = enrollment.plan_year_id and year.organization_id = :organization_id
    union all
    select 'life_event', event.window_start, event.window_end, event.id from qualifying_life_events as event
     where event.employee_id = enrollment.employee_id and event.organization_id = :organization_id
       and event.decision = 'approved') as period
   where :today::date between period.first_day and period.last_day and input.action in ${answers}
     and (period.kind = 'life_event' or input.action not in ('terminated', 'reissued'))
   order by period.last_day desc limit 1`

/** SQL: all current elections of an enrollment. */
const electionsJson = `
  select jsonb_agg(jsonb_build_object(
           'effective_on', nullif(election.effective_on, '-infinity'), 'plan_id', election.plan_id,
           'coverage_tier', election.coverage_tier, 'premium_in_cents', election.premium_in_cents,
           'employer_contribution_in_cents', election.employer_contribution_in_cents,
           'employee_deduction_in_cents', election.employee_deduction_in_cents,
           'dependent_ids', array(select covered.dependent_id from covered_dependents as covered
                                   where covered.enrollment_id = enrollment.id
                                     and covered.organization_id = :organization_id
                                     and covered.effective_on = election.effective_on
                                   order by covered.dependent_id)) order by election.effective_on)
    from (select * from elections
           where enrollment_id = enrollment.id and organization_id = :organization_id offset 0) as election`

/** SQL: the plans that could be elected. Amounts that depend on the person (ICHRA) are null. */
const offeredJson = `
  select jsonb_agg(jsonb_build_object(
           'plan_id', rate.plan_id, 'coverage_tier', rate.coverage_tier,
           'premium_in_cents', case when rate.pricing = 'tier' then rate.premium_in_cents end,
           'employer_contribution_in_cents',
             case when product.family <> 'ichra' then rate.min_contribution_in_cents end,
           'employee_deduction_in_cents',
             case when product.family <> 'ichra' then rate.premium_in_cents - rate.min_contribution_in_cents end)
           order by rate.plan_id, array_position(array['EE', 'ES', 'EC', 'EF'], rate.coverage_tier))
    from plan_year_rates as rate
    join benefit_products as product on product.id = rate.benefit_id and product.organization_id = rate.organization_id
   where rate.plan_year_id = enrollment.plan_year_id and rate.benefit_id = enrollment.benefit_id
     and rate.organization_id = :organization_id
     and ${inForce('rate', 'enrollment.coverage_start')}`

const recorded = statement(
  'evidence.recordEvidence',
  `insert into enrollment_evidence
     (organization_id, enrollment_id, position, action, recorded_at, actor, actor_id, reason, reason_code, window_kind,
      window_start, window_end, life_event_id, coverage_start, coverage_end, answer, elections, offered, operation,
      reported_by, reported_by_id)
   select :organization_id, input.enrollment_id,
          row_number() over (partition by input.enrollment_id order by input.position) + coalesce((
            select max(earlier.position) from enrollment_evidence as earlier
             where earlier.enrollment_id = input.enrollment_id and earlier.organization_id = :organization_id), 0),
          input.action, :now, coalesce(input.actor, :caller),
           case when input.actor is null then :caller_id end, input.reason,
          case when input.action in ('waived', 'renewed') then enrollment.waiver_code end,
          period.kind, period.first_day, period.last_day, period.life_event_id,
          enrollment.coverage_start, enrollment.coverage_end, enrollment.answer,
          case when input.action not in ('waived', 'ended', 'end_changed') then (${electionsJson}) end,
          case when input.action in ('waived', 'corrected') and enrollment.answer = 'waived' then (${offeredJson}) end,
          :operation, :caller, :caller_id
     from unnest(:enrollment_id::text[], :action::text[], :by::text[], :reason::text[]) with ordinality
            as input (enrollment_id, action, actor, reason, position)
    cross join lateral (
      select * from enrollments
       where id = input.enrollment_id and organization_id = :organization_id offset 0) as enrollment
     left join lateral (${openWindow}) as period on true`,
)

/** An action on an enrollment. */
export type NewEvidence = {
  enrollment_id: string
  action: EvidenceAction
  /** The reason, if one was given. */
  reason?: string | null
  /** The actor if it was not the caller: a renewal, or a rule that derives the action from facts. */
  by?: 'renewal' | 'rule'
}

/** The actor of the evidence, from the caller of a context. */
export function actorOf({ caller }: Ctx): { caller: string; caller_id: string | null } {
  if (caller.kind === 'operator') return { caller: 'operator', caller_id: null }
  if (caller.kind === 'service') return { caller: 'rule', caller_id: null }
  return caller.kind === 'employee_token'
    ? { caller: 'employee', caller_id: caller.reach.employee_id }
    : { caller: 'partner', caller_id: caller.key_id }
}

/**
 * Permanently records actions on enrollments of an organization, in one statement. Call it in the transaction of the
 * actions, after all their writes: it reads coverage dates, elections with prices, and the plans offered with a waiver
 * from the tables. The window is the one open today. The actor is the caller unless `by` is set. Several actions on one
 * enrollment keep their order. The organization must be locked.
 */
export async function recordEvidence(ctx: Ctx, organization_id: string, entries: NewEvidence[]): Promise<void> {
  if (entries.length === 0) return
  await recorded.rows(ctx, {
    ...actorOf(ctx),
    operation: ctx.operation ?? null,
    organization_id,
    ...columnsOf(entries, ['enrollment_id', 'action', 'by', 'reason']),
  })
}

/** SQL: the history of the enrollment of a row `place`, in the order of `position`, starting with its grant. */
const everything = `
  select 0 as position, 'granted' as action, enrollment.created_at as recorded_at, 'rule' as actor,
         null as actor_id, null as reason, null as reason_code, 'grant' as window_kind,
         enrollment.granted_on as window_start,
         enrollment.window_ends_on as window_end, null as life_event_id, enrollment.coverage_start,
         null::date as coverage_end, null as answer, null::jsonb as elections, null::jsonb as offered
    from enrollments as enrollment
   where enrollment.id = target.id and enrollment.organization_id = target.organization_id
  union all
  select kept.position, kept.action, kept.recorded_at, kept.actor, kept.actor_id, kept.reason, kept.reason_code,
         kept.window_kind,
         kept.window_start, kept.window_end, kept.life_event_id, kept.coverage_start, kept.coverage_end, kept.answer,
         kept.elections, kept.offered
    from enrollment_evidence as kept
   where kept.enrollment_id = target.id and kept.organization_id = target.organization_id`

/** SQL: the EnrollmentEvidence, from a row `kept`. Bound tokens do not see the id of the partner's key. */
const evidenceJson = `
  select row_to_json(shown) as item from (
    select kept.action, iso(kept.recorded_at) as recorded_at,
           json_build_object(
             'kind', kept.actor,
             'id', case when kept.actor = 'employee' or coalesce(:reach_employer_id::text, :reach_employee_id) is null
                        then kept.actor_id end) as actor,
           kept.reason, kept.reason_code,
           case when kept.window_kind is not null then json_build_object(
             'kind', kept.window_kind, 'start', kept.window_start, 'end', kept.window_end,
             'life_event_id', kept.life_event_id) end as window,
           kept.coverage_start, kept.coverage_end, kept.answer, kept.elections, kept.offered,
           (select json_build_object(
                     'name', signature.name, 'signed_at', iso(signature.signed_at),
                     'pre_tax_consent', signature.pre_tax_consent, 'language', signature.language,
                     'agreements', signature.agreements,
                     'address', case when coalesce(:reach_employer_id::text, :reach_employee_id) is null
                                     then signature.address end)
              from enrollment_signatures as signature
             where signature.employee_id = target.employee_id and signature.organization_id = target.organization_id
               and signature.signed_at = kept.recorded_at and target.id = any(signature.enrollment_ids)
               and kept.action in ('elected', 'waived')) as signature,
           (select json_build_object('id', confirmation.id, 'sha256', confirmation.sha256)
              from enrollment_confirmations as confirmation
             where confirmation.employee_id = target.employee_id
               and confirmation.organization_id = target.organization_id
               and confirmation.submitted_at = kept.recorded_at and target.id = any(confirmation.enrollment_ids)
               and kept.action in ('elected', 'waived')
             order by confirmation.id desc limit 1) as confirmation) as shown`

/** A page of the history of an enrollment, oldest first. Undefined if out of reach. */
export const listEvidence = pageList(
  'evidence.listEvidence',
  `with target as materialized (
     select enrollment.id, enrollment.organization_id, enrollment.employee_id from enrollments as enrollment
      where enrollment.id = :enrollment_id
        and ${inReach('enrollment.organization_id', 'enrollment.employer_id', 'enrollment.employee_id')})
   ${pageJson(
     `select shown.item, kept.position from target
       cross join lateral (
         select * from (${everything}) as each order by position limit :limit offset :offset) as kept
       cross join lateral (${evidenceJson}) as shown`,
     `(select 1 + (select count(*) from enrollment_evidence as kept
                    where kept.enrollment_id = target.id and kept.organization_id = target.organization_id)
                    from target)`,
   )}`,
)

/**
 * SQL: the AdjustmentCause: the latest entry of an enrollment within a period that may change its cost, or null. A
 * future end was recorded when it was reported, not when it takes effect.
 */
export const causeJson = (enrollment_id: string, organization_id: string, after: string, through: string) => `
  (select json_build_object(
            'action', kept.action, 'operation', kept.operation, 'reported_at', iso(kept.recorded_at),
            'reported_by', json_build_object(
              'kind', kept.reported_by,
              'id', case when kept.reported_by = 'employee'
                           or coalesce(:reach_employer_id::text, :reach_employee_id) is null
                         then kept.reported_by_id end),
            'coverage_start', kept.coverage_start, 'coverage_end', kept.coverage_end, 'reason', kept.reason)
     from (select *, lag(coverage_end) over (order by position) as former_end from enrollment_evidence
            where enrollment_id = ${enrollment_id} and organization_id = ${organization_id} offset 0) as kept
    where kept.recorded_at > ${after} and kept.recorded_at <= ${through}
      and (kept.action <> 'ended' or kept.coverage_end is distinct from kept.former_end)
    order by kept.position desc limit 1)`
