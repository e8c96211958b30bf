import { target_employer } from '../../access/auth/queries.ts'
import { targetList } from '../../../database/sql/pages.ts'
import { statement } from '../../../database/sql/statement.ts'
import { first_open_month } from '../../money/deductions/statement-queries.ts'
import type { BookableMonths } from './rules.ts'

const shownFields = `
  booked.id, booked.employer_id, booked.employee_id, booked.enrollment_id, to_char(booked.month, 'YYYY-MM') as month,
  booked.employee_deduction_in_cents, booked.employer_contribution_in_cents, booked.tax_classification, booked.reason,
  booked.booked_on, iso(booked.created_at) as created_at`

/**
 * Returns the first month that an invoice of the employer can still correct, and its go-live day. They stay the
 * same until the transaction ends.
 */
export const findBookableMonths = statement(
  'manual-adjustments.findBookableMonths',
  `select ${first_open_month} as first_open_month, employer.administered_from
     from employers as employer
    where employer.id = :employer_id and employer.organization_id = :organization_id
      for share of employer`,
).row<BookableMonths>

/** Books an adjustment for an enrollment and returns it as JSON. */
export const insertManualAdjustment = statement(
  'manual-adjustments.insertManualAdjustment',
  `with booked as (
     insert into manual_adjustments
       (id, organization_id, employer_id, employee_id, enrollment_id, month, employee_deduction_in_cents,
        employer_contribution_in_cents, tax_classification, reason, booked_on, created_at)
     values (:id, :organization_id, :employer_id, :employee_id, :enrollment_id, :month, :employee_deduction_in_cents,
             :employer_contribution_in_cents, :tax_classification, :reason, :today, :now)
     returning *)
   select row_to_json(shown)::text as json from (select ${shownFields} from booked) as shown`,
).json

/** A page of the manual adjustments of an employer, newest first. */
export const listManualAdjustments = targetList('manual-adjustments.listManualAdjustments', {
  target: target_employer,
  from: `manual_adjustments as booked
          where booked.employer_id = target.id and booked.organization_id = target.organization_id`,
  row: 'booked',
  order: 'booked.created_at desc, booked.id desc',
  item: `(select row_to_json(shown) from (select ${shownFields}) as shown)`,
})
