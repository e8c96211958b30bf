-- Whose answer it is, to be asked before it is given again; null: no organization's. An answer that holds a secret is
-- kept for minutes, and what is done anew each time is not kept at all.
alter table idempotency_keys
  alter column body drop not null,
  add column organization_id text collate "C",
  add column holds_secret boolean not null default false;
-- The hourly clean-up forgets the answers with secrets before their keys.
create index idempotency_keys_with_secret on idempotency_keys (created_at) where holds_secret and body is not null;

-- Of answers from before it is not known whose they are. What these made is known by names of its own, and not made
-- twice without its key.
delete from idempotency_keys where path in ('/v1/employers', '/v1/groups', '/v1/organizations');
update idempotency_keys set body = null where path = '/v1/auth/access-tokens';
update idempotency_keys set body = null, holds_secret = true
 where path in ('/v1/webhook-subscriptions', '/operator/v1/api-keys') or path like '%/rotate-secret';

-- What a database is for good, set by its first start, and whose keys it has: a start that brings others is refused.
create table installation (
  is_only boolean primary key default true check (is_only),
  kind text not null check (kind in ('sandbox', 'live')),
  -- a known text, hashed
  hash_key_check bytea not null,
  started_at timestamptz not null
);
create table encryption_keys (
  id text primary key,
  -- a known text, encrypted with this key
  check_value bytea not null,
  noted_at timestamptz not null
);
