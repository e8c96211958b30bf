-- A page of the employers of the book that a search finds and the filters keep, newest first, as the whole answer.
with
  -- Those with an administrator of that address are collected once, not asked one by one.
  kept as materialized (
    select employer.id, employer.organization_id, employer.created_at
    from
      employers as employer
      join book_entries as held on held.employer_id = employer.id and held.organization_id = employer.organization_id
      -- What an employer is in the book today: its entry where that holds, or what the rest says.
      cross join lateral (
        select held.stage, held.families, held.provider, held.hris_status
        where held.holds_from <= :today::date and held.holds_until > :today::date
        union all
        select fresh.stage, fresh.families, fresh.provider, fresh.hris_status
        from book_entry_on(employer.id, employer.organization_id, :today::date) as fresh
        where held.holds_from > :today::date or held.holds_until <= :today::date
      ) as entry
    where
      shared.in_reach(employer.organization_id, employer.id)
      and shared.of_the_organization(employer.organization_id)
      -- True of all, and says that the order of the book is wanted (decision 166).
      and employer.created_at > '-infinity'
      and (
        employer.name ilike :name_pattern::text
        or employer.legal_name ilike :name_pattern
        or employer.id = :search::text
        or employer.ein_hash = any (:ein_hashes::bytea[])
        or employer.id in (
          select admin.employer_id
          from employer_admins as admin
          where
            admin.email_key = lower(:search::text)
            and admin.disabled_at is null
            and shared.in_reach(admin.organization_id, admin.employer_id)
        )
      )
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
