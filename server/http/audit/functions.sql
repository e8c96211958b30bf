-- The hash of an audit batch: HMAC-SHA-256 over the hash of the previous batch, the number and the seal of this one.
-- The caller passes the key as its two pads; the database does not store it.
create or replace function audit_link(inner_pad bytea, outer_pad bytea, former bytea, number bigint, seal bytea)
returns bytea
language sql
immutable
parallel safe
return sha256(outer_pad || sha256(inner_pad || former || convert_to(number::text, 'UTF8') || seal));

-- The id of an entry: the id of its batch, with its position in the batch, from 1, in the last three characters.
create or replace function audit_entry_id(batch_id text, "position" bigint)
returns text
language sql
immutable
parallel safe
return left(batch_id, -3) || substr(
  '0123456789abcdefghjkmnpqrstvwxyz',
  (("position" - 1) / 1024)::int + 1,
  1
) || substr('0123456789abcdefghjkmnpqrstvwxyz', (("position" - 1) / 32 % 32)::int + 1, 1) || substr(
  '0123456789abcdefghjkmnpqrstvwxyz',
  (("position" - 1) % 32)::int + 1,
  1
);

-- The audit log entry by entry, for people with a SQL prompt.
create or replace view audit_entries
with (security_invoker = true)
as
  select
    audit_entry_id(batch.id, entry.position) as id,
    batch.organization_id,
    entry.occurred_at,
    entry.operation,
    entry.resource_id,
    entry.status,
    entry.actor_kind,
    entry.actor_id,
    entry.user_id,
    entry.address,
    entry.trace_id,
    string_to_array(entry.fields, ',') as fields,
    batch.day,
    batch.id as batch_id
  from
    audit_batches as batch
    cross join lateral unnest(
      batch.occurred_at,
      batch.operations,
      batch.resource_ids,
      batch.statuses,
      batch.actor_kinds,
      batch.actor_ids,
      batch.user_ids,
      batch.addresses,
      batch.trace_ids,
      batch.fields
    ) with ordinality as entry (
      occurred_at,
      operation,
      resource_id,
      status,
      actor_kind,
      actor_id,
      user_id,
      address,
      trace_id,
      fields,
      position
    );

create or replace trigger append_only
before update or delete on audit_batches
for each row
execute function refuse_change();

create or replace trigger refuse_truncate
before truncate on audit_batches
for each statement
execute function refuse_change();

-- Refuses every change of a chain except to append one batch.
create or replace function refuse_shrinking()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'DELETE' or (new.day, new.organization_id, new.shard) <> (old.day, old.organization_id, old.shard)
     or new.batch_count <> old.batch_count + 1 then
    raise exception '% can only grow.', tg_table_name using errcode = 'restrict_violation';
  end if;
  return new;
end $$;

create or replace trigger only_grows
before update or delete on audit_chains
for each row
execute function refuse_shrinking();

create or replace trigger refuse_truncate
before truncate on audit_chains
for each statement
execute function refuse_change();
