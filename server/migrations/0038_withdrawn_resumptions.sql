-- What was elected again for somebody who came back is taken away when they were away for too long after all. The day on
-- which that was found out stays, since what is told next may give it back.
alter table enrollments add column resumption_withdrawn_on date;

-- For recalculations: of their employees those to whom something was resumed, who are few.
create index enrollments_resumed on enrollments (employee_id, organization_id)
  where elected_by = 'return' or resumption_withdrawn_on is not null;
