import { z } from 'zod'
import { ResponseDay, DayText, Id } from '../../../kernel/fields.ts'
import { wholeNumber } from '../../../kernel/pages.ts'

/**
 * The statuses of current employees. `initial_measurement` and `administrative_period` are the two parts of the first
 * measurement of a new employee.
 */
export const workforce_statuses = [
  'full_time',
  'not_full_time',
  'initial_measurement',
  'administrative_period',
  'not_measured',
] as const

const Count = (description: string) => z.int().meta({ description })

export const AcaOverview = z
  .object({
    employer_id: Id('empr'),
    as_of: ResponseDay.meta({ description: 'Today.' }),
    hours_reported_through: ResponseDay.nullable().meta({
      description: 'The last day of the latest reported period. Null before the first report of hours.',
    }),
    has_measurement_policies: z.boolean().meta({ description: 'Whether the employer measures hours.' }),
    employee_count: Count('The current employees.'),
    counts: z
      .object({
        full_time: Count('Employees who are full-time today.'),
        not_full_time: Count('Employees who are not full-time today.'),
        initial_measurement: Count('New employees whose first measurement continues.'),
        administrative_period: Count('New employees whose first stability period has not begun.'),
        not_measured: Count('Employees without a status.'),
      })
      .meta({ description: 'The current employees by status.' }),
    trending_count: Count('Employees who are not full-time, but average at least 30 hours a week so far.'),
  })
  .meta({ id: 'AcaOverview', description: 'The employer mandate of section 4980H at an employer today.' })

const Days = (description: string) => z.object({ starts_on: ResponseDay, ends_on: ResponseDay }).meta({ description })

const Period = z
  .object({
    measurement_period: Days('The days whose hours count.'),
    administrative_period: Days('The days until the stability period.')
      .nullable()
      .meta({ description: 'The days until the stability period. Null if it follows immediately.' }),
    stability_period: Days('The days that the result decides.'),
  })
  .meta({ id: 'MeasurementPeriod' })

export const MeasurementPreview = z
  .object({
    employer_id: Id('empr'),
    policies: z
      .array(
        z.object({
          standard_periods: z.array(Period).meta({
            description:
              'The standard measurement that continues today, the one before and the one after. Empty for ' +
              'the monthly method.',
          }),
          initial_period: Period.nullable().meta({
            description: 'The initial measurement of a new employee who starts today. Null for the monthly method.',
          }),
        }),
      )
      .meta({ description: 'The periods of each policy, in the order of the request.' }),
  })
  .meta({ id: 'MeasurementPreview', description: 'The periods that measurement policies would have.' })

export const AffordabilityQuery = z.object({
  plan_year_start: DayText.optional().meta({ description: 'The first day of the plan year. The default is today.' }),
  cost_in_cents: wholeNumber(0, 100_000_000).optional().meta({
    description: 'The monthly cost of the lowest-cost plan of minimum value for the employee alone.',
    example: 12_900,
  }),
})

const harbors = ['federal_poverty_line', 'rate_of_pay'] as const

export const Affordability = z
  .object({
    employer_id: Id('empr'),
    plan_year_start: ResponseDay,
    required_contribution_percentage: z.number().nullable().meta({
      description: 'The largest share of income that affordable coverage may cost. Null if unknown.',
      example: 9.96,
    }),
    full_time_count: Count('The current employees who count as full-time.'),
    poverty_line_cost_in_cents: z
      .int()
      .nullable()
      .meta({
        description:
          'The highest monthly cost that is affordable for everyone by the federal poverty line. Null if the ' +
          'figures of the year are unknown.',
      }),
    affordable_cost_in_cents: z
      .int()
      .nullable()
      .meta({
        description:
          'The highest monthly cost that is affordable for every full-time employee. Null if the figures are ' +
          'unknown.',
      }),
    unaffordable_count: z.int().nullable().meta({
      description: 'The full-time employees for whom `cost_in_cents` is not affordable. Null without a cost.',
    }),
    employees: z
      .array(
        z.object({
          employee_id: Id('empl'),
          first_name: z.string(),
          last_name: z.string(),
          monthly_wage_in_cents: z.int().nullable().meta({ description: 'Null if no wage was reported.' }),
          affordable_cost_in_cents: z
            .int()
            .meta({ description: 'The highest cost that is affordable for this employee.' }),
          safe_harbor: z.enum(harbors).meta({
            id: 'AffordabilityLimit',
            description: 'The safe harbor that sets this limit: the federal poverty line, or the rate of pay.',
          }),
        }),
      )
      .meta({
        description:
          'The employees for whom the cost is not affordable, lowest limit first, at most 100. All employees if no ' +
          'cost is known.',
      }),
  })
  .meta({
    id: 'EmployerAffordability',
    description: 'Which monthly cost of coverage is affordable for the full-time employees of an employer.',
  })
