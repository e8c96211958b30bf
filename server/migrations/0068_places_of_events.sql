-- Of which employer an event is ('' of none, null: not looked up yet), and the X-Request-Id of the request that caused
-- it (null: it was none, or before this was kept). What was written before is looked up by the hourly run, in pieces.
alter table webhook_events add column employer_id text collate "C", add column trace_id text collate "C";

-- What happened at an employer, newest first.
create index webhook_events_of_employer on webhook_events (organization_id, employer_id, created_at desc, id desc)
 where employer_id > '';

-- What a request caused.
create index webhook_events_of_trace on webhook_events (organization_id, trace_id) where trace_id is not null;

-- What is to be looked up yet.
create index webhook_events_unplaced on webhook_events (organization_id, id) where employer_id is null;
