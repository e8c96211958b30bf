-- Whether the statement may touch rows of an organization. The setting openbenefits.organizations names the
-- organizations of the statement; `*` is all of them. Every row-level security policy calls this function. `is not
-- null` makes PostgreSQL expect that nearly all rows pass; it would expect a third of them for a plain boolean
-- function. A `case` instead of `or` avoids a search for an index for each part during planning.
create or replace function in_scope(organization_id text)
returns boolean
language sql
stable
parallel safe
return case current_setting('openbenefits.organizations')
  when organization_id then true
  when '*' then true
  else in_wider_scope(organization_id)
end is not null;

-- The rest of in_scope, for a setting that lists several organizations between commas. Null if the organization is
-- not in the list. Raises an error if there is no setting, because no rows would be a wrong result.
create or replace function in_wider_scope(organization_id text)
returns boolean
language plpgsql
stable
parallel safe
cost 1
as $$
declare
  scope constant text := current_setting('openbenefits.organizations');
begin
  if strpos(scope, ',' || organization_id || ',') > 0 then
    return true;
  elsif scope = '' then
    raise 'No scope is set: name the organizations whose rows the statement may touch.'
      using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

-- Like in_scope, for API keys. A key without an organization is visible if its owner is a member of any organization.
create or replace function key_in_scope(organization_id text, user_id text)
returns boolean
language sql
stable
parallel safe
return case current_setting('openbenefits.organizations')
  when organization_id then true
  when '*' then true
  else key_in_wider_scope(organization_id, user_id)
end is not null;

-- The rest of key_in_scope.
create or replace function key_in_wider_scope(organization_id text, user_id text)
returns boolean
language plpgsql
stable
parallel safe
cost 1
as $$
begin
  if in_wider_scope(organization_id) then
    return true;
  elsif organization_id is null and exists (
    select from memberships as membership
     where membership.user_id = key_in_wider_scope.user_id and membership.ended_at is null
  ) then
    return true;
  end if;
  return null;
end $$;

-- Refuses updates and deletes of an append-only table, by any role.
create or replace function refuse_change()
returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only.', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Refuses to delete a row or to change its id, because tables without foreign keys refer to such rows (references.ts).
create or replace function refuse_removal()
returns trigger
language plpgsql
as $$
begin
  raise exception 'Rows of % cannot be deleted or change their ids, because other rows refer to them.', tg_table_name
    using errcode = 'restrict_violation';
end $$;

-- Refuses to change the reference of a row. Only inserts check references.
create or replace function refuse_reference_change()
returns trigger
language plpgsql
as $$
begin
  raise exception 'Rows of % cannot change their references.', tg_table_name using errcode = 'restrict_violation';
end $$;

-- Creates the partition of a table for a range, unless it exists or the default partition has rows of that range. The
-- partition has row-level security like its parent, so that a role cannot read it directly.
create or replace function make_partition(parent text, name text, key text, low text, high text)
returns void
language plpgsql
set search_path = public, pg_temp
as $$
declare
  is_taken boolean;
begin
  if to_regclass(name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('openbenefits partitions'));
  execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_other', key, low, key, high)
     into is_taken;
  if to_regclass(name) is null and not is_taken then
    execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent, low, high);
    if (select relrowsecurity from pg_class where oid = parent::regclass) then
      execute format('alter table %I enable row level security', name);
    end if;
  end if;
end $$;

-- Creates the partitions of the audit log for the month of a day and for the two months after it. Drops those that
-- ended before `kept_from`, and never one that ended less than a year ago. Runs with the rights of the owner, because
-- the service owns no tables.
create or replace function keep_audit_partitions(today date, kept_from date)
returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  parent text;
  begins date;
  name text;
begin
  foreach parent in array array['audit_batches', 'audit_chains'] loop
    for begins in
      select generate_series(date_trunc('month', today), today + interval '2 months', interval '1 month')
    loop
      perform make_partition(parent, parent || to_char(begins, '_YYYY_MM'), 'day', begins::text,
                             (begins + interval '1 month')::date::text);
    end loop;
    for name in select inhrelid::regclass::text from pg_inherits where inhparent = parent::regclass loop
      if name ~ '_\d{4}_\d{2}$' and to_date(right(name, 7), 'YYYY_MM') + interval '1 month'
                                     <= least(kept_from, current_date - interval '1 year') then
        execute format('drop table %I', name);
      end if;
    end loop;
  end loop;
end $$;

-- Creates the partitions of webhook deliveries and idempotency keys for the coming weeks, by the clock of the
-- database, and drops past ones that are empty. Runs with the rights of the owner, because the service owns no
-- tables.
create or replace function keep_rolling_partitions()
returns void
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  begins timestamp;
  name text;
  is_filled boolean;
begin
  for begins in select generate_series(date_trunc('month', now() at time zone 'UTC'),
                                       now() at time zone 'UTC' + interval '2 months', interval '1 month') loop
    perform make_partition('webhook_deliveries', 'webhook_deliveries' || to_char(begins, '_YYYY_MM'), 'id',
                           id_at('wdlv', begins at time zone 'UTC'),
                           id_at('wdlv', (begins + interval '1 month') at time zone 'UTC'));
  end loop;
  for begins in select generate_series(date_trunc('day', now() at time zone 'UTC'),
                                       now() at time zone 'UTC' + interval '7 days', interval '1 day') loop
    perform make_partition('idempotency_keys', 'idempotency_keys' || to_char(begins, '_YYYY_MM_DD'), 'created_at',
                           (begins at time zone 'UTC')::text, ((begins + interval '1 day') at time zone 'UTC')::text);
  end loop;
  for name in
    select relid::regclass::text from pg_inherits
     cross join lateral (select inhrelid as relid, inhrelid::regclass::text as part) as part
     where inhparent in ('webhook_deliveries'::regclass, 'idempotency_keys'::regclass)
       and (part ~ '^webhook_deliveries_\d{4}_\d{2}$'
              and to_date(right(part, 7), 'YYYY_MM') + interval '2 months' < now()
         or part ~ '^idempotency_keys_\d{4}_\d{2}_\d{2}$'
              and to_date(right(part, 10), 'YYYY_MM_DD') + interval '2 days' < now())
  loop
    execute format('select exists (select from %I)', name) into is_filled;
    if not is_filled then
      execute format('drop table %I', name);
    end if;
  end loop;
end $$;
