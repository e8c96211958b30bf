-- Who is signed in with a browser: the cookie holds a secret, of which the hash is kept.
create table sessions (
  id text collate "C" primary key,
  secret_hash bytea not null unique,
  user_id text collate "C" not null references users,
  signed_in_with text not null check (signed_in_with in ('openid', 'sandbox_link')),
  -- as the browser called itself, by which its owner knows it
  user_agent text,
  created_at timestamptz not null,
  -- kept at most a minute old
  last_used_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz
);
-- The sessions of a user, the newest first.
create index sessions_of_user on sessions (user_id, created_at desc, id desc);
-- All of them, the newest first.
create index sessions_by_start on sessions (created_at desc, id desc);
-- The hourly clean-up forgets those that ended long ago.
create index sessions_by_end on sessions (expires_at);

-- Who of a provider's people is which user.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id text collate "C" not null references users,
  created_at timestamptz not null,
  primary key (issuer, subject)
);
-- The identities of a user.
create index identities_of_user on user_identities (user_id);

-- The links of a sandbox by which a visitor becomes one of its people, each once.
create table sign_in_links (
  secret_hash bytea primary key,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table operator_invitations (
  id text collate "C" primary key,
  secret_hash bytea not null unique,
  name text not null,
  email text not null,
  role text not null check (role in ('owner', 'operations', 'billing', 'support')),
  invited_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C" references users,
  revoked_at timestamptz
);
-- The list, the newest first.
create index operator_invitations_by_start on operator_invitations (created_at desc, id desc);

create table member_invitations (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  secret_hash bytea not null,
  name text not null,
  email text not null,
  role text not null check (role in ('ADMIN', 'OPERATIONS', 'SALES', 'ENROLLMENT_AGENT')),
  invited_by text collate "C" references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by text collate "C" references users,
  revoked_at timestamptz,
  primary key (id, organization_id),
  unique (secret_hash, organization_id)
);
-- The list of an organization, the newest first.
create index member_invitations_of_organization on member_invitations (organization_id, created_at desc, id desc);
