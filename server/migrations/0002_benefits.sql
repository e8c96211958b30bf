-- The engine's calendar rules are functions of days alone, so that a hundred thousand people are one statement and
-- the explanation of one person is the same rule. server/modules/eligibility/calendar.test.ts holds them as tables.

create function month_end(day date) returns date
  language sql immutable parallel safe
  return (date_trunc('month', day::timestamp) + interval '1 month' - interval '1 day')::date;

-- The day on which a waiting period that began on the anchor is over.
create function waited_on(anchor date, waiting_period text) returns date
  language sql immutable parallel safe
  return case waiting_period
           when 'none' then anchor
           when 'first_of_following_month' then month_end(anchor) + 1
           when '30_days' then anchor + 30
           when '60_days' then anchor + 60
         end;

-- The first day of coverage: the waiting period is over and the benefit has begun, for medical products never later
-- than 90 days after the anchor, and never before the plan year begins.
create function coverage_starts_on(anchor date, waited date, benefit_starts_on date, plan_year_starts_on date, medical boolean) returns date
  language sql immutable parallel safe
  return greatest(plan_year_starts_on,
                  case when medical then least(greatest(waited, benefit_starts_on), anchor + 90)
                       else greatest(waited, benefit_starts_on) end);

-- A new id of a kind, as the service makes them: the prefix and a UUIDv7 in TypeID's base 32. Not in the language sql,
-- whose body the planner may take for one value of the whole statement.
create function new_id(prefix text) returns text
  language plpgsql volatile parallel safe as $$
declare
  bits constant bit(130) := B'00' || ('x' || replace(uuidv7()::text, '-', ''))::bit(128);
  id text := prefix || '_';
begin
  for at in 0..25 loop
    id := id || substr('0123456789abcdefghjkmnpqrstvwxyz', substring(bits from at * 5 + 1 for 5)::int + 1, 1);
  end loop;
  return id;
end $$;

-- test clocks ------------------------------------------------------------------------------------

-- A sandbox organization may live some days ahead of the calendar; turned_on is the last day that was turned for it.
alter table organizations
  add column clock_offset_days int not null default 0 check (clock_offset_days >= 0),
  add column turned_on date;
update organizations set turned_on = (select max(day) from turned_days);
drop table turned_days;
-- The turn of the day looks for those whose day has not been turned.
create index organizations_by_turn on organizations (turned_on);
-- Credentials ask for the clocks of what they reach.
create index organizations_with_clock on organizations (id) where clock_offset_days > 0;
-- A day turns for one organization at a time.
drop index organizations_to_mirror;
drop index employer_subscriptions_by_start;
create index employer_subscriptions_by_start on employer_subscriptions (started_on, organization_id);
drop index employees_to_deactivate;
create index employees_to_deactivate on employees (organization_id, terminated_on) where terminated_on is not null and deactivated_at is null;

-- catalog ----------------------------------------------------------------------------------------

create table carriers (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  name text collate pg_c_utf8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id)
);
create unique index carriers_name on carriers (lower(name), organization_id);

create table benefit_products (
  id text collate "C" not null,
  organization_id text collate "C" not null references organizations,
  product_code text not null check (product_code in ('EBA', 'VPC', 'VPC_CORE', 'MEC', 'MEC2', 'MEC_PLUS', 'MVP', 'MVP2', 'MVPSL', 'MVPSL2', 'VD', 'VV', 'ICHRA', 'ICHRA_PREMIUM_PLUS', 'ICHRA_REIMBURSEMENT_ONLY')),
  category text not null check (category in ('Medical', 'Dental', 'Vision', 'Hospital')),
  family text not null generated always as (
    case when product_code in ('EBA', 'MEC', 'MEC2', 'MEC_PLUS') then 'mec'
         when product_code like 'MVP%' then 'mvp'
         when product_code like 'ICHRA%' then 'ichra'
         when product_code in ('VPC', 'VPC_CORE') then 'vpc'
         when product_code = 'VD' then 'dental'
         else 'vision' end) stored,
  name text collate pg_c_utf8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id)
);
create unique index benefit_products_name on benefit_products (lower(name), organization_id);

create table plans (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  benefit_id text collate "C" not null,
  carrier_id text collate "C" not null,
  name text collate pg_c_utf8 not null,
  network_names text[] not null default '{}',
  -- the summary plan description
  spd_file_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (benefit_id, organization_id) references benefit_products,
  foreign key (carrier_id, organization_id) references carriers
);
create unique index plans_name on plans (lower(name), benefit_id, organization_id);
create index plans_of_benefit on plans (benefit_id, organization_id);
create index plans_of_carrier on plans (carrier_id, organization_id);
-- The list of an organization's plans.
create index plans_of_organization on plans (organization_id, name, id);

