import type { EmployerKey } from '../../access/auth/queries.ts'
import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import {
  rowsAfterAnchor,
  firstNumber,
  keyOf,
  keysetPageJson,
  isAfterAnchor,
  max_after_anchor,
  readKeysetPage,
  searchStrategyOf,
} from '../../../database/sql/pages.ts'
import { isInputRow, rowsFrom, withInputRows, rowsWith } from '../../../database/sql/fragments.ts'
import { read, readVariants, statement } from '../../../database/sql/statement.ts'
import { residenceJson } from '../../../kernel/fields.ts'
import { enrollmentStatus } from '../../coverage/enrollments/queries.ts'
import { searchPatterns } from '../../directory/people/queries.ts'
import type { Employment, CoveredDays } from './rules.ts'
import type { EmployeeFilter } from './schemas.ts'

const latestOf = (table: string, column: string, name: string) => `
  left join lateral (
    select history.${column} from ${table} as history
     where history.employee_id = employee.id and history.organization_id = employee.organization_id
     order by history.effective_on desc limit 1) as ${name} on true`

/** SQL: joins the current dated facts of a row `employee`, which are the latest rows, because none begins later. */
export const latest_facts = `
  ${latestOf('employee_classifications', 'employee_class', 'classification')}
  ${latestOf('employee_compensations', 'compensation_type', 'compensation')}
  ${latestOf('employee_bargaining_units', 'bargaining_unit', 'unit')}`

/**
 * SQL: since when the value that `latestOf` calls `name` has been in force, within the employment of a row `employee`.
 */
const inForceSince = (table: string, column: string, name: string) => `
  case when ${name}.${column} is not null then
    greatest(coalesce(employee.hired_on, (employee.known_at at time zone 'America/New_York')::date), (
      select min(held.effective_on) filter (where held.${column} = ${name}.${column}
                                              and held.effective_on >= coalesce(held.changed_on, '-infinity'))
        from (select history.effective_on, history.${column},
                     max(history.effective_on) filter (
                       where history.${column} is distinct from ${name}.${column}) over () as changed_on
                from ${table} as history
               where history.employee_id = employee.id and history.organization_id = employee.organization_id) as held))
  end`

/** SQL: the employee's lines in the latest deduction statement of the employer, from a row `employee`. */
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

