-- A page of the enrollments in a plan year of the people whom a search finds, in the order asked for, as the whole
-- answer; no row out of reach.
with
  -- The plan year of the employer, within reach.
  place as materialized (
    select
      year.id,
      year.organization_id,
      year.employer_id,
      year.employer_id || :search as reference_key,
      year.open_enrollment_end,
      year.enrollment_count
    from benefit_plan_years as year
    where
      year.id = :benefit_plan_year_id
      and year.employer_id = :employer_id
      and shared.in_reach(year.organization_id, year.employer_id)
  ),
  -- Who has a window of a life event.
  reopened as materialized (select * from shared.reopened() as event),
  -- The people whom the search means, each by an index: by an id, by a reference, or by a group. The id of a membership
  -- names somebody for good, the reference in a group whoever has it at present.
  meant as materialized (
    select employee.id
    from
      place
      cross join lateral (
        select id
        from employees
        where id = :search::text and employer_id = place.employer_id and organization_id = place.organization_id
        union
        select id
        from employees
        where member_id = :search and employer_id = place.employer_id and organization_id = place.organization_id
        union
        select id
        from employees
        where reference_key = place.reference_key and organization_id = place.organization_id
        union
        select employee.id
        from
          (
            select member_id
            from group_members as membership
            where membership.id = :search and membership.organization_id = place.organization_id
            union
            select membership.member_id
            from
              (
                select id || :search as reference_key, organization_id
                from groups
                where organization_id = place.organization_id
                offset 0
              ) as club
              cross join lateral (
                select member_id
                from group_members
                where reference_key = club.reference_key and organization_id = club.organization_id and left_at is null
                offset 0
              ) as membership
          ) as grouped
          cross join lateral (
            select *
            from employees
            where member_id = grouped.member_id and organization_id = place.organization_id
            offset 0
          ) as employee
        where employee.employer_id = place.employer_id
      ) as employee
  ),
  -- And those whose name it is part of, by the index of the roster. People are found before their enrollments, of which
  -- there are several for each.
  found as materialized (
    select id from meant
    union all
    select employee.id
    from
      place
      join employees as employee
        on employee.employer_id = place.employer_id and employee.organization_id = place.organization_id
    where
      :pattern::text is not null
      and employee.search_key like :pattern
      and employee.id <> all (array(select id from meant))
  ),
  -- Their enrollments, asked once for the page and its totals. Each is looked up, whatever is believed of the table;
  -- from 500 people on, all of the plan year are read and compared with them ("is true" keeps that from becoming a
  -- look-up for each again).
  kept as materialized (
    select enrollment.id, enrollment.organization_id, enrollment.created_at, shared.words() as words
    from
      place
      cross join lateral (
        select theirs.*
        from
          found
          cross join lateral (
            select *
            from enrollments
            where employee_id = found.id and organization_id = place.organization_id
            offset 0
          ) as theirs
        where theirs.plan_year_id = place.id and (select count(*) from found) < 500
        union all
        select enrollment.*
        from enrollments as enrollment
        where
          enrollment.plan_year_id = place.id
          and enrollment.organization_id = place.organization_id
          and (select count(*) from found) >= 500
          and (enrollment.employee_id in (select id from found)) is true
      ) as enrollment
    where shared.is_chosen()
  ),
  -- The keys of the page.
  page as (
    select *
    from kept as enrollment
    where shared.lies_ahead(enrollment)
    order by enrollment.words, shared.instant_of(enrollment) desc, enrollment.id desc
    limit :limit::int offset :offset::bigint
  ),
  shown as (select * from shared.rows() as enrollment_row),
  totals as (
    select counted.*
    from
      place
      cross join (
        select count(*) as total, count(*) filter (where shared.lies_ahead(kept)) as ahead from kept
      ) as counted
  )
select json, last_key
from shared.answer() as answer;
