-- What employees pay a month for each plan and tier of what is `offered` in a plan year, a row `year`, with the rule by
-- which the employer pays the rest: the first that fits the tier. For ICHRA that depends on the person.
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
    select entry.said
    from
      jsonb_array_elements(offered.contribution_strategy -> 'contribution_tiers') with ordinality as entry (said, place)
    where coalesce(entry.said ->> 'coverage_tier', rate.coverage_tier) = rate.coverage_tier
    order by entry.place
    limit 1
  ) as rule
    on true
  cross join lateral (
    select
      offered.benefit_id,
      rate.coverage_tier,
      coalesce(rule.said ->> 'method', 'fixed') as method,
      case
        when rule.said is null then 0
        else (rule.said ->> 'amount_in_cents')::bigint
      end as amount_in_cents,
      (rule.said ->> 'percentage')::numeric as percentage,
      plan.id as benefit_plan_id,
      plan.name as benefit_plan_name,
      shared.tier_name(rate.coverage_tier) as benefit_plan_tier_name,
      rate.premium_in_cents,
      rate.least_contribution_in_cents as employer_contribution_in_cents,
      rate.premium_in_cents - rate.least_contribution_in_cents as cost,
      0 as cost_per_dependent,
      rate.coverage_tier in ('EC', 'EF') as dependents_required_in,
      rate.coverage_tier in ('ES', 'EF') as spouse_required_in
  ) as shown
where offered.family <> 'ichra';
