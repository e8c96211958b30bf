-- The first day of coverage: the waiting period is over, for medical products no later than 90 days after the anchor;
-- and the plan year and the benefit have begun. The cap acts on the waiting period alone.
create or replace function coverage_starts_on(anchor date, waited date, benefit_starts_on date, plan_year_starts_on date, medical boolean) returns date
  language sql immutable parallel safe
  return greatest(plan_year_starts_on, benefit_starts_on,
                  case when medical then least(waited, anchor + 90) else waited end);

-- When a run became known. Who is granted something during an open enrollment chooses until that ends if their run was
-- known when it began, and else for 30 days like any newcomer. It is noted and not derived: the past is not told again.
alter table employee_eligibilities add column known_on date not null default '-infinity';
alter table employee_eligibilities alter column known_on drop default;
