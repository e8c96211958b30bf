-- Events are read from the newest on, and their indexes began with it: what is written then comes before all that is
-- there, where a page that is full is halved, and stays so. Read from the end, they are full, and written to faster.
drop index webhook_events_by_name, webhook_events_of_employer, webhook_events_of_organization;
create index webhook_events_by_name on webhook_events (organization_id, event_name, created_at, id);
create index webhook_events_of_employer on webhook_events (organization_id, employer_id, created_at, id)
  where employer_id > '';
create index webhook_events_of_organization on webhook_events (organization_id, created_at, id);
