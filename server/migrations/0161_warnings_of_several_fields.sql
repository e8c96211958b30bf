-- A row of a census may have a warning for each of its fields.
alter table census_warnings
  alter column field set not null,
  drop constraint census_warnings_pkey,
  add primary key (census_sync_id, organization_id, index, field);
