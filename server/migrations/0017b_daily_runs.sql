-- What was called the turn of a day is called the daily run of an organization: the last day of which it is over, and
-- how far the next one is.
alter table organizations rename column turned_on to daily_run_on;
alter table organizations rename column turning to daily_run_progress;
alter index organizations_by_turn rename to organizations_by_daily_run;

-- Jobs that wait have the new names too, and so has the hourly look at the calendar: with its old name it would be
-- taken for another one, and the hours in which no worker ran would not be made up for. No older worker runs beside
-- this version (operations.md, Upgrading); a job that one left under an old name would wait for good, and the next hour
-- brings the same again. A database that is new has no place for jobs yet.
do $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  update graphile_worker._private_tasks set identifier = 'run_days' where identifier = 'turn_days';
  update graphile_worker._private_tasks set identifier = 'run_day' where identifier = 'turn_organization';
  update graphile_worker._private_known_crontabs set identifier = 'run_days' where identifier = 'turn_days';
  update graphile_worker._private_jobs set key = 'run_days' where key = 'turn_days';
  update graphile_worker._private_jobs set key = replace(key, 'turn_organization:', 'run_day:')
   where key like 'turn\_organization:%';
end $$;
