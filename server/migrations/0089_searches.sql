-- People are found by any three letters of their names and addresses from an index of those, and not by a look at each.
-- Both extensions come with PostgreSQL and need no superuser.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Whose they are stands in these as in no other index, so that none but these can be asked for it. What is written goes
-- through a short list of what is new.
create index employees_by_letters on employees
  using gin ((employer_id || '|' || organization_id), search_key gin_trgm_ops) with (gin_pending_list_limit = 512);
create index members_by_letters on members
  using gin ((organization_id || '|'), search_key(name_key, email) gin_trgm_ops) with (gin_pending_list_limit = 512);

-- The employments of an employer whose name or address is like one of two patterns, the second of which may be missing,
-- and the people of an organization. As their owner, since past a policy no such index is asked. Patterns are compared
-- as the index does, whatever the collation of what a caller hands over.
create function employments_found(of_employer text, of_organization text, patterns text[])
  returns table (id text, roster_number bigint, terminated_on date)
  language sql stable security definer set search_path to 'public', 'pg_temp'
as $$
  select employee.id, employee.roster_number, employee.terminated_on
    from employees as employee
   where employee.employer_id || '|' || employee.organization_id = of_employer || '|' || of_organization
     and (employee.search_key like patterns[1] or employee.search_key like patterns[2])
     and in_scope(of_organization)
$$;

create function people_found(of_organization text, patterns text[]) returns table (id text, member_number bigint)
  language sql stable security definer set search_path to 'public', 'pg_temp'
as $$
  select member.id, member.member_number
    from members as member
   where member.organization_id || '|' = of_organization || '|'
     and (search_key(member.name_key, member.email) like patterns[1] collate "default"
          or search_key(member.name_key, member.email) like patterns[2] collate "default")
     and in_scope(of_organization)
$$;
