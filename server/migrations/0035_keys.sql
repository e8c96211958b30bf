-- Keys have a life: who made them, what for, until when, and from which pages their tokens come. Keys from before keep
-- working: for everything, without an end, of both kinds, and open to what their owners come to belong to.
alter table api_keys
  add column name text,
  -- of the secret, to know it again; of keys from before it is known from their first use on
  add column last_four text,
  -- a test key reaches sandboxes, a live key the others; null: a key from before, which reaches both
  add column mode text check (mode in ('live', 'test')),
  add column created_by text collate "C" references users,
  add column scopes text[] not null default '{read,write,people,money,webhooks,keys}',
  add column expires_at timestamptz check (expires_at > created_at),
  -- at most a minute behind
  add column last_used_at timestamptz,
  -- from where browsers may send tokens of the key; null: from where the installation says
  add column allowed_origins text[],
  -- of a key that is bound to no organization: those it is open to; null: whichever its owner is a member of
  add column open_to text[] check (open_to is null or organization_id is null),
  add column rotated_at timestamptz,
  -- the secret before the last rotation, as long as both open
  add column former_secret_hash bytea unique,
  add column former_secret_expires_at timestamptz,
  add column revoked_because text check (revoked_because in ('requested', 'leaked'));
alter table api_keys alter column scopes drop default;
update api_keys set revoked_because = 'requested' where revoked_at is not null;
-- The keys of an organization, newest first.
create index api_keys_of_organization on api_keys (organization_id, created_at desc, id desc);
-- The keys of a user, for the operator.
create index api_keys_of_user on api_keys (user_id, created_at desc, id desc);
-- All keys, newest first, for the operator.
create index api_keys_by_creation on api_keys (created_at desc, id desc);
-- From where tokens may come, of all keys together: asked before a browser says which token it has.
create index api_keys_with_origins on api_keys (id) where allowed_origins is not null and revoked_at is null;

-- The key by which its owner founded the organization, and which therefore reaches it.
alter table memberships add column founded_by text collate "C" references api_keys;
-- Whether there are organizations of a kind.
create index organizations_by_kind on organizations (sandbox, id);
