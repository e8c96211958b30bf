-- The enrollments in a plan year `target` of the people that match `:search`. The people are found first, because each
-- has several enrollments. Below 500 people, each is found by an index. With 500 or more, all enrollments of the plan
-- year are read and compared ("is true" prevents an index scan for each).
with
  -- People found by an index: by their id, reference, or group. The id of a membership is permanent, a reference in a
  -- group belongs to its current holder.
  meant as materialized (
    select employee.id
    from
      target
      cross join lateral (
        select id
        from employees
        where id = :search::text and employer_id = target.employer_id and organization_id = target.organization_id
        union
        select id
        from employees
        where member_id = :search and employer_id = target.employer_id and organization_id = target.organization_id
        union
        select id
        from employees
        where reference_key = target.reference_key and organization_id = target.organization_id
        union
        select employee.id
        from
          (
            select member_id
            from group_members as membership
            where membership.id = :search and membership.organization_id = target.organization_id
            union
            select membership.member_id
            from
              (
                select id || :search as reference_key, organization_id
                from groups
                where organization_id = target.organization_id
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
            where member_id = grouped.member_id and organization_id = target.organization_id
            offset 0
          ) as employee
        where employee.employer_id = target.employer_id
      ) as employee
  ),
  -- People with a name that contains every word of the search, by the index of the roster.
  found as materialized (
    select id from meant
    union all
    select employee.id
    from
      target
      join employees as employee
        on employee.employer_id = target.employer_id and employee.organization_id = target.organization_id
    where
      :patterns::text[] is not null
      and employee.search_key like all (:patterns)
      and employee.id <> all (array(select id from meant))
  )
select theirs.*
from
  found
  cross join lateral (
    select *
    from enrollments
    where employee_id = found.id and organization_id = target.organization_id
    offset 0
  ) as theirs
where theirs.plan_year_id = target.id and (select count(*) from found) < 500
union all
select enrollment.*
from enrollments as enrollment
where
  enrollment.plan_year_id = target.id
  and enrollment.organization_id = target.organization_id
  and (select count(*) from found) >= 500
  and (enrollment.employee_id in (select id from found)) is true;