-- The monthly premium of a plan per tier, from a day on until the next row's.
create table plan_tier_rates (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  plan_id text collate "C" not null,
  coverage_tier text not null check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  effective_on date not null,
  premium_in_cents bigint not null check (premium_in_cents >= 0),
  created_at timestamptz not null,
  primary key (id, organization_id),
  unique (plan_id, coverage_tier, effective_on, organization_id),
  foreign key (plan_id, organization_id) references plans
);

-- What an employer usually allows per month for an ICHRA plan, by class, age, family and state; null: whichever.
create table ichra_allowances (
  organization_id text collate "C" not null,
  plan_id text collate "C" not null,
  position int not null,
  employee_class text check (employee_class in ('Full Time', 'Part Time', 'Temporary', 'Intern', 'Seasonal', 'Individual Contractor')),
  min_age int,
  max_age int,
  state text,
  coverage_tier text check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  allowance_in_cents bigint not null check (allowance_in_cents >= 0),
  primary key (plan_id, organization_id, position),
  foreign key (plan_id, organization_id) references plans
);

-- plan years -------------------------------------------------------------------------------------

create table benefit_plan_years (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  year int not null,
  coverage_start date not null,
  coverage_end date not null check (coverage_end > coverage_start),
  open_enrollment_start date,
  open_enrollment_end date check (open_enrollment_end >= open_enrollment_start),
  -- empty: offered in every state
  offered_states text[] not null default '{}',
  -- how many employees have an enrollment that is not inactive, and how many are enrolled, today or on the last day of a
  -- plan year that is over; kept by enrollments
  eligible_count bigint not null default 0,
  enrolled_count bigint not null default 0,
  -- how many enrollments were ever granted in it: the total of their list
  enrollment_count bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers,
  check ((open_enrollment_start is null) = (open_enrollment_end is null)),
  -- Over an expression, see employees.
  constraint one_plan_year_at_a_time exclude using gist ((employer_id || '') with =, daterange(coverage_start, coverage_end, '[]') with &&)
);
create index benefit_plan_years_of_employer on benefit_plan_years (employer_id, organization_id, coverage_start desc);
-- The turn of the day looks for those at which something begins or ends.
create index benefit_plan_years_by_start on benefit_plan_years (coverage_start, organization_id);
create index benefit_plan_years_by_end on benefit_plan_years (coverage_end, organization_id);
create index benefit_plan_years_by_window_start on benefit_plan_years (open_enrollment_start, organization_id) where open_enrollment_start is not null;

-- A benefit that a plan year offers, and what the employer contributes to it.
create table plan_year_benefits (
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  -- the order in which the operator named them; the first leads the plan year
  position int not null,
  starts_on date not null,
  -- {contribution_tiers: [...], ichra_contribution_classes: [...]}
  contribution_strategy jsonb not null,
  -- taken out of the offer; its enrollments stay
  withdrawn_at timestamptz,
  eligible_count bigint not null default 0,
  enrolled_count bigint not null default 0,
  primary key (plan_year_id, organization_id, benefit_id),
  foreign key (plan_year_id, organization_id) references benefit_plan_years,
  foreign key (benefit_id, organization_id) references benefit_products
);
-- With the plan year, since the check of a foreign key to this table may take it, and its plan is kept: by the benefit
-- alone it would read every plan year that offers it.
create index plan_year_benefits_of_benefit on plan_year_benefits (benefit_id, plan_year_id, organization_id);

-- The price list of a plan year, taken from the catalog when it was opened or changed. The contribution to an
-- ICHRA depends on the person, so it has a least and a most.
create table plan_year_rates (
  organization_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  plan_id text collate "C" not null,
  coverage_tier text not null check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  tier_id text collate "C" not null,
  premium_in_cents bigint not null check (premium_in_cents >= 0),
  least_contribution_in_cents bigint not null check (least_contribution_in_cents >= 0),
  most_contribution_in_cents bigint not null check (most_contribution_in_cents between least_contribution_in_cents and premium_in_cents),
  primary key (plan_year_id, organization_id, plan_id, coverage_tier),
  foreign key (plan_year_id, organization_id, benefit_id) references plan_year_benefits,
  foreign key (plan_id, organization_id) references plans
);
create index plan_year_rates_of_plan on plan_year_rates (plan_id, organization_id);

