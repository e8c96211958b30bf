-- The `people` with the facts that decide which `offers` apply to them. state, moved_on: their state and the day of
-- the move, read only if an offer is limited to states. formers: earlier employments here, for people with several.
-- The full joins force hash joins regardless of the planner's estimates; each row has a counterpart.
select person.position, person.id, person.employer_id, member.state, member.moved_on, earlier.formers
from
  people as person
  full join (
    select id, state, moved_on
    from members
    where
      id = any (
        array(
          select member_id
          from people
          where
            exists (
              select
              from offers
              where offered_states <> '{}'
            )
        )
      )
      and organization_id = :organization_id
    offset 0
  ) as member
    on member.id = person.member_id
  full join (
    select many.id, array_agg(other.id) as formers
    from
      unnest(:multiple_ids::text[]) as wanted (id)
      cross join lateral (
        select id, member_id, employer_id, hired_on
        from employees
        where id = wanted.id and organization_id = :organization_id
        offset 0
      ) as many
      cross join lateral (
        select id, employer_id, terminated_on
        from employees
        where member_id = many.member_id and organization_id = :organization_id and id <> many.id
        offset 0
      ) as other
    where other.employer_id = many.employer_id and other.terminated_on < many.hired_on
    group by many.id
  ) as earlier
    on earlier.id = person.id;
