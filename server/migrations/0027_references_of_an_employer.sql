-- A reference is looked up at one employer. As columns of their own, the two let the planner read the employer's whole
-- roster for each reference whenever it believed the employer to be empty, as it does of one that joined after the last
-- analyze.
drop index employees_by_reference;
-- Finds who has or had a reference at an employer.
create index employees_by_reference on employees ((employer_id || reference_id), organization_id)
  where reference_id is not null;
