-- The dependents of an election that continues: with and without possible coverage.
select
  coalesce(
    json_agg(
      json_build_object(
        'id',
        dependent.id,
        'relationship',
        dependent.relationship,
        'date_of_birth',
        dependent.date_of_birth,
        'covered_until',
        covered_until,
        'ended_on',
        dependent.ended_on
      )
      order by dependent.id
    ) filter (where stays),
    '[]'
  ) as dependents,
  coalesce(array_agg(dependent.id order by dependent.id) filter (where not stays), '{}') as removed_dependent_ids,
  count(*) filter (where stays and dependent.relationship <> 'child') as partners,
  count(*) filter (where stays and dependent.relationship = 'child') as children
from
  (
    select covered.dependent_id
    from covered_dependents as covered
    where
      covered.enrollment_id = afters.former_id
      and covered.organization_id = target.organization_id
      and covered.effective_on = made.effective_on
    union
    select unnest(made.removed_dependent_ids)
  ) as chosen
  cross join lateral (
    select *
    from dependents
    where
      id = chosen.dependent_id
      and organization_id = target.organization_id
      and coalesce(ended_on >= least(:today, afters.coverage_start) - shared.days_to_reinstate(), true)
    offset 0
  ) as dependent
  cross join lateral (
    select
      dependent_covered_until(
        dependent.relationship,
        dependent.date_of_birth,
        dependent.ended_on,
        dependent.disabled_until
      ) as covered_until
  ) as own
  cross join lateral (select coalesce(own.covered_until >= afters.coverage_start, true) as stays) as verdict;
