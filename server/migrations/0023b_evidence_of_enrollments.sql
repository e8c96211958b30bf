-- What happened to an enrollment, when, by whom and why, with what held and what it cost then. Append-only: elections
-- replace each other, an answer the one before. A grant needs no row: it stands in the enrollment for good.
create table enrollment_evidence (
  organization_id text collate "C" not null,
  enrollment_id text collate "C" not null,
  position integer not null,
  deed text not null,
  recorded_at timestamptz not null,
  -- null: done before evidence was kept
  actor text check (actor in ('employee', 'partner', 'operator', 'renewal', 'rule')),
  -- of an employee the employment, of a partner the API key
  actor_id text collate "C",
  reason text,
  -- the window in which it was answered
  window_kind text check (window_kind in ('grant', 'open_enrollment', 'life_event')),
  window_start date,
  window_end date,
  life_event_id text collate "C",
  coverage_start date not null,
  coverage_end date,
  -- the answer that stood after it
  answer text check (answer in ('enrolled', 'waived')),
  -- every election that held from then on, with its prices and whom it covers
  elections jsonb,
  -- of who waived: what could have been elected, with its prices
  offered jsonb,
  primary key (enrollment_id, organization_id, position),
  foreign key (enrollment_id, organization_id) references enrollments (id, organization_id)
);

-- What is known of answers, corrections and ends before evidence was kept: who did it is not.
insert into enrollment_evidence (organization_id, enrollment_id, position, deed, recorded_at, reason, coverage_start,
                                 coverage_end, answer, elections)
select former.organization_id, former.id,
       row_number() over (partition by former.id, former.organization_id order by former.at, former.place),
       former.deed, former.at, former.reason, former.coverage_start, former.coverage_end, former.answer,
       case when former.deed = 'elected' then (
         select json_agg(json_build_object(
                  'effective_on', nullif(election.effective_on, '-infinity'), 'plan_id', election.plan_id,
                  'coverage_tier', election.coverage_tier, 'premium_in_cents', election.premium_in_cents,
                  'employer_contribution_in_cents', election.employer_contribution_in_cents,
                  'employee_deduction_in_cents', election.employee_deduction_in_cents,
                  'dependent_ids', array(select covered.dependent_id from covered_dependents as covered
                                          where covered.enrollment_id = election.enrollment_id
                                            and covered.organization_id = election.organization_id
                                            and covered.effective_on = election.effective_on
                                          order by covered.dependent_id)) order by election.effective_on)
           from elections as election
          where election.enrollment_id = former.id and election.organization_id = former.organization_id) end
  from (select id, organization_id, coverage_start, null::date as coverage_end, answered_at as at, answer,
               case answer when 'enrolled' then 'elected' else 'waived' end as deed, waiver_reason as reason, 1 as place
          from enrollments where answer is not null
        union all
        select enrollment.id, enrollment.organization_id, enrollment.coverage_start, enrollment.coverage_end,
               correction.corrected_at, enrollment.answer, 'corrected', correction.reason, 2
          from enrollment_corrections as correction
          join enrollments as enrollment on enrollment.id = correction.enrollment_id
           and enrollment.organization_id = correction.organization_id
        union all
        select id, organization_id, coverage_start, coverage_end, terminated_at, answer, 'ended', null, 3
          from enrollments where terminated_at is not null) as former;
