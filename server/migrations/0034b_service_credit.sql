-- Service that counts: who comes back within so many weeks has not to wait again. Policies that are there credit whoever
-- comes back from now on: of the others the days of coverage were told already.
alter table benefit_eligibility_policies
  add column service_credit_weeks integer not null default 13
    constraint benefit_eligibility_policies_service_credit_weeks_check check (service_credit_weeks between 0 and 52),
  add column service_credit_from date not null default '-infinity';
update benefit_eligibility_policies as policy
   set service_credit_from = (now() at time zone 'America/New_York')::date + organization.clock_offset_days
  from organizations as organization
 where organization.id = policy.organization_id;

-- Of who came back in time: the first day of the service that counts.
alter table employee_eligibilities add column service_from date;

-- The first day on which a policy has been waited out by who came back: the waiting goes on from the first day of their
-- service, and coverage begins with a month, but at once where nobody waits; never later than without that service.
create function returned_waiting_ends_on(
  anchored_on date, service_from date, waiting_period text, policy_from_on date, start_alignment text
) returns date
  language sql immutable parallel safe
  return least(
    waiting_ends_on(anchored_on, waiting_period, policy_from_on, start_alignment),
    greatest(
      waiting_ends_on(anchored_on, case waiting_period when 'none' then 'none' else 'first_of_following_month' end,
                      '-infinity', start_alignment),
      waiting_ends_on(service_from, waiting_period, policy_from_on, start_alignment)));

-- Whether somebody came back in time: so many weeks after their last day of eligibility at the most, and not because
-- the employer itself did.
create function is_return(anchored_on date, former_end date, service_credit_weeks integer, served_from date) returns boolean
  language sql immutable parallel safe
  return coalesce(service_credit_weeks > 0 and anchored_on <= former_end + 7 * service_credit_weeks
                  and served_from < anchored_on, false);

-- What was elected before a return holds again by itself.
alter table enrollments drop constraint enrollments_elected_by_check;
alter table enrollments add constraint enrollments_elected_by_check
  check (elected_by in ('employee', 'partner', 'operator', 'renewal', 'return'));
alter table elections drop constraint elections_elected_by_check;
alter table elections add constraint elections_elected_by_check
  check (elected_by in ('employee', 'partner', 'operator', 'renewal', 'return'));
