-- Each period of eligibility has its own grant, and pending enrollments that return or move have 30 days.

-- The first day of the period for which an enrollment was granted, as it was known then: anchored_on follows the period.
-- Null for enrollments granted before this was stored: their anchored_on counts.
alter table enrollments add column granted_for date;

-- Whether an enrollment belongs to a period of eligibility: the one that contains the day for which it was granted. If
-- the first day of the employment has moved behind that day, it belongs to the period with which the employment begins
-- now, unless it was over before. A grant for a period that was withdrawn belongs to no later one.
create function is_of_period(granted_for date, inactive_on date, hired_on date, anchored_on date, lost_on date)
  returns boolean
  language sql immutable parallel safe
  return granted_for >= anchored_on and coalesce(granted_for < lost_on, true)
      or granted_for < hired_on and anchored_on = hired_on and coalesce(inactive_on > hired_on, true);

-- Whether an enrollment gets a window of 30 days: it is pending, and it is active again or its first day has moved.
create function window_reopens(
  answer text, inactive_on date, new_inactive_on date, coverage_start date, new_start date, today date
) returns boolean
  language sql immutable parallel safe
  return answer is null and coalesce(new_inactive_on > today, true)
     and (coalesce(inactive_on <= today, false) or coalesce(coverage_start <> new_start, false));
