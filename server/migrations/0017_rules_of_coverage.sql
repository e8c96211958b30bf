-- The rules of eligibility and coverage, each by a name. They are pure, and their bodies are expressions, so PostgreSQL
-- puts them into the statements that call them. Days are of one period of eligibility: anchored_on is its first,
-- waited_on the first after the waiting period, lost_on the first without eligibility, covered_until the last covered
-- after that.

-- Whether a policy covers a class.
create function policy_covers(classification text, employee_class text) returns boolean
  language sql immutable parallel safe
  return classification = 'all'
      or classification = 'full_time' and employee_class = 'Full Time'
      or classification = 'part_time' and employee_class = 'Part Time';

-- A first of a month: the day itself, or the next.
create function first_on_or_after(day date) returns date
  language sql immutable parallel safe
  return month_end(day - 1) + 1;

-- The first day on which a policy has been waited out. A policy that came during the period grants nothing before its
-- own first day, with first_of_following_month before the next first of a month.
create function waiting_ends_on(anchored_on date, waiting_period text, policy_from_on date) returns date
  language sql immutable parallel safe
  return case waiting_period
           when 'first_of_following_month'
             then first_on_or_after(greatest(waited_on(anchored_on, waiting_period), policy_from_on, anchored_on))
           else greatest(waited_on(anchored_on, waiting_period), policy_from_on, anchored_on) end;

-- The last day covered after a period: of the month of the loss, and of a termination the month of the last day
-- employed. Null while the period has no end, which is then infinity.
create function period_covered_until(ended_on date, left_on date, terminated_on date) returns date
  language sql immutable parallel safe
  return case when ended_on = 'infinity' then null
              when ended_on = left_on then month_end(terminated_on)
              else month_end(ended_on) end;

-- Whether a plan year is offered in a state; it is in all of them when it names none.
create function is_offered_in(offered_states text[], state text) returns boolean
  language sql immutable parallel safe
  return offered_states = '{}' or state = any (offered_states);

-- Whether what is offered today may be granted: from open enrollment on, or from the first day, to the last.
create function is_grantable(
  offered boolean, open_enrollment_start date, year_start date, year_end date, today date
) returns boolean
  language sql immutable parallel safe
  return offered and year_end >= today
     and (open_enrollment_start is null or least(open_enrollment_start, year_start) <= today);

-- The last day of the window of a grant. Who is granted something by open enrollment, since they could have been before
-- it began, has the plan year's window, wherever that moves, and none of their own; who was only told of, or moved,
-- while it is open has 30 days like any newcomer.
create function grant_window_ends_on(
  anchored_on date, known_on date, moved_today boolean, open_enrollment_start date, open_enrollment_end date, today date
) returns date
  language sql immutable parallel safe
  return case when today >= open_enrollment_start and today <= open_enrollment_end
                   and greatest(anchored_on, known_on) < open_enrollment_start and not moved_today
              then today else today + 30 end;

-- Whether an enrollment is still to be settled: it is not inactive, or its end was not told yet. Nothing leaves
-- inactive.
create function is_unsettled(inactive_on date, terminated_at timestamptz, today date) returns boolean
  language sql immutable parallel safe
  return terminated_at is null or coalesce(inactive_on > today, true);

-- The first day that an enrollment would cover by its period alone. It stays what it is when it is settled, when the
-- operator or an answer has fixed it, and when no period is left.
create function span_start(
  unsettled boolean, coverage_start date, coverage_start_fixed boolean, anchored_on date, waited_on date,
  benefit_starts_on date, year_start date, medical boolean
) returns date
  language sql immutable parallel safe
  return case when coverage_start_fixed or anchored_on is null or not unsettled then coverage_start
              else coverage_starts_on(anchored_on, waited_on, benefit_starts_on, year_start, medical) end;

-- The last day that it would cover by its period alone. It is only known once the period has an end within the plan
-- year, or the plan year is over.
create function span_end(lost_on date, covered_until date, year_end date, today date) returns date
  language sql immutable parallel safe
  return case when lost_on <= year_end + 1 then least(covered_until, year_end)
              when year_end < today then year_end end;

