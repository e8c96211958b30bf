-- Enrollments that become inactive on a day, in the order of their employees, in which the daily run takes them.
create index enrollments_inactive_in_order on enrollments (organization_id, inactive_on, employee_id)
 where inactive_on is not null;
drop index enrollments_by_inactivity;
