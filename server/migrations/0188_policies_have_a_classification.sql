-- The contract promises one of three strings. A policy that named its classes had none: it is `full_time` or `part_time`
-- if it covers exactly that class, otherwise `all`.
update benefit_eligibility_policies
   set classification = case employee_classes
                          when array['Full Time'] then 'full_time'
                          when array['Part Time'] then 'part_time'
                          else 'all' end
 where classification is null;

alter table benefit_eligibility_policies alter column classification set not null;
