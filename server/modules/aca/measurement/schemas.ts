import { z } from 'zod'
import { flag } from '../../../http/endpoint.ts'
import { ResponseDay, DayText, Id, optional, State, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery, wholeNumber } from '../../../kernel/pages.ts'
import { type StoredPolicy, whyNotMeasure, withDefaults } from './policy-rules.ts'
import { CompensationType } from '../../directory/catalog/schemas.ts'

const Method = z.enum(['monthly', 'look_back']).meta({
  id: 'MeasurementMethod',
  description:
    '`monthly`: the hours of a month decide that month. `look_back`: the average of a measurement period decides ' +
    'about the stability period that follows it.',
})

const ForCompensationType = CompensationType.meta({
  description: 'The policy is for employees with this compensation type. Null for all.',
})
const OfState = State.meta({ description: 'The policy is for employees who work in this state. Null for all.' })
const Unit = text().meta({
  description: 'The policy is for employees in this bargaining unit. Null for all.',
  example: 'Local 12',
})
const IsBargained = z.boolean().meta({
  description:
    'True: the policy is for employees in any bargaining unit. False: for those in none. Null for all. True if ' +
    '`bargaining_unit` is set.',
})
const effective_on =
  'The day from which the policy replaces an earlier one of its category. Stability periods that were measured ' +
  'before it run to their end. Null if the policy has no first day.'
const ByWeeks = z.boolean().meta({
  description: 'Whether the monthly method counts weeks: 120 hours in four of them, or 150 in five.',
})
const StandardStartsOn = 'The first day of a standard measurement period. The others precede and follow it.'
const Months = (least: number, most: number, description: string) => z.int().min(least).max(most).meta({ description })
const InitialStarts = z.enum(['start_date', 'first_of_month']).meta({
  id: 'InitialMeasurementStart',
  description:
    '`start_date`: the initial measurement begins on the start date. `first_of_month`: it begins on the first of a ' +
    'month, on or after the start date.',
})

const shared = {
  standard_months: Months(3, 12, 'The length of standard measurement periods in months.'),
  administrative_months: Months(
    0,
    2,
    'Full calendar months between a standard measurement period and its stability period, after a partial month. At ' +
      'most 90 days in all.',
  ),
  stability_months: Months(
    6,
    12,
    'The length of stability periods in months. Not shorter than the measurement period.',
  ),
  initial_months: Months(
    3,
    12,
    'The length of the initial measurement of new variable-hour, seasonal and part-time employees in months.',
  ),
  initial_starts: InitialStarts,
  initial_administrative_months: Months(
    0,
    2,
    'Full calendar months between an initial measurement and its stability period, after a partial month. A month ' +
      'that would exceed 90 days is left out.',
  ),
  by_weeks: ByWeeks,
  uses_payroll_periods: z.boolean().meta({
    description:
      'Whether measurements contain whole payroll periods: they begin with the one that contains the first day, and ' +
      'end before the one that contains the day after the last. No effect with a monthly payroll.',
  }),
  educational: z.boolean().meta({
    description: 'Whether the employer is an educational organization, with breaks in service of 26 weeks, not 13.',
  }),
  parity: z.boolean().meta({
    description:
      'Whether an employee is new after a break of at least four weeks that is longer than the service before it.',
  }),
}

const NewMeasurementPolicy = z
  .object({
    compensation_type: optional(ForCompensationType),
    state: optional(OfState),
    bargaining_unit: optional(Unit),
    is_collectively_bargained: optional(IsBargained),
    effective_on: optional(DayText).meta({ description: effective_on }),
    method: Method,
    standard_starts_on: optional(DayText).meta({ description: `${StandardStartsOn} Required for \`look_back\`.` }),
    standard_months: optional(shared.standard_months),
    administrative_months: optional(shared.administrative_months),
    stability_months: optional(shared.stability_months),
    initial_months: optional(shared.initial_months),
    initial_starts: optional(shared.initial_starts),
    initial_administrative_months: optional(shared.initial_administrative_months),
    by_weeks: optional(shared.by_weeks),
    uses_payroll_periods: optional(shared.uses_payroll_periods),
    educational: optional(shared.educational),
    parity: optional(shared.parity),
  })
  .transform((input, check) => {
    const policy = withDefaults(input)
    const fault = whyNotMeasure(policy)
    if (fault) check.issues.push({ code: 'custom', path: [fault.field], message: fault.message, input })
    return policy
  })
  .meta({
    id: 'NewMeasurementPolicy',
    description:
      'Defaults: standard and initial measurements of 12 months, stability of 12 months, administration until one ' +
      'full month has passed after an initial and two after a standard measurement.',
  })

