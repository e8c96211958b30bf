-- Takes deliveries that are due: from subscription to subscription in the order of their ids, and of each the oldest,
-- as many as there is room for.
with recursive
  -- The subscriptions for which something waits, after the one where the round was broken off. For each the index is
  -- entered anew, so that one with a long queue hides none of the others.
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
  -- What is due of those that are enabled; what another worker is taking is passed over.
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
        limit coalesce((:rooms::jsonb ->> waiting.subscription_id)::int, :usual_room)
        for update skip locked
      ) as found
    limit :most
  ),
  -- They are ours until then; who takes them after that believes us dead.
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
-- Each with all that an attempt needs.
select attempt.*
from
  taken
  cross join lateral shared.attempt_of(taken) as attempt
order by attempt.subscription_id, attempt.event_id;
