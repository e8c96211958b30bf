-- Of people who are new on a payroll system's roster is kept what was told of them, and not that each field of it was
-- nothing before: a third of the text, which PostgreSQL only looks at. What was kept before stays as it is.
alter table census_changes
  add column told json,
  alter column differences drop not null,
  -- Whoever writes a row holds the lock of its census, which nobody deletes.
  drop constraint census_changes_census_sync_id_organization_id_fkey,
  add constraint census_changes_one_of_both check ((differences is null) <> (told is null)) not valid;
comment on column census_changes.told is 'all that was told of who is new; null: see differences';

-- Rows that wait are gone within seconds: to compress them takes longer than to write them as they are.
alter table census_chunks alter column rows set storage external;
alter table group_member_chunks alter column rows set storage external;
