-- The benefits that plan years of the employers of `people` offer, including those that ended recently, since
-- corrections reach back. Also earlier plan years with a choice group that overlap one of these: an earlier choice
-- there prevents coverage here, and does not change. term: the number of a benefit among them. choice_number: its
-- choice group. scope: the scope of the periods that apply. grantable: whether it can be granted on this day. ends_on,
-- closed_plans: from amendments of the plan year. has_rivals: the employer offers or offered another benefit of the
-- choice group.
select
  row_number() over () as term,
  case
    when offer.choice_group is not null then dense_rank() over (order by offer.choice_group)
  end as choice_number,
  employer.employer_id,
  employer.state as employer_state,
  offer.*,
  offer.coverage_start as year_start,
  offer.coverage_end as year_end,
  offer.coverage_end < considered.since as stays,
  is_grantable(
    offer.withdrawn_at is null,
    offer.open_enrollment_start,
    offer.coverage_start,
    least(offer.coverage_end, offer.ends_on),
    :today
  ) as grantable
from
  (select least(:today::date - 92, :since::date) as since) as considered
  cross join (
    select theirs.employer_id, employer.state
    from
      (select distinct employer_id from people) as theirs
      cross join lateral (
        select state from employers where id = theirs.employer_id and organization_id = :organization_id offset 0
      ) as employer
  ) as employer
  cross join lateral (
    select
      year.id as plan_year_id,
      year.coverage_start,
      year.coverage_end,
      year.open_enrollment_start,
      year.open_enrollment_end,
      year.offered_states,
      benefit.benefit_id,
      benefit.choice_group,
      benefit.starts_on,
      benefit.ends_on,
      benefit.closed_plans,
      benefit.withdrawn_at,
      exists (
        select
        from
          benefit_plan_years as theirs
          join plan_year_benefits as rival
            on rival.plan_year_id = theirs.id and rival.organization_id = :organization_id
        where
          theirs.employer_id = employer.employer_id
          and theirs.organization_id = :organization_id
          and rival.choice_group = benefit.choice_group
          and rival.benefit_id <> benefit.benefit_id
      ) as has_rivals,
      product.category = 'Medical' as medical,
      target.scope
    from
      benefit_plan_years as year
      join plan_year_benefits as benefit
        on benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
      join benefit_products as product
        on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
      cross join lateral scope_of(employer.employer_id, :organization_id, benefit.benefit_id) as target
    where
      year.employer_id = employer.employer_id
      and year.organization_id = :organization_id
      and (
        year.coverage_end >= considered.since
        or benefit.choice_group is not null
        and exists (
          select
          from benefit_plan_years as later
          where
            later.employer_id = employer.employer_id
            and later.organization_id = :organization_id
            and later.coverage_end >= considered.since
            and later.coverage_start <= year.coverage_end
        )
      )
    offset 0
  ) as offer;
