-- Deliveries are forgotten from the front of their ids, which sort by when they were made: an index by age was written
-- each time that a delivery was.
drop index webhook_deliveries_by_age;

-- What waits to be told of an organization, the oldest first: a round takes of each as much as its receivers have room
-- for.
create index webhook_outbox_of_organization on webhook_outbox (organization_id, webhook_event_id);
