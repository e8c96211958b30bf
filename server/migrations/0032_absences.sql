-- The last day that had been told of somebody before a roster left them out: it holds again when they come back.
alter table employees add column last_day_told date;

-- Finds whose reference it is, at whichever employer of an organization.
create index employees_of_reference on employees (reference_id, organization_id) where reference_id is not null;

-- Coverage ends with an employer's subscription now, so a job follows for each whose subscription has ended. A database
-- that is new has neither employers nor a place for jobs yet.
do $$
begin
  if to_regnamespace('graphile_worker') is null then return; end if;
  perform graphile_worker.add_jobs(array(
    select row('recalculate_employer',
               json_build_object('organization_id', organization_id, 'employer_id', id),
               null, null, null, 'recalculate:' || id, null, null)::graphile_worker.job_spec
      from employers where subscription_ended_on is not null));
end $$;
