import type { EmployerKey } from '../auth/queries.ts'
import { inReachByNumber, reachOf } from '../../platform/caller.ts'
import type { Ctx } from '../../platform/ctx.ts'
import type { Day } from '../../kernel/days.ts'
import { keyOf, liesAhead, readWalk, walkJson, walkParameters } from '../../platform/database/numbered-pages.ts'
import { addressJson } from '../../kernel/fields.ts'
import { enrollmentStatus } from '../enrollments/queries.ts'
import { searchedBy, searchPatterns } from '../people/queries.ts'
import type { Employment, HistoryEntry, StartMove } from './rules.ts'
import type { EmployeeFilter } from './schemas.ts'

/** The value of a history in force today: its latest row, since none lies in the future. */
const latest = (table: string, column: string, employee: string, name: string) => `
  left join lateral (
    select history.${column}, history.effective_on from ${table} as history
     where history.employee_id = ${employee}.id and history.organization_id = ${employee}.organization_id
     order by history.effective_on desc limit 1) as ${name} on true`

/** SQL: the lines of the newest statement of a row `employee`'s employer that are the employee's. */
const deductionsJson = `
  select coalesce(json_agg(json_build_object(
           'benefit_name', line.benefit_name, 'deduction_amount_in_cents', line.amount_in_cents, 'deduction_category', null,
           'frequency', newest.frequency, 'period_start_date', newest.period_start_date, 'period_end_date', newest.period_end_date,
           'tax_classification', line.tax_classification) order by line.benefit_name, line.enrollment_id, line.kind desc, line.year desc), '[]')
    from (select * from deduction_statements
           where employer_id = employee.employer_id and organization_id = employee.organization_id and generated_at is not null
           order by period_end_date desc limit 1) as newest
   cross join lateral (
     select * from deduction_lines
      where statement_id = newest.id and employee_id = employee.id and organization_id = newest.organization_id offset 0) as line`

/** The Employee of the interface, from a row `employee`; `$today` names the parameter that holds the Eastern day. */
const employeeJson = ($today: string) => `
  select row_to_json(shown) as item from (
    select employee.id, employee.member_id, employee.reference_id, member.first_name, member.last_name, member.suffix,
           member.email, member.date_of_birth, member.gender, member.phone, classification.employee_class,
           case when employee.terminated_on < ${$today}::date then 'terminated' else 'active' end as status,
           employee.hired_on as hire_date, employee.terminated_on as termination_date,
           ${addressJson('member')} as address, coalesce((
             select json_agg(json_build_object('id', enrollment.id, 'status', ${enrollmentStatus($today)},
                                               'answered_at', iso(enrollment.answered_at)) order by enrollment.created_at desc, enrollment.id desc)
               from enrollments as enrollment
              where enrollment.employee_id = employee.id and enrollment.organization_id = employee.organization_id), '[]') as enrollments,
           iso(employee.created_at) as created_at, iso(greatest(employee.updated_at, member.updated_at)) as updated_at,
           employee.employer_id, employer.name as employer_name, employee.hired_on as start_date,
           classification.effective_on as classification_effective_date, compensation.compensation_type,
           compensation.effective_on as compensation_type_effective_date, (${deductionsJson}) as deductions
      from members as member
      join employers as employer on employer.id = employee.employer_id and employer.organization_id = employee.organization_id
      ${latest('employee_classifications', 'employee_class', 'employee', 'classification')}
      ${latest('employee_compensations', 'compensation_type', 'employee', 'compensation')}
     where member.id = employee.member_id and member.organization_id = employee.organization_id) as shown`

const one_employee = `
  select shown.item::text as json from employees as employee
   cross join lateral (${employeeJson('$5')}) as shown
   where employee.id = $4 and ${inReachByNumber('employee.organization_id', 'employee.employer_id', 'employee.id')}`

/** One Employee as JSON, or undefined when it does not exist within reach. */
export const findEmployee = (ctx: Ctx, employee_id: string) =>
  ctx.db.json(one_employee, [...reachOf(ctx.caller), employee_id, ctx.today])

const byStatus = {
  active: '(employee.terminated_on is null or employee.terminated_on >= $5::date)',
  terminated: 'employee.terminated_on < $5::date',
}

