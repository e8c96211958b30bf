-- The facts for the representation of a plan year, a row `year`. Singular fields, such as the carrier, describe its
-- first benefit (docs/design/coverage/plan-years.md). A plan year without benefits has no row here and is not shown.
with
  -- The offered benefits with their products and contributions.
  offered as (
    select
      benefit.benefit_id,
      benefit.position,
      contribution.contribution_strategy,
      benefit.eligible_count,
      benefit.enrolled_count,
      product.family,
      product.category,
      product.name,
      product.product_code
    from
      plan_year_benefits as benefit
      join benefit_products as product
        on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
      join plan_year_contributions as contribution
        on contribution.plan_year_id = benefit.plan_year_id
        and contribution.organization_id = benefit.organization_id
        and contribution.benefit_id = benefit.benefit_id
        and shared.in_force(contribution)
    where
      benefit.plan_year_id = year.id
      and benefit.organization_id = year.organization_id
      and benefit.withdrawn_at is null
      and coalesce(benefit.ends_on >= shown_day(year.coverage_start, year.coverage_end, :today), true)
  ),
  -- The benefit that singular fields describe.
  lead as (select benefit_id, family, name from offered order by position limit 1),
  -- The price list of the first benefit, with its plans.
  rates as (
    select
      rate.coverage_tier,
      rate.pricing,
      rate.premium_in_cents,
      rate.min_contribution_in_cents,
      rate.max_contribution_in_cents,
      plan.id as plan_id,
      plan.organization_id,
      plan.name,
      plan.carrier_id,
      plan.network_names,
      plan.spd_file_url
    from
      plan_year_rates as rate
      join plans as plan on plan.id = rate.plan_id and plan.organization_id = rate.organization_id
    where
      rate.plan_year_id = year.id
      and rate.organization_id = year.organization_id
      and rate.benefit_id = (select benefit_id from lead)
      and shared.in_force(rate)
  ),
  -- The lowest price, of those for the employee alone if there are any. Plans that employees buy have no price.
  cheapest as (
    select
      case
        when rate.pricing <> 'reported' then rate.premium_in_cents
      end as premium_in_cents,
      carrier.name as carrier
    from
      (select * from rates order by coverage_tier <> 'EE', premium_in_cents, name, plan_id limit 1) as rate
      join carriers as carrier on carrier.id = rate.carrier_id and carrier.organization_id = rate.organization_id
  ),
  -- The ranges of the employee and employer amounts. The range of the employee exists only if no premium depends on
  -- the person.
  costs as (
    select
      case
        when every(pricing = 'tier') then min(premium_in_cents - max_contribution_in_cents)
      end as least_deduction,
      max(premium_in_cents - min_contribution_in_cents) as most_deduction,
      min(min_contribution_in_cents) as least_contribution,
      max(max_contribution_in_cents) as most_contribution
    from rates
  )
select
  lead.benefit_id,
  lead.family,
  lead.name as product_name,
  cheapest.carrier,
  array(
    select distinct network
    from
      rates
      cross join unnest(rates.network_names) as network
    order by network
  ) as network_names,
  (select spd_file_url from rates where spd_file_url is not null order by name, plan_id limit 1) as spd_file_url,
  cheapest.premium_in_cents,
  case
    when costs.least_deduction is not null then json_build_object(
      'min_cents',
      costs.least_deduction,
      'max_cents',
      costs.most_deduction
    )
  end as employee_contribution,
  case
    when costs.least_contribution is not null then json_build_object(
      'min_cents',
      costs.least_contribution,
      'max_cents',
      costs.most_contribution
    )
  end as employer_contribution,
  -- A current plan year is active even while its window is open. Only a future one has the status open_enrollment.
  case
    when year.coverage_end < :today::date then 'inactive'
    when year.coverage_start <= :today then 'active'
    when :today between year.open_enrollment_start and year.open_enrollment_end then 'open_enrollment'
    else 'upcoming'
  end as status,
  case
    when exists (select from offered where family = 'ichra') then year.coverage_start - shared.ichra_notice_days()
  end as notice_due_on,
  array(select distinct upper(family) from offered order by 1) as benefit_families,
  shared.enrollment_rate(year) as enrollment_rate,
  (
    select json_agg(row_to_json(shown) order by position)
    from
      offered
      cross join lateral (select benefit_id as id, category, name, product_code) as shown
  ) as benefits,
  (
    select json_agg(row_to_json(shown) order by position)
    from
      offered
      cross join lateral (
        select benefit_id as id, category, name, product_code, shared.enrollment_rate(offered) as enrollment_rate
      ) as shown
  ) as benefits_with_rates,
  json_build_object(
    'contribution_tiers',
    shared.priced_tiers(),
    'contribution_rules',
    shared.contribution_rules(),
    'ichra_contribution_classes',
    shared.ichra_classes()
  ) as contribution_strategy
from
  lead
  left join cheapest on true
  cross join costs;
