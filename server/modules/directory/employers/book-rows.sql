-- The book rows of the employers of a `page`. Starts from their keys, so that JSON is built for these rows only.
select
  row_to_json(shown) as item,
  shared.position() as position,
  shared.key() as key
from
  page
  join employers as employer using (id, organization_id)
  -- The current benefits of an employer. If its stored row is not valid today, because the daily run is still due or
  -- the organization's clock is ahead, they are computed from its plan years.
  left join employer_benefits as held
    on held.employer_id = employer.id and held.organization_id = employer.organization_id
  left join lateral (
    select held.* where held.valid_from <= :today::date and held.valid_until > :today::date
    union all
    select fresh.*
    from employer_benefits_on(employer.id, employer.organization_id, :today::date) as fresh
    where held.valid_from > :today::date or held.valid_until <= :today::date
  ) as benefits
    on true
  left join benefit_plan_years as counts
    on counts.id = benefits.plan_year_id and counts.organization_id = benefits.organization_id
  cross join lateral shared.employer_fields() as fields
  cross join lateral (
    select
      fields.*,
      employer.id as employer_id,
      shared.enrollment_rate(counts) as enrollment_rate_summary,
      coalesce(benefits.families, '{}') as benefit_families,
      (
        select row_to_json(hris)
        from
          (
            select connection.provider, connection.provider_label, connection.status
            from hris_connections as connection
            where
              connection.employer_id = employer.id
              and connection.organization_id = employer.organization_id
              and connection.disconnected_at is null
          ) as hris
      ) as hris_status,
      json_build_object('stage', shared.stage(), 'as_of_date', shared.stage_day()) as benefit_lifecycle_stage,
      benefits.latest_coverage_end + 1 as renews_on,
      shared.employee_count() as employee_count,
      shared.monthly_premium() as monthly_premium_in_cents,
      (
        select row_to_json(coming)
        from shared.coming_dates() as coming
        order by coming.date, coming.kind
        limit 1
      ) as next_date
  ) as shown;
