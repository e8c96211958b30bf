-- Why coverage ended follows the facts, as its days do: what a loss ended, and a closed plan would have ended by now
-- besides, is ended by that once the loss is taken back. What the operator ended, what was offered no more and what
-- stood twice keep their reason.
create or replace function new_ended_by(
  ended_by text, terminated_at timestamptz, coverage_end_fixed boolean, anchored_on date, doubled boolean,
  new_start date, year_end date, void boolean, lost_on date
) returns text language sql immutable parallel safe
return case
  when terminated_at is null then null
  when ended_by in ('operator', 'offer', 'duplicate') then ended_by
  when coverage_end_fixed then 'operator'
  when doubled then 'duplicate'
  when anchored_on is null or new_start > year_end then 'loss'
  when void then 'offer'
  when lost_on <= year_end + 1 then 'loss'
  else 'plan_year'
end;
