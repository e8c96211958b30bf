-- The request that reported what an entry follows from, and its caller. For an entry that follows from facts, the actor
-- is the rule, and only these columns name who reported the fact. Null for older entries and for background work.
alter table enrollment_evidence add column operation text;
alter table enrollment_evidence add column reported_by text
  check (reported_by in ('employee', 'partner', 'operator', 'rule'));
alter table enrollment_evidence add column reported_by_id text collate "C";
