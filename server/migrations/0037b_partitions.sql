-- What grows without end is divided, so that no index and no vacuum does. What is forgotten after a time is divided by
-- time, and goes with its partition; what is kept for good is divided by organization, so that what is unique stays so.

-- by time: the former table holds what nobody made a partition for in time ------------------------

alter table webhook_deliveries rename to webhook_deliveries_other;
alter table webhook_deliveries_other rename constraint webhook_deliveries_pkey to webhook_deliveries_other_pkey;
alter table webhook_deliveries_other rename constraint webhook_deliveries_subscription_id_organization_id_fkey
  to webhook_deliveries_other_subscription_id_fkey;
alter index webhook_deliveries_due rename to webhook_deliveries_other_due;
alter index webhook_deliveries_of_event rename to webhook_deliveries_other_of_event;
alter index webhook_deliveries_by_age rename to webhook_deliveries_other_by_age;
-- By the id, which tells the time when it was made, and by which a delivery is found.
create table webhook_deliveries (
  like webhook_deliveries_other including defaults including constraints,
  primary key (id, organization_id),
  foreign key (subscription_id, organization_id) references webhook_subscriptions
) partition by range (id);
alter table webhook_deliveries attach partition webhook_deliveries_other default;
-- Workers take what is due, subscription by subscription.
create index webhook_deliveries_due on webhook_deliveries (subscription_id, due_at) where due_at is not null;
-- The deliveries of an event; a replay asks which events a subscription has not got.
create index webhook_deliveries_of_event on webhook_deliveries (webhook_event_id, subscription_id, organization_id);
-- The hourly clean-up takes the oldest.
create index webhook_deliveries_by_age on webhook_deliveries (created_at);

alter table idempotency_keys rename to idempotency_keys_other;
alter table idempotency_keys_other drop constraint idempotency_keys_pkey;
alter table idempotency_keys_other add constraint idempotency_keys_other_pkey
  primary key (credential_id, method, path, key, created_at);
alter index idempotency_keys_by_age rename to idempotency_keys_other_by_age;
alter index idempotency_keys_with_secret rename to idempotency_keys_other_with_secret;
-- That a key is used once is held by the lock on it that each request takes: it looks for an answer of the last 24 hours,
-- and keeps its own, while it has that lock.
create table idempotency_keys (
  like idempotency_keys_other including defaults including constraints,
  primary key (credential_id, method, path, key, created_at)
) partition by range (created_at);
alter table idempotency_keys attach partition idempotency_keys_other default;
-- The hourly clean-up takes the oldest.
create index idempotency_keys_by_age on idempotency_keys (created_at);
create index idempotency_keys_with_secret on idempotency_keys (created_at) where holds_secret and body is not null;

-- What an id begins with that is made at an instant.
create function id_at(prefix text, instant timestamptz) returns text
  language plpgsql stable parallel safe as $$
declare
  bits constant bit(50) := (extract(epoch from instant) * 1000)::bigint::bit(50);
  id text := prefix || '_';
begin
  for at in 0..9 loop
    id := id || substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from at * 5 + 1 for 5)::int + 1, 1);
  end loop;
  return id;
end $$;

-- Makes the partitions of the coming weeks, by the clock of the database, and drops former ones in which nothing is left.
-- Runs as whom the tables belong to, since the service owns none.
create function keep_passing_partitions() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
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

-- by organization: what is kept for good, and unique within one -----------------------------------

-- Divides a table by organization into eight, with all that it has and what it refers to.
do $$
declare
  parent text;
  remade text[];
  sql text;
begin
  foreach parent in array array['webhook_events', 'deduction_lines', 'invoice_lines'] loop
    execute format('alter table %I rename to %I', parent, parent || '_undivided');
    execute format('create table %I (like %I including defaults including constraints including generated)
                      partition by hash (organization_id)', parent, parent || '_undivided');
    for part in 0..7 loop
      execute format('create table %I partition of %I for values with (modulus 8, remainder %s)',
                     parent || '_' || part, parent, part);
    end loop;
    execute format('insert into %I select * from %I', parent, parent || '_undivided');
    -- Under the names that they had, which are free when the former table is gone.
    remade := array(select made.sql from (
      select conname as name, format('alter table %I add constraint %I %s', parent, conname,
                                     pg_get_constraintdef(oid)) as sql, contype <> 'p' as late
        from pg_constraint
       where conrelid = (parent || '_undivided')::regclass and contype in ('p', 'u', 'f')
       union all
      select relname, replace(pg_get_indexdef(pg_class.oid), parent || '_undivided', parent), true
        from pg_index join pg_class on pg_class.oid = indexrelid
       where indrelid = (parent || '_undivided')::regclass
         and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))) as made
      order by made.late, made.name);
    execute format('drop table %I', parent || '_undivided');
    foreach sql in array remade loop
      execute sql;
    end loop;
  end loop;
end $$;