-- One row per employer with a plan year: what the book shows and filters by without asking for plan years or people.
-- Kept by plan-years when they change and when the turn of the day passes holds_until.
create table employer_benefits (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  first_coverage_start date not null,
  -- the current plan year, or else the next one, or else the last one
  plan_year_id text collate "C" not null,
  coverage_start date not null,
  coverage_end date not null,
  -- the end of the current plan year, or else of the last one that was; null before the first
  latest_coverage_end date,
  -- the first open enrollment that is not over
  open_enrollment_start date,
  open_enrollment_end date,
  -- upper case, of the benefits that have begun in the current plan year
  families text[] not null,
  -- The row is right on days in [holds_from, holds_until); on others employer_benefits_on is asked.
  holds_from date not null,
  holds_until date not null,
  primary key (employer_id, organization_id),
  foreign key (employer_id, organization_id) references employers
);
-- The turn of the day looks for those that hold no longer; the filters of the book read all of an organization.
create index employer_benefits_of_organization on employer_benefits (organization_id, holds_until);

-- The row of employer_benefits as it is to be on a day; none for an employer without a plan year.
create function employer_benefits_on(of_employer text, of_organization text, day date) returns setof employer_benefits
  language sql stable parallel safe
begin atomic
  with years as materialized (
    select year.id, year.coverage_start, year.coverage_end, year.open_enrollment_start, year.open_enrollment_end
      from benefit_plan_years as year
     where year.employer_id = of_employer and year.organization_id = of_organization
  ), offers as materialized (
    select benefit.plan_year_id, benefit.starts_on, upper(product.family) as family
      from years
      join plan_year_benefits as benefit on benefit.plan_year_id = years.id and benefit.organization_id = of_organization
      join benefit_products as product on product.id = benefit.benefit_id and product.organization_id = of_organization
     where benefit.withdrawn_at is null
  ), boundaries as (
    select max(at) filter (where at <= day) as former, min(at) filter (where at > day) as next
      from (select unnest(array[coverage_start, coverage_end + 1, open_enrollment_start, open_enrollment_end + 1]) as at from years
             union all
            select starts_on from offers) as boundary
  )
  select of_organization, of_employer, (select min(coverage_start) from years), chosen.id, chosen.coverage_start, chosen.coverage_end,
         (select max(coverage_end) from years where coverage_start <= day), election.open_enrollment_start, election.open_enrollment_end,
         array(select distinct family from offers
                where plan_year_id = chosen.id and starts_on <= day and day between chosen.coverage_start and chosen.coverage_end
                order by family),
         coalesce(boundaries.former, '-infinity'), coalesce(boundaries.next, 'infinity')
    from (select * from years
           order by coverage_end < day, case when coverage_end >= day then coverage_start end, coverage_end desc limit 1) as chosen
    left join (select open_enrollment_start, open_enrollment_end from years where open_enrollment_end >= day
                order by open_enrollment_start, open_enrollment_end limit 1) as election on true
   cross join boundaries;
end;

-- eligibility ------------------------------------------------------------------------------------

-- From which day to which a policy is the one in force: [effective_on, archived_on), the first one since ever.
alter table benefit_eligibility_policies
  add column effective_on date,
  add column archived_on date;
update benefit_eligibility_policies
   set effective_on = (created_at at time zone 'America/New_York')::date,
       archived_on = (archived_at at time zone 'America/New_York')::date;
alter table benefit_eligibility_policies alter column effective_on set not null;
create index policies_of_employer on benefit_eligibility_policies (employer_id, organization_id, effective_on);

-- The time in which an employee is in an eligible class: one row per run, derived from employment, classes and
-- policies, and rewritten only where it differs. server/modules/eligibility/queries.ts says how.
create table employee_eligibilities (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  -- the first day of the run: hired, or entered an eligible class
  anchored_on date not null,
  -- the day on which the waiting period is over, and the policy that it was waited out under
  waited_on date not null,
  policy_id text collate "C" not null,
  -- the first day no longer eligible
  lost_on date check (lost_on > anchored_on),
  -- the last day of the month of the loss
  covered_until date,
  primary key (employee_id, organization_id, anchored_on)
);

-- What was last told of an employee's eligibility, and the next day on which time alone changes it.
create table eligibility_standings (
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  eligible boolean not null,
  due_on date,
  primary key (employee_id, organization_id)
);
-- The turn of the day looks for those who are due.
create index eligibility_standings_due on eligibility_standings (organization_id, due_on) where due_on is not null;

-- dependents -------------------------------------------------------------------------------------

-- The last day on which somebody can be covered as a dependent: of a child the end of the month of the 26th birthday
-- (born on 29 February: 1 March), of one who ended the end of that month, whichever comes first; null: no end known.
create function dependent_covered_until(relationship text, date_of_birth date, ended_on date) returns date
  language sql immutable parallel safe
  return least(case when relationship = 'child'
                    then month_end((date_of_birth + ((extract(month from date_of_birth), extract(day from date_of_birth)) = (2, 29))::int
                                    + interval '26 years')::date) end,
               month_end(ended_on));

