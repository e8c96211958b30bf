import { mapInSteps, runInSlices } from '../../../kernel/concurrency/time-slices.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { rowsFrom } from '../../../database/sql/fragments.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { latest_facts } from '../employees/queries.ts'
import { hashOfDetails } from '../employees/rules.ts'
import { lines, named } from '../../directory/people/rules.ts'
import type { RosterRow } from './schemas.ts'

const row_columns = [
  'position int',
  'report_hash',
  'reference_id',
  ...named.map((name) => (name === 'date_of_birth' ? `${name} date` : name)),
  ...lines,
  'county',
  'start_date date',
  'employee_class',
  'compensation_type',
  'bargaining_unit',
]

const matchesIfGiven = (known: string, name: string) => `(input.${name} is null or ${known}.${name} = input.${name})`

const unchanged_found = statement(
  'census.findUnchanged',
  `select input.position, employee.id as employee_id, employee.member_id
     from (select input.*, :employer_id || input.reference_id as reference_key
             from ${rowsFrom('rows', row_columns)} as input offset 0) as input
    cross join lateral (
      select * from employees
       where reference_key = input.reference_key and organization_id = :organization_id offset 0) as employee
    cross join lateral (
      select * from members
       where id = employee.member_id and organization_id = :organization_id offset 0) as member
    ${latest_facts}
    where employee.terminated_on is null and employee.absent_on is null and employee.report_hash = input.report_hash
      and (input.start_date is null or employee.hired_on = input.start_date)
      and classification.employee_class = coalesce(input.employee_class, classification.employee_class)
      and ${matchesIfGiven('compensation', 'compensation_type')}
      and (input.bargaining_unit is null or coalesce(unit.bargaining_unit, '') = input.bargaining_unit)
      and ${named.map((name) => matchesIfGiven('member', name)).join(' and ')}
      and (input.address_line_1 is null
           or ${lines.map((line) => `member.${line} is not distinct from input.${line}`).join(' and ')}
              and ${matchesIfGiven('member', 'county')})
      and not exists (
        select from employees as former
         where former.reference_key = input.reference_key and former.organization_id = :organization_id
           and former.member_id <> employee.member_id)`,
)

/** An employment whose row reports only known facts. */
type UnchangedEmployee = { employee_id: string; member_id: string }

/**
 * Finds, by row position, the employments whose rows report only known facts, with the hash of their last report. Only
 * employments that alone hold or held their reference qualify.
 */
export async function findUnchanged(
  ctx: Ctx,
  employer: EmployerKey,
  rows: RosterRow[],
): Promise<Map<number, UnchangedEmployee>> {
  const cells = await runInSlices(mapInSteps(rows, (row, position) => [position, ...cellsOf(row)]))
  const found = await unchanged_found.rows<UnchangedEmployee & { position: number }>(ctx, {
    ...employer,
    rows: JSON.stringify(cells),
  })
  return new Map(found.map(({ position, ...known }) => [position, known]))
}

const cellsOf = (row: RosterRow) => [
  hashOfDetails(row),
  row.reference_id,
  ...named.map((name) => row[name] ?? null),
  ...lines.map((line) => row.address?.[line] ?? null),
  row.address?.county ?? null,
  row.start_date ?? null,
  row.employee_class ?? null,
  row.compensation_type ?? null,
  // An empty text stands for no unit, because null stands for an omitted field.
  row.bargaining_unit === null ? '' : (row.bargaining_unit ?? null),
]
