-- How many organizations and users there are, so that a list of all of them counts none. Each backend counts in a strand
-- of its own, more or less, so that who adds some waits for nobody else who does.
create table directory_counts (
  of_table text not null,
  strand smallint not null,
  row_count bigint not null,
  primary key (of_table, strand)
);

insert into directory_counts (of_table, strand, row_count)
select 'organizations', 0, count(*) from organizations
 union all
select 'users', 0, count(*) from users;

create function count_added() returns trigger language plpgsql as $$
begin
  insert into directory_counts as counted (of_table, strand, row_count)
  select tg_table_name, pg_backend_pid() % 64, count(*) from added
  on conflict (of_table, strand) do update set row_count = counted.row_count + excluded.row_count;
  return null;
end $$;

create trigger counted after insert on organizations
  referencing new table as added for each statement execute function count_added();
create trigger counted after insert on users
  referencing new table as added for each statement execute function count_added();

-- The member syncs of all groups and of an organization's, newest first, and those that are under way.
create index group_member_syncs_in_order on group_member_syncs (accepted_at desc, id desc)
  include (organization_id, group_id);
create index group_member_syncs_of_organization on group_member_syncs (organization_id, accepted_at desc, id desc);
create index group_member_syncs_under_way on group_member_syncs (accepted_at desc, id desc)
  include (organization_id, group_id) where completed_at is null;

-- Drafts of invoices that wait by now, as those will from here on.
insert into open_matters (id, organization_id, employer_id, kind, resource_id, details, opened_at)
select
  new_id('omat'), invoice.organization_id, invoice.employer_id, 'invoice_drafted', invoice.invoice_id,
  jsonb_build_object(
    'period', to_char(invoice.period, 'YYYY-MM'), 'issued_by_itself_on', invoice.drafted_on + 3
  ),
  invoice.drafted_at
from invoices as invoice
where invoice.drafted_at is not null and invoice.issued_at is null and invoice.voided_at is null;
