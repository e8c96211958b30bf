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
