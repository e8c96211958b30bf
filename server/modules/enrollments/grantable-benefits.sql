-- What may be granted to employees of what they are offered: in today's period, from open enrollment or the first day
-- on. Beside the enrollments there are, it is one that is yet to be.
select
  offer.*,
  null::text as id,
  null::date as former_anchor,
  null::date as granted_on,
  null::date as coverage_start,
  null::date as coverage_end,
  false as coverage_start_fixed,
  false as coverage_end_fixed,
  offer.ends_on as ended_on,
  null::date as plan_closes_on,
  null::text as answer,
  null::date as inactive_on,
  null::timestamptz as terminated_at,
  null::text as ended_by,
  0 as choice,
  true as unsettled,
  period.anchored_on,
  period.waited_on,
  period.lost_on,
  period.covered_until,
  period.known_on
from
  (select * from offers where is_grantable(offered, open_enrollment_start, year_start, offered_until, :today)) as offer
  full join (select * from periods where anchored_on <= :today and coalesce(lost_on > :today, true)) as period
    on period.employee_id = offer.employee_id and period.scope = offer.scope;
