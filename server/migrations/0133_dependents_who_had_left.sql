-- Whom an election would cover, had their coverage not ended before its first day. Where that turns out not to be so, as
-- when a child is approved as disabled late, they are covered by it as by the one before.
alter table elections add column left_dependent_ids text[] not null default '{}';
