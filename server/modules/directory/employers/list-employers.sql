-- A page of the whole book, newest first.
with
  -- The number of employers in the book: the sum of the counts by kind, corrected for the few employers whose entry is
  -- not valid today.
  counted as (
    select
      (
        select coalesce(sum(counts.employer_count), 0)::bigint
        from book_counts as counts
        where
          shared.in_reach(counts.organization_id)
          and shared.of_the_organization(counts.organization_id)
          and (:with_cancelled::boolean or counts.stage <> 'cancelled')
      ) - case
        when :with_cancelled::boolean then 0
        else (
          select coalesce(sum(shared.is_cancelled()::int - starts_with(entry.kind, 'cancelled|')::int), 0)::bigint
          from
            shared.moved_entries() as entry
            join employers as employer
              on employer.id = entry.employer_id and employer.organization_id = entry.organization_id
        )
      end as total
  ),
  -- The key after which the page begins.
  start as materialized (select key.* from shared.page_start() as key),
  -- The keys of the page. For a caller of one organization, the equality lets PostgreSQL read the index in its order.
  page as (
    select employer.id, employer.organization_id, employer.created_at
    from employers as employer
    where
      shared.in_reach(employer.organization_id, employer.id)
      and shared.of_the_organization(employer.organization_id)
      -- Always true. Makes PostgreSQL use the index in the order of the book (docs/design/data/sql.md).
      and employer.created_at > '-infinity'
      and (:with_cancelled::boolean or not shared.is_cancelled())
      and (employer.created_at, employer.id) < ((select start.created_at from start), (select start.id from start))
    order by employer.created_at desc, employer.id desc
    limit :limit::int offset shared.page_offset()
  ),
  shown as (select * from shared.book_rows() as book_row),
  -- Later pages count the remaining rows near the end of the list, because employers may be cancelled while a client
  -- reads.
  totals as (select total, shared.ahead() as ahead from counted)
select json, last_key
from shared.answer() as answer;
