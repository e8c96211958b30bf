-- A page of the employers of the book that match a search and the filters, newest first.
with
  found as materialized (select matching.id from shared.found() as matching),
  kept as materialized (
    select held.employer_id as id, held.organization_id, held.created_at
    from book_entries as held
    where
      -- One index condition for all ids. It is much faster than a lookup for each.
      held.employer_id = any (array(select found.id from found))
      and shared.in_reach(held.organization_id, held.employer_id)
      and shared.of_the_organization(held.organization_id)
      and shared.is_wanted_today(held)
  ),
  -- The keys of the page.
  page as (
    select employer.id, employer.organization_id, employer.created_at
    from kept as employer
    where shared.lies_ahead(employer)
    order by employer.created_at desc, employer.id desc
    limit :limit::int offset :offset::bigint
  ),
  shown as (select * from shared.book_rows() as book_row),
  totals as (select count(*) as total, count(*) filter (where shared.lies_ahead(kept)) as ahead from kept)
select json, last_key
from shared.answer() as answer;
