-- What is looked up by an expression gets a column: past a policy PostgreSQL asks an index for plain columns alone,
-- since it can't know that an expression tells nobody what it sees (decision 90).

alter table members
  add column email_key text collate "C" generated always as (lower(email)) stored,
  add column sound_key text collate "C" generated always as (sound(name_key)) stored,
  add column last_name_key text collate "C" generated always as (split_part(name_key, '|', 2)) stored;
drop index members_email, members_alike, members_by_last_name;
create unique index members_email on members (email_key, organization_id);
create index members_alike on members (date_of_birth, sound_key, organization_id);
create index members_by_last_name on members (last_name_key, organization_id, id);

alter table organizations
  add column name_key text collate pg_c_utf8 generated always as (lower(name collate pg_c_utf8)) stored;
drop index organizations_by_name;
create index organizations_by_name on organizations (name_key, id);

alter table employees add column reference_key text collate "C" generated always as (employer_id || reference_id) stored;
drop index employees_by_reference;
create index employees_by_reference on employees (reference_key, organization_id) where reference_key is not null;

alter table group_members add column reference_key text collate "C" generated always as (group_id || reference_id) stored;
drop index group_members_by_reference, former_group_members_by_reference;
create unique index group_members_by_reference on group_members (reference_key, organization_id) where left_at is null;
create index former_group_members_by_reference on group_members (reference_key, organization_id)
  where left_at is not null;

alter table employers
  add column name_key text collate pg_c_utf8 generated always as (lower(name)) stored,
  add column legal_name_key text collate pg_c_utf8 generated always as (lower(legal_name)) stored,
  add column email_key text collate "C" generated always as (lower(email)) stored;
drop index employers_name, employers_legal_name, employers_email;
create unique index employers_name on employers (name_key, organization_id);
create unique index employers_legal_name on employers (legal_name_key, organization_id);
create unique index employers_email on employers (email_key, organization_id);

alter table employer_admins add column email_key text collate "C" generated always as (lower(email)) stored;
drop index employer_admins_by_email, employer_admins_email;
create index employer_admins_by_email on employer_admins (email_key, organization_id) where disabled_at is null;
create unique index employer_admins_email on employer_admins (employer_id, email_key, organization_id);

alter table carriers add column name_key text collate pg_c_utf8 generated always as (lower(name)) stored;
drop index carriers_name;
create unique index carriers_name on carriers (name_key, organization_id);

alter table benefit_products add column name_key text collate pg_c_utf8 generated always as (lower(name)) stored;
drop index benefit_products_name;
create unique index benefit_products_name on benefit_products (name_key, organization_id);

alter table benefit_plan_years
  add column renewal_due_on date generated always as (renewal_due_on(open_enrollment_end, coverage_start)) stored;
drop index benefit_plan_years_to_renew;
create index benefit_plan_years_to_renew on benefit_plan_years (renewal_due_on, organization_id)
  where renewal = 'passive' and renewed_on is null;

drop index hris_connections_of_organization;
create index hris_connections_of_organization on hris_connections (organization_id, provider)
  where disconnected_at is null;
