-- The book of employers by what it is filtered by, with how many there are of each kind: a filter adds up kinds, and
-- reads those of a page by an index, however many employers there are.

-- What an employer is in the book: right on days in [holds_from, holds_until); on others book_entry_on is asked.
create table book_entries (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  -- when the employer was created, which is the order of the book
  created_at timestamptz not null,
  stage text collate "C" not null,
  -- upper case, in their order, with a comma between them
  families text collate "C" not null,
  -- of its connection; empty without one
  provider text collate "C" not null,
  hris_status text collate "C" not null,
  kind text collate "C" not null generated always as
    (stage || '|' || hris_status || '|' || families || '|' || provider) stored,
  holds_from date not null,
  holds_until date not null,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- Those of a kind in the order of the book, of an organization and of all.
create index book_entries_of_kind on book_entries (organization_id, kind, created_at desc, employer_id desc)
  include (holds_from, holds_until);
create index book_entries_of_kind_anywhere on book_entries (kind, created_at desc, employer_id desc)
  include (organization_id, holds_from, holds_until);
-- Those that hold no longer, which the turn of the day looks for, and those of organizations that live ahead.
create index book_entries_by_end on book_entries (organization_id, holds_until);
create index book_entries_by_beginning on book_entries (organization_id, holds_from);

-- How many entries of each kind there are. A count of 0 stays.
create table book_counts (
  organization_id text collate "C" not null,
  kind text collate "C" not null,
  employer_count bigint not null,
  stage text collate "C" not null generated always as (split_part(kind, '|', 1)) stored,
  hris_status text collate "C" not null generated always as (split_part(kind, '|', 2)) stored,
  families text collate "C" not null generated always as (split_part(kind, '|', 3)) stored,
  provider text collate "C" not null generated always as
    (substr(kind, length(split_part(kind, '|', 1) || split_part(kind, '|', 2) || split_part(kind, '|', 3)) + 4)) stored,
  primary key (organization_id, kind)
);

-- The stage of an employer on a day: the first that holds. `latest_end`: of employer_benefits, as the days of election.
create function lifecycle_stage(subscription_ended_on date, latest_end date, election_start date, election_end date, day date)
  returns text language sql immutable parallel safe
return case when subscription_ended_on <= day then 'cancelled'
            when latest_end is null then 'onboarding'
            when day between election_start and election_end then 'open_enrollment'
            when latest_end - 90 <= day then 'renewal'
            else 'active' end;

-- The row of book_entries as it is to be on a day.
create function book_entry_on(of_employer text, of_organization text, day date)
  returns table (employer_id text, organization_id text, created_at timestamptz, stage text, families text, provider text,
                 hris_status text, holds_from date, holds_until date)
  language sql stable parallel safe
begin atomic
  select employer.id, employer.organization_id, employer.created_at,
         lifecycle_stage(employer.subscription_ended_on, benefits.latest_coverage_end, benefits.open_enrollment_start,
                         benefits.open_enrollment_end, day),
         coalesce(array_to_string(benefits.families, ','), ''), coalesce(connection.provider, ''),
         coalesce(connection.status, ''),
         greatest(benefits.holds_from, turns.former), least(benefits.holds_until, turns.next)
    from employers as employer
    left join employer_benefits as held
      on held.employer_id = employer.id and held.organization_id = employer.organization_id
    left join lateral (
      select held.* where held.holds_from <= day and held.holds_until > day
      union all
      select fresh.* from employer_benefits_on(employer.id, employer.organization_id, day) as fresh
       where held.holds_from > day or held.holds_until <= day) as benefits on true
    left join hris_connections as connection
      on connection.employer_id = employer.id and connection.organization_id = employer.organization_id
     and connection.disconnected_at is null
   cross join lateral (
     select coalesce(max(at) filter (where at <= day), '-infinity') as former,
            coalesce(min(at) filter (where at > day), 'infinity') as next
       from (values (employer.subscription_ended_on), (benefits.latest_coverage_end - 90)) as turn (at)) as turns
   where employer.id = of_employer and employer.organization_id = of_organization;
end;

-- Keeps the counts. Kinds in their order, so that two writers don't wait for each other.
create function count_book_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into book_counts (organization_id, kind, employer_count)
    select organization_id, kind, count(*) from added group by organization_id, kind order by organization_id, kind
    on conflict (organization_id, kind) do update
      set employer_count = book_counts.employer_count + excluded.employer_count;
  elsif tg_op = 'UPDATE' then
    insert into book_counts (organization_id, kind, employer_count)
    select organization_id, kind, sum(change)
      from (select organization_id, kind, 1 as change from added
             union all
            select organization_id, kind, -1 from taken) as changed
     group by organization_id, kind having sum(change) <> 0 order by organization_id, kind
    on conflict (organization_id, kind) do update
      set employer_count = book_counts.employer_count + excluded.employer_count;
  else
    update book_counts as counts set employer_count = counts.employer_count - gone.count
      from (select organization_id, kind, count(*) as count from taken group by organization_id, kind) as gone
     where counts.organization_id = gone.organization_id and counts.kind = gone.kind;
  end if;
  return null;
end $$;
create trigger count_added after insert on book_entries referencing new table as added
  for each statement execute function count_book_entries();
create trigger count_changed after update on book_entries referencing old table as taken new table as added
  for each statement execute function count_book_entries();
create trigger count_taken after delete on book_entries referencing old table as taken
  for each statement execute function count_book_entries();

-- An employer that has just been created is in the same place on every day.
create function enter_book() returns trigger language plpgsql as $$
begin
  insert into book_entries (employer_id, organization_id, created_at, stage, families, provider, hris_status,
                            holds_from, holds_until)
  select id, organization_id, created_at, case when subscription_ended_on is null then 'onboarding' else 'cancelled' end,
         '', '', '', coalesce(subscription_ended_on, '-infinity'), 'infinity'
    from added;
  return null;
end $$;
create trigger enter_book after insert on employers referencing new table as added
  for each statement execute function enter_book();

-- What a connection is shows in the book, whichever day it is.
create function follow_connection() returns trigger language plpgsql as $$
begin
  update book_entries
     set provider = case when new.disconnected_at is null then new.provider else '' end,
         hris_status = case when new.disconnected_at is null then new.status else '' end
   where employer_id = new.employer_id and organization_id = new.organization_id;
  return null;
end $$;
create trigger enter_connection after insert on hris_connections
  for each row when (new.disconnected_at is null) execute function follow_connection();
create trigger follow_connection after update on hris_connections
  for each row when (old.disconnected_at is null and (new.disconnected_at is not null
                     or old.status is distinct from new.status or old.provider is distinct from new.provider))
  execute function follow_connection();

-- Who is there.
insert into book_entries (employer_id, organization_id, created_at, stage, families, provider, hris_status, holds_from,
                          holds_until)
select entry.*
  from employers as employer
  join organizations as organization on organization.id = employer.organization_id
 cross join lateral book_entry_on(employer.id, employer.organization_id,
   (now() at time zone 'America/New_York')::date + organization.clock_offset_days) as entry;
