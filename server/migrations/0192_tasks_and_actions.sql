-- Names of the contract: tasks, actions, and the time at which a fact was reported.
alter table open_matters rename to tasks;
alter table tasks rename constraint open_matters_pkey to tasks_pkey;
alter table tasks rename constraint open_matters_employer_id_organization_id_fkey to tasks_employer_id_organization_id_fkey;
alter table tasks rename constraint open_matters_organization_id_fkey to tasks_organization_id_fkey;
alter index open_matters_in_order rename to tasks_in_order;
alter index open_matters_of_employer rename to tasks_of_employer;
alter index open_matters_of_organization rename to tasks_of_organization;
alter index open_matters_once rename to tasks_once;
alter table employee_corrections rename column deed to action;
alter table employee_corrections rename constraint employee_corrections_deed_check to employee_corrections_action_check;
alter table enrollment_evidence rename column deed to action;
alter table payroll_actuals rename column told_at to reported_at;
alter table plan_year_amendments rename column told_at to reported_at;
