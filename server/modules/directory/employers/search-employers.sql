-- A page of the employers of the book that match a search and the filters, newest first.
with
  found as materialized (
    select named.id from shared.named() as named
    union all
    select employer.id
    from employers as employer
    where
      shared.in_reach(employer.organization_id, employer.id)
      and shared.of_the_organization(employer.organization_id)
      and employer.id = :search::text
    union all
    select employer.id
    from employers as employer
    where
      shared.in_reach(employer.organization_id, employer.id)
      and shared.of_the_organization(employer.organization_id)
      and employer.ein_hash = any (:ein_hashes::bytea[])
    union all
    select admin.employer_id
    from employer_admins as admin
    where
      shared.in_reach(admin.organization_id, admin.employer_id)
      and shared.of_the_organization(admin.organization_id)
      and admin.email_key = lower(:search::text)
      and admin.disabled_at is null
  ),
  kept as materialized (
    select held.employer_id as id, held.organization_id, held.created_at
    from
      book_entries as held
      -- The current state of an employer in the book: its entry if valid today, else computed from its plan years and
      -- subscriptions.
      cross join lateral (
        select held.stage, held.families, held.provider, held.hris_status
        where held.valid_from <= :today::date and held.valid_until > :today::date
        union all
        select fresh.stage, fresh.families, fresh.provider, fresh.hris_status
        from book_entry_on(held.employer_id, held.organization_id, :today::date) as fresh
        where held.valid_from > :today::date or held.valid_until <= :today::date
      ) as entry
    where
      -- One index condition for all ids. It is much faster than a lookup for each.
      held.employer_id = any (array(select found.id from found))
      and shared.in_reach(held.organization_id, held.employer_id)
      and shared.of_the_organization(held.organization_id)
      and shared.is_wanted(entry)
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
