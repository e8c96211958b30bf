import { each, unhurried } from '../../../kernel/slices.ts'
import type { Ctx } from '../../../runtime/ctx.ts'
import { rowsFrom } from '../../../database/sql/input-rows.ts'
import { statement } from '../../../database/sql/statement.ts'
import type { EmployerKey } from '../../access/auth/queries.ts'
import { latest } from '../employees/queries.ts'
import { hashOfDetails } from '../employees/rules.ts'
import { lines, named } from '../../directory/people/rules.ts'
import type { RosterRow } from './schemas.ts'

const said_columns = [
  'place int',
  'said_hash',
  'reference_id',
  ...named.map((name) => (name === 'date_of_birth' ? `${name} date` : name)),
  ...lines,
  'county',
  'start_date date',
  'employee_class',
  'compensation_type',
]

const unlessSaid = (known: string, name: string) => `(said.${name} is null or ${known}.${name} = said.${name})`

const as_said_found = statement(
  'census.findAsSaid',
  `select said.place, employee.id as employee_id, employee.member_id
     from (select said.*, :employer_id || said.reference_id as reference_key
             from ${rowsFrom('rows', said_columns)} as said offset 0) as said
    cross join lateral (
      select * from employees
       where reference_key = said.reference_key and organization_id = :organization_id offset 0) as employee
    cross join lateral (
      select * from members
       where id = employee.member_id and organization_id = :organization_id offset 0) as member
    ${latest('employee_classifications', 'employee_class', 'employee', 'classification')}
    ${latest('employee_compensations', 'compensation_type', 'employee', 'compensation')}
    where employee.terminated_on is null and employee.absent_on is null and employee.said_hash = said.said_hash
      and (said.start_date is null or employee.hired_on = said.start_date)
      and classification.employee_class = coalesce(said.employee_class, classification.employee_class)
      and ${unlessSaid('compensation', 'compensation_type')}
      and ${named.map((name) => unlessSaid('member', name)).join(' and ')}
      and (said.address_line_1 is null
           or ${lines.map((line) => `member.${line} is not distinct from said.${line}`).join(' and ')}
              and ${unlessSaid('member', 'county')})
      and not exists (
        select from employees as former
         where former.reference_key = said.reference_key and former.organization_id = :organization_id
           and former.member_id <> employee.member_id)`,
)

/** An employment of which a row tells nothing but what is known. */
export type AsSaid = { employee_id: string; member_id: string }

/**
 * Of which employments rows with a reference tell nothing but what is known, and what they told the last time, by the
 * places of the rows. Others have or had none of these references.
 */
export async function findAsSaid(ctx: Ctx, employer: EmployerKey, rows: RosterRow[]): Promise<Map<number, AsSaid>> {
  const cells = await unhurried(each(rows, (row, place) => [place, ...cellsOf(row)]))
  const found = await as_said_found.rows<AsSaid & { place: number }>(ctx, { ...employer, rows: JSON.stringify(cells) })
  return new Map(found.map(({ place, ...known }) => [place, known]))
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
]
