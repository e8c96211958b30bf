-- A history of classes or compensation types begins with a value that has no day of its own: it is effective from the
-- first day of the employment, wherever that is moved. Later values keep their days.
update employee_classifications as history
   set effective_on = '-infinity'
  from employees as employee
 where employee.id = history.employee_id and employee.organization_id = history.organization_id
   and history.effective_on <= coalesce(employee.hired_on, (employee.known_at at time zone 'America/New_York')::date)
   and not exists (
     select from employee_classifications as earlier
      where earlier.employee_id = history.employee_id and earlier.organization_id = history.organization_id
        and earlier.effective_on < history.effective_on);
update employee_compensations as history
   set effective_on = '-infinity'
  from employees as employee
 where employee.id = history.employee_id and employee.organization_id = history.organization_id
   and history.effective_on <= coalesce(employee.hired_on, (employee.known_at at time zone 'America/New_York')::date)
   and not exists (
     select from employee_compensations as earlier
      where earlier.employee_id = history.employee_id and earlier.organization_id = history.organization_id
        and earlier.effective_on < history.effective_on);

-- The operator corrects class, compensation type and first day by one operation.
alter table employee_corrections drop constraint employee_corrections_deed_check;
update employee_corrections set deed = 'corrected' where deed = 'reclassified';
alter table employee_corrections
  add constraint employee_corrections_deed_check check (deed in ('terminated', 'reinstated', 'corrected'));