// $4 the employer, $5 today, then the walk, then the search.
const walk = walkParameters(6)
const bySearch = searchedBy('employee', '$11')

/** Keys and totals are read from the roster's index alone, which holds all that is asked; what is shown, for those of the page. */
function listStatement({ employment_status, search }: EmployeeFilter): string {
  const roster = [
    'employees as employee where employee.employer_id = place.id and employee.organization_id = place.organization_id',
    ...(employment_status ? [byStatus[employment_status]] : []),
    ...(search ? [bySearch] : []),
  ].join(' and ')
  const totals =
    employment_status || search
      ? `select counted.* from place cross join lateral (
           select count(*) as total, count(*) filter (where ${liesAhead('employee', walk)}) as ahead from ${roster}) as counted`
      : `select employee_count as total, employee_count - ${walk.$behind}::bigint * ${walk.$limit}::int as ahead from place`
  const rows = `
    select shown.item, keys.position, ${keyOf('keys')} as key from place
     cross join lateral (
       select employee.id, employee.created_at, row_number() over (order by employee.created_at desc, employee.id desc) as position
         from ${roster} and ${liesAhead('employee', walk)}
        order by employee.created_at desc, employee.id desc limit ${walk.$limit} offset ${walk.$offset}) as keys
     cross join lateral (select * from employees where id = keys.id and organization_id = place.organization_id offset 0) as employee
     cross join lateral (${employeeJson('$5')}) as shown`
  return `with place as materialized (
      select employer.id, employer.organization_id, employer.employee_count from employers as employer
       where employer.id = $4 and ${inReachByNumber('employer.organization_id', 'employer.id')})
    ${walkJson(rows, totals, walk)}`
}

/** A page of an employer's roster as JSON, newest first; undefined when the employer is out of reach. */
export const listEmployees = (ctx: Ctx, employer_id: string, filter: EmployeeFilter) =>
  readWalk(
    ctx,
    listStatement(filter),
    filter,
    [...reachOf(ctx.caller), employer_id, ctx.today],
    filter.search === undefined ? [] : [searchPatterns(filter.search)],
  )

/** The employments at one employer of some people. */
export const findEmployments = (ctx: Ctx, place: EmployerKey, member_ids: string[]) =>
  ctx.db.rows<Employment>(
    `select employee.id, employee.member_id, employee.reference_id, employee.hired_on, employee.terminated_on, employee.said_hash,
            classification.employee_class, compensation.compensation_type
       from unnest($3::text[]) as candidate (member_id)
      cross join lateral (
        select * from employees
         where member_id = candidate.member_id and organization_id = $2 and employer_id = $1 offset 0) as employee
      ${latest('employee_classifications', 'employee_class', 'employee', 'classification')}
      ${latest('employee_compensations', 'compensation_type', 'employee', 'compensation')}`,
    [place.employer_id, place.organization_id, member_ids],
  )

/** Every employment of some people, at whichever employer: what is known of a person shows at each. */
export async function findEmployeesOf(ctx: Ctx, organization_id: string, member_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    'select id from employees where organization_id = $1 and member_id = any($2) order by id',
    [organization_id, member_ids],
  )
  return rows.map((row) => row.id)
}

/** The people who hold or held one of these references at an employer. */
export async function findReferenced(ctx: Ctx, place: EmployerKey, reference_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ member_id: string }>(
    `select distinct employee.member_id from unnest($3::text[]) as candidate (reference_id)
      cross join lateral (
        select member_id from employees
         where employer_id = $1 and organization_id = $2 and reference_id = candidate.reference_id offset 0) as employee`,
    [place.employer_id, place.organization_id, reference_ids],
  )
  return rows.map((row) => row.member_id)
}

/** Whose employments these are, at whichever employer of the organization. */
export const findNamed = (ctx: Ctx, organization_id: string, employee_ids: string[]) =>
  ctx.db.rows<{ id: string; member_id: string }>(
    'select id, member_id from employees where organization_id = $1 and id = any($2)',
    [organization_id, employee_ids],
  )

