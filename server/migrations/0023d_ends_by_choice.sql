-- The last day of coverage that was elected and then ended on request, after a life event; null: it was not. An earlier
-- end that follows from eligibility still comes first.
alter table enrollments add column ended_on date;
