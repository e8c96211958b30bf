-- The overview of operators asks what failed since yesterday: few rows of many.
create index credential_usage_failed on credential_usage (day) where failed_count > 0;