/** Which of these people others speak of too: another employer, or a group. */
export async function findShared(ctx: Ctx, place: EmployerKey, member_ids: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ member_id: string }>(
    `select candidate.member_id from unnest($3::text[]) as candidate (member_id)
      cross join lateral (
        select from employees
         where member_id = candidate.member_id and organization_id = $2 and employer_id <> $1 limit 1) as employment
     union all
     select candidate.member_id from unnest($3::text[]) as candidate (member_id)
      cross join lateral (
        select from group_members
         where member_id = candidate.member_id and organization_id = $2 and left_at is null limit 1) as membership`,
    [place.employer_id, place.organization_id, member_ids],
  )
  return rows.map((row) => row.member_id)
}

/** Notes what an employer last said of people: a hash by employment. */
export const saveSaid = (ctx: Ctx, place: EmployerKey, said: { employee_id: string; said_hash: string }[]) =>
  ctx.db.rows(
    `update employees as employee set said_hash = said.said_hash
       from jsonb_to_recordset($2::jsonb) as said (employee_id text, said_hash text)
      where employee.organization_id = $1 and employee.id = said.employee_id`,
    [place.organization_id, JSON.stringify(said)],
  )

/** Whether an HRIS connection that is not paused keeps the roster of an employer. */
export const isKeptByHris = async (ctx: Ctx, { employer_id, organization_id }: EmployerKey): Promise<boolean> =>
  (await ctx.db.row(
    `select 1 as found from hris_connections
      where employer_id = $1 and organization_id = $2 and disconnected_at is null and status <> 'paused'`,
    [employer_id, organization_id],
  )) !== undefined

export const insertEmployees = (ctx: Ctx, place: EmployerKey, employments: Employment[], known_at: string) =>
  ctx.db.rows(
    `insert into employees (id, organization_id, employer_id, member_id, reference_id, hired_on, terminated_on, said_hash,
                            deactivated_at, known_at, created_at, updated_at)
     select id, $1, $2, member_id, reference_id, hired_on, terminated_on, said_hash,
            case when terminated_on < $5::date then $4::timestamptz end, $6, $4, $4
       from jsonb_to_recordset($3::jsonb) as said
            (id text, member_id text, reference_id text, hired_on date, terminated_on date, said_hash text)`,
    [place.organization_id, place.employer_id, JSON.stringify(employments), ctx.now, ctx.today, known_at],
  )

/** Those that change are given up before any is saved: one may pass from one employment to another. */
const giveUpReferences = (ctx: Ctx, place: EmployerKey, employments: Employment[]) =>
  ctx.db.rows(
    `update employees as employee set reference_id = null
       from jsonb_to_recordset($2::jsonb) as said (id text, reference_id text)
      where employee.organization_id = $1 and employee.id = said.id and employee.reference_id is distinct from said.reference_id`,
    [place.organization_id, JSON.stringify(employments)],
  )

/** Saves reference, first and last day of employments. */
export async function saveEmployees(ctx: Ctx, place: EmployerKey, employments: Employment[]): Promise<void> {
  if (employments.length > 1) await giveUpReferences(ctx, place, employments)
  await ctx.db.rows(
    `update employees as employee
        set reference_id = said.reference_id, hired_on = said.hired_on, terminated_on = said.terminated_on,
            deactivated_at = case when said.terminated_on < $4::date and employee.terminated_on is distinct from said.terminated_on
                                  then coalesce(employee.deactivated_at, $3::timestamptz)
                                  when said.terminated_on < $4::date then employee.deactivated_at end,
            updated_at = $3
       from jsonb_to_recordset($2::jsonb) as said (id text, reference_id text, hired_on date, terminated_on date)
      where employee.organization_id = $1 and employee.id = said.id`,
    [place.organization_id, JSON.stringify(employments), ctx.now, ctx.today],
  )
}

/** Sets the last day of employments, today or later. */
export const saveLastDay = (ctx: Ctx, place: EmployerKey, employee_ids: string[], last_day: Day) =>
  ctx.db.rows('update employees set terminated_on = $3, updated_at = $4 where organization_id = $1 and id = any($2)', [
    place.organization_id,
    employee_ids,
    last_day,
    ctx.now,
  ])

