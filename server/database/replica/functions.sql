-- Raises an error if this server is not a replica, or has not yet replayed the log up to a position in bytes.
create or replace function require_replayed(needed bigint)
returns boolean
language plpgsql
volatile
as $$
begin
  if not pg_is_in_recovery() then
    raise exception 'This server is no replica.' using errcode = 'OB001';
  end if;
  if coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0) < needed then
    raise exception 'This replica is behind.' using errcode = 'OB002';
  end if;
  return true;
end $$;
