-- Ends of dependents' coverage that were told and turned out to be none: they are told no more, and another end on that
-- day is an end like any other.
delete from dependent_coverage_ends as told using dependents as dependent
 where dependent.id = told.dependent_id and dependent.organization_id = told.organization_id
   and told.covered_until is distinct from dependent_covered_until(
         dependent.relationship, dependent.date_of_birth, dependent.ended_on, dependent.disabled_until);
