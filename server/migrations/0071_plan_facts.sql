-- What people compare plans by beside their premiums, as the operator's import tells it; null where nobody has told.
alter table plans add column facts jsonb not null
  default '{"deductible_in_cents":null,"out_of_pocket_limit_in_cents":null,"copays":[],"metal_level":null,"hsa_eligible":null,"sbc_file_url":null}';
