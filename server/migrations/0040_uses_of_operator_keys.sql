-- When an operator's key was used last, at most a minute behind, as of the keys of partners.
alter table operator_keys add column last_used_at timestamptz;
-- How many keys an organization has that are not revoked, of which there are at most so many.
create index api_keys_not_revoked on api_keys (organization_id) where revoked_at is null;
