-- Webhook deliveries reference subscriptions, see refuse_removal.
create or replace trigger keep_rows
after delete or update of id, organization_id on webhook_subscriptions
for each row
execute function refuse_removal();
