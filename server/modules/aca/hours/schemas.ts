import { z } from 'zod'
import { flag, type SentBody } from '../../../http/endpoint.ts'
import { ResponseDay, DayText, Id, optional, text, Timestamp } from '../../../kernel/fields.ts'
import { pageOf, pageQuery } from '../../../kernel/pages.ts'
import { CensusOrigin } from '../../roster/census/schemas.ts'
import { max_listed, max_previewed, overlapFinder, stagedRowOf, whyNotReportHours } from './rules.ts'

const hours_kinds = ['worked', 'paid_leave', 'special_unpaid_leave', 'employment_break'] as const

const HoursKind = z.enum(hours_kinds).meta({
  id: 'HoursKind',
  description:
    '`worked`: hours worked. `paid_leave`: paid hours without work, such as vacation, illness, holidays or jury duty ' +
    'with pay. `special_unpaid_leave`: unpaid leave under FMLA or USERRA, or for jury duty. `employment_break`: a ' +
    'break of at least four weeks without hours, in an educational organization.',
})

/** An amount with at most two decimals. */
const Amount = (most: number) =>
  z
    .number()
    .min(0)
    .max(most)
    .refine((value) => Math.round(value * 100) / 100 === value, 'must have at most two decimals')

export const NewHours = z
  .object({
    employee_id: optional(Id('empl')),
    reference_id: optional(text()).meta({
      description: 'Your own reference of the employee, instead of `employee_id`.',
    }),
    period_starts_on: DayText.meta({ description: 'The first day of the period, usually a pay period.' }),
    period_ends_on: DayText.meta({
      description: 'The last day of the period: at most 31 days with hours, at most 366 days of unpaid leave or break.',
    }),
    kind: HoursKind,
    hours: optional(Amount(744)).meta({
      description: 'The hours of service in the period. Not for unpaid leave and breaks, whose days count.',
      example: 80.5,
    }),
    days: optional(Amount(31)).meta({
      description:
        'Days with service, instead of `hours`, for employees who are not paid by the hour. Each counts as 8 hours.',
    }),
    weeks: optional(Amount(5)).meta({
      description:
        'Weeks with service, instead of `hours`, for employees who are not paid by the hour. Each counts as 40 hours.',
    }),
    action: optional(z.enum(['record', 'remove']).meta({ id: 'NewHoursAction' })).meta({
      description: '`remove` deletes the recorded hours of this employee, kind and period. Default: `record`.',
    }),
  })
  .transform((row, check) => {
    const fault = whyNotReportHours(row)
    if (fault) check.issues.push({ code: 'custom', path: [fault.field], message: fault.message, input: row })
    return stagedRowOf(row)
  })
  .meta({ id: 'NewHours' })

/** The maximum number of rows per report. */
const max_rows = 100_000

const HoursReport = z
  .object({
    rows: z
      .array(NewHours)
      .min(1, 'must contain at least one row')
      .max(max_rows, `must contain at most ${max_rows} rows`)
      .meta({ description: 'The rows, at most 100,000.' }),
  })
  .meta({ id: 'NewHoursReport' })

/** The maximum number of failures that a stored report has. */
export const max_kept = 20

/** The number of rows that one statement saves. */
export const chunk_size = 10_000

export const sent_hours = {
  body: HoursReport,
  rows: { field: 'rows', most: max_rows, staged: { size: chunk_size, faultFinder: overlapFinder } },
  csv: 'any',
  csv_numbers: ['hours', 'days', 'weeks'],
  body_limit: 32 * 1024 * 1024,
} as const satisfies SentBody

export const HoursOptions = z.strictObject({
  dry_run: flag.meta({ description: 'If true, returns the outcome and changes nothing.' }),
})

const counts = {
  row_count: z.int(),
  added_count: z.int().meta({ description: 'Rows of periods that had no hours of this employee and kind.' }),
  changed_count: z.int().meta({ description: 'Rows that replaced different hours of an earlier report.' }),
  removed_count: z.int().meta({ description: 'Rows that removed the hours of an earlier report.' }),
  unchanged_count: z.int().meta({ description: 'Rows that were recorded before, or had nothing to remove.' }),
  late_count: z.int().meta({
    description: 'Added rows of periods that an earlier report of the employer already covered.',
  }),
  failed_count: z.int().meta({ description: 'Rows that were not recorded.' }),
}

const Hours = z.number().meta({ description: 'Hours with at most two decimals. 0 for unpaid leave and breaks.' })

