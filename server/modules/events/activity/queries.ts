import { pageJson, pageValues } from '../../../database/sql/pages.ts'
import { inReach } from '../../../database/sql/reach.ts'
import { readVariants } from '../../../database/sql/statement.ts'
import type { ReadCtx } from '../../../runtime/ctx.ts'
import { operating, type Role, roleInOrganization } from '../../../runtime/permissions.ts'
import type { ActivityFilter } from './schemas.ts'

/** SQL: the events of keys and webhooks, which are not about employers or people. */
const of_developers = `array['api_key', 'webhook_subscription']`

const ids_of_employee = `
  select employee.id from employees as employee
   where employee.id = :employee_id and employee.organization_id = :organization_id
   union all
  select enrollment.id from enrollments as enrollment
   where enrollment.employee_id = :employee_id and enrollment.organization_id = :organization_id
   union all
  select dependent.id
    from employees as employee
    join dependents as dependent
      on dependent.member_id = employee.member_id and dependent.organization_id = employee.organization_id
   where employee.id = :employee_id and employee.organization_id = :organization_id`

/** SQL: events that only a person's list shows one by one. Other lists show one entry for each payday. */
const of_paydays = "event.event_name <> 'employee.deduction_created'"

/** SQL: the condition for the events of each list. */
const of_list = {
  organization: `event.resource_type <> all (${of_developers}) and ${of_paydays}`,
  employer: `event.employer_id = :employer_id and event.employer_id > '' and ${of_paydays}`,
  employee: `event.resource_id = any (array(${ids_of_employee}))`,
}

/** SQL: the statements of each list, one for each payday of an employer. */
const of_statements = {
  organization: 'statement.organization_id = :organization_id',
  employer: 'statement.organization_id = :organization_id and statement.employer_id = :employer_id',
}
const has_deductions = 'statement.generated_at is not null and statement.line_count > 0'

/** SQL: the displayed fields of a row `event`. Only this part reads names. */
const entryJson = `
  select row_to_json(shown) as item from (
    select event.id, event.event_name, event.resource_id, employer.id as employer_id, employer.name as employer_name,
           employee.id as employee_id,
           coalesce(person.first_name || ' ' || person.last_name, dependent.first_name || ' ' || dependent.last_name)
             as person_name,
           benefit.name as benefit_name, payday.period_end_date as payday, payday.employee_count as people_count,
           case when :sees_money::boolean then coalesce(payday.total_in_cents, invoice.total_in_cents) end
             as total_in_cents,
           document.title as document_title,
           iso(event.created_at) as created_at
      from (select event.*) as its
      left join employers as employer
        on employer.id = its.employer_id and employer.organization_id = its.organization_id
      left join enrollments as enrollment
        on enrollment.id = its.resource_id and enrollment.organization_id = its.organization_id
       and its.resource_type = 'enrollment'
      left join benefit_products as benefit
        on benefit.id = enrollment.benefit_id and benefit.organization_id = enrollment.organization_id
      left join employees as employee
        on employee.id = case its.resource_type when 'employee' then its.resource_id else enrollment.employee_id end
       and employee.organization_id = its.organization_id
      left join members as person
        on person.id = employee.member_id and person.organization_id = employee.organization_id
      left join dependents as dependent
        on dependent.id = its.resource_id and dependent.organization_id = its.organization_id
       and its.resource_type = 'dependent'
      -- The receipt of an opened document has the time of its event.
      left join lateral (
        select receipt.document_id from document_receipts as receipt
         where receipt.employee_id = its.resource_id and receipt.organization_id = its.organization_id
           and receipt.opened_at = its.created_at and its.event_name = 'employee.document_opened'
         limit 1) as opened on true
      left join documents as document
        on document.id = case its.resource_type when 'document' then its.resource_id else opened.document_id end
       and document.organization_id = its.organization_id
      left join invoices as invoice
        on invoice.invoice_id = its.resource_id and invoice.organization_id = its.organization_id
       and its.resource_type = 'invoice'
      left join deduction_statements as payday
        on payday.id = its.resource_id and payday.organization_id = its.organization_id
       and its.resource_type = 'statement') as shown`

const listed = readVariants('activity.listActivity', { of: ['organization', 'employer', 'employee'] }, ({ of }) => {
  const matching = `event.organization_id = :organization_id
      and ${inReach('event.organization_id', 'event.employer_id')} and ${of_list[of]}`
  const statements =
    of === 'employee'
      ? undefined
      : `${of_statements[of]} and ${has_deductions}
           and ${inReach('statement.organization_id', 'statement.employer_id')}`
  // The stored counts by name give the total of an organization.
  const total =
    of === 'organization'
      ? `(select coalesce(sum(event.event_count), 0)::bigint from webhook_event_counts as event
             where event.organization_id = :organization_id and ${of_paydays}
               and split_part(event.event_name, '.', 1) <> all (${of_developers}))`
      : `(select count(*) from webhook_events as event where ${matching})`
  const newest = (columns: string, from: string, at: string) => `
    (select ${columns} from ${from} order by ${at} desc, id desc limit :limit::int + :offset::bigint)`
  const events = newest(
    'id, organization_id, resource_type, event_name, resource_id, employer_id, created_at',
    `webhook_events as event where ${matching}`,
    'created_at',
  )
  const paydays = `id, organization_id, 'statement', 'employee.deduction_created', id, employer_id, generated_at`
  const also = statements
    ? `union all ${newest(paydays, `deduction_statements as statement where ${statements}`, 'generated_at')}`
    : ''
  return pageJson(
    `select shown.item, event.rank as position
         from (select event.*, row_number() over (order by event.created_at desc, event.id desc) as rank
                 from (${events} ${also}) as event
                order by event.created_at desc, event.id desc limit :limit::int offset :offset::bigint) as event
        cross join lateral (${entryJson}) as shown`,
    statements ? `(${total} + (select count(*) from deduction_statements as statement where ${statements}))` : total,
  )
})

/** The roles that see the totals of paydays and invoices. */
const money_roles: readonly Role[] = operating

/** A page of the changes of an organization, an employer or an employee, newest first. */
export const listActivity = (
  ctx: ReadCtx,
  organization_id: string,
  { employer_id, employee_id, ...page }: ActivityFilter,
): Promise<string | undefined> => {
  const of = employee_id !== undefined ? 'employee' : employer_id !== undefined ? 'employer' : 'organization'
  return listed({ of }).json(ctx, {
    organization_id,
    employer_id: employer_id ?? null,
    employee_id: employee_id ?? null,
    sees_money:
      money_roles.includes(roleInOrganization(ctx.caller, organization_id)!) && ctx.caller.scopes.includes('money'),
    ...pageValues(page),
  })
}
