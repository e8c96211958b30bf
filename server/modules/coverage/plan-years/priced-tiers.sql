-- The employee's monthly cost of each plan and coverage level that a plan year, a row `year`, lists in `offered`. Uses
-- the first contribution rule of the employer that matches the coverage level. For ICHRA, the rule depends on the
-- person.
select coalesce(json_agg(row_to_json(shown) order by offered.position, plan.name, plan.id, tier_position), '[]')
from
  offered
  join plan_year_rates as rate
    on rate.plan_year_id = year.id
    and rate.organization_id = year.organization_id
    and rate.benefit_id = offered.benefit_id
    and shared.in_force(rate)
  join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
  cross join lateral array_position(array['EE', 'ES', 'EC', 'EF'], rate.coverage_tier) as tier_position
  left join lateral (
    select entry.input
    from
      jsonb_array_elements(offered.contribution_strategy -> 'contribution_tiers') with ordinality as entry (
        input,
        position
      )
    where coalesce(entry.input ->> 'coverage_tier', rate.coverage_tier) = rate.coverage_tier
    order by entry.position
    limit 1
  ) as rule
    on true
  cross join lateral (
    select
      offered.benefit_id,
      rate.coverage_tier,
      coalesce(rule.input ->> 'method', 'fixed') as method,
      case
        when rule.input is null then 0
        else (rule.input ->> 'amount_in_cents')::bigint
      end as amount_in_cents,
      (rule.input ->> 'percentage')::numeric as percentage,
      plan.id as benefit_plan_id,
      plan.name as benefit_plan_name,
      shared.tier_name(rate.coverage_tier) as benefit_plan_tier_name,
      rate.premium_in_cents,
      rate.min_contribution_in_cents as employer_contribution_in_cents,
      rate.premium_in_cents - rate.min_contribution_in_cents as cost,
      0 as cost_per_dependent,
      rate.coverage_tier in ('EC', 'EF') as dependents_required_in,
      rate.coverage_tier in ('ES', 'EF') as spouse_required_in
  ) as shown
where offered.family <> 'ichra';