const HoursChange = z
  .object({
    index: z.int().meta({ description: 'The index of the row, from 0.' }),
    employee_id: Id('empl'),
    kind: HoursKind,
    period_starts_on: ResponseDay,
    period_ends_on: ResponseDay,
    hours_before: Hours.nullable().meta({ description: 'The hours of the earlier report. Null if there were none.' }),
    hours_after: Hours.nullable().meta({ description: 'The hours of this report. Null if it removes them.' }),
    is_late: z.boolean().meta({ description: 'Whether an earlier report of the employer already covered the period.' }),
  })
  .meta({ id: 'HoursChange' })

const FailedHours = z.object({
  employee_id: Id('empl').nullable().meta({ description: 'The employee as sent. Null if the row had none.' }),
  reference_id: z.string().nullable().meta({ description: 'The reference as sent. Null if the row had none.' }),
  field: z.string().meta({ description: 'The field with the fault.' }),
  reason: z.string().meta({ description: 'The fault, without personal data.' }),
})

const StatusChange = z
  .object({
    employee_id: Id('empl'),
    person_name: z.string().meta({ description: 'The name of the person.' }),
    starts_on: ResponseDay.meta({ description: 'The first day whose status changes, usually the first of a month.' }),
    ends_on: ResponseDay.nullable().meta({ description: 'The last day. Null if it is not known yet.' }),
    is_full_time_before: z.boolean().nullable().meta({
      description: 'Whether the employee is full-time on these days by the recorded hours. Null without a status.',
    }),
    is_full_time_after: z.boolean().nullable().meta({
      description:
        'Whether the employee is full-time on these days with the hours of the report. Null without a status.',
    }),
  })
  .meta({ id: 'FullTimeStatusChange', description: 'A change of full-time status that a report of hours would cause.' })

export const HoursOutcome = z
  .object({
    employer_id: Id('empr'),
    dry_run: z.boolean().meta({ description: 'Whether nothing was changed.' }),
    reported_at: Timestamp.meta({ description: 'The time of the report.' }),
    ...counts,
    failures: z
      .array(FailedHours.extend({ index: z.int().meta({ description: 'The index of the row, from 0.' }) }))
      .meta({ description: `The first ${max_listed} rows that were not recorded. All others are recorded.` }),
    changes: z.array(HoursChange).meta({
      description: `The first ${max_listed} rows that change or remove earlier hours, or that are late.`,
    }),
    status_changes: z.array(StatusChange).meta({
      description:
        'With `dry_run`, how full-time status would change by the measurement policies, for the first ' +
        `${max_previewed} employees of the report, those with changed, removed or late hours first. Includes the ` +
        'other employments of the same people in the aggregated ALE group, because their hours add up. Otherwise ' +
        'empty.',
    }),
  })
  .meta({ id: 'HoursOutcome' })
export type HoursOutcome = z.output<typeof HoursOutcome>

const ServiceHours = z
  .object({
    employee_id: Id('empl'),
    kind: HoursKind,
    period_starts_on: ResponseDay,
    period_ends_on: ResponseDay,
    hours: Hours,
    reported_at: Timestamp.meta({ description: 'When these hours were reported.' }),
  })
  .meta({ id: 'ServiceHours', description: 'The hours of service of an employee in a period.' })

export const HoursPage = pageOf('ServiceHoursPage', ServiceHours)

export const HoursFilter = z.object({
  ...pageQuery,
  kind: HoursKind.optional().meta({ description: 'Only hours of this kind.' }),
  from: DayText.optional().meta({ description: 'Only periods that start on this day or later.' }),
  to: DayText.optional().meta({ description: 'Only periods that start on this day or earlier.' }),
})
export type HoursFilter = z.output<typeof HoursFilter>

export const HoursReportPage = pageOf(
  'HoursReportPage',
  z
    .object({
      id: Id('hrep'),
      origin: CensusOrigin.meta({ description: '`api`: a request. `hris`: a payroll system, with the roster.' }),
      reported_at: HoursOutcome.shape.reported_at,
      period_starts_on: ResponseDay.nullable().meta({
        description: 'The first day of the earliest recorded period. Null if all rows failed.',
      }),
      period_ends_on: ResponseDay.nullable().meta({
        description: 'The last day of the latest recorded period. Null if all rows failed.',
      }),
      ...counts,
      failures: z.array(FailedHours).meta({
        id: 'FailedHours',
        description: `The first ${max_kept} rows that were not recorded.`,
      }),
    })
    .meta({ id: 'HoursReport' }),
)

export const HoursReportPaging = z.object(pageQuery)
