-- Employers are found by any three letters of their names from an index of those, as people are (migration 0089).
create index employers_by_letters on employers
  using gin ((organization_id || '|'), name_key gin_trgm_ops, legal_name_key gin_trgm_ops)
  with (gin_pending_list_limit = 512);

-- The employers of an organization, and those of all, of whose display or legal name a pattern says something. As their
-- owner, since past a policy no such index is asked.
create function employers_found(of_organization text, pattern text) returns table (id text, organization_id text)
  language sql stable security definer rows 10 set search_path to 'public', 'pg_temp'
as $$
  select employer.id, employer.organization_id
    from employers as employer
   where employer.organization_id || '|' = of_organization || '|'
     and (employer.name_key like pattern or employer.legal_name_key like pattern)
     and in_scope(of_organization)
$$;

create function employers_found_in_all(pattern text) returns table (id text, organization_id text)
  language sql stable security definer rows 10 set search_path to 'public', 'pg_temp'
as $$
  select employer.id, employer.organization_id
    from employers as employer
   where (employer.name_key like pattern or employer.legal_name_key like pattern)
     and in_scope(employer.organization_id)
$$;
