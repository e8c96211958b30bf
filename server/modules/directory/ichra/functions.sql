-- The day that selects the prices of an election: the day from which an election made today would apply, not
-- considering life events.
create or replace function election_day(answer text, coverage_start date, plan_year_end date, today date)
returns date
language sql
immutable
parallel safe
return case
  when answer is distinct from 'enrolled'
  or today < coverage_start then coverage_start
  else least((date_trunc('month', today::timestamp) + interval '1 month')::date, plan_year_end)
end;
