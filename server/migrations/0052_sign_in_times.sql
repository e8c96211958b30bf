-- When the user of a session proved who they are, which may be before it began.
alter table sessions add column signed_in_at timestamptz;
update sessions set signed_in_at = created_at;
alter table sessions alter column signed_in_at set not null;
