-- Where the enrollments of a plan year stand is read from the index in their order, and from who has a window of a life
-- event open, of whom there are few.
drop index enrollments_of_plan_year;
create index enrollments_of_plan_year on enrollments (plan_year_id, organization_id, created_at desc, id desc)
  include (employee_id, answer, inactive_on, window_ends_on);
create index life_events_with_window on qualifying_life_events (employer_id, organization_id, window_end)
  include (employee_id) where decision = 'approved';

-- The how-manieth of its organization a person is, from 1, without gaps: nobody leaves. The people of an organization are
-- listed in this order, so that any page is found by an index, however deep it lies.
create temp table member_places on commit drop as
select id, organization_id, row_number() over (partition by organization_id order by created_at, id) as place from members;
create unique index on member_places (id, organization_id);
create function pg_temp.number_of(text, text) returns bigint stable language sql
  as $$ select place from pg_temp.member_places where id = $1 and organization_id = $2 $$;

-- Without the index that is to be replaced. Written as a new type is: once, and with indexes that are made anew.
drop index members_in_order;
alter table members add column member_number bigint;
alter table members alter column member_number type bigint using pg_temp.number_of(id, organization_id);
alter table members alter column member_number set not null;

-- The people of an organization, newest first, with all that they are searched by.
create unique index members_in_order on members (organization_id, member_number desc) include (id, name_key, email);
