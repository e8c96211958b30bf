-- How far the turn of a day is for an organization, {step, after}: the day after turned_on. Null: not begun.
alter table organizations add turning jsonb;

-- The day by which an employee was settled while days before it were not turned yet: those bring nothing more.
alter table eligibility_standings add settled_by date;

-- Whether a later census of an employer was accepted.
create index census_syncs_of_employer on census_syncs (employer_id, organization_id, accepted_at, id);

-- The catalog of an organization, in the order in which it is shown.
create index carriers_of_organization on carriers (organization_id, name, id);
create index benefit_products_of_organization on benefit_products (organization_id, name, id);

-- Life events in the order in which they were reported: of an organization, and of all with what the count asks for.
create index life_events_of_organization on qualifying_life_events (organization_id, created_at, id);
create index life_events_in_order on qualifying_life_events (created_at, id) include (organization_id, employer_id, employee_id, decision);

-- The lists of who reaches every organization.
create index plans_in_order on plans (name, id) include (organization_id);
create index webhook_subscriptions_in_order on webhook_subscriptions (created_at desc, id desc) include (organization_id) where deleted_at is null;

-- Subscriptions that ended lately, for which something may wait all the same.
create index webhook_subscriptions_ended on webhook_subscriptions (greatest(disabled_at, deleted_at)) where disabled_at is not null or deleted_at is not null;

-- Buckets that were made long ago, of which those are forgotten that nobody uses. The day of use is not indexed: every request changes it.
alter table rate_limits add made_at timestamptz not null default now();
create index rate_limits_by_age on rate_limits (made_at);
