-- Claims due deliveries, subscription by subscription in the order of their ids, oldest first, as many as there is room
-- for.
with recursive
  -- The subscriptions with waiting deliveries, after the one where the last round stopped. Enters the index again for
  -- each subscription, so that a long queue does not hide others.
  waiting(subscription_id) as (
    (
      select subscription_id
      from webhook_deliveries
      where due_at is not null and subscription_id > :after
      order by subscription_id
      limit 1
    )
    union all
    select
      (
        select next.subscription_id
        from webhook_deliveries as next
        where next.due_at is not null and next.subscription_id > waiting.subscription_id
        order by next.subscription_id
        limit 1
      )
    from waiting
    where waiting.subscription_id is not null
  ),
  -- The due deliveries of enabled subscriptions. Skips those that another worker is claiming.
  due as materialized (
    select found.id
    from
      waiting
      cross join lateral (
        select subscription.id
        from webhook_subscriptions as subscription
        where
          subscription.id = waiting.subscription_id
          and subscription.disabled_at is null
          and subscription.deleted_at is null
        offset 0
      ) as enabled
      cross join lateral (
        select delivery.id
        from webhook_deliveries as delivery
        where delivery.subscription_id = waiting.subscription_id and delivery.due_at <= :real_now
        order by delivery.due_at
        limit coalesce((:rooms::jsonb ->> waiting.subscription_id)::int, :default_room)
        for update skip locked
      ) as found
    limit :most
  ),
  -- The claim lasts until :until. Afterward, other workers assume that this one is dead.
  taken as (
    update webhook_deliveries as delivery
    set
      claimed_at = :real_now,
      started_at = coalesce(delivery.started_at, :real_now),
      due_at = :until
    where delivery.id = any (array(select id from due))
    returning
      delivery.id,
      delivery.organization_id,
      delivery.subscription_id,
      delivery.webhook_event_id,
      delivery.attempts
  )
-- The deliveries with the data for an attempt.
select attempt.*
from
  taken
  cross join lateral shared.attempt_of(taken) as attempt
order by attempt.subscription_id, attempt.event_id;
