-- The keys by which values of this database were made, each known by a value that only it makes; and the processes that
-- run, with the keys that each knows, so that one can follow another while they do.
create table secret_keys (
  secret text not null check (secret in ('ENCRYPTION_KEYS', 'HASH_KEY', 'TOKEN_KEY')),
  -- of one that encrypts its name in the setting, of others the begin of the check value
  id text not null,
  -- a known text, encrypted or hashed
  check_value bytea not null,
  noted_at timestamptz not null,
  -- of a hash key: from which day on it holds the audit trail together
  audit_from date check ((audit_from is not null) = (secret = 'HASH_KEY')),
  -- from when on nothing is left that it made
  retired_at timestamptz,
  -- of a hash key that is retired: itself, encrypted, for the days of the audit trail
  key_sealed bytea check ((key_sealed is not null) = (secret = 'HASH_KEY' and retired_at is not null)),
  primary key (secret, id)
);

insert into secret_keys (secret, id, check_value, noted_at)
select 'ENCRYPTION_KEYS', id, check_value, noted_at from encryption_keys;
insert into secret_keys (secret, id, check_value, noted_at, audit_from)
select 'HASH_KEY', left(encode(hash_key_check, 'hex'), 8), hash_key_check, started_at, '-infinity' from installation;

drop table encryption_keys;
alter table installation drop column hash_key_check;

create table service_processes (
  id text primary key,
  role text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  known_keys text[] not null,
  used_keys text[] not null
);