create table dependents (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  -- a dependent belongs to the person, whoever employs them
  member_id text collate "C" not null,
  relationship text not null check (relationship in ('spouse', 'child')),
  first_name text not null,
  last_name text not null,
  suffix text,
  date_of_birth date not null,
  gender text,
  -- the last day as a dependent
  ended_on date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (member_id, organization_id) references members
);
create index dependents_of_member on dependents (member_id, organization_id, created_at);
-- One active spouse.
create unique index one_spouse on dependents (member_id, organization_id) where relationship = 'spouse' and ended_on is null;

-- Since which day somebody lives in their state, when they moved while we knew them: what is offered there is not
-- granted for the time before.
alter table members add column moved_on date;

-- enrollments ------------------------------------------------------------------------------------

create table enrollments (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  plan_year_id text collate "C" not null,
  benefit_id text collate "C" not null,
  -- the run of eligibility that it belongs to
  anchored_on date not null,
  granted_on date not null,
  -- the last day of the window that the grant opened
  window_ends_on date not null,
  coverage_start date not null,
  -- the last day of coverage once an end is known; before coverage_start when it never begins
  coverage_end date,
  -- set by a life event or the operator, and left alone by the engine
  coverage_start_fixed boolean not null default false,
  coverage_end_fixed boolean not null default false,
  answer text check (answer in ('enrolled', 'waived')),
  answered_at timestamptz,
  waiver_reason text,
  -- the first day on which it is inactive
  inactive_on date,
  -- when the end took effect
  terminated_at timestamptz,
  -- what the counts of the plan year hold of it: 'enrolled', 'eligible', or null when inactive before its end
  counted text check (counted in ('enrolled', 'eligible')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employer_id, organization_id) references employers,
  foreign key (employee_id, organization_id) references employees,
  foreign key (plan_year_id, organization_id, benefit_id) references plan_year_benefits,
  check ((answer is null) = (answered_at is null))
);
create index enrollments_of_employee on enrollments (employee_id, organization_id, created_at desc, id desc);
create index enrollments_of_plan_year on enrollments (plan_year_id, organization_id, created_at desc, id desc);
-- The turn of the day looks for those that become inactive.
create index enrollments_by_inactivity on enrollments (organization_id, inactive_on) where inactive_on is not null;

-- What was elected: plan, tier and the monthly cost, rounded once. The first election has '-infinity' and so holds from
-- the first day of coverage, wherever that moves; a later one from its own day on.
create table elections (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  effective_on date not null,
  plan_id text collate "C" not null,
  coverage_tier text not null check (coverage_tier in ('EE', 'ES', 'EC', 'EF')),
  tier_id text collate "C" not null,
  premium_in_cents bigint not null,
  employer_contribution_in_cents bigint not null,
  employee_deduction_in_cents bigint not null,
  elected_at timestamptz not null,
  primary key (enrollment_id, organization_id, effective_on),
  foreign key (enrollment_id, organization_id) references enrollments,
  foreign key (plan_id, organization_id) references plans,
  check (premium_in_cents = employer_contribution_in_cents + employee_deduction_in_cents)
);
create index elections_of_plan on elections (plan_id, organization_id);

-- Who is covered with the employee by an election, for as long as it holds, or until a day before.
create table covered_dependents (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  effective_on date not null,
  dependent_id text collate "C" not null,
  covered_until date,
  primary key (enrollment_id, organization_id, effective_on, dependent_id),
  foreign key (enrollment_id, organization_id, effective_on) references elections on delete cascade,
  foreign key (dependent_id, organization_id) references dependents
);
create index covered_dependents_of_dependent on covered_dependents (dependent_id, organization_id);

-- What the operator set right at an enrollment, and why. Append-only.
create table enrollment_corrections (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  position int not null,
  reason text not null,
  changes jsonb not null,
  corrected_at timestamptz not null,
  primary key (enrollment_id, organization_id, position),
  foreign key (enrollment_id, organization_id) references enrollments
);

-- life events ------------------------------------------------------------------------------------

create table qualifying_life_events (
  id text collate "C" not null,
  organization_id text collate "C" not null,
  employer_id text collate "C" not null,
  employee_id text collate "C" not null,
  type text not null,
  occurred_on date not null,
  description text,
  decision text check (decision in ('approved', 'declined')),
  decided_at timestamptz,
  decision_reason text,
  -- the window that an approval opens, first to last day
  window_start date,
  window_end date,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, organization_id),
  foreign key (employee_id, organization_id) references employees,
  check ((decision is null) = (decided_at is null)),
  check ((decision = 'approved') = (window_start is not null) or decision is null)
);
create index life_events_of_employee on qualifying_life_events (employee_id, organization_id, created_at desc);
-- The operator decides about the oldest first.
create index life_events_to_decide on qualifying_life_events (created_at, id) where decision is null;
