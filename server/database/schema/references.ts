/**
 * The references of tables that receive thousands of rows at a time. A foreign key checks row by row, which took two
 * thirds of the time of writing invoice lines. Instead, a trigger checks all rows of a statement at once, and another
 * one refuses to delete the rows that they refer to (docs/design/data/schema.md). A sharded database has foreign keys
 * (citus/placement.ts).
 */

type BulkReference = {
  table: string
  /** The columns that refer to a row, each with its column in the other table. */
  columns: Record<string, string>
  target: string
  /** A column that is equal in both rows. It is compared after the lookup, which uses the index of the ids. */
  same?: string
  /** The reference may change. All others are checked only when they are inserted. */
  can_change?: true
}

const bulk_references: readonly BulkReference[] = [
  { table: 'employees', columns: { employer_id: 'id' }, target: 'employers' },
  { table: 'employees', columns: { member_id: 'id' }, target: 'members' },
  { table: 'employee_classifications', columns: { employee_id: 'id' }, target: 'employees' },
  { table: 'employee_compensations', columns: { employee_id: 'id' }, target: 'employees' },
  { table: 'employee_bargaining_units', columns: { employee_id: 'id' }, target: 'employees' },
  { table: 'group_members', columns: { group_id: 'id' }, target: 'groups', can_change: true },
  { table: 'group_members', columns: { plan_id: 'id' }, target: 'plans', can_change: true },
  { table: 'group_members', columns: { member_id: 'id' }, target: 'members', can_change: true },
  { table: 'enrollments', columns: { employee_id: 'id' }, target: 'employees', same: 'employer_id' },
  {
    table: 'enrollments',
    columns: { plan_year_id: 'plan_year_id', benefit_id: 'benefit_id' },
    target: 'plan_year_benefits',
  },
  { table: 'enrollment_evidence', columns: { enrollment_id: 'id' }, target: 'enrollments' },
  { table: 'deduction_lines', columns: { enrollment_id: 'id' }, target: 'enrollments', same: 'employee_id' },
  { table: 'deduction_lines', columns: { statement_id: 'id' }, target: 'deduction_statements' },
  { table: 'deduction_balances', columns: { enrollment_id: 'id' }, target: 'enrollments' },
  { table: 'invoice_lines', columns: { enrollment_id: 'id' }, target: 'enrollments', same: 'employee_id' },
  { table: 'invoice_lines', columns: { invoice_id: 'invoice_id' }, target: 'invoices' },
  { table: 'webhook_deliveries', columns: { subscription_id: 'id' }, target: 'webhook_subscriptions' },
]

const by_table = Map.groupBy(bulk_references, ({ table }) => table)
const by_target = Map.groupBy(bulk_references, ({ target }) => target)

/** SQL: whether a row of `written` refers to a row that does not exist. Each reference is looked up once. */
function isBroken({ columns, target, same }: BulkReference): string {
  const given = [...Object.keys(columns), ...(same ? [same] : []), 'organization_id'].join(', ')
  const keys = Object.entries({ ...columns, organization_id: 'organization_id' })
  const found = `from ${target} where ${keys.map(([column, key]) => `${key} = given.${column}`).join(' and ')}`
  const condition = same
    ? `given.${same} is distinct from (select ${same} ${found})`
    : `not exists (select ${found} offset 0)`
  return `exists (
    select from (select distinct ${given} from written) as given
     where ${condition})`
}

const checkOf = (table: string): string => `check_${table}_references`

const checks = [...by_table].map(
  ([table, references]) => `create or replace function ${checkOf(table)}()
returns trigger
language plpgsql
as $$
begin
  if ${references.map(isBroken).join('\n  or ')} then
    raise foreign_key_violation using message = 'A row of ${table} refers to a row that does not exist.';
  end if;
  return null;
end $$`,
)

const trigger = (name: string, when: string, table: string, does: string) => ({
  table,
  name,
  sql: `create or replace trigger ${name} ${when} on ${table} ${does}`,
})

/** The triggers that check references, and those that refuse to remove a row or to change its key. */
export const reference_triggers = [
  ...[...by_table].flatMap(([table, [first]]) => {
    const check = `referencing new table as written for each statement execute function ${checkOf(table)}()`
    return [
      trigger('check_references', 'after insert', table, check),
      ...(first!.can_change ? [trigger('check_references_on_update', 'after update', table, check)] : []),
    ]
  }),
  ...[...by_target].map(([target, [first]]) => {
    const keys = [...Object.values(first!.columns), 'organization_id'].join(', ')
    const removal = `after delete or update of ${keys}`
    return trigger('keep_rows', removal, target, 'for each row execute function refuse_removal()')
  }),
]

export const reference_definitions: readonly string[] = [...checks, ...reference_triggers.map(({ sql }) => sql)]
