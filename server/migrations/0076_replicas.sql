-- Reads from a replica: how far it must have come for whom, and by what it is known for one that follows us.

-- Up to where the log went when somebody's last write was committed: of an organization, or of a credential. Who reads
-- for them reads from a replica that has come so far. `*`: how far it must be for everybody else. Empty after a crash,
-- as every unlogged table: then nobody reads from a replica until `*` is there again.
create unlogged table write_positions (
  whose text collate "C" primary key,
  -- in bytes of the log
  position bigint not null,
  written_at timestamptz not null default now()
);
-- What is old is forgotten in this order.
create index write_positions_by_age on write_positions (written_at);

-- One row, which changes about once a second while somebody reads from a replica. Nobody else knows what it says: a
-- replica that has it followed us that far, and no other.
create table replica_beats (
  id boolean primary key default true check (id),
  beat uuid not null,
  made_at timestamptz not null
);

alter table service_processes add notes_writes boolean not null default false;

-- Ends a statement on a server that is no replica (any more), or has not yet come to a position in bytes of the log.
create function require_replayed(needed bigint) returns boolean language plpgsql volatile as $$
begin
  if not pg_is_in_recovery() then
    raise exception 'This server is no replica.' using errcode = 'OB001';
  end if;
  if coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0) < needed then
    raise exception 'This replica is behind.' using errcode = 'OB002';
  end if;
  return true;
end $$;
