-- The `BenefitPlanYear` of the API, from a row `year` and its `facts`.
select row_to_json(shown)
from
  (
    select
      year.id,
      year.id as benefit_plan_year_id,
      facts.benefit_id,
      year.year,
      facts.family,
      facts.product_name,
      facts.carrier,
      facts.network_names,
      facts.premium_in_cents,
      facts.employee_contribution,
      facts.employer_contribution,
      facts.status,
      year.coverage_start,
      year.coverage_end,
      coalesce(year.open_enrollment_start, year.coverage_start) as open_enrollment_start,
      year.open_enrollment_end,
      year.offered_states,
      year.renewal,
      year.plan_successors,
      facts.notice_due_on,
      facts.benefits_with_rates as benefits,
      (
        select coalesce(json_agg(row_to_json(named) order by name), '[]')
        from
          (
            select choice_group as name, array_agg(benefit_id order by position) as benefit_ids
            from plan_year_benefits
            where
              plan_year_id = year.id
              and organization_id = year.organization_id
              and withdrawn_at is null
              and choice_group is not null
            group by choice_group
          ) as named
      ) as choice_groups,
      facts.benefit_families,
      facts.enrollment_rate,
      facts.spd_file_url,
      facts.contribution_strategy,
      (
        select row_to_json(shown)
        from
          (
            select
              policy.id,
              true as active,
              policy.employer_id,
              policy.classification,
              policy.employee_classes,
              policy.compensation_types,
              policy.waiting_period,
              policy.start_alignment,
              policy.service_credit_weeks,
              policy.benefit_ids,
              policy.eligibility_basis,
              'END_OF_N_MONTHS' as termination_rule,
              0 as termination_n_months,
              (
                select
                  json_agg(
                    json_build_object(
                      'employee_class',
                      eligible.employee_class,
                      'compensation_type',
                      coalesce(paid.compensation_type, 'All'),
                      'eligible_geographical_location',
                      json_build_object(
                        'type',
                        case
                          when year.offered_states = '{}' then 'All'
                          else 'StateCodes'
                        end,
                        'state_codes',
                        year.offered_states
                      )
                    )
                    order by eligible.position, paid.position
                  )
                from
                  unnest(policy.employee_classes) with ordinality as eligible (employee_class, position)
                  left join unnest(policy.compensation_types) with ordinality as paid (compensation_type, position)
                    on true
              ) as rules,
              iso(policy.created_at) as created_at,
              iso(policy.updated_at) as updated_at
            from benefit_eligibility_policies as policy
            where
              policy.employer_id = year.employer_id
              and policy.organization_id = year.organization_id
              and policy.archived_at is null
              and policy.benefit_ids = '{}'
          ) as shown
      ) as eligibility_policy
  ) as shown;
