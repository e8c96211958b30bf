-- Which event of an organization came before which: created_at is not the order in which they were committed, since
-- transactions take their time, the clocks of processes differ, and that of a sandbox is moved. Events from before this
-- migration have no position, and come first.
alter table webhook_events add column position bigint not null default 0;

-- The position of the newest event, one row an organization. Whoever writes events counts it up, and so holds it until its
-- transaction ends: a position that can be seen has none before it that can not.
create table webhook_event_positions (
  organization_id text collate "C" primary key,
  last_position bigint not null
);

-- What came after an event.
create index webhook_events_in_order on webhook_events (organization_id, position, created_at, id);
