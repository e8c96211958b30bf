import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { objectJson, targetList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import { target_employer, type EmployerKey } from '../../access/auth/queries.ts'

/** A page of the subscriptions of an employer, latest first. */
export const listSubscriptions = targetList('employers.listSubscriptions', {
  target: target_employer,
  from: `employer_subscriptions as subscription
    where subscription.employer_id = target.id and subscription.organization_id = target.organization_id`,
  row: 'subscription',
  order: 'subscription.started_on desc',
  item: objectJson('subscription.id, subscription.employer_id, subscription.started_on, subscription.ended_on'),
})

const adminFields =
  'admin.id, admin.employer_id, admin.email, admin.name, admin.phone, iso(admin.created_at) as created_at'

/** A page of the admins of an employer, oldest first. */
export const listAdmins = targetList('employers.listAdmins', {
  target: target_employer,
  from: `employer_admins as admin
    where admin.employer_id = target.id and admin.organization_id = target.organization_id
      and admin.disabled_at is null`,
  row: 'admin',
  order: 'admin.created_at, admin.id',
  item: objectJson(adminFields),
})

export const locateAdmin = read(
  'employers.locateAdmin',
  `select admin.id as employer_admin_id, admin.employer_id, admin.organization_id from employer_admins as admin
    where admin.id = :employer_admin_id and admin.employer_id = :employer_id and admin.disabled_at is null
      and ${inReach('admin.organization_id', 'admin.employer_id')}`,
).row<AdminKey>

export type AdminKey = EmployerKey & { employer_admin_id: string }

/** One EmployerAdmin as JSON, current or former. */
export const findAdmin = statement(
  'employers.findAdmin',
  `select (select row_to_json(shown) from (select ${adminFields}) as shown)::text as json from employer_admins as admin
    where admin.id = :id and admin.organization_id = :organization_id`,
).json

const admin_saved = statement(
  'employers.saveAdmin',
  `insert into employer_admins as admin (id, organization_id, employer_id, email, name, phone, created_at)
   values (:id, :organization_id, :employer_id, :email, :name, :phone, :now)
   on conflict (employer_id, email_key, organization_id) do update
     set email = excluded.email, name = excluded.name, phone = excluded.phone,
         created_at = case when admin.disabled_at is null then admin.created_at else excluded.created_at end,
         disabled_at = null
   where admin.disabled_at is not null or (admin.name is null and excluded.name is not null)
   returning admin.id`,
)

/**
 * Adds an admin, restores a former admin, or adds the missing name of an admin. Undefined if the person is already
 * an admin.
 */
export const saveAdmin = (
  ctx: Ctx,
  { organization_id, employer_id }: EmployerKey,
  admin: { id: string; email: string; name: string | null; phone: string | null },
) => admin_saved.row<{ id: string }>(ctx, { ...admin, organization_id, employer_id })

export const saveAdminEnd = statement(
  'employers.saveAdminEnd',
  `update employer_admins set disabled_at = :now
    where id = :employer_admin_id and organization_id = :organization_id and disabled_at is null`,
).rows
