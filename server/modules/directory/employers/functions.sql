-- The lifecycle stage of an employer on a day. The first true condition applies. The parameters are columns of
-- employer_benefits.
create or replace function lifecycle_stage(
  subscription_ended_on date, latest_end date, election_start date, election_end date, day date
) returns text language sql immutable parallel safe
return case when subscription_ended_on <= day then 'cancelled'
            when latest_end is null then 'onboarding'
            when day between election_start and election_end then 'open_enrollment'
            when latest_end - 90 <= day then 'renewal'
            else 'active' end;

-- The row of book_entries that an employer should have on a day, computed from the facts.
create or replace function book_entry_on(of_employer text, of_organization text, day date)
  returns table (employer_id text, organization_id text, created_at timestamptz, stage text, families text,
                 provider text, hris_status text, valid_from date, valid_until date)
  language sql stable parallel safe
begin atomic
  select employer.id, employer.organization_id, employer.created_at,
         lifecycle_stage(employer.subscription_ended_on, benefits.latest_coverage_end, benefits.open_enrollment_start,
                         benefits.open_enrollment_end, day),
         coalesce(array_to_string(benefits.families, ','), ''), coalesce(connection.provider, ''),
         coalesce(connection.status, ''),
         greatest(benefits.valid_from, turns.former), least(benefits.valid_until, turns.next)
    from employers as employer
    left join employer_benefits as held
      on held.employer_id = employer.id and held.organization_id = employer.organization_id
    left join lateral (
      select held.* where held.valid_from <= day and held.valid_until > day
      union all
      select fresh.* from employer_benefits_on(employer.id, employer.organization_id, day) as fresh
       where held.valid_from > day or held.valid_until <= day) as benefits on true
    left join hris_connections as connection
      on connection.employer_id = employer.id and connection.organization_id = employer.organization_id
     and connection.disconnected_at is null
   cross join lateral (
     select coalesce(max(at) filter (where at <= day), '-infinity') as former,
            coalesce(min(at) filter (where at > day), 'infinity') as next
       from (values (employer.subscription_ended_on), (benefits.latest_coverage_end - 90)) as turn (at)) as turns
   where employer.id = of_employer and employer.organization_id = of_organization;
end;

-- Adds new employers to the book. A new employer has the same entry on every day.
create or replace function add_book_entries() returns trigger language plpgsql as $$
begin
  insert into book_entries (employer_id, organization_id, created_at, stage, families, provider, hris_status,
                            valid_from, valid_until)
  select id, organization_id, created_at,
         case when subscription_ended_on is null then 'onboarding' else 'cancelled' end, '', '', '',
         coalesce(subscription_ended_on, '-infinity'), 'infinity'
    from added;
  return null;
end $$;

create or replace trigger add_book_entries after insert on employers referencing new table as added
  for each statement execute function add_book_entries();

-- Copies the state of an HRIS connection to the entry of its employer. It does not depend on the day.
create or replace function follow_connection() returns trigger language plpgsql as $$
begin
  update book_entries
     set provider = case when new.disconnected_at is null then new.provider else '' end,
         hris_status = case when new.disconnected_at is null then new.status else '' end
   where employer_id = new.employer_id and organization_id = new.organization_id;
  return null;
end $$;

create or replace trigger add_connection after insert on hris_connections
  for each row when (new.disconnected_at is null) execute function follow_connection();

create or replace trigger follow_connection after update on hris_connections
  for each row when (old.disconnected_at is null and (new.disconnected_at is not null
                     or old.status is distinct from new.status or old.provider is distinct from new.provider))
  execute function follow_connection();

-- Keeps book_counts up to date. The connection selects one of 64 slots, so that concurrent writers of an organization
-- rarely wait for each other. Kinds are written in order, so that two writers cannot deadlock.
create or replace function count_book_entries() returns trigger language plpgsql as $$
declare
  of_connection constant smallint := pg_backend_pid() % 64;
begin
  if tg_op = 'INSERT' then
    insert into book_counts (organization_id, kind, slot, employer_count)
    select organization_id, kind, of_connection, count(*) from added
     group by organization_id, kind order by organization_id, kind
    on conflict (organization_id, kind, slot) do update
      set employer_count = book_counts.employer_count + excluded.employer_count;
  elsif tg_op = 'UPDATE' then
    insert into book_counts (organization_id, kind, slot, employer_count)
    select organization_id, kind, of_connection, sum(change)
      from (select organization_id, kind, 1 as change from added
             union all
            select organization_id, kind, -1 from taken) as changed
     group by organization_id, kind having sum(change) <> 0 order by organization_id, kind
    on conflict (organization_id, kind, slot) do update
      set employer_count = book_counts.employer_count + excluded.employer_count;
  else
    insert into book_counts (organization_id, kind, slot, employer_count)
    select organization_id, kind, of_connection, -count(*) from taken
     group by organization_id, kind order by organization_id, kind
    on conflict (organization_id, kind, slot) do update
      set employer_count = book_counts.employer_count + excluded.employer_count;
  end if;
  return null;
end $$;

create or replace trigger count_added after insert on book_entries referencing new table as added
  for each statement execute function count_book_entries();

create or replace trigger count_changed after update on book_entries referencing old table as taken new table as added
  for each statement execute function count_book_entries();

create or replace trigger count_removed after delete on book_entries referencing old table as taken
  for each statement execute function count_book_entries();

-- The employers of an organization with a display name or legal name like a pattern. PostgreSQL does not use the
-- trigram index under row-level security, so the function runs with the rights of its owner and checks in_scope itself.
create or replace function employers_found(of_organization text, pattern text)
  returns table (id text, organization_id text)
  language sql stable security definer rows 10 set search_path to 'public', 'pg_temp'
as $$
  select employer.id, employer.organization_id
    from employers as employer
   where employer.organization_id || '|' = of_organization || '|'
     and (employer.name_key like pattern or employer.legal_name_key like pattern)
     and in_scope(of_organization)
$$;

-- Like employers_found, for all organizations in scope.
create or replace function employers_found_in_all(pattern text) returns table (id text, organization_id text)
  language sql stable security definer rows 10 set search_path to 'public', 'pg_temp'
as $$
  select employer.id, employer.organization_id
    from employers as employer
   where (employer.name_key like pattern or employer.legal_name_key like pattern)
     and in_scope(employer.organization_id)
$$;

-- The key of the row that follows `skipped` rows in an organization's book. If fewer rows (`from_end`) come after it,
-- they are counted from the end of the book instead. With `day`, employers cancelled by then are left out. The function
-- runs with the rights of the owner and checks in_scope once, because a policy takes most of the time of a row that is
-- skipped.
create or replace function book_page_start(of_organization text, day date, skipped bigint, from_end bigint)
  returns table (created_at timestamptz, id text)
  language plpgsql stable security definer rows 1 set search_path to 'public', 'pg_temp'
as $$
begin
  if not in_scope(of_organization) then
    return;
  end if;
  if from_end < skipped then
    return query
      select employer.created_at, employer.id from employers as employer
       where employer.organization_id = of_organization and employer.created_at > '-infinity'
         and not coalesce(employer.subscription_ended_on <= day, false)
       order by employer.created_at, employer.id limit 1 offset greatest(from_end, 0);
  else
    return query
      select employer.created_at, employer.id from employers as employer
       where employer.organization_id = of_organization and employer.created_at > '-infinity'
         and not coalesce(employer.subscription_ended_on <= day, false)
       order by employer.created_at desc, employer.id desc limit 1 offset skipped;
  end if;
end $$;
