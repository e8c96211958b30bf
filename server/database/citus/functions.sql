-- Row triggers of a sharded database, which does not support statement triggers. Each contains the organization as a
-- value, which selects the server of the rows.

-- Like add_book_entries, for one row.
create or replace function add_book_entry()
returns trigger
language plpgsql
as $$
begin
  insert into book_entries (employer_id, organization_id, created_at, stage, families, provider, hris_status,
                            valid_from, valid_until)
  values (new.id, new.organization_id, new.created_at,
          case when new.subscription_ended_on is null then 'onboarding' else 'cancelled' end, '', '', '',
          coalesce(new.subscription_ended_on, '-infinity'), 'infinity');
  return null;
end $$;

-- Like follow_connection, for one row.
create or replace function follow_connection_by_row()
returns trigger
language plpgsql
as $$
begin
  if (tg_op = 'INSERT' and new.disconnected_at is null) or (tg_op = 'UPDATE' and old.disconnected_at is null) then
    update book_entries
       set provider = case when new.disconnected_at is null then new.provider else '' end,
           hris_status = case when new.disconnected_at is null then new.status else '' end
     where employer_id = new.employer_id and organization_id = new.organization_id;
  end if;
  return null;
end $$;

-- Like count_book_entries, for one row.
create or replace function count_book_entry()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and old.kind = new.kind then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    insert into book_counts as known (organization_id, kind, slot, employer_count)
    values (old.organization_id, old.kind, pg_backend_pid() % 64, -1)
    on conflict (organization_id, kind, slot) do update set employer_count = known.employer_count - 1;
  end if;
  if tg_op <> 'DELETE' then
    insert into book_counts as known (organization_id, kind, slot, employer_count)
    values (new.organization_id, new.kind, pg_backend_pid() % 64, 1)
    on conflict (organization_id, kind, slot) do update set employer_count = known.employer_count + 1;
  end if;
  return null;
end $$;

-- Like count_terminations, for one row.
create or replace function count_termination_by_row()
returns trigger
language plpgsql
as $$
begin
  if tg_op = 'UPDATE' and old.terminated_on is not distinct from new.terminated_on then
    return null;
  end if;
  if tg_op = 'UPDATE' and old.terminated_on is not null then
    update roster_terminations set employee_count = employee_count - 1
     where employer_id = old.employer_id and organization_id = old.organization_id
       and terminated_on = old.terminated_on;
  end if;
  if new.terminated_on is not null then
    insert into roster_terminations as known (employer_id, organization_id, terminated_on, employee_count)
    values (new.employer_id, new.organization_id, new.terminated_on, 1)
    on conflict (employer_id, organization_id, terminated_on) do update
      set employee_count = known.employee_count + 1;
  end if;
  return null;
end $$;
