import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import {
  firstNumber,
  keyOf,
  keysetPageJson,
  liesAhead,
  readKeysetPage,
  searchedHow,
} from '../../../database/sql/pages.ts'
import { isSaid, rowsFrom, withSaid } from '../../../database/sql/input-rows.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import { residenceJson } from '../../../kernel/fields.ts'
import { enrollmentStatus } from '../../coverage/enrollments/queries.ts'
import { searchedBy, searchPatterns } from '../../directory/people/queries.ts'
import type { Employment } from './rules.ts'
import type { EmployeeFilter } from './schemas.ts'

/** SQL: the value of a history in force today: its latest row, since none lies in the future. */
export const latest = (table: string, column: string, employee: string, name: string) => `
  left join lateral (
    select history.${column} from ${table} as history
     where history.employee_id = ${employee}.id and history.organization_id = ${employee}.organization_id
     order by history.effective_on desc limit 1) as ${name} on true`

/** SQL: the first day of the value in force that `latest` calls `name`, within the employment of a row `employee`. */
const inForceSince = (table: string, column: string, name: string) => `
  case when ${name}.${column} is not null then
    greatest(coalesce(employee.hired_on, (employee.known_at at time zone 'America/New_York')::date), (
      select min(held.effective_on) filter (where held.${column} = ${name}.${column}
                                              and held.effective_on >= coalesce(held.changed_on, '-infinity'))
        from (select history.effective_on, history.${column},
                     max(history.effective_on) filter (where history.${column} <> ${name}.${column}) over ()
                       as changed_on
                from ${table} as history
               where history.employee_id = employee.id and history.organization_id = employee.organization_id) as held))
  end`

/** SQL: the lines of the newest statement of a row `employee`'s employer that are the employee's. */
const deductionsJson = `
  select coalesce(json_agg(json_build_object(
           'benefit_name', line.benefit_name, 'deduction_amount_in_cents', line.amount_in_cents,
           'deduction_category', null, 'frequency', newest.frequency, 'period_start_date', newest.period_start_date,
           'period_end_date', newest.period_end_date, 'tax_classification', line.tax_classification,
           'kind', line.kind, 'reason', line.reason,
           'corrected_period_start_date', line.corrected_period_start_date,
           'corrected_period_end_date', line.corrected_period_end_date)
           order by line.benefit_name, line.enrollment_id, line.kind desc, line.year desc,
                    line.tax_classification desc), '[]')
    from (select * from deduction_statements
           where employer_id = employee.employer_id and organization_id = employee.organization_id
             and generated_at is not null
           order by period_end_date desc limit 1) as newest
   cross join lateral (
     select * from deduction_lines
      where statement_id = newest.id and employee_id = employee.id and organization_id = newest.organization_id
     offset 0) as line`

/** SQL: whether the employment of a row `employee` has ended. */
export const employmentStatus = "case when employee.terminated_on < :today::date then 'terminated' else 'active' end"

/** SQL: the Employee of the interface, from a row `employee`. */
export const employeeJson = `
  select row_to_json(shown) as item from (
    select employee.id, employee.member_id, employee.reference_id, member.first_name, member.last_name, member.suffix,
           member.email, member.date_of_birth, member.gender, member.phone, classification.employee_class,
           ${employmentStatus} as status,
           employee.hired_on as hire_date, employee.terminated_on as termination_date,
           ${residenceJson('member')} as address, coalesce((
             select json_agg(json_build_object('id', enrollment.id, 'status', ${enrollmentStatus(':today')},
                                               'answered_at', iso(enrollment.answered_at))
                             order by enrollment.created_at desc, enrollment.id desc)
               from enrollments as enrollment
              where enrollment.employee_id = employee.id
                and enrollment.organization_id = employee.organization_id), '[]') as enrollments,
           iso(employee.created_at) as created_at, iso(greatest(employee.updated_at, member.updated_at)) as updated_at,
           employee.employer_id, employer.name as employer_name, employee.hired_on as start_date,
           ${inForceSince('employee_classifications', 'employee_class', 'classification')}
             as classification_effective_date,
           compensation.compensation_type,
           ${inForceSince('employee_compensations', 'compensation_type', 'compensation')}
             as compensation_type_effective_date, (${deductionsJson}) as deductions
      from members as member
      join employers as employer
        on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
      ${latest('employee_classifications', 'employee_class', 'employee', 'classification')}
      ${latest('employee_compensations', 'compensation_type', 'employee', 'compensation')}
     where member.id = employee.member_id and member.organization_id = employee.organization_id) as shown`

