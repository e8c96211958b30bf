-- The pay periods that a correction on a statement is for. Corrections that were written before have none.

alter table deduction_lines
  add corrected_period_start_date date,
  add corrected_period_end_date date,
  add check (num_nulls(corrected_period_start_date, corrected_period_end_date) in (0, 2)),
  add check (kind = 'correction' or corrected_period_start_date is null);
