-- PostgreSQL 18 can pass over a column of an index that nothing is asked of, and expects to look once for each value that
-- it may have: for the deliveries of one event once for each subscription there is, of whichever organization.
drop index webhook_deliveries_of_event;
-- For the deliveries of an event, and to find out whether one is for a subscription.
create index webhook_deliveries_of_event on webhook_deliveries (webhook_event_id, organization_id, subscription_id);
