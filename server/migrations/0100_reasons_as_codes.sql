-- Why a paycheck corrects earlier ones, and why somebody waives, as codes; what is older has none.
alter table deduction_lines add column reason text;
alter table enrollments add column waiver_code text;
alter table enrollment_evidence add column reason_code text;