/** SQL: the Employee of the API, from a row `employee`. */
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
             as compensation_type_effective_date,
           unit.bargaining_unit,
           ${inForceSince('employee_bargaining_units', 'bargaining_unit', 'unit')} as bargaining_unit_effective_date,
           (${deductionsJson}) as deductions
      from members as member
      join employers as employer
        on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
      ${latest_facts}
     where member.id = employee.member_id and member.organization_id = employee.organization_id) as shown`

/** One Employee as JSON. Undefined if it does not exist within reach. */
export const findEmployee = read(
  'employees.findEmployee',
  `select shown.item::text as json from employees as employee
    cross join lateral (${employeeJson}) as shown
    where employee.id = :employee_id
      and ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`,
  { batch: 8 },
).json

const byStatus = {
  active: '(employee.terminated_on is null or employee.terminated_on >= :today::date)',
  terminated: 'employee.terminated_on < :today::date',
}

/** Newest first, by the roster number. */
const order = { by: 'roster_number', numbered: true }
const lies_ahead = isAfterAnchor('employee', order)

/** SQL: how many employments a search finds, and the roster numbers of the page. */
const searched = (status: string | null) => `, counted as materialized (
  select found.* from target
   cross join lateral search_roster(
     target.id, target.organization_id, :patterns::text[], :words::text[], :by_letters::boolean,
     ${status === null ? 'null' : `'${status}'`}, :today::date, ${firstNumber}, :offset::bigint, :limit::int) as found)`

/** SQL: how many employments at a `target` are terminated today. */
const terminatedCount = `
  (select coalesce(sum(ended.employee_count), 0)::bigint from roster_terminations as ended
    where ended.employer_id = target.id and ended.organization_id = target.organization_id
      and ended.terminated_on < :today::date)`

const countByStatus = {
  active: `employee_count - ${terminatedCount}`,
  terminated: terminatedCount,
}

/**
 * SQL: the number of terminated employees before the first row of a deep page of active employees. A terminated
 * employment with the roster number n comes before that row if n plus its position among the terminated employments
 * exceeds the number with which the page would begin without terminations. PostgreSQL then reads only the
 * terminated rows before the page, which are usually far fewer than the active rows.
 */
const terminatedBefore = `(
  select count(*)
    from (select employee.roster_number + row_number() over (order by employee.roster_number desc) as shifted
            from employees as employee
           where employee.employer_id = target.id and employee.organization_id = target.organization_id
             and employee.roster_number < target.after and ${byStatus.terminated}) as ended
   where ended.shifted >= target.begins_at)`

const is_jump = `:offset::bigint >= ${max_after_anchor}`

/** SQL: a roster number above the page, and the number of rows to skip below it. */
const startByStatus = {
  any: { below: 'target.begins_at', skipped: '0' },
  active: {
    below: `case when ${is_jump} then target.begins_at - ${terminatedBefore} else target.after end`,
    skipped: `case when ${is_jump} then 0 else :offset::bigint end`,
  },
  terminated: { below: 'target.after', skipped: ':offset::bigint' },
}

/**
 * The keys of a page come from an index-only scan. All other data is read only for the employees on the page. Totals
 * with and without a status come from counters; only a search counts rows. Without a filter, the start of any page
 * follows from the roster numbers, because they have no gaps.
 */
const roster_page = readVariants(
  'employees.listEmployees',
  { employment_status: [null, 'active', 'terminated'], is_search: [false, true] },
  ({ employment_status, is_search }) => {
    const roster = [
      'employees as employee where employee.employer_id = target.id',
      'employee.organization_id = target.organization_id',
      ...(employment_status ? [byStatus[employment_status]] : []),
    ].join(' and ')
    const { below, skipped } = startByStatus[employment_status ?? 'any']
    const unfiltered_totals =
      'select employee_count as total, employee_count - :pages_before::bigint * :limit::int as ahead from target'
    const statusTotals = (total: string) => `
      select kept.total, ${rowsAfterAnchor('kept.total', `select from ${roster} and ${lies_ahead}`)} as ahead
        from target cross join lateral (select ${total} as total offset 0) as kept`
    const roster_totals = employment_status ? statusTotals(countByStatus[employment_status]) : unfiltered_totals
    const keys = is_search
      ? `select * from counted
          cross join lateral unnest(counted.numbers) with ordinality as key (roster_number, position)`
      : `select listed.id, row_number() over (order by listed.roster_number desc) as position
           from (select ${below} as below offset 0) as start
          cross join lateral (
            select employee.id, employee.roster_number from ${roster} and employee.roster_number < start.below
             order by employee.roster_number desc limit :limit::int offset ${skipped}) as listed`
    const rows = `
      select shown.item, keys.position, ${keyOf('employee', order)} as key from target
       cross join lateral (${keys}) as keys
       cross join lateral (
         select * from employees
          where ${is_search ? 'employer_id = target.id and roster_number = keys.roster_number' : 'id = keys.id'}
            and organization_id = target.organization_id offset 0) as employee
       cross join lateral (${employeeJson}) as shown`
    return `
      with target as materialized (
        select employer.id, employer.organization_id, employer.employee_count, start.after,
               start.after - :offset::bigint as begins_at
          from employers as employer
         cross join lateral (select least(${firstNumber}, employer.employee_count + 1) as after) as start
         where employer.id = :employer_id and ${inReach('employer.organization_id', 'employer.id')})
      ${is_search ? searched(employment_status) : ''}
      ${keysetPageJson(rows, is_search ? 'select total, ahead from counted' : roster_totals)}`
  },
  // Reading any page of a search costs as much as counting its matches.
  ({ is_search }) => (is_search ? {} : { batch: 4 }),
)

/** A page of an employer's roster as JSON, newest first. Undefined if the employer is out of reach. */
export function listEmployees(ctx: ReadCtx, employer_id: string, filter: EmployeeFilter): Promise<string | undefined> {
  const { employment_status = null, search } = filter
  const searched = search === undefined ? { patterns: [], words: [] } : searchPatterns(search)
  const by_letters = searchStrategyOf(searched.patterns) === 'by_letters'
  const page = roster_page({ employment_status, is_search: search !== undefined })
  return readKeysetPage(ctx, page, filter, { employer_id, ...searched, by_letters })
}

/** The employments at one employer of some people. */
export const findEmployments = statement(
  'employees.findEmployments',
  `select employee.id, employee.member_id, employee.reference_id, employee.hired_on, employee.terminated_on,
          employee.report_hash, employee.absent_on, employee.reported_last_day,
          classification.employee_class, compensation.compensation_type, unit.bargaining_unit
     from ${rowsWith('member_ids', 'employees', 'employee', 'member_id')}
    ${latest_facts}
    where employee.employer_id = :employer_id`,
).rows<Employment>

/** All employments of some people at any employer: a change of a person affects each of them. */
export const findEmployeesOf = statement(
  'employees.findEmployeesOf',
  'select id from employees where organization_id = :organization_id and member_id = any(:member_ids) order by id',
).column

/** The people who hold or held one of these references at an employer. */
export const findReferenced = statement(
  'employees.findReferenced',
  `select distinct employee.member_id from (
     select :employer_id || reference_id as reference_key from unnest(:reference_ids::text[]) as input (reference_id)
     offset 0) as candidate
    cross join lateral (
      select member_id from employees
       where reference_key = candidate.reference_key and organization_id = :organization_id
      offset 0) as employee`,
).column

/** The people of these employments, at any employer of the organization. */
export const findEmployeesById = statement(
  'employees.findEmployeesById',
  'select id, member_id from employees where organization_id = :organization_id and id = any(:employee_ids)',
).rows<{ id: string; member_id: string }>

/** Whether an HRIS connection that is not paused maintains the roster of an employer. */
export const isKeptByHris = statement(
  'employees.isKeptByHris',
  `select 1 as found from hris_connections
    where employer_id = :employer_id and organization_id = :organization_id
      and disconnected_at is null and status <> 'paused'`,
).exists

const new_columns = ['id', 'member_id', 'reference_id', 'hired_on date', 'terminated_on date', 'report_hash']

const inserted = statement(
  'employees.insertEmployees',
  `insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, terminated_on,
                          report_hash, deactivated_at, known_at, created_at, updated_at, roster_number, search_key)
   select input.id, :organization_id, :employer_id, input.member_id, input.reference_id, input.hired_on,
          input.terminated_on, input.report_hash,
          case when input.terminated_on < :today::date then :now::timestamptz end, :known_at, :now, :now,
          coalesce((select max(roster_number) from employees
                     where employer_id = :employer_id and organization_id = :organization_id), 0)
            + row_number() over (order by input.id),
          search_key(member.name_key, member.email)
     from ${rowsFrom('employments', new_columns)} as input
     left join lateral (
       select name_key, email from members
        where id = input.member_id and organization_id = :organization_id offset 0) as member on true`,
)

export const insertEmployees = (ctx: Ctx, employer: EmployerKey, employments: Employment[], known_at: string) =>
  inserted.rows(ctx, {
    ...employer,
    known_at,
    employments: JSON.stringify(
      employments.map((employment) => [
        employment.id,
        employment.member_id,
        employment.reference_id,
        employment.hired_on,
        employment.terminated_on,
        employment.report_hash,
      ]),
    ),
  })

/** Updates the search keys of people after a change of name or email, where no trigger does so. */
export const saveSearchKeys = statement(
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
).rows

const cleared_references = statement(
  'employees.clearReferences',
  `${withInputRows('jsonb_to_recordset(:employments::jsonb) as input (id text, reference_id text)')}
   update employees as employee set reference_id = null from input
    where ${isInputRow('employee', 'id')}
      and employee.reference_id is distinct from input.reference_id`,
)

const saved = statement(
  'employees.saveEmployees',
  `${withInputRows(`jsonb_to_recordset(:employments::jsonb) as input
     (id text, reference_id text, hired_on date, terminated_on date, absent_on date)`)}
   update employees as employee
      set reference_id = input.reference_id, hired_on = input.hired_on, terminated_on = input.terminated_on,
          absent_on = input.absent_on,
          reported_last_day = case when input.absent_on is not null then employee.reported_last_day end,
          termination_reason = case when input.terminated_on is not null then employee.termination_reason end,
          deactivated_at = case when input.terminated_on < :today::date
                                 and employee.terminated_on is distinct from input.terminated_on
                                then coalesce(employee.deactivated_at, :now::timestamptz)
                                when input.terminated_on < :today::date then employee.deactivated_at end,
          updated_at = :now
     from input where ${isInputRow('employee', 'id')}`,
)

/** Saves the reference, first day and last day of employments. */
export async function saveEmployees(ctx: Ctx, employer: EmployerKey, employments: Employment[]): Promise<void> {
  const values = { ...employer, employments: JSON.stringify(employments) }
  // Clears changed references before saving any: a reference may pass from one employment to another.
  await Promise.all([employments.length > 1 && cleared_references.rows(ctx, values), saved.rows(ctx, values)])
}

const saved_termination_reason = statement(
  'employees.saveTerminationReason',
  `update employees set termination_reason = :termination_reason
    where organization_id = :organization_id and id = :employee_id`,
)

export const saveTerminationReason = (ctx: Ctx, employer: EmployerKey, employee_id: string, reason: string | null) =>
  saved_termination_reason.rows(ctx, { ...employer, employee_id, termination_reason: reason })

/** Terminates, as of today, employments that are missing from a roster. */
export const saveAbsences = statement(
  'employees.saveAbsences',
  `update employees set terminated_on = :today, absent_on = :today, reported_last_day = terminated_on, updated_at = :now
    where organization_id = :organization_id and id = any(:employee_ids)`,
).rows

/** SQL: the employments of an organization that ended before a day and whose end was not published. */
const leavers = (organization: string, day: string) => `
  from employees as leaver
 where leaver.organization_id = ${organization} and leaver.terminated_on < ${day}::date
   and leaver.deactivated_at is null`

/** SQL: whether such employments exist. */
export const hasLeaversToPublish = `exists (select ${leavers('organization.id', 'daily_run.day')})`

/** Marks up to `most` employments that ended before today as published, and returns them. */
export const saveDeactivations = statement(
  'employees.saveDeactivations',
  `update employees set deactivated_at = :now
    where organization_id = :organization_id
      and id = any(array(select id ${leavers(':organization_id', ':today')} limit :most))
   returning id`,
).column

/** The days, up to `until`, on which employees have been covered. */
export const listCoverage = statement(
  'employees.listCoverage',
  `select enrollment.employee_id, enrollment.benefit_id, enrollment.id as enrollment_id,
          enrollment.coverage_start as from, least(enrollment.coverage_end, :until::date) as until
     from ${rowsWith('employee_ids', 'enrollments', 'enrollment', 'employee_id')}
    where enrollment.answer = 'enrolled' and enrollment.coverage_start <= least(enrollment.coverage_end, :until::date)
    order by enrollment.employee_id, enrollment.coverage_start, enrollment.id`,
).rows<CoveredDays>
