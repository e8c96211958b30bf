-- How far the turn of a day is for an organization, {step, after}: the day after turned_on. Null: not begun.
alter table organizations add turning jsonb;

-- The day by which an employee was settled while days before it were not turned yet: those bring nothing more.
alter table eligibility_standings add settled_by date;
