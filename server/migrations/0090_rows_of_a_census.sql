-- Whoever writes many employments at once looks up what they are searched by in one go, and not one after the other.
drop trigger note_search_key on employees;
create trigger note_search_key before insert on employees
  for each row when (new.search_key = '') execute function note_search_key();

-- Whom a census has seen is kept only while it runs, written under its lock and taken away with its end: there is nothing
-- that could point to nothing, and it was asked for each person.
alter table census_seen drop constraint census_seen_census_sync_id_organization_id_fkey;