const categoryOf = (policy: StoredPolicy): string =>
  JSON.stringify([
    policy.compensation_type,
    policy.state,
    policy.bargaining_unit,
    policy.is_collectively_bargained,
    policy.effective_on,
  ])

export const NewMeasurementPolicies = z
  .object({
    policies: z
      .array(NewMeasurementPolicy)
      .max(100)
      .refine(
        (policies) => new Set(policies.map(categoryOf)).size === policies.length,
        'must not contain two policies for the same category and effective date',
      )
      .meta({ description: 'All policies of the employer. An empty list ends measurement.' }),
  })
  .meta({ id: 'NewMeasurementPolicies' })

/** A field that only the look-back method has. */
const NullIfMonthly = <Shape extends z.ZodType>(shape: Shape) =>
  shape.nullable().meta({ description: `${shape.meta()!.description} Null for \`monthly\`.` })

const MeasurementPolicyAnswer = z
  .object({
    compensation_type: ForCompensationType.nullable(),
    state: z.string().nullable().meta({ description: OfState.meta()!.description! }),
    bargaining_unit: z.string().nullable().meta({ description: Unit.meta()!.description! }),
    is_collectively_bargained: IsBargained.nullable(),
    effective_on: ResponseDay.nullable().meta({ description: effective_on }),
    method: Method,
    ...shared,
    standard_starts_on: NullIfMonthly(ResponseDay.meta({ description: StandardStartsOn })),
    standard_months: NullIfMonthly(shared.standard_months),
    administrative_months: NullIfMonthly(shared.administrative_months),
    stability_months: NullIfMonthly(shared.stability_months),
    initial_months: NullIfMonthly(shared.initial_months),
    initial_starts: NullIfMonthly(shared.initial_starts),
    initial_administrative_months: NullIfMonthly(shared.initial_administrative_months),
  })
  .meta({ id: 'MeasurementPolicy', description: 'How an employer determines which employees are full-time.' })

export const MeasurementPolicies = z
  .object({ employer_id: Id('empr'), policies: z.array(MeasurementPolicyAnswer) })
  .meta({
    id: 'MeasurementPolicies',
    description:
      'The measurement policies of an employer by category. If several match an employee, one for the bargaining ' +
      'unit applies before one for any or no unit, then one for the state, then one for the compensation type.',
  })

export const AcaStatusQuery = z.object({
  as_of: DayText.optional().meta({ description: 'The day to explain. The default is today.' }),
})

const MeasuredReason = z
  .enum([
    'no_policy',
    'not_employed',
    'standard_measurement',
    'initial_measurement',
    'measuring',
    'expected_full_time',
    'not_expected_full_time',
    'changed_to_full_time',
    'change_not_assessed',
    'monthly_hours',
  ])
  .meta({
    id: 'MeasuredReason',
    description:
      '`standard_measurement`, `initial_measurement`: the average of that measurement. `measuring`: the initial ' +
      'measurement or its administrative period continues. `expected_full_time`, `not_expected_full_time`: the ' +
      'class, until hours decide. `changed_to_full_time`: the fourth full month after a change of class has begun. ' +
      '`change_not_assessed`: it has not begun yet. `monthly_hours`: the hours of the month. `no_policy`: no ' +
      'measurement policy applies to the employee.',
  })

const either = flag.unwrap().optional()

export const MeasuredFilter = z.object({
  ...pageQuery,
  is_full_time: either.meta({ description: 'Only employees who are full-time today, or who are not.' }),
  hours_not_reported_in: wholeNumber(2020, 2199)
    .optional()
    .meta({
      description:
        'Only employees, current or former, who count as part-time in months without reported hours, by the derived ' +
        'forms of this tax year. Includes those of other employers with the same EIN, whose forms are filed together.',
      example: 2025,
    }),
  is_trending: either.meta({ description: 'Only employees who are trending toward full-time status, or who are not.' }),
})
export type MeasuredFilter = z.output<typeof MeasuredFilter>

