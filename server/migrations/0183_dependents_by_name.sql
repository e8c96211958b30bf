-- A name without case and accents, as foldName of the service makes it.
create function fold_name(name text) returns text language sql immutable parallel safe return
  replace(replace(replace(replace(
    translate(lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g') collate pg_c_utf8),
              'łøđðħ', 'loddh'),
    'þ', 'th'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss');

-- Dependents are found by how their full name or their last name begins.
alter table dependents
  add column name_key text collate "C" generated always as (fold_name(first_name) || ' ' || fold_name(last_name)) stored,
  add column last_name_key text collate "C" generated always as (fold_name(last_name)) stored;
-- By partners, within their organization. True of every dependent, so that only the search, which states the same, uses
-- these indexes, and never a statement that knows the person.
create index dependents_by_name on dependents (organization_id, name_key, id) where name_key > '';
create index dependents_by_last_name on dependents (organization_id, last_name_key, id) where last_name_key > '';
-- By operators, in all organizations.
create index dependents_by_last_name_anywhere on dependents (last_name_key, organization_id, id);
