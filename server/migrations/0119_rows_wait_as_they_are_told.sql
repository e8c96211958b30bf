-- Rows that wait for a job are put there as they came from the thread that checked them, and read whole: as text that
-- PostgreSQL has seen to be JSON, and not taken to pieces for each way (decision 222).
alter table census_chunks alter column rows type json using rows::json;
alter table group_member_chunks alter column rows type json using rows::json;
