-- The second lock between organizations (decision 90): row-level security asks in_scope of each row. The policies
-- themselves are put on after the migrations, on tables of later ones too.

-- Whether rows of an organization may be touched by a scope that is neither just that one nor all: a list stands between
-- commas. Null where they may not. Without a scope it is an error, and not an answer without rows.
create function in_wider_scope(organization_id text) returns boolean
  language plpgsql stable parallel safe cost 1 as $$
declare
  scope constant text := current_setting('openbenefits.organizations');
begin
  if strpos(scope, ',' || organization_id || ',') > 0 then
    return true;
  elsif scope = '' then
    raise 'No scope is set: say whose rows the statement may touch.' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;

-- Whether rows of an organization may be touched by the statement at hand; `*` is all there are. Asked as whether
-- something is there, since PostgreSQL expects that of nearly all rows, and of a mere function that it is true for a
-- third. By cases, and not by `or`, for each part of which it would look for an index while it plans.
create function in_scope(organization_id text) returns boolean
  language sql stable parallel safe
  return case current_setting('openbenefits.organizations')
           when organization_id then true
           when '*' then true
           else in_wider_scope(organization_id)
         end is not null;

-- The same of an API key: one that is bound to no organization reaches those that its owner is a member of.
create function key_in_wider_scope(organization_id text, user_id text) returns boolean
  language plpgsql stable parallel safe cost 1 as $$
begin
  if in_wider_scope(organization_id) then
    return true;
  elsif organization_id is null and exists (
    select from memberships as membership
     where membership.user_id = key_in_wider_scope.user_id and membership.ended_at is null
  ) then
    return true;
  end if;
  return null;
end $$;

create function key_in_scope(organization_id text, user_id text) returns boolean
  language sql stable parallel safe
  return case current_setting('openbenefits.organizations')
           when organization_id then true
           when '*' then true
           else key_in_wider_scope(organization_id, user_id)
         end is not null;

-- As before, and a partition of a table that is locked shows nothing to who asks it directly.
create or replace function make_partition(parent text, name text, key text, low text, high text) returns void
  language plpgsql set search_path = public, pg_temp as $$
declare
  is_taken boolean;
begin
  if to_regclass(name) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtext('openbenefits partitions'));
  execute format('select exists (select from %I where %I >= %L and %I < %L)', parent || '_other', key, low, key, high)
     into is_taken;
  if to_regclass(name) is null and not is_taken then
    execute format('create table %I partition of %I for values from (%L) to (%L)', name, parent, low, high);
    if (select relrowsecurity from pg_class where oid = parent::regclass) then
      execute format('alter table %I enable row level security', name);
    end if;
  end if;
end $$;

-- The sheets of the audit trail that speak of a resource, newest first, from one of them on. An index of arrays finds
-- them, which PostgreSQL does not ask past a policy. So this runs as whom the tables belong to, and asks in_scope itself.
create function audit_sheets_about(
  resource_id text, of_organization text, from_began_at timestamptz, from_id text, from_day date, most bigint
) returns setof audit_sheets
  language sql stable security definer set search_path = public, pg_temp as $$
  select sheet.* from audit_sheets as sheet
   where sheet.resource_ids @> array[audit_sheets_about.resource_id] and in_scope(sheet.organization_id)
     and (of_organization is null or sheet.organization_id = of_organization)
     and (sheet.began_at, sheet.id) <= (from_began_at, from_id) and sheet.day >= from_day
   order by sheet.began_at desc, sheet.id desc limit most
$$;
