-- Checks that the enrollments of new evidence exist, see refuse_removal.
create or replace function check_evidence_references()
returns trigger
language plpgsql
as $$
begin
  if exists (
    select from (select distinct enrollment_id, organization_id from written) as given
     where not exists (
          select from enrollments
           where id = given.enrollment_id and organization_id = given.organization_id offset 0)) then
    raise foreign_key_violation using message = 'A row of enrollment_evidence refers to a row that does not exist.';
  end if;
  return null;
end $$;

create or replace trigger check_references
after insert on enrollment_evidence
referencing new table as written
for each statement
execute function check_evidence_references();
