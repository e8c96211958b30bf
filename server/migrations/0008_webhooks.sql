-- events -----------------------------------------------------------------------------------------

-- The list of an organization's events, newest first: of all, and of chosen names.
create index webhook_events_of_organization on webhook_events (organization_id, created_at desc, id desc);
create index webhook_events_by_name on webhook_events (organization_id, event_name, created_at desc, id desc);

-- How many events an organization has of each name, kept by whoever writes them: their list counts nothing.
create table webhook_event_counts (
  organization_id text collate "C" not null,
  event_name text not null,
  event_count bigint not null,
  primary key (organization_id, event_name)
);
insert into webhook_event_counts
select organization_id, event_name, count(*) from webhook_events group by organization_id, event_name;

-- Events that no worker has turned into deliveries yet. A row of its own and no mark on the event, which stays as it was
-- written; and no high-water mark, since transactions don't commit in the order of their ids.
create table webhook_outbox (
  webhook_event_id text collate "C" not null,
  organization_id text collate "C" not null,
  event_name text not null,
  primary key (webhook_event_id, organization_id)
);

-- Wakes the workers when the events are committed.
create function announce_webhook_outbox() returns trigger
  language plpgsql as $$
begin
  if exists (select from written) then
    perform pg_notify('webhook_outbox', '');
  end if;
  return null;
end $$;
create trigger announce_webhook_outbox after insert on webhook_outbox
  referencing new table as written for each statement execute function announce_webhook_outbox();

-- subscriptions ----------------------------------------------------------------------------------

create table webhook_subscriptions (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  url text not null,
  -- empty: every event
  event_names text[] not null,
  description text,
  -- null once deleted
  secret_sealed bytea,
  -- the secret before it, which signs too until then
  former_secret_sealed bytea,
  former_secret_until timestamptz,
  -- the first failure after the last success
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  check ((disabled_at is null) = (disabled_reason is null))
);
create index webhook_subscriptions_of_organization on webhook_subscriptions (organization_id, created_at desc, id desc)
  where deleted_at is null;
-- The operator's list of those that were given up on.
create index webhook_subscriptions_disabled on webhook_subscriptions (disabled_at desc, id desc)
  where disabled_at is not null and deleted_at is null;

-- deliveries -------------------------------------------------------------------------------------

create table webhook_deliveries (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  subscription_id text collate "C" not null,
  webhook_event_id text collate "C" not null,
  attempts int not null default 0,
  -- when it is to be attempted; for one that a worker has taken, when others may; null: never again
  due_at timestamptz,
  -- when a worker took it; null: nobody has it
  claimed_at timestamptz,
  started_at timestamptz,
  delivered_at timestamptz,
  failed_at timestamptz,
  response_status int,
  response_body text,
  failure_reason text not null default '',
  created_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (subscription_id, organization_id) references webhook_subscriptions,
  check ((due_at is null) = (delivered_at is not null or failed_at is not null))
);
-- Workers take what is due, subscription by subscription.
create index webhook_deliveries_due on webhook_deliveries (subscription_id, due_at) where due_at is not null;
-- The deliveries of an event; a replay asks which events a subscription has not got.
create index webhook_deliveries_of_event on webhook_deliveries (webhook_event_id, subscription_id, organization_id);
-- The hourly clean-up takes the oldest.
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
