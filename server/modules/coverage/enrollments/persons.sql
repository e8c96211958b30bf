-- The `people` with what decides which `offers` are theirs. state, moved_on: where they live and since when, looked up
-- where something is offered in some states only. formers: earlier employments here, of those who have several. Full
-- joins are by hash, whatever is believed of the numbers; nothing is without its counterpart.
select person.place, person.id, person.employer_id, member.state, member.moved_on, earlier.formers
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
    on earlier.id = person.id;
