-- Connections of all employers, newest first, and those whose last sync did not succeed.
create index hris_connections_in_order on hris_connections (connected_at desc, id desc)
  include (organization_id, employer_id) where disconnected_at is null;
create index hris_connections_failing on hris_connections (connected_at desc, id desc)
  include (organization_id, employer_id) where disconnected_at is null and last_error_code is not null;

-- Subscriptions whose receivers fail, newest first.
create index webhook_subscriptions_failing on webhook_subscriptions (created_at desc, id desc)
  include (organization_id) where failing_since is not null and disabled_at is null and deleted_at is null;

-- What could not be delivered to a subscription, the last first.
create index webhook_deliveries_failed on webhook_deliveries (subscription_id, failed_at desc, id desc)
  where failed_at is not null;

-- What needs somebody by now, as what will from here on.
insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
select
  new_id('omat'), event.organization_id, event.employer_id, 'life_event_pending', event.id,
  jsonb_build_object('employee_id', event.employee_id, 'occurred_on', event.occurred_on), event.created_at
from qualifying_life_events as event
where event.decision is null;

insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
select
  new_id('omat'), connection.organization_id, connection.employer_id, 'hris_access_lost', connection.id, '{}',
  connection.access_lost_at
from hris_connections as connection
where connection.access_lost_at is not null and connection.disconnected_at is null;

insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
select
  new_id('omat'), subscription.organization_id, null, 'webhook_disabled', subscription.id,
  jsonb_build_object('reason', subscription.disabled_reason), subscription.disabled_at
from webhook_subscriptions as subscription
where
  subscription.disabled_at is not null and subscription.disabled_reason <> 'requested'
  and subscription.deleted_at is null;
