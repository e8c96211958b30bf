import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { EmployerAdministration, EmployerSettingsChanges } from './schemas.ts'

const inReachOfEmployer = inReach('employer.organization_id', 'employer.id')

/** The settings of an employer as JSON. Undefined if out of reach. */
export const findEmployerSettings = read(
  'employers.findEmployerSettings',
  `select (select row_to_json(shown) from (
             select employer.pay_frequency, employer.first_pay_date, employer.deduction_method, employer.census_mode,
                    employer.census_values, employer.deductions_per_year, employer.final_deductions,
                    employer.arrears_limit_percent, employer.administered_from,
                    employer.correction_reach_months) as shown)::text as json
     from employers as employer
    where employer.id = :employer_id and ${inReachOfEmployer}`,
).json

/** The pay frequency and deductions per year of an employer. Undefined if out of reach. */
export const findPayCalendar = statement(
  'employers.findPayCalendar',
  `select employer.pay_frequency, employer.deductions_per_year
     from employers as employer where employer.id = :employer_id and ${inReachOfEmployer}`,
).row<{ pay_frequency: PayCalendar['pay_frequency']; deductions_per_year: number | null }>

const saved = statement(
  'employers.saveEmployerSettings',
  `update employers as employer
      set pay_frequency = coalesce(:pay_frequency, pay_frequency),
          first_pay_date = case when :sets_first_pay_date then :first_pay_date::date else first_pay_date end,
          payroll_calendar_set_at = case when :pay_frequency is not null or :sets_first_pay_date then :now
                                         else payroll_calendar_set_at end,
          deduction_method = coalesce(:deduction_method, deduction_method),
          census_mode = coalesce(:census_mode, census_mode),
          census_values = coalesce(:census_values::jsonb, census_values),
          deductions_per_year = :deductions_per_year,
          final_deductions = coalesce(:final_deductions, final_deductions),
          arrears_limit_percent = coalesce(:arrears_limit_percent, arrears_limit_percent)
    where employer.id = :employer_id and ${inReachOfEmployer}`,
)

/** Saves the given settings. A null `first_pay_date` clears it. `deductions_per_year` is the value after the change. */
export const saveEmployerSettings = (
  ctx: Ctx,
  employer_id: string,
  settings: EmployerSettingsChanges,
  deductions_per_year: number | null,
) =>
  saved.rows(ctx, {
    employer_id,
    pay_frequency: settings.pay_frequency ?? null,
    sets_first_pay_date: settings.first_pay_date !== undefined,
    first_pay_date: settings.first_pay_date ?? null,
    deduction_method: settings.deduction_method ?? null,
    census_mode: settings.census_mode ?? null,
    census_values: settings.census_values ? JSON.stringify(settings.census_values) : null,
    final_deductions: settings.final_deductions ?? null,
    arrears_limit_percent: settings.arrears_limit_percent ?? null,
    deductions_per_year,
  })

/** Whether a wider correction window of this many months would reach a month with manually booked amounts. */
export const wouldReachBooked = statement(
  'employers.wouldReachBooked',
  `select from employers as employer
    where employer.id = :employer_id and employer.organization_id = :organization_id
      and employer.correction_reach_months < :reach_months::int
      and exists (select from manual_adjustments as booked
                   where booked.employer_id = :employer_id and booked.organization_id = :organization_id
                     and booked.month >= date_trunc('month', :today::date) - make_interval(months => :reach_months)
                   group by booked.enrollment_id, booked.month
                  having sum(booked.employee_deduction_in_cents) <> 0
                      or sum(booked.employer_contribution_in_cents) <> 0)`,
).exists

const administration_saved = statement(
  'employers.saveAdministration',
  `update employers as employer
      set administered_from = input.administered_from, correction_reach_months = input.correction_reach_months,
          updated_at = :now
     from (select case when :sets_administered_from then :administered_from::date
                       else administered_from end as administered_from,
                  coalesce(:correction_reach_months, correction_reach_months) as correction_reach_months
             from employers where id = :employer_id and organization_id = :organization_id) as input
    where employer.id = :employer_id and employer.organization_id = :organization_id
      and (employer.administered_from is distinct from input.administered_from
           or employer.correction_reach_months <> input.correction_reach_months)
   returning employer.id`,
)

/** Saves the given administration settings. A null `administered_from` clears it. Returns whether anything changed. */
export const saveAdministration = (ctx: Ctx, employer: EmployerKey, input: EmployerAdministration) =>
  administration_saved.exists(ctx, {
    ...employer,
    sets_administered_from: input.administered_from !== undefined,
    administered_from: input.administered_from ?? null,
    correction_reach_months: input.correction_reach_months ?? null,
  })
