-- A disabled child has no age limit: the operator approves it, and may take it back from a day on.
alter table dependents
  drop constraint dependents_relationship_check,
  add constraint dependents_relationship_check check (relationship in ('spouse', 'domestic_partner', 'child')),
  -- the last day as disabled; infinity: is so; null: never was
  add column disabled_until date,
  add column disabled_reason text;

drop index one_spouse;
create unique index one_spouse on dependents (member_id, organization_id)
 where relationship in ('spouse', 'domestic_partner') and ended_on is null;

-- The last day on which a dependent can be covered: for a child the end of the month of the 26th birthday, or of being
-- disabled if that is later; for one who ended the end of that month. Null: no end is known.
drop function dependent_covered_until(text, date, date);
create function dependent_covered_until(relationship text, date_of_birth date, ended_on date,
                                        disabled_until date default null) returns date
  language sql immutable parallel safe
  return least(
    case when relationship = 'child' and disabled_until is distinct from 'infinity' then greatest(
      month_end((date_of_birth
                 + (extract(month from date_of_birth) = 2 and extract(day from date_of_birth) = 29)::int
                 + interval '26 years')::date),
      month_end(disabled_until)) end,
    month_end(ended_on));

alter table elections
  -- follows from a dependent who left, and is none that anybody made: it goes when they did not leave after all
  add column follows boolean not null default false,
  -- what of the employee's deduction is for a domestic partner, and therefore post-tax
  add column domestic_partner_share_in_cents bigint not null default 0
    check (domestic_partner_share_in_cents between 0 and employee_deduction_in_cents);

-- Whose coverage ends on a day.
create index covered_dependents_by_end on covered_dependents (organization_id, covered_until, dependent_id)
 where covered_until is not null;

-- The ends of dependents' coverage that were told: each end once, ahead and on its day.
create table dependent_coverage_ends (
  organization_id text collate "C" not null,
  dependent_id text collate "C" not null,
  covered_until date not null,
  announced_at timestamptz,
  ended_at timestamptz,
  primary key (dependent_id, organization_id, covered_until),
  foreign key (dependent_id, organization_id) references dependents (id, organization_id)
);
