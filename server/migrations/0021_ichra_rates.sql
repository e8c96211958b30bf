-- What plans cost by age and rating area. A list holds all premiums of a plan in an area from a day on; an import that
-- changes any of them adds the next version of the list, so that plan years keep those that they were opened with.
create table plan_area_rates (
  organization_id text collate "C" not null,
  plan_id text collate "C" not null,
  state text not null,
  -- '': the whole state, as far as a county has no list of its own
  county text collate pg_c_utf8 not null,
  county_key text collate pg_c_utf8 not null generated always as (lower(county)) stored,
  effective_on date not null,
  -- counts the imports that changed premiums of the plan
  version int not null,
  -- [{ coverage_tier, min_age, max_age, premium_in_cents }]: of everybody of an age, or, where ages make no difference,
  -- of a tier
  rates jsonb not null,
  created_at timestamptz not null,
  primary key (plan_id, organization_id, state, county_key, effective_on, version),
  foreign key (plan_id, organization_id) references plans (id, organization_id)
);

-- How a plan year prices a plan: by the tier; by age and area, at the lists up to a version; or as the person tells.
alter table plan_year_rates
  add column pricing text not null default 'tier' check (pricing in ('tier', 'area', 'told')),
  add column area_version int,
  alter column tier_id drop not null,
  drop constraint plan_year_rates_check,
  add constraint plan_year_rates_check check (
    most_contribution_in_cents >= least_contribution_in_cents
    and (pricing <> 'tier' or most_contribution_in_cents <= premium_in_cents and tier_id is not null)),
  add check ((pricing = 'area') = (area_version is not null));

-- Which rating area of a state somebody lives in.
alter table members add column county text collate pg_c_utf8;

-- What the person told of a plan that they bought themselves: nothing of it is deducted, they pay the rest themselves.
alter table elections
  alter column tier_id drop not null,
  add column bought_on_exchange boolean,
  add column individual_plan_name text,
  drop constraint elections_check,
  add constraint elections_check check (
    premium_in_cents = employer_contribution_in_cents + employee_deduction_in_cents
    or individual_plan_name is not null and employee_deduction_in_cents = 0
       and employer_contribution_in_cents <= premium_in_cents);

-- The lowest-cost silver premium by age and area, from the first of a month on: public figures, the same for everybody.
create table lowest_cost_silver_premiums (
  state text not null,
  county text collate pg_c_utf8 not null,
  county_key text collate pg_c_utf8 not null generated always as (lower(county)) stored,
  effective_on date not null,
  min_age int not null,
  -- null: and above
  max_age int,
  premium_in_cents bigint not null,
  primary key (state, county_key, effective_on, min_age)
);

-- What an employee earns a month, from a day on: one way to tell whether ICHRA is affordable.
create table employee_wages (
  organization_id text collate "C" not null,
  employee_id text collate "C" not null,
  effective_on date not null,
  monthly_wage_in_cents bigint not null check (monthly_wage_in_cents >= 0),
  updated_at timestamptz not null,
  primary key (employee_id, organization_id, effective_on),
  foreign key (employee_id, organization_id) references employees (id, organization_id)
);
