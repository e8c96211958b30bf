-- What a search of a roster looks through: the name as it is compared, a line break, which no name and no address holds,
-- and the e-mail address in lower case. It stands beside the employment, so that the search of an employer reads a stretch
-- of one index and nothing else, whatever is searched for: for a letter or two no index could do better, since nearly
-- everybody has them.
alter table employees add column search_key text collate "C" not null default '';

create function search_key(name_key text, email text) returns text
  language sql immutable parallel safe
  return replace(name_key, '|', ' ') || e'\n' || coalesce(lower(email), '');

update employees as employee set search_key = search_key(member.name_key, member.email)
  from members as member where member.id = employee.member_id and member.organization_id = employee.organization_id;

create function note_search_key() returns trigger
  language plpgsql as $$
begin
  select search_key(member.name_key, member.email) into strict new.search_key
    from members as member where member.id = new.member_id and member.organization_id = new.organization_id;
  return new;
end $$;
create trigger note_search_key before insert on employees
  for each row execute function note_search_key();

create function follow_search_key() returns trigger
  language plpgsql as $$
begin
  update employees set search_key = search_key(new.name_key, new.email)
   where member_id = new.id and organization_id = new.organization_id;
  return null;
end $$;
create trigger follow_search_key after update of name_key, email on members
  for each row when (old.name_key <> new.name_key or old.email is distinct from new.email)
  execute function follow_search_key();

-- The roster, newest first, with all that its filters ask.
drop index employees_roster;
create index employees_roster on employees (employer_id, organization_id, created_at desc, id desc)
  include (terminated_on, search_key);
