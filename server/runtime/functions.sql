-- The newest events of all organizations in scope since an id and a time. PostgreSQL does not use the index of ids
-- under a policy, so the function runs with the rights of the owner and checks in_scope itself.
create or replace function events_made_since(first_id text, since timestamptz, most bigint)
returns table (event_name text, organization_id text, employer_id text)
language sql
stable
security definer
set search_path = public, pg_temp
as $$
  select event.event_name, event.organization_id, event.employer_id
  from webhook_events as event
  where event.id >= first_id collate "C" and event.created_at >= since and in_scope(event.organization_id)
  order by event.id desc
  limit most;
$$;
