-- What plan years offer the employees `:employee_ids`: their benefits, those that ended lately too, since corrections
-- reach back. place: of the employee among them. scope: whose periods count. moved_today: they came to live where it is
-- offered. formers: earlier employments here, of those who have several. ends_on, closed_plans: by amendments of the
-- plan year. Full joins are by hash, whatever is believed of the numbers; nothing is without its counterpart.
select
  employee.place,
  employee.id as employee_id,
  employee.organization_id,
  employee.employer_id,
  coalesce(employee.formers, '{}') as formers,
  offer.offered_states <> '{}' and coalesce(employee.moved_on = :today::date, false) as moved_today,
  offer.plan_year_id,
  offer.benefit_id,
  offer.choice_group,
  offer.scope,
  offer.starts_on,
  offer.medical,
  offer.coverage_start as year_start,
  offer.coverage_end as year_end,
  offer.open_enrollment_start,
  offer.open_enrollment_end,
  offer.ends_on,
  offer.closed_plans,
  least(offer.coverage_end, offer.ends_on) as offered_until,
  offer.withdrawn_at is null
  and is_offered_in(offer.offered_states, coalesce(employee.state, employer.state)) as offered
from
  (
    select self.place, self.id, self.organization_id, self.employer_id, member.state, member.moved_on, earlier.formers
    from
      people as self
      full join (
        select id, state, moved_on
        from members
        where id = any (array(select member_id from people)) and organization_id = :organization_id
        offset 0
      ) as member
        on member.id = self.member_id
      full join (
        select several.id, array_agg(other.id) as formers
        from
          unnest(:several_ids::text[]) as wanted (id)
          cross join lateral (
            select id, member_id, employer_id, hired_on
            from employees
            where id = wanted.id and organization_id = :organization_id
            offset 0
          ) as several
          cross join lateral (
            select id, employer_id, terminated_on
            from employees
            where member_id = several.member_id and organization_id = :organization_id and id <> several.id
            offset 0
          ) as other
        where other.employer_id = several.employer_id and other.terminated_on < several.hired_on
        group by several.id
      ) as earlier
        on earlier.id = self.id
    offset 0
  ) as employee
  cross join lateral (
    select state from employers where id = employee.employer_id and organization_id = :organization_id offset 0
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
      product.category = 'Medical' as medical,
      place.scope
    from
      benefit_plan_years as year
      join plan_year_benefits as benefit
        on benefit.plan_year_id = year.id and benefit.organization_id = year.organization_id
      join benefit_products as product
        on product.id = benefit.benefit_id and product.organization_id = benefit.organization_id
      cross join lateral scope_of(employee.employer_id, :organization_id, benefit.benefit_id) as place
    where
      year.employer_id = employee.employer_id
      and year.organization_id = :organization_id
      and year.coverage_end >= least(:today::date - 92, :since::date)
    offset 0
  ) as offer;
