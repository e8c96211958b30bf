import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { pageJson, pageList } from '../../../database/sql/pages.ts'
import { read, statement } from '../../../database/sql/statement.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'

const of_employer = `
  from employer_subscriptions as subscription
 where subscription.employer_id = :employer_id and subscription.organization_id = employer.organization_id`

/** SQL: the employer whose items are listed. */
const one_employer = `
  with employer as materialized (
    select employer.id, employer.organization_id from employers as employer
     where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})`

/** SQL: a page of the items of an employer, from the rows `from`, with the columns `item` in the order `order`. */
const ofEmployer = (item: string, from: string, order: string) =>
  `${one_employer} ${pageJson(
    `select kept.item, kept.position from employer cross join lateral (
       select (select row_to_json(shown) from (select ${item}) as shown) as item,
              row_number() over (order by ${order}) as position
         ${from} order by ${order} limit :limit::int offset :offset::bigint) as kept`,
    `(select (select count(*) ${from}) from employer)`,
  )}`

/** A page of the subscriptions of an employer, latest first. */
export const listSubscriptions = pageList(
  'employers.listSubscriptions',
  ofEmployer(
    'subscription.id, subscription.employer_id, subscription.started_on, subscription.ended_on',
    of_employer,
    'subscription.started_on desc',
  ),
)

const adminFields =
  'admin.id, admin.employer_id, admin.email, admin.name, admin.phone, iso(admin.created_at) as created_at'

/** A page of the admins of an employer, oldest first. */
export const listAdmins = pageList(
  'employers.listAdmins',
  ofEmployer(
    adminFields,
    `from employer_admins as admin
      where admin.employer_id = :employer_id and admin.organization_id = employer.organization_id
        and admin.disabled_at is null`,
    'admin.created_at, admin.id',
  ),
)

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
