-- The people of an organization, newest first, with all that a search of them looks through, so that it reads a stretch
-- of this index and nothing else.
create index members_in_order on members (organization_id, created_at desc, id desc) include (name_key, email);

-- Who holds a reference, at whichever employer of an organization or at one of them.
drop index employees_by_reference;
create index employees_by_reference on employees (reference_id, organization_id, employer_id)
 where reference_id is not null;

-- How many people an organization knows, so that nobody counts them. Kept by a trigger: whoever adds people has locked
-- the organization.
alter table organizations add column member_count bigint not null default 0;
update organizations set member_count = counted.people
  from (select organization_id, count(*) as people from members group by organization_id) as counted
 where counted.organization_id = organizations.id;

create function count_members() returns trigger
  language plpgsql as $$
begin
  update organizations set member_count = member_count + added.people
    from (select organization_id, count(*) as people from written group by organization_id) as added
   where added.organization_id = organizations.id;
  return null;
end $$;
create trigger count_members after insert on members
  referencing new table as written
  for each statement execute function count_members();
