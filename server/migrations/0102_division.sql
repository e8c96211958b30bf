-- For tenants that are divided over several servers (docs/decisions/0195); empty and unused on one.

-- What one server has and several don't: the statements that bring it back, in their order.
create table set_aside (
  place bigint generated always as identity primary key,
  brought_back_by text not null
);

-- Citus is to see that the coordinator is written to, by a delete that finds nothing. One row while tenants are divided.
create table whole_commits (
  id int primary key
);

-- What triggers of a statement do on one server, for a row. Each finds what it writes to on the server that has the row,
-- since it names the same organization by a value.
create function enter_book_alone() returns trigger language plpgsql as $$
begin
  insert into book_entries (employer_id, organization_id, created_at, stage, families, provider, hris_status,
                            holds_from, holds_until)
  values (new.id, new.organization_id, new.created_at,
          case when new.subscription_ended_on is null then 'onboarding' else 'cancelled' end, '', '', '',
          coalesce(new.subscription_ended_on, '-infinity'), 'infinity');
  return null;
end $$;

create function show_connection_alone() returns trigger language plpgsql as $$
begin
  if (tg_op = 'INSERT' and new.disconnected_at is null) or (tg_op = 'UPDATE' and old.disconnected_at is null) then
    update book_entries
       set provider = case when new.disconnected_at is null then new.provider else '' end,
           hris_status = case when new.disconnected_at is null then new.status else '' end
     where employer_id = new.employer_id and organization_id = new.organization_id;
  end if;
  return null;
end $$;

create function count_entry_alone() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.kind = new.kind then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    update book_counts set employer_count = employer_count - 1
     where organization_id = old.organization_id and kind = old.kind;
  end if;
  if tg_op <> 'DELETE' then
    insert into book_counts as known (organization_id, kind, employer_count)
    values (new.organization_id, new.kind, 1)
    on conflict (organization_id, kind) do update set employer_count = known.employer_count + 1;
  end if;
  return null;
end $$;
