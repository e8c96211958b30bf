-- The audit batches with an entry about a resource, newest first, starting at a given batch. PostgreSQL does not use
-- the index on resource ids under row-level security, so the function runs with the rights of its owner and checks
-- in_scope itself.
create or replace function audit_batches_about(
  resource_id text,
  of_organization text,
  from_began_at timestamptz,
  from_id text,
  from_day date,
  most bigint
)
returns setof audit_batches
language sql
stable
security definer
set search_path = public, pg_temp
as $$
  select batch.*
  from audit_batches as batch
  where
    batch.resource_ids @> array[audit_batches_about.resource_id]
    and in_scope(batch.organization_id)
    and (of_organization is null or batch.organization_id = of_organization)
    and (batch.began_at, batch.id) <= (from_began_at, from_id)
    and batch.day >= from_day
  order by batch.began_at desc, batch.id desc
  limit most;
$$;

create or replace trigger append_only
before update or delete on audit_seals
for each row
execute function refuse_change();

create or replace trigger refuse_truncate
before truncate on audit_seals
for each statement
execute function refuse_change();
