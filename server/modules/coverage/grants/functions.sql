-- The stages of judge-enrollments.sql as functions of one enrollment. stages.test.ts and choices.test.ts hold tables
-- of cases.

-- Whether a benefit that is offered today may be granted: from open enrollment or the first day of the plan year,
-- until the last day.
create or replace function is_grantable(
  offered boolean,
  open_enrollment_start date,
  year_start date,
  year_end date,
  today date
)
returns boolean
language sql
immutable
parallel safe
return offered
and year_end >= today
and (open_enrollment_start is null or least(open_enrollment_start, year_start) <= today);

-- The last day to elect or waive after a grant. Employees who were eligible before open enrollment use the window of
-- open enrollment, even if it moves, and have no window of their own. Employees added or moved during open enrollment
-- have 30 days, like new hires.
create or replace function grant_window_ends_on(
  anchored_on date,
  known_on date,
  moved_today boolean,
  open_enrollment_start date,
  open_enrollment_end date,
  today date
)
returns date
language sql
immutable
parallel safe
return case
  when today >= open_enrollment_start
  and today <= open_enrollment_end
  and greatest(anchored_on, known_on) < open_enrollment_start
  and not moved_today then today
  else today + 30
end;

-- Whether an enrollment belongs to a period of eligibility: to the period that contains the day for which it was
-- granted. If the hire date moved after that day, it belongs to the period that now begins with the hire date, unless
-- the enrollment ended before. A grant for a withdrawn period belongs to no later period.
create or replace function is_of_period(
  granted_for date,
  inactive_on date,
  hired_on date,
  anchored_on date,
  lost_on date
)
returns boolean
language sql
immutable
parallel safe
return granted_for >= anchored_on
and coalesce(granted_for < lost_on, true)
or granted_for < hired_on
and anchored_on = hired_on
and coalesce(inactive_on > hired_on, true);

-- Whether an enrollment still follows the facts: it is active, its end is not published yet, or its end was caused by
-- the facts.
create or replace function follows_facts(inactive_on date, terminated_at timestamptz, ended_by text, today date)
returns boolean
language sql
immutable
parallel safe
return terminated_at is null
or coalesce(inactive_on > today, true)
or coalesce(ended_by in ('loss', 'duplicate', 'plan_year'), false);

-- The first day of coverage by the period of eligibility alone. Fixed if the enrollment is settled, if an operator or
-- an election fixed it, or if no period is left.
create or replace function span_start(
  unsettled boolean,
  coverage_start date,
  coverage_start_fixed boolean,
  anchored_on date,
  waited_on date,
  benefit_starts_on date,
  year_start date,
  medical boolean
)
returns date
language sql
immutable
parallel safe
return case
  when coverage_start_fixed
  or anchored_on is null
  or not unsettled then coverage_start
  else coverage_starts_on(anchored_on, waited_on, benefit_starts_on, year_start, medical)
end;

-- The last day of coverage by the period of eligibility alone. Null until the period ends within the plan year, or
-- the plan year is over.
create or replace function span_end(lost_on date, covered_until date, year_end date, today date)
returns date
language sql
immutable
parallel safe
return case
  when lost_on <= year_end + 1 then least(covered_until, year_end)
  when year_end < today then year_end
end;

-- The day after the period: the first day without eligibility, or the first day after the plan year. Null like
-- span_end.
create or replace function span_ending_on(lost_on date, year_end date, today date)
returns date
language sql
immutable
parallel safe
return case
  when lost_on <= year_end + 1 then lost_on
  when year_end < today then year_end + 1
end;

-- The last day of coverage of a settled enrollment, or of one with an end set by an operator. A loss of eligibility
-- that is reported later still moves it back, to the day it would have had.
create or replace function kept_end(
  coverage_start date,
  coverage_end date,
  coverage_end_fixed boolean,
  span_end date,
  ending_on date
)
returns date
language sql
immutable
parallel safe
return case
  when coverage_end_fixed then coverage_end
  when ending_on <= coverage_start then least(coverage_end, coverage_start - 1)
  else least(coverage_end, span_end)
end;

-- The last day on which an enrollment prevents coverage by a later one of the same benefit. Only elected coverage does
-- so, and only one enrollment of each period. `keeps_end`: the last day is kept_end, and no longer follows the period.
create or replace function taken_until(
  answer text,
  doubled boolean,
  keeps_end boolean,
  coverage_start date,
  kept_end date,
  span_start date,
  span_end date,
  ending_on date
)
returns date
language sql
immutable
parallel safe
return case
  when answer is distinct from 'enrolled'
  or doubled then null
  when not keeps_end then case
    when ending_on > span_start then span_end
  end
  when kept_end >= coverage_start then kept_end
end;

-- The first day of coverage. It comes after the days that earlier enrollments take, including those of an earlier
-- employment at this employer, because no day is covered twice. After a move into an offered state, coverage begins on
-- `moved_on`.
create or replace function new_coverage_start(
  keeps_start boolean,
  span_start date,
  covered_before date,
  taken_before date,
  moved_on date
)
returns date
language sql
immutable
parallel safe
return case
  when keeps_start then span_start
  else greatest(span_start, covered_before + 1, taken_before + 1, moved_on)
end;