const one_employee = read(
  'employees.findEmployee',
  `select shown.item::text as json from employees as employee
    cross join lateral (${employeeJson}) as shown
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
  { together: 8 },
)

/** One Employee as JSON, or undefined when it does not exist within reach. */
export const findEmployee = (ctx: ReadCtx, employee_id: string) => one_employee.json(ctx, { employee_id })

const byStatus = {
  active: '(employee.terminated_on is null or employee.terminated_on >= :today::date)',
  terminated: 'employee.terminated_on < :today::date',
}

/** The newest first, by the place in the roster. */
const order = { by: 'roster_number', numbered: true }
const lies_ahead = liesAhead('employee', order)

const found_by_letters = `, found as materialized (
  select employee.* from place
   cross join lateral employments_found(place.id, place.organization_id, :search_patterns::text[]) as employee)`

/** SQL: how many a filter keeps, and which of them stand on the page, however deep: all are walked once for both. */
const countedIn = (roster: string) => `, counted as materialized (
  select each.* from place
   cross join lateral (
     select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead,
            (array_agg(employee.roster_number order by employee.roster_number desc) filter (where ${lies_ahead}))
              [least(:offset::bigint, 1e9)::int + 1 : least(:offset::bigint, 1e9)::int + :limit::int] as numbers
       from ${roster}) as each)`

/**
 * Keys and totals are read from the roster's index alone, which holds all that is asked; what is shown, for those of
 * the page. Where nothing is filtered, numbers without gaps say where a page begins, however deep it lies.
 */
const roster_page = readVariants(
  'employees.listEmployees',
  { employment_status: [null, 'active', 'terminated'], search: [null, 'by_letters', 'by_each'] },
  ({ employment_status, search }) => {
    const roster = [
      search === 'by_letters'
        ? 'found as employee where true'
        : `employees as employee
            where employee.employer_id = place.id and employee.organization_id = place.organization_id`,
      ...(employment_status ? [byStatus[employment_status]] : []),
      ...(search === 'by_each' ? [searchedBy('employee')] : []),
    ].join(' and ')
    const filtered = employment_status !== null || search !== null
    const totals = filtered
      ? 'select total, ahead from counted'
      : 'select employee_count as total, employee_count - :behind::bigint * :limit::int as ahead from place'
    const keys = filtered
      ? `select * from counted
          cross join lateral unnest(counted.numbers) with ordinality as key (roster_number, position)`
      : `select employee.id, row_number() over (order by employee.roster_number desc) as position
           from ${roster} and employee.roster_number < place.begins_at
          order by employee.roster_number desc limit :limit::int`
    const rows = `
      select shown.item, keys.position, ${keyOf('employee', order)} as key from place
       cross join lateral (${keys}) as keys
       cross join lateral (
         select * from employees
          where ${filtered ? 'employer_id = place.id and roster_number = keys.roster_number' : 'id = keys.id'}
            and organization_id = place.organization_id offset 0) as employee
       cross join lateral (${employeeJson}) as shown`
    return `
      with place as materialized (
        select employer.id, employer.organization_id, employer.employee_count,
               least(${firstNumber}, employer.employee_count + 1) - :offset::bigint as begins_at
          from employers as employer
         where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})
      ${search === 'by_letters' ? found_by_letters : ''}
      ${filtered ? countedIn(roster) : ''}
      ${keysetPageJson(rows, totals)}`
  },
  // Pages of a filtered roster take what it takes to count it.
  ({ employment_status, search }) =>
    employment_status === null && search === null ? { together: 80, rows: 'limit' } : {},
)

/** A page of an employer's roster as JSON, newest first; undefined when the employer is out of reach. */
export function listEmployees(ctx: ReadCtx, employer_id: string, filter: EmployeeFilter): Promise<string | undefined> {
  const { employment_status = null, search } = filter
  const search_patterns = search === undefined ? null : searchPatterns(search)
  const page = roster_page({ employment_status, search: search_patterns && searchedHow(search_patterns) })
  return readKeysetPage(ctx, page, filter, { employer_id, search_patterns })
}

const employments_of = statement(
  'employees.findEmployments',
  `select employee.id, employee.member_id, employee.reference_id, employee.hired_on, employee.terminated_on,
          employee.said_hash, employee.absent_on, employee.last_day_told,
          classification.employee_class, compensation.compensation_type
     from unnest(:member_ids::text[]) as candidate (member_id)
    cross join lateral (
      select * from employees
       where member_id = candidate.member_id and organization_id = :organization_id offset 0) as employee
    ${latest('employee_classifications', 'employee_class', 'employee', 'classification')}
    ${latest('employee_compensations', 'compensation_type', 'employee', 'compensation')}
    where employee.employer_id = :employer_id`,
)

/** The employments at one employer of some people. */
export const findEmployments = (ctx: Ctx, employer: EmployerKey, member_ids: string[]) =>
  employments_of.rows<Employment>(ctx, { ...employer, member_ids })

const employees_of = statement(
  'employees.findEmployeesOf',
  'select id from employees where organization_id = :organization_id and member_id = any(:member_ids) order by id',
)

/** Every employment of some people, at whichever employer: what is known of a person shows at each. */
export async function findEmployeesOf(ctx: Ctx, organization_id: string, member_ids: string[]): Promise<string[]> {
  const rows = await employees_of.rows<{ id: string }>(ctx, { organization_id, member_ids })
  return rows.map((row) => row.id)
}

const referenced = statement(
  'employees.findReferenced',
  `select distinct employee.member_id from (
     select :employer_id || reference_id as reference_key from unnest(:reference_ids::text[]) as said (reference_id)
     offset 0) as candidate
    cross join lateral (
      select member_id from employees
       where reference_key = candidate.reference_key and organization_id = :organization_id
      offset 0) as employee`,
)

/** The people who hold or held one of these references at an employer. */
export async function findReferenced(ctx: Ctx, employer: EmployerKey, reference_ids: string[]): Promise<string[]> {
  const rows = await referenced.rows<{ member_id: string }>(ctx, { ...employer, reference_ids })
  return rows.map((row) => row.member_id)
}

const named = statement(
  'employees.findNamed',
  'select id, member_id from employees where organization_id = :organization_id and id = any(:employee_ids)',
)

/** Whose employments these are, at whichever employer of the organization. */
export const findNamed = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  named.rows<{ id: string; member_id: string }>(ctx, { organization_id, employee_ids })

const kept_by_hris = statement(
  'employees.isKeptByHris',
  `select 1 as found from hris_connections
    where employer_id = :employer_id and organization_id = :organization_id
      and disconnected_at is null and status <> 'paused'`,
)

/** Whether an HRIS connection that is not paused keeps the roster of an employer. */
export const isKeptByHris = async (ctx: Ctx, employer: EmployerKey): Promise<boolean> =>
  (await kept_by_hris.row(ctx, employer)) !== undefined

const new_columns = ['id', 'member_id', 'reference_id', 'hired_on date', 'terminated_on date', 'said_hash']

const inserted = statement(
  'employees.insertEmployees',
  `insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, terminated_on, said_hash,
                          deactivated_at, known_at, created_at, updated_at, roster_number, search_key)
   select said.id, :organization_id, :employer_id, said.member_id, said.reference_id, said.hired_on,
          said.terminated_on, said.said_hash,
          case when said.terminated_on < :today::date then :now::timestamptz end, :known_at, :now, :now,
          coalesce((select max(roster_number) from employees
                     where employer_id = :employer_id and organization_id = :organization_id), 0)
            + row_number() over (order by said.id),
          search_key(member.name_key, member.email)
     from ${rowsFrom('employments', new_columns)} as said
     left join lateral (
       select name_key, email from members
        where id = said.member_id and organization_id = :organization_id offset 0) as member on true`,
)

export const insertEmployees = (ctx: Ctx, employer: EmployerKey, employments: Employment[], known_at: string) =>
  inserted.rows(ctx, {
    ...employer,
    known_at,
    employments: JSON.stringify(
      employments.map((one) => [
        one.id,
        one.member_id,
        one.reference_id,
        one.hired_on,
        one.terminated_on,
        one.said_hash,
      ]),
    ),
  })

const search_keys_saved = statement(
  'employees.saveSearchKeys',
  `update employees as employee set search_key = known.search_key
     from (select wanted.id, found.search_key
             from unnest(:member_ids::text[]) as wanted (id)
            cross join lateral (
              select search_key(member.name_key, member.email) as search_key from members as member
               where member.id = wanted.id and member.organization_id = :organization_id offset 0) as found
           offset 0) as known
    where employee.member_id = known.id and employee.organization_id = :organization_id
      and employee.search_key <> known.search_key`,
)

/** Has people be found by the names and addresses that they have now, where no trigger sees to it. */
export const saveSearchKeys = (ctx: Ctx, organization_id: string, member_ids: string[]) =>
  search_keys_saved.rows(ctx, { organization_id, member_ids })

const cleared_references = statement(
  'employees.clearReferences',
  `${withSaid('jsonb_to_recordset(:employments::jsonb) as said (id text, reference_id text)')}
   update employees as employee set reference_id = null from said
    where ${isSaid('employee', 'id')}
      and employee.reference_id is distinct from said.reference_id`,
)

const saved = statement(
  'employees.saveEmployees',
  `${withSaid(`jsonb_to_recordset(:employments::jsonb) as said
     (id text, reference_id text, hired_on date, terminated_on date, absent_on date)`)}
   update employees as employee
      set reference_id = said.reference_id, hired_on = said.hired_on, terminated_on = said.terminated_on,
          absent_on = said.absent_on,
          last_day_told = case when said.absent_on is not null then employee.last_day_told end,
          termination_reason = case when said.terminated_on is not null then employee.termination_reason end,
          deactivated_at = case when said.terminated_on < :today::date
                                 and employee.terminated_on is distinct from said.terminated_on
                                then coalesce(employee.deactivated_at, :now::timestamptz)
                                when said.terminated_on < :today::date then employee.deactivated_at end,
          updated_at = :now
     from said where ${isSaid('employee', 'id')}`,
)

/** Saves reference, first and last day of employments. */
export async function saveEmployees(ctx: Ctx, employer: EmployerKey, employments: Employment[]): Promise<void> {
  const values = { ...employer, employments: JSON.stringify(employments) }
  // Those that change are given up before any is saved: one may pass from one employment to another.
  await Promise.all([employments.length > 1 && cleared_references.rows(ctx, values), saved.rows(ctx, values)])
}

const saved_termination_reason = statement(
  'employees.saveTerminationReason',
  `update employees set termination_reason = :termination_reason
    where organization_id = :organization_id and id = :employee_id`,
)

export const saveTerminationReason = (ctx: Ctx, employer: EmployerKey, employee_id: string, reason: string | null) =>
  saved_termination_reason.rows(ctx, { ...employer, employee_id, termination_reason: reason })
