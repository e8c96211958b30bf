-- A page of the employers of the book that pass the filters, newest first. Uses the counts by kind for the total, and
-- an index by kind for the rows.
with
  -- The kinds that pass the filters.
  kinds as materialized (
    select counts.organization_id, counts.kind, sum(counts.employer_count) as employer_count
    from book_counts as counts
    where
      shared.in_reach(counts.organization_id)
      and shared.of_the_organization(counts.organization_id)
      and shared.is_wanted(counts)
    group by counts.organization_id, counts.kind
    having sum(counts.employer_count) > 0
  ),
  -- The few employers whose entry is not valid today, with their current state.
  moved as materialized (
    select entry.kind as former_kind, fresh.*
    from
      shared.moved_entries() as entry
      cross join lateral book_entry_on(entry.employer_id, entry.organization_id, :today::date) as fresh
  ),
  -- The first employers of each kind, at most one page each, and from these the keys of the page.
  page as (
    select listed.id, listed.organization_id, listed.created_at
    from
      (
        select entry.*
        from
          (select distinct kind from kinds) as wanted
          cross join lateral (
            select entry.employer_id as id, entry.organization_id, entry.created_at
            from book_entries as entry
            where shared.is_of_kind(entry, wanted.kind) and shared.lies_ahead_in_book(entry)
            order by entry.created_at desc, entry.employer_id desc
            limit :offset::bigint + :limit::int
          ) as entry
        union all
        select entry.employer_id, entry.organization_id, entry.created_at
        from moved as entry
        where shared.is_wanted(entry) and shared.lies_ahead_in_book(entry)
      ) as listed
    order by listed.created_at desc, listed.id desc
    limit :limit::int offset :offset::bigint
  ),
  shown as (select * from shared.book_rows() as book_row),
  counted as (
    select
      (select coalesce(sum(kinds.employer_count), 0)::bigint from kinds) - (
        select count(*)
        from moved
        where
          exists (
            select
            from kinds
            where kinds.kind = moved.former_kind and kinds.organization_id = moved.organization_id
          )
      ) + (select count(*) from moved where shared.is_wanted(moved)) as total
  ),
  totals as (select total, shared.ahead() as ahead from counted)
select json, last_key
from shared.answer() as answer;