export const MeasuredPage = pageOf(
  'MeasuredEmployeePage',
  z
    .object({
      employee_id: Id('empl'),
      person_name: z.string().meta({ description: 'The name of the person.' }),
      is_full_time: z
        .boolean()
        .nullable()
        .meta({
          description:
            'Whether the employee is full-time today. Null before the first day of employment, or without a ' +
            'policy.',
        }),
      reason_code: MeasuredReason.nullable().meta({ on_null: 'Null without a status.' }),
      status_starts_on: ResponseDay.nullable().meta({
        description: 'The first day of this status. Null without a status.',
      }),
      status_ends_on: ResponseDay.nullable().meta({
        description: 'The last day of this status. Null without a status, or if its end is not known yet.',
      }),
      is_in_administrative_period: z.boolean().meta({
        description: 'Whether the initial measurement is over, and the stability period that it decides has not begun.',
      }),
      is_trending: z.boolean().meta({
        description:
          'Whether the employee is not full-time, but averages at least 30 hours a week (130 a month) so far in a ' +
          'measurement that continues.',
      }),
      next_change_on: ResponseDay.nullable().meta({
        description: 'The next day on which the status can change without new hours. Null if there is no such day.',
      }),
      measured_at: Timestamp.meta({ description: 'The time of the last measurement.' }),
    })
    .meta({ id: 'MeasuredEmployee', description: 'The full-time status of an employee by the last measurement.' }),
)

const Hours = (description: string) => z.number().meta({ description })
const Days = (description: string) => z.object({ starts_on: ResponseDay, ends_on: ResponseDay }).meta({ description })

const Measurement = z
  .object({
    kind: z.enum(['initial', 'standard']).meta({
      id: 'MeasurementKind',
      description:
        '`initial`: the first measurement of a new employee. `standard`: one of the periods of all ongoing employees.',
    }),
    measurement_period: Days('The days whose hours count.'),
    administrative_period: Days('The days until the stability period.')
      .nullable()
      .meta({ description: 'The days until the stability period. Null if it follows immediately.' }),
    stability_period: Days('The days that the result decides.'),
    has_ended: z
      .boolean()
      .meta({ description: 'Whether the measurement period is over. If not, `hours` are those so far.' }),
    is_reported: z.boolean().meta({ description: 'Whether any hours of the period were reported.' }),
    hours: Hours('Hours of service in the period.'),
    average_weekly_hours: Hours('The weekly average, without special unpaid leave.'),
    is_full_time: z.boolean().meta({
      description: 'Whether the average is at least 30 hours a week. Without reported hours, the class decides.',
    }),
  })
  .meta({ id: 'Measurement' })

export const AcaStatus = z
  .object({
    employee_id: Id('empl'),
    employer_id: Id('empr'),
    as_of: ResponseDay,
    is_full_time: z.boolean().nullable().meta({
      description: 'Whether the employee is full-time on that day. Null if not employed, or without a policy.',
    }),
    reason_code: MeasuredReason,
    reason: z.string().meta({ description: 'The reason as a human-readable sentence.' }),
    status_starts_on: ResponseDay.nullable().meta({
      description: 'The first day of this status. Null without a status.',
    }),
    status_ends_on: ResponseDay.nullable().meta({ description: 'The last day of this status. Null if not known yet.' }),
    measurement_policy: MeasurementPolicyAnswer.nullable().meta({
      description: 'The policy that applies to the employee. Null if there is no such policy.',
    }),
    service_starts_on: ResponseDay.nullable().meta({
      description: 'The first day of service after the last long break, which is the start date. Null without service.',
    }),
    statuses: z
      .array(
        z.object({
          starts_on: ResponseDay,
          ends_on: ResponseDay.nullable().meta({ description: 'The last day. Null if it is not known yet.' }),
          is_full_time: z.boolean().meta({ description: 'Whether the employee is full-time on these days.' }),
          reason_code: MeasuredReason,
        }),
      )
      .meta({ description: 'The statuses on all days of this employment, in order.' }),
    measurements: z.array(Measurement).meta({ description: 'Ended and current measurements, in order.' }),
    months: z
      .array(
        z.object({
          month: ResponseDay.meta({ description: 'The first day of the month.' }),
          status: z.enum(['full_time', 'part_time', 'limited_non_assessment', 'not_employed']).meta({
            id: 'MonthlyFullTimeStatus',
            description:
              '`full_time`, `part_time`: the status in the month. `limited_non_assessment`: no assessable payment is ' +
              'due for the month, such as during an initial measurement. `not_employed`: no day of employment.',
          }),
          reason_code: z.string().meta({
            description:
              'The reason, as a stable code. hours_not_reported: part-time by the class, because no hours are ' +
              'reported.',
          }),
        }),
      )
      .meta({ description: 'The months of the calendar year of `as_of`. Empty without a policy.' }),
  })
  .meta({
    id: 'AcaStatus',
    description: 'Explains whether an employee is full-time under section 4980H of the Internal Revenue Code.',
  })
export type AcaStatus = z.output<typeof AcaStatus>
