import type { Ctx, DailyChunk } from '../../../runtime/ctx.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { Day } from '../../../kernel/days.ts'
import type { PayCalendar } from '../../../kernel/pay-calendar.ts'
import type { DeductionMethod } from './rules.ts'
import { isOpen } from './statement-queries.ts'

/** How an employer pays, and how far its statements reach. `has_open`: the newest one is not whole or not told yet. */
export type PayingEmployer = Required<PayCalendar> & {
  employer_id: string
  employee_count: number
  deduction_method: DeductionMethod
  first_coverage_start: Day
  /** the end and the calendar of the newest statement */
  last_end: Day | null
  last_calendar: PayCalendar | null
  has_open: boolean
}

/**
 * SQL: the employers of an organization that may be due a statement on a day or have one that is open. No pay
 * period is longer than a month, so coverage that begins later can't be due yet. For as long after a
 * subscription ended as corrections reach, statements still collect or pay back what came out late; and after that
 * whenever an invoice was drafted or voided since the newest one, which payroll follows.
 */
const payingEmployers = (organization: string, day: string, condition = '') => `
  select held.employer_id, employer.employee_count, employer.pay_frequency, employer.first_pay_date,
         employer.deduction_method, employer.deductions_per_year,
         greatest(held.first_coverage_start, employer.administered_from) as first_coverage_start,
         newest.period_end_date as last_end,
         case when newest.id is not null then json_build_object(
           'pay_frequency', newest.frequency, 'first_pay_date', newest.first_pay_date,
           'deductions_per_year', newest.deductions_per_year) end as last_calendar,
         newest.employer_id is not null and (${isOpen('newest')}) as has_open
    from employer_benefits as held
   cross join lateral (
     select * from employers
      where id = held.employer_id and organization_id = held.organization_id offset 0) as employer
    left join lateral (
     select * from deduction_statements as statement
      where statement.employer_id = held.employer_id and statement.organization_id = held.organization_id
      order by period_end_date desc limit 1) as newest on true
   where held.organization_id = ${organization} ${condition}
     and held.first_coverage_start <= ${day}::date + 31
     and (coalesce(
            employer.subscription_ended_on + 92 + 31 * greatest(employer.correction_reach_months - 3, 0) > ${day}, true)
          or exists (select from invoices as invoice
                      where invoice.employer_id = held.employer_id and invoice.organization_id = held.organization_id
                        and greatest(invoice.drafted_at, invoice.voided_at) >= newest.generated_at))
     and (newest.period_end_date is null or newest.period_end_date < ${day} or ${isOpen('newest')})`

const paying = statement(
  'deductions.listPayingEmployers',
  `${payingEmployers(':organization_id', ':today', 'and held.employer_id > :after')}
   order by held.employer_id limit :most`,
)

/** The next employers of an organization that may be due a statement today or have one that is open. */
export const listPayingEmployers = (ctx: Ctx, organization_id: string, { after, most }: DailyChunk) =>
  paying.rows<PayingEmployer>(ctx, { organization_id, after: after ?? '', most })

const paying_one = statement(
  'deductions.findPayingEmployer',
  payingEmployers(':organization_id', ':today', 'and held.employer_id = :employer_id'),
)

/** An employer, in a list of its own, when it is one of them. */
export const findPayingEmployer = (ctx: Ctx, organization_id: string, employer_id: string) =>
  paying_one.rows<PayingEmployer>(ctx, { organization_id, employer_id })

/** SQL: whether there are such employers. */
export const hasStatementsDue = `exists (${payingEmployers('organization.id', 'daily_run.day')})`
