-- The audit trail: every read, write, refusal, download and sign-in. What was written down before it has no chain, and
-- stays as it was.
alter table audit_entries rename to former_audit_entries;
alter index audit_entries_pkey rename to former_audit_entries_pkey;
alter index audit_entries_of_organization rename to former_audit_entries_of_organization;

-- Entries of one organization that were written down at once, column by column: one of a write, in its transaction, and
-- of reads those of a moment. So a read costs a few values, and not a row with its indexes.
create table audit_sheets (
  -- its last three characters are 000, and count the entries
  id text collate "C" not null,
  -- empty: of none
  organization_id text collate "C" not null,
  -- of the calendar in UTC, on which it was written down
  day date not null,
  strand smallint not null,
  -- in the chain of the organization, the day and the strand, from 1
  number bigint not null,
  occurred_at timestamptz[] not null,
  operations text[] collate "C" not null,
  resource_ids text[] collate "C" not null,
  statuses smallint[] not null,
  actor_kinds text[] collate "C" not null,
  actor_ids text[] collate "C" not null,
  user_ids text[] collate "C" not null,
  addresses text[] not null,
  trace_ids text[] not null,
  -- of a write, the names of the body's fields with commas between them
  fields text[] not null,
  -- of each entry, by which a changed one is told from the others
  checks int[] not null,
  -- of this sheet behind the one before it
  hash bytea not null,
  began_at timestamptz not null generated always as (occurred_at[1]) stored,
  primary key (day, organization_id, strand, number)
) partition by range (day);
-- The list of an organization, and that of all, newest first.
create index audit_sheets_of_organization on audit_sheets (organization_id, began_at desc, id desc);
create index audit_sheets_in_order on audit_sheets (began_at desc, id desc);
-- Who read or changed something.
create index audit_sheets_by_resource on audit_sheets using gin (resource_ids);

-- Where each chain ends: whoever appends to it holds this row until the transaction ends.
create table audit_chains (
  day date not null,
  organization_id text collate "C" not null,
  strand smallint not null,
  sheets bigint not null,
  last_hash bytea not null,
  primary key (day, organization_id, strand)
) partition by range (day);

-- A day that is over: how many chains it has, where they end, and a seal on that and on the seal before it.
create table audit_seals (
  day date primary key,
  chains bigint not null,
  sheets bigint not null,
  -- of all chains and where they end
  digest bytea not null,
  -- HMAC-SHA-256, by a key that is not kept here
  seal bytea not null,
  sealed_at timestamptz not null
);

-- Days for which nobody made a partition in time.
create table audit_sheets_other partition of audit_sheets default;
create table audit_chains_other partition of audit_chains default;

-- HMAC-SHA-256 of a sheet behind the one before it, by a key that is not kept here.
create function audit_link(inner_pad bytea, outer_pad bytea, former bytea, number bigint, seal bytea) returns bytea
  language sql immutable parallel safe
  return sha256(outer_pad || sha256(inner_pad || former || convert_to(number::text, 'UTF8') || seal));

-- The id of an entry at a place of a sheet, from 1.
create function audit_entry_id(sheet_id text, place bigint) returns text
  language sql immutable parallel safe
  return left(sheet_id, -3)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', ((place - 1) / 1024)::int + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', ((place - 1) / 32 % 32)::int + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', ((place - 1) % 32)::int + 1, 1);

-- The entries, one by one: for people with a prompt.
create view audit_entries with (security_invoker = true) as
select audit_entry_id(sheet.id, entry.place) as id, sheet.organization_id, entry.occurred_at, entry.operation,
       entry.resource_id, entry.status, entry.actor_kind, entry.actor_id, entry.user_id, entry.address, entry.trace_id,
       string_to_array(entry.fields, ',') as fields, sheet.day, sheet.id as sheet_id
  from audit_sheets as sheet
 cross join lateral unnest(
         sheet.occurred_at, sheet.operations, sheet.resource_ids, sheet.statuses, sheet.actor_kinds, sheet.actor_ids,
         sheet.user_ids, sheet.addresses, sheet.trace_ids, sheet.fields)
       with ordinality as entry (occurred_at, operation, resource_id, status, actor_kind, actor_id, user_id, address,
                                 trace_id, fields, place);

-- What was written stays, whoever connects. A chain only grows.
create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is only ever added to.', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger append_only before update or delete on audit_sheets for each row execute function refuse_change();
create trigger append_only before update or delete on audit_seals for each row execute function refuse_change();
create trigger never_emptied before truncate on audit_sheets for each statement execute function refuse_change();
create trigger never_emptied before truncate on audit_chains for each statement execute function refuse_change();
create trigger never_emptied before truncate on audit_seals for each statement execute function refuse_change();
create function refuse_shrinking() returns trigger
  language plpgsql as $$
begin
  if tg_op = 'DELETE' or (new.day, new.organization_id, new.strand) <> (old.day, old.organization_id, old.strand)
     or new.sheets <> old.sheets + 1 then
    raise exception '% only grows.', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger only_grows before update or delete on audit_chains for each row execute function refuse_shrinking();

-- Makes a partition from one value of a column to another, where it is missing; not where rows that belong to it are in
-- the partition for all others already. Processes that come together take turns.
create function make_partition(parent text, name text, key text, low text, high text) returns void
  language plpgsql set search_path = public, pg_temp as $$
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
  end if;
end $$;

-- Makes the partitions of the audit trail for a day and the two months after it, and drops those that ended before
-- another day, which is at least a year ago. Runs as whom the tables belong to, since the service owns none.
create function keep_audit_partitions(today date, kept_from date) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  parent text;
  begins date;
  name text;
begin
  foreach parent in array array['audit_sheets', 'audit_chains'] loop
    for begins in select generate_series(date_trunc('month', today), today + interval '2 months', interval '1 month') loop
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