-- The day on which it ends: the first without eligibility, or the first after the plan year; known as the last day is.
create function span_ending_on(lost_on date, year_end date, today date) returns date
  language sql immutable parallel safe
  return case when lost_on <= year_end + 1 then lost_on
              when year_end < today then year_end + 1 end;

-- The last day covered of what is settled, or has an end that the operator set. A loss that is told after it was
-- settled still moves it back, to the day to which it would have been set in time.
create function kept_end(
  coverage_start date, coverage_end date, coverage_end_fixed boolean, span_end date, ending_on date
) returns date
  language sql immutable parallel safe
  return case when coverage_end_fixed then coverage_end
              when ending_on <= coverage_start then least(coverage_end, coverage_start - 1)
              else least(coverage_end, span_end) end;

-- The last day that an enrollment takes from a later one of the same benefit: only what is enrolled covers, and of two
-- for one period one. keeps_end: its end is kept_end, and no longer follows from its period.
create function taken_until(
  answer text, doubled boolean, keeps_end boolean, coverage_start date, kept_end date,
  span_start date, span_end date, ending_on date
) returns date
  language sql immutable parallel safe
  return case when answer is distinct from 'enrolled' or doubled then null
              when not keeps_end then case when ending_on > span_start then span_end end
              when kept_end >= coverage_start then kept_end end;

-- The first day of coverage. Nobody is covered twice: it comes after what an earlier enrollment takes, also in a former
-- employment here. Who moves into an offered state is not granted the time before (moved_on).
create function new_coverage_start(
  keeps_start boolean, span_start date, covered_before date, taken_before date, moved_on date
) returns date
  language sql immutable parallel safe
  return case when keeps_start then span_start
              else greatest(span_start, covered_before + 1, taken_before + 1, moved_on) end;

-- Whether nothing becomes of an enrollment: no period is left for it, another has its period, it could only begin after
-- the plan year, or it is no longer offered to somebody who has not enrolled.
create function is_void(
  unsettled boolean, anchored_on date, doubled boolean, new_start date, year_end date, offered boolean, answer text
) returns boolean
  language sql immutable parallel safe
  return unsettled and (anchored_on is null or doubled or new_start > year_end
                        or not offered and answer is distinct from 'enrolled');

-- The last day of coverage, null while it has none: the day before its first where nothing is covered.
create function new_coverage_end(
  keeps_end boolean, kept_end date, void boolean, answer text, new_start date, span_end date, ending_on date, today date
) returns date
  language sql immutable parallel safe
  return case when keeps_end then kept_end
              when void or ending_on <= today and answer is distinct from 'enrolled' then new_start - 1
              when answer is distinct from 'enrolled' then null
              when ending_on <= new_start then new_start - 1
              else span_end end;

-- The day from which on it is inactive: what covers, after its last day; anything else when eligibility ends.
create function new_inactive_on(
  keeps_end boolean, inactive_on date, void boolean, answer text, new_start date, span_end date, ending_on date,
  today date
) returns date
  language sql immutable parallel safe
  return case when keeps_end then inactive_on
              when void then today
              when answer = 'enrolled' and ending_on > new_start then span_end + 1
              else ending_on end;

-- When its termination was told: on the day on which eligibility ends, or an end that the operator set takes effect. It
-- is not told yet when that day moves into the future.
create function new_terminated_at(
  unsettled boolean, terminated_at timestamptz, coverage_end_fixed boolean, inactive_on date, void boolean,
  ending_on date, today date, now timestamptz
) returns timestamptz
  language sql immutable parallel safe
  return case when not unsettled then terminated_at
              when coverage_end_fixed then case when inactive_on <= today then coalesce(terminated_at, now) end
              when void or ending_on <= today then coalesce(terminated_at, now) end;

-- As what the counts of a plan year hold an enrollment today, or on the year's last day once that is past.
create function counts_as(answer text, inactive_on date, year_end date, today date) returns text
  language sql immutable parallel safe
  return case when inactive_on <= least(today, year_end) then null
              when answer = 'enrolled' then 'enrolled' else 'eligible' end;
