-- Counts the employments at an employer with a name or email like one of two patterns, the second of which may be
-- missing, and like all words. Lists the roster numbers of a page. Up to 1,000 matches are found by the trigram index
-- (by_letters), more are counted in the covering index of the roster. The function runs with the owner's rights and
-- checks in_scope once: a policy would prevent the use of the trigram index, and take half of the time of a count.
create or replace function search_roster(
  of_employer text, of_organization text, patterns text[], words text[], by_letters boolean, status text, today date,
  first_number bigint, skipped bigint, most int
) returns table (total bigint, ahead bigint, numbers bigint[])
language plpgsql
stable
security definer
rows 1
set search_path to 'public', 'pg_temp'
as $$
declare
  first_pattern constant text := patterns[1];
  second_pattern constant text := patterns[2];
begin
  if not in_scope(of_organization) then
    return;
  end if;
  if by_letters then
    select count(*) filter (where match.is_wanted), count(*) filter (where match.is_wanted and match.is_ahead),
           (array_agg(match.roster_number order by match.roster_number desc)
             filter (where match.is_wanted and match.is_ahead))
             [least(skipped, 1e9)::int + 1 : least(skipped, 1e9)::int + most]
      into total, ahead, numbers
      from (
        select employee.roster_number, employee.roster_number < first_number as is_ahead,
               status is null or (status = 'terminated') = coalesce(employee.terminated_on < today, false) as is_wanted
          from employees as employee
         where employee.employer_id || '|' || employee.organization_id = of_employer || '|' || of_organization
           and employee.organization_id = of_organization
           and (employee.search_key like first_pattern or employee.search_key like second_pattern)
           and employee.search_key like all (words)
         limit 1001) as match
    having count(*) <= 1000;
    if found then
      return next;
      return;
    end if;
  end if;
  -- With `case`, the planner does not consider the trigram index.
  select count(*), count(*) filter (where employee.roster_number < first_number) into total, ahead
    from employees as employee
   where employee.employer_id = of_employer and employee.organization_id = of_organization
     and case when employee.search_key like first_pattern then true else employee.search_key like second_pattern end
     and employee.search_key like all (words)
     and (status is null or (status = 'terminated') = coalesce(employee.terminated_on < today, false));
  numbers := array(
    select employee.roster_number
      from employees as employee
     where employee.employer_id = of_employer and employee.organization_id = of_organization
       and employee.roster_number < first_number
       and case when employee.search_key like first_pattern then true else employee.search_key like second_pattern end
       and employee.search_key like all (words)
       and (status is null or (status = 'terminated') = coalesce(employee.terminated_on < today, false))
     order by employee.roster_number desc limit most offset skipped);
  return next;
end $$;

-- Copies the search key of the person to a new employment, so that one index finds employments of an employer by
-- name.
create or replace function set_search_key()
returns trigger
language plpgsql
as $$
begin
  select search_key(member.name_key, member.email) into strict new.search_key
    from members as member where member.id = new.member_id and member.organization_id = new.organization_id;
  return new;
end $$;

-- A new employment has the search key of its person, unless the insert sets it.
create or replace trigger set_search_key
before insert on employees
for each row
when (new.search_key = '')
execute function set_search_key();

-- Updates the search key of the employments of a person after a change of name or email.
create or replace function follow_search_key()
returns trigger
language plpgsql
as $$
begin
  update employees set search_key = search_key(new.name_key, new.email)
   where member_id = new.id and organization_id = new.organization_id;
  return null;
end $$;

-- The search of a roster finds people by their current name and email.
create or replace trigger follow_search_key
after update of name_key, email on members
for each row
when (old.name_key <> new.name_key or old.email is distinct from new.email)
execute function follow_search_key();

-- Keeps roster_terminations up to date. Days are written in order, so that two writers cannot deadlock.
create or replace function count_terminations()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    insert into roster_terminations as known (employer_id, organization_id, terminated_on, employee_count)
    select employer_id, organization_id, terminated_on, count(*) from written where terminated_on is not null
     group by employer_id, organization_id, terminated_on order by employer_id, organization_id, terminated_on
    on conflict (employer_id, organization_id, terminated_on) do update
      set employee_count = known.employee_count + excluded.employee_count;
  else
    insert into roster_terminations as known (employer_id, organization_id, terminated_on, employee_count)
    select employer_id, organization_id, terminated_on, sum(change)
      from (select employer_id, organization_id, terminated_on, 1 as change from written
             union all
            select employer_id, organization_id, terminated_on, -1 from former) as changed
     where terminated_on is not null
     group by employer_id, organization_id, terminated_on having sum(change) <> 0
     order by employer_id, organization_id, terminated_on
    on conflict (employer_id, organization_id, terminated_on) do update
      set employee_count = known.employee_count + excluded.employee_count;
  end if;
  return null;
end $$;

-- The totals of a roster by status include new employments that have ended.
create or replace trigger count_added_terminations
after insert on employees
referencing new table as written
for each statement
execute function count_terminations();

-- The totals of a roster by status follow changed last days.
create or replace trigger count_changed_terminations
after update on employees
referencing old table as former new table as written
for each statement
execute function count_terminations();

-- An employment keeps its employer and person.
create or replace trigger keep_references
before update of employer_id, member_id on employees
for each row
when (old.employer_id <> new.employer_id or old.member_id <> new.member_id)
execute function refuse_reference_change();

-- A classification keeps its employment.
create or replace trigger keep_references
before update of employee_id, organization_id on employee_classifications
for each row
execute function refuse_reference_change();

-- A compensation type keeps its employment.
create or replace trigger keep_references
before update of employee_id, organization_id on employee_compensations
for each row
execute function refuse_reference_change();

-- A bargaining unit keeps its employment.
create or replace trigger keep_references
before update of employee_id, organization_id on employee_bargaining_units
for each row
execute function refuse_reference_change();
