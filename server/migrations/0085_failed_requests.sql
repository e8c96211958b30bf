-- The overview of operators asks what failed since yesterday: few rows of many.
create index credential_usage_failed on credential_usage (day) where failed_count > 0;

-- The events of all organizations from an id on, the latest first: ids tell when they were made. PostgreSQL does not ask
-- the index of ids past a policy. So this runs as whom the tables belong to, and asks in_scope itself.
create function events_made_since(first_id text, since timestamptz, most bigint)
  returns table (event_name text, organization_id text, employer_id text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select event.event_name, event.organization_id, event.employer_id from webhook_events as event
   where event.id >= first_id collate "C" and event.created_at >= since and in_scope(event.organization_id)
   order by event.id desc limit most
$$;
