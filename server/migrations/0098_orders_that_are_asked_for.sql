-- What lists the rows of an organization in an order is for those who say that they want the order: who looks for one row by
-- its key can't take it by mistake (docs/decisions/0166).
drop index members_in_order, employers_book, hris_connections_of_organization, hris_connections_by_provider,
  hris_connections_by_status, life_events_with_window, life_events_of_organization;

create unique index members_in_order on members (organization_id, member_number desc) include (id, name_key, email)
  where member_number > 0;

create index employers_book on employers (organization_id, created_at desc, id desc) include (subscription_ended_on)
  where created_at > '-infinity';

create index hris_connections_of_organization on hris_connections (organization_id, provider)
  where disconnected_at is null and provider > '';
create index hris_connections_by_provider on hris_connections (provider, organization_id) include (employer_id)
  where disconnected_at is null and provider > '';

create index life_events_with_window on qualifying_life_events (employer_id, organization_id, window_end)
  include (employee_id) where decision = 'approved' and window_end > '-infinity';

create index life_events_of_organization on qualifying_life_events (organization_id, created_at, id)
  where created_at > '-infinity';
