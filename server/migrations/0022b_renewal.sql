-- How a plan year follows on the one before: `passive` carries who was enrolled and has not answered, `active` asks
-- everybody. Plan years that are there keep to what they were opened with.
alter table benefit_plan_years
  add column renewal text not null default 'active' check (renewal in ('passive', 'active')),
  -- former plan id to new plan id, of plans that are not offered again
  add column plan_successors jsonb not null default '{}',
  -- the day on which it was renewed; null: not yet, or to be renewed anew after a change
  add column renewed_on date;

-- The day on which a plan year is renewed: the first after open enrollment, or its own first.
create function renewal_due_on(open_enrollment_end date, coverage_start date) returns date
  language sql immutable parallel safe
  return coalesce(open_enrollment_end + 1, coverage_start);

-- The plan years that are still to be renewed, by the day.
create index benefit_plan_years_to_renew on benefit_plan_years (
  renewal_due_on(open_enrollment_end, coverage_start), organization_id
) where renewal = 'passive' and renewed_on is null;

-- Who gave the answer, and who made each election; null: not known, since it was not noted before.
alter table enrollments add column elected_by text
  check (elected_by in ('employee', 'partner', 'operator', 'renewal')), add check (elected_by is null or answer is not null);
alter table elections add column elected_by text check (elected_by in ('employee', 'partner', 'operator', 'renewal'));