export const saveTerminationReason = (ctx: Ctx, place: EmployerKey, employee_id: string, reason: string | null) =>
  ctx.db.rows('update employees set termination_reason = $3 where organization_id = $1 and id = $2', [
    place.organization_id,
    employee_id,
    reason,
  ])

/** SQL: the employments of an organization whose last day is before a day and was not published. */
const leavers = (organization: string, day: string) => `
  from employees as leaver
 where leaver.organization_id = ${organization} and leaver.terminated_on < ${day}::date and leaver.deactivated_at is null`

/** SQL: whether there are such employments. */
export const hasLeaversToTell = `exists (select ${leavers('organization.id', 'turning.day')})`

/** Marks employments whose last day is before today as published, so many; returns those that were not yet. */
export const saveDeactivations = (ctx: Ctx, organization_id: string, most: number) =>
  ctx.db.rows<{ id: string }>(
    `update employees set deactivated_at = $3
      where organization_id = $1 and id = any(array(select id ${leavers('$1', '$2')} limit $4))
     returning id`,
    [organization_id, ctx.today, ctx.now, most],
  )

const histories = {
  class: { table: 'employee_classifications', column: 'employee_class' },
  compensation: { table: 'employee_compensations', column: 'compensation_type' },
} as const

/** Enters values into a history from their days on, where they differ from what held there; returns the employees concerned. */
export async function saveHistory(
  ctx: Ctx,
  place: EmployerKey,
  history: keyof typeof histories,
  entries: HistoryEntry[],
): Promise<string[]> {
  const { table, column } = histories[history]
  const rows = await ctx.db.rows<{ employee_id: string }>(
    `insert into ${table} (organization_id, employee_id, effective_on, ${column}, created_at)
     select $1, said.employee_id, said.effective_on, said.value, $3
       from jsonb_to_recordset($2::jsonb) as said (employee_id text, effective_on date, value text)
      where said.value is distinct from (
        select ${column} from ${table} as history
         where history.employee_id = said.employee_id and history.organization_id = $1 and history.effective_on <= said.effective_on
         order by history.effective_on desc limit 1)
     on conflict (employee_id, organization_id, effective_on) do update set ${column} = excluded.${column}
     returning employee_id`,
    [place.organization_id, JSON.stringify(entries), ctx.now],
  )
  const concerned = rows.map((row) => row.employee_id)
  if (concerned.length > 0) {
    await ctx.db.rows(
      `delete from ${table} as gone using (
         select employee_id, effective_on, ${column} = lag(${column}) over (partition by employee_id order by effective_on) as repeats
           from ${table} where organization_id = $1 and employee_id = any($2)) as told
        where told.repeats and gone.organization_id = $1 and gone.employee_id = told.employee_id and gone.effective_on = told.effective_on`,
      [place.organization_id, concerned],
    )
  }
  return concerned
}

/**
 * A history follows the first day of its employment: what held on that day holds from it, earlier rows go; when
 * the employment begins earlier than the history, its first row begins with it.
 */
export async function saveHistoryStarts(ctx: Ctx, place: EmployerKey, moves: StartMove[]): Promise<void> {
  for (const { table } of Object.values(histories)) {
    await ctx.db.rows(
      `with firsts as (
         select said.employee_id, said.start_date,
                coalesce(max(history.effective_on) filter (where history.effective_on <= said.start_date),
                         min(history.effective_on) filter (where said.former is null or history.effective_on = said.former)) as effective_on
           from jsonb_to_recordset($2::jsonb) as said (employee_id text, former date, start_date date)
           join ${table} as history on history.employee_id = said.employee_id and history.organization_id = $1
          group by said.employee_id, said.start_date
       ), gone as (
         delete from ${table} as history using firsts
          where history.employee_id = firsts.employee_id and history.organization_id = $1 and history.effective_on < firsts.effective_on)
       update ${table} as history set effective_on = firsts.start_date from firsts
        where history.employee_id = firsts.employee_id and history.organization_id = $1
          and history.effective_on = firsts.effective_on and firsts.effective_on <> firsts.start_date`,
      [place.organization_id, JSON.stringify(moves)],
    )
  }
}
