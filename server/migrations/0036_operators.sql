-- Who operates the installation: users with a role, each with keys of their own.
create table operators (
  user_id text collate "C" primary key references users,
  role text not null check (role in ('owner', 'operations', 'billing', 'support')),
  created_at timestamptz not null,
  ended_at timestamptz
);
create table operator_keys (
  id text collate "C" primary key,
  user_id text collate "C" not null references operators,
  name text not null,
  secret_hash bytea not null unique,
  last_four text not null,
  -- whoever made it: its operator, an owner, or nobody, when a command did
  created_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz
);
-- The keys of an operator, and those that end with them.
create index operator_keys_of_operator on operator_keys (user_id, created_at);
