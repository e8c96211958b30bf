-- What is told of a plan year, a row `year`. Its single fields speak of its leading benefit (decision 24); a plan year
-- without any benefit has no such row, and isn't shown.
with
  -- The benefits that it offers, with their products and what is contributed.
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
  -- The leading benefit is the first of them.
  lead as (select benefit_id, family, name from offered order by position limit 1),
  -- The price list of the leading benefit, with its plans.
  rates as (
    select
      rate.coverage_tier,
      rate.pricing,
      rate.premium_in_cents,
      rate.least_contribution_in_cents,
      rate.most_contribution_in_cents,
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
  -- The cheapest of the prices, of those for the employee alone if there are any. What employees buy has none.
  cheapest as (
    select
      case
        when rate.pricing <> 'told' then rate.premium_in_cents
      end as premium_in_cents,
      carrier.name as carrier
    from
      (select * from rates order by coverage_tier <> 'EE', premium_in_cents, name, plan_id limit 1) as rate
      join carriers as carrier on carrier.id = rate.carrier_id and carrier.organization_id = rate.organization_id
  ),
  -- Between what the parts of employees and employer lie; of employees only where no premium depends on the person.
  costs as (
    select
      case
        when every(pricing = 'tier') then min(premium_in_cents - most_contribution_in_cents)
      end as least_deduction,
      max(premium_in_cents - least_contribution_in_cents) as most_deduction,
      min(least_contribution_in_cents) as least_contribution,
      max(most_contribution_in_cents) as most_contribution
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
  -- A running year is active even while its window is open; what is still to come is in open enrollment then.
  case
    when year.coverage_end < :today::date then 'inactive'
    when year.coverage_start <= :today then 'active'
    when :today between year.open_enrollment_start and year.open_enrollment_end then 'open_enrollment'
    else 'upcoming'
  end as status,
  case
    when exists (select from offered where family = 'ichra') then year.coverage_start - 90
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
