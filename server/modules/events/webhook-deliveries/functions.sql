-- Checks that the subscriptions of new deliveries exist, see refuse_removal.
create or replace function check_webhook_delivery_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct subscription_id, organization_id from written) as given
     where not exists (
          select from webhook_subscriptions
           where id = given.subscription_id and organization_id = given.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of webhook_deliveries refers to a row that does not exist.';
  end if;
  return null;
end $$;

create or replace trigger check_references
after insert on webhook_deliveries
referencing new table as written
for each statement
execute function check_webhook_delivery_references();
