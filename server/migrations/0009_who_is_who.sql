-- who is who -------------------------------------------------------------------------------------

-- Both names as they are compared: without spaces, apostrophes, hyphens and what can't be seen, from the key that is
-- stored beside the person. It leaves out what soundOf in platform/names.ts leaves out.
create function sound(name_key text) returns text language sql immutable strict parallel safe
  return translate(name_key,
    E' ''`\u00b4\u02b9\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u2018\u2019\u201b\u2032-\u058a\u05be\u2010'
    '\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\u061c\u180e\u200b\u200c\u200d\u200e\u200f\u202a\u202b'
    '\u202c\u202d\u202e\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe00\ufe01\ufe02\ufe03'
    '\ufe04\ufe05\ufe06\ufe07\ufe08\ufe09\ufe0a\ufe0b\ufe0c\ufe0d\ufe0e\ufe0f\ufeff', '');

-- Namesakes of one birthday, however their names are written. It takes the place of the index over the written names.
create index members_alike on members (date_of_birth, sound(name_key), organization_id);

-- Twins may share the telephone at home: who was said to be distinct shares a number.
create index members_phone_of_several on members (phone, organization_id);

-- The old ones go last: nobody can read people from here to the end, and it is near.
drop index members_by_birth_and_name;
drop index members_phone;
alter index members_phone_of_several rename to members_phone;

-- A hash of what the employer last said of the person: saying the same again changes nothing of somebody whom others
-- speak of too. Null as long as nothing was said since there are these hashes.
alter table employees add column said_hash text;