-- The first day of coverage to store: a void enrollment keeps the stored one.
create or replace function kept_coverage_start(id text, void boolean, coverage_start date, new_start date)
returns date
language sql
immutable
parallel safe
return case
  when id is not null
  and void then coverage_start
  else new_start
end;

-- Whether an enrollment has no effect: it has no period, another enrollment has its period, it could only start after
-- the plan year, or it is no longer offered and was not elected.
create or replace function is_void(
  unsettled boolean,
  anchored_on date,
  doubled boolean,
  new_start date,
  year_end date,
  offered boolean,
  answer text
)
returns boolean
language sql
immutable
parallel safe
return unsettled
and (anchored_on is null or doubled or new_start > year_end or not offered and answer is distinct from 'enrolled');

-- The last day of coverage. Null if there is no end. The day before the first day if nothing is covered.
create or replace function new_coverage_end(
  keeps_end boolean,
  kept_end date,
  void boolean,
  answer text,
  new_start date,
  span_end date,
  ending_on date,
  today date
)
returns date
language sql
immutable
parallel safe
return case
  when keeps_end then kept_end
  when void
  or ending_on <= today
  and answer is distinct from 'enrolled' then new_start - 1
  when answer is distinct from 'enrolled' then null
  when ending_on <= new_start then new_start - 1
  else span_end
end;

-- The day from which an enrollment is inactive. Null while it stays active.
create or replace function new_inactive_on(
  keeps_end boolean,
  inactive_on date,
  void boolean,
  answer text,
  new_start date,
  span_end date,
  ending_on date,
  today date
)
returns date
language sql
immutable
parallel safe
return case
  when keeps_end then inactive_on
  when void then least(inactive_on, today)
  when answer = 'enrolled'
  and ending_on > new_start then span_end + 1
  else ending_on
end;

-- When the termination of an enrollment was published: on the day when eligibility ends, or when an end set by an
-- operator takes effect. Null again if that day moves into the future.
create or replace function new_terminated_at(
  unsettled boolean,
  terminated_at timestamptz,
  coverage_end_fixed boolean,
  inactive_on date,
  void boolean,
  ending_on date,
  today date,
  now timestamptz
)
returns timestamptz
language sql
immutable
parallel safe
return case
  when not unsettled then terminated_at
  when coverage_end_fixed then case
    when inactive_on <= today then coalesce(terminated_at, now)
  end
  when void
  or ending_on <= today then coalesce(terminated_at, now)
end;

-- Why coverage ended. The reason follows the facts: if a loss of eligibility is withdrawn, a closed plan year may be
-- the reason instead. Ends by operators, by withdrawn offers and by duplicates keep their reason.
create or replace function new_ended_by(
  ended_by text,
  terminated_at timestamptz,
  coverage_end_fixed boolean,
  anchored_on date,
  doubled boolean,
  new_start date,
  year_end date,
  void boolean,
  lost_on date
)
returns text
language sql
immutable
parallel safe
return case
  when terminated_at is null then null
  when ended_by in ('operator', 'offer', 'duplicate') then ended_by
  when coverage_end_fixed then 'operator'
  when doubled then 'duplicate'
  when anchored_on is null
  or new_start > year_end then 'loss'
  when void then 'offer'
  when lost_on <= year_end + 1 then 'loss'
  else 'plan_year'
end;

-- Whether an enrollment gets a new window of 30 days: it is pending, and it is active again or its first day moved.
create or replace function window_reopens(
  answer text,
  inactive_on date,
  new_inactive_on date,
  coverage_start date,
  new_start date,
  today date
)
returns boolean
language sql
immutable
parallel safe
return answer is null
and coalesce(new_inactive_on > today, true)
and (coalesce(inactive_on <= today, false) or coalesce(coverage_start <> new_start, false));

-- The days that an enrollment occupies in its choice group, by its period alone. Null if it occupies none. `span_end`
-- and `ending_on` ignore other choices.
create or replace function held_days(
  answer text,
  unsettled boolean,
  coverage_end_fixed boolean,
  coverage_start date,
  coverage_end date,
  anchored_on date,
  span_start date,
  span_end date,
  ending_on date,
  year_end date
)
returns daterange
language sql
immutable
parallel safe
return case
  when answer is distinct from 'enrolled' then null
  when coverage_end_fixed
  or not unsettled then case
    when coverage_start <= coalesce(coverage_end, year_end) then daterange(
      coverage_start,
      coalesce(coverage_end, year_end),
      '[]'
    )
  end
  when anchored_on is not null
  and coalesce(ending_on > span_start, true)
  and span_start <= coalesce(span_end, year_end) then daterange(span_start, coalesce(span_end, year_end), '[]')
end;

-- The last day that coverage keeps before a later choice of the employee begins to cover. Null if no later choice
-- covers days of the plan year. The day before the first day of coverage if no day is left.
create or replace function chosen_until(taken datemultirange, span_start date, year_end date)
returns date
language sql
immutable
parallel safe
return case
  when span_start <= year_end then lower(taken * datemultirange(daterange(span_start, year_end, '[]'))) - 1
end;

-- How the counts of a plan year count an enrollment today, or on its last day if that is past. Null if it is not
-- counted.
create or replace function counts_as(answer text, inactive_on date, year_end date, today date)
returns text
language sql
immutable
parallel safe
return case
  when inactive_on <= least(today, year_end) then null
  when answer = 'enrolled' then 'enrolled'
  else 'eligible'
end;
