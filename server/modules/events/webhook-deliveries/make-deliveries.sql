-- Creates a delivery of each event for each subscription of its organization to that name. If there is room, the oldest
-- are claimed at once, which saves another update.
with
  wanted as (
    select
      event.id as event_id,
      event.organization_id,
      its.subscription_id,
      row_number() over (
        partition by its.subscription_id
        order by event.id
      ) <= coalesce((:rooms::jsonb ->> its.subscription_id)::int, :default_room) as has_room
    from
      unnest(:webhook_event_id::text[], :organization_id::text[], :event_name::text[]) as event (
        id,
        organization_id,
        event_name
      )
      cross join lateral (
        select taker.id as subscription_id
        from webhook_subscriptions as taker
        where
          taker.organization_id = event.organization_id
          and taker.disabled_at is null
          and taker.deleted_at is null
          and (taker.event_names = '{}' or event.event_name = any (taker.event_names))
        offset 0
      ) as its
  ),
  positioned as (
    select
      event_id,
      organization_id,
      subscription_id,
      has_room and count(*) filter (where has_room) over (order by event_id, subscription_id) <= :most as is_taken
    from wanted
  ),
  -- New deliveries are claimed immediately if they fit in this round. Their claims expire when the other ones do.
  made as (
    insert into webhook_deliveries
      (id, organization_id, subscription_id, webhook_event_id, due_at, claimed_at, started_at, created_at)
    select
      new_id('wdlv'),
      organization_id,
      subscription_id,
      event_id,
      case
        when is_taken then :until::timestamptz
        else :real_now
      end,
      case
        when is_taken then :real_now::timestamptz
      end,
      case
        when is_taken then :real_now::timestamptz
      end,
      :real_now
    from positioned
    returning id, organization_id, subscription_id, webhook_event_id, attempts, claimed_at
  ),
  taken as (
    select id, organization_id, subscription_id, webhook_event_id, attempts
    from made
    where claimed_at is not null
  )
-- The deliveries with the data for an attempt.
select attempt.*
from
  taken
  cross join lateral shared.attempt_of(taken) as attempt
order by attempt.subscription_id, attempt.event_id;
