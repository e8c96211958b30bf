-- The people of an organization with a name or email like one of two patterns, the second of which may be missing, and
-- like all words. PostgreSQL does not use the trigram index under row-level security, so the function runs with the
-- rights of its owner and checks in_scope itself. The collation of the patterns is that of the index.
create or replace function people_found(of_organization text, patterns text[], words text[])
returns table (id text, created_at timestamptz)
language sql
stable
security definer
set search_path to 'public', 'pg_temp'
as $$
  select member.id, member.created_at
  from members as member
  where
    member.organization_id || '|' = of_organization || '|'
    and (
      search_key(member.name_key, member.email) like patterns[1] collate "default"
      or search_key(member.name_key, member.email) like patterns[2] collate "default"
    )
    and search_key(member.name_key, member.email) like all (words)
    and in_scope(of_organization);
$$;
