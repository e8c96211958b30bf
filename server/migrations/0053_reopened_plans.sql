-- A plan that was closed while its plan year ran may be offered again: when it covers nobody is told in stretches of
-- days, `{ plan_id: [{ from, until }] }`, null for good.
update plan_year_benefits
   set closed_plans = (
     select jsonb_object_agg(plan_id, jsonb_build_array(jsonb_build_object('from', day, 'until', null)))
       from jsonb_each(closed_plans) as closed (plan_id, day))
 where closed_plans <> '{}';
