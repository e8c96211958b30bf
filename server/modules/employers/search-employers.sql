-- A page of the employers of the book that the filters keep, newest first, as the whole answer.
with
  -- What the filters keep. They are asked once, for the page and its totals; those with a connection and those with an
  -- administrator of that address are collected once, not asked one by one.
  kept as materialized (
    select employer.id, employer.organization_id, employer.created_at
    from
      employers as employer
      -- What an employer offers today: its row where that holds, or what its plan years say.
      left join employer_benefits as held
        on held.employer_id = employer.id and held.organization_id = employer.organization_id
      left join lateral (
        select held.* where held.holds_from <= :today::date and held.holds_until > :today::date
        union all
        select fresh.*
        from employer_benefits_on(employer.id, employer.organization_id, :today::date) as fresh
        where held.holds_from > :today::date or held.holds_until <= :today::date
      ) as benefits
        on true
    where
      shared.in_reach(employer.organization_id, employer.id)
      and shared.of_the_organization(employer.organization_id)
      and (:with_cancelled::boolean or not shared.is_cancelled())
      and (:stages::text[] = '{}' or shared.stage() = any (:stages))
      and (:families::text[] = '{}' or benefits.families && :families)
      and (
        :hris_providers::text[] = '{}'
        or employer.id in (
          select connection.employer_id
          from hris_connections as connection
          where
            connection.disconnected_at is null
            and connection.provider = any (:hris_providers)
            and shared.in_reach(connection.organization_id, connection.employer_id)
            and shared.of_the_organization(connection.organization_id)
        )
      )
      and (
        :hris_statuses::text[] = '{}'
        or employer.id in (
          select connection.employer_id
          from hris_connections as connection
          where
            connection.disconnected_at is null
            and connection.status = any (:hris_statuses)
            and shared.in_reach(connection.organization_id, connection.employer_id)
            and shared.of_the_organization(connection.organization_id)
        )
      )
      and (
        :name_pattern::text is null
        or employer.name ilike :name_pattern
        or employer.legal_name ilike :name_pattern
        or employer.id = :search
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
