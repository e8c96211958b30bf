import type { EmployeeKey, EmployerKey } from '../../modules/access/auth/queries.ts'
import type { InvoiceKey } from '../../modules/money/billing/queries.ts'
import type { Ctx } from '../../runtime/ctx.ts'
import type { Db } from '../../database/query/database.ts'
import { statement } from '../../database/sql/statement.ts'

const members = statement(
  'demo.listMembers',
  `select reference_id, member_id, id as employee_id from employees
    where employer_id = :employer_id and organization_id = :organization_id and reference_id is not null`,
)

/** The people of an employer, by the reference of their employment. */
export async function listMembers(ctx: Ctx, { employer_id, organization_id }: EmployerKey) {
  type Row = { reference_id: string; member_id: string; employee_id: string }
  const rows = await members.rows<Row>(ctx, { employer_id, organization_id })
  return new Map(rows.map((row) => [row.reference_id, row]))
}

export const listColleagues = statement(
  'demo.listColleagues',
  `select user_id from memberships where organization_id = :organization_id order by user_id`,
).rows<{ user_id: string }>

/** The enrollments of employers without a submission whose window has not ended. */
export const listPendingEnrollments = statement(
  'demo.listPendingEnrollments',
  `select enrollment.id, enrollment.benefit_id, employee.id as employee_id, employee.reference_id
     from employees as employee
    cross join lateral (
      select * from enrollments where employee_id = employee.id and organization_id = :organization_id offset 0)
            as enrollment
    where employee.employer_id = any(:employer_ids::text[]) and employee.organization_id = :organization_id
      and enrollment.answer is null and coalesce(enrollment.inactive_on > :today, true)
      and (enrollment.window_ends_on >= :today or exists (
             select from benefit_plan_years as year
              where year.id = enrollment.plan_year_id and year.organization_id = :organization_id
                and :today between year.open_enrollment_start and year.open_enrollment_end))
    order by enrollment.id`,
).rows<Unanswered>

type Unanswered = { id: string; benefit_id: string; employee_id: string; reference_id: string }

/** A fixed sample of the employers' covered people. */
export const listEnrolled = statement(
  'demo.listEnrolled',
  `select employee.id as employee_id, employee.employer_id, employee.organization_id, employee.member_id
     from employees as employee
    where employee.organization_id = :organization_id and employee.employer_id = any(:employer_ids::text[])
      and employee.terminated_on is null
      and exists (select from enrollments as enrollment
                   where enrollment.employee_id = employee.id and enrollment.organization_id = :organization_id
                     and enrollment.answer = 'enrolled' and enrollment.coverage_start < :today)
    order by employee.reference_id limit :most`,
).rows<EmployeeKey>

export const listUnpaidInvoices = statement(
  'demo.listUnpaidInvoices',
  `select invoice_id, employer_id, organization_id from invoices
    where organization_id = :organization_id and issued_at is not null and paid_at is null and voided_at is null
    order by employer_id, period`,
).rows<InvoiceKey>

const seeded = statement(
  'demo.isSeeded',
  `select exists (select from employers where organization_id = :organization_id) as seeded,
          exists (select from organizations where id = :organization_id) as founded`,
)

/** Whether a demo organization exists, and whether its employers were seeded. */
export async function findSeedState(db: Db, organization_id: string): Promise<{ founded: boolean; seeded: boolean }> {
  const row = await seeded.row<{ seeded: boolean; founded: boolean }>({ db }, { organization_id })
  return row!
}

const claimed = statement('demo.lockSeeding', 'select pg_try_advisory_xact_lock(hashtext(:organization_id)) as mine')

/** Locks the seeding of an organization. False if another process holds the lock. */
export const lockSeeding = (db: Db, organization_id: string): Promise<boolean> =>
  claimed.value({ db }, { organization_id })

/** The ids of an organization's webhook subscriptions with this description. */
export const listSubscriptions = statement(
  'demo.listSubscriptions',
  `select id from webhook_subscriptions
    where organization_id = :organization_id and description = :description and deleted_at is null`,
).column

/** The oldest key of an organization. */
export const findAdminKey = statement(
  'demo.findAdminKey',
  'select id, user_id from api_keys where organization_id = :organization_id order by id limit 1',
).row<{ id: string; user_id: string }>
