-- A page of the whole book, newest first, as the whole answer.
with
  -- The keys of the page. A caller of one organization is told so by an equality besides its reach: an index is read in
  -- its order for that, and not for a reach.
  page as (
    select employer.id, employer.organization_id, employer.created_at
    from employers as employer
    where
      shared.in_reach(employer.organization_id, employer.id)
      and shared.of_the_organization(employer.organization_id)
      -- True of all, and says that the order of the book is wanted (decision 166).
      and employer.created_at > '-infinity'
      and (:with_cancelled::boolean or not shared.is_cancelled())
      and shared.lies_ahead(employer)
    order by employer.created_at desc, employer.id desc
    limit :limit::int offset :offset::bigint
  ),
  shown as (select * from shared.book_rows() as book_row),
  -- How many the book shows: the counters of the organizations, less the cancelled, whose kinds are counted, but for
  -- the few that are not today what their entry says.
  counted as (
    select
      (
        select coalesce(sum(organization.employer_count), 0)::bigint
        from organizations as organization
        where shared.in_reach(organization.id) and shared.of_the_organization(organization.id)
      ) - case
        when :with_cancelled::boolean then 0
        else (
          select coalesce(sum(counts.employer_count), 0)::bigint
          from book_counts as counts
          where
            shared.in_reach(counts.organization_id)
            and shared.of_the_organization(counts.organization_id)
            and counts.stage = 'cancelled'
        ) + (
          select coalesce(sum(shared.is_cancelled()::int - starts_with(entry.kind, 'cancelled|')::int), 0)::bigint
          from
            shared.moved_entries() as entry
            join employers as employer
              on employer.id = entry.employer_id and employer.organization_id = entry.organization_id
        )
      end as total
  ),
  -- Who reads on has what lies ahead counted where it ends soon, since employers are cancelled meanwhile.
  totals as (select total, shared.ahead() as ahead from counted)
select json, last_key
from shared.answer() as answer;
