import { inReach } from '../../../database/sql/reach.ts'
import type { Ctx, ReadCtx } from '../../../runtime/ctx.ts'
import { easternDay } from '../../../kernel/days.ts'
import { max_found } from '../../../kernel/pages.ts'
import { keyOf, keysetPageJson, isAfterAnchor, readKeysetPage } from '../../../database/sql/pages.ts'
import { spansServers, distributedList } from '../../../database/sql/distributed-lists.ts'
import { readVariants, statement } from '../../../database/sql/statement.ts'
import { figuresDue } from '../ichra/figure-rules.ts'
import { actions, isDerived, derived_kinds, type PartnerTaskKind, type TaskKind, type DerivedKind } from './rules.ts'
import type { TaskFilter } from './schemas.ts'

const order = { by: 'opened_at', oldest_first: true }

/** SQL: a path with the values of its parameters, from a row `task`. */
const resourcePath = (path: string) =>
  path
    .split(/\{(\w+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return `'${part}'`
      return ['resource_id', 'organization_id', 'employer_id'].includes(part)
        ? `task.${part}`
        : `(task.details ->> '${part}')`
    })
    .join(' || ')

export const actionJson = (operations: Record<string, { operation: string; method: string; path: string }>) =>
  `case task.kind ${Object.entries(operations)
    .map(
      ([kind, { operation, method, path }]) =>
        `when '${kind}' then json_build_object('operation', '${operation}', 'method', '${method}',
                                               'path', ${resourcePath(path)})`,
    )
    .join('\n')} end`

export const personName = (employee_id: string) => `
  (select member.first_name || ' ' || member.last_name
     from employees as employee
     join members as member on member.id = employee.member_id and member.organization_id = employee.organization_id
    where employee.id = ${employee_id} and employee.organization_id = task.organization_id)`

const taskJson = `
  select row_to_json(shown) as item from (
    select task.id, task.kind, task.organization_id,
           (select name from organizations where id = task.organization_id) as organization_name,
           task.employer_id,
           (select name from employers where id = task.employer_id and organization_id = task.organization_id)
             as employer_name,
           ${personName('concerned.employee_id')} as person_name,
           task.resource_id, task.details,
           iso(task.opened_at) as opened_at, ${actionJson(actions)} as action
      -- In a subquery, because under row-level security an expression that reads JSON cannot use an index.
      from (select coalesce(task.details ->> 'employee_id', task.resource_id) collate "C" as employee_id
             offset 0) as concerned) as shown`

/** The tasks to list: the stored ones, those of one derived kind, or all of them. */
const sources = ['opened', ...derived_kinds, 'all'] as const
type ChosenTasks = { source: (typeof sources)[number]; kind: boolean; of_organization: boolean; of_employer: boolean }

/** SQL: the condition for stored tasks. Null if none of them are listed. */
function openedOf({ source, kind, of_organization, of_employer }: ChosenTasks): string | null {
  if (source !== 'opened' && source !== 'all') return null
  return [
    'task.closed_at is null',
    inReach('task.organization_id', 'task.employer_id'),
    ...(kind ? ['task.kind = :kind'] : []),
    ...(of_organization ? ['task.organization_id = :organization_id'] : []),
    ...(of_employer ? ['task.employer_id = :employer_id'] : []),
  ].join(' and ')
}

/** SQL: the derived tasks, at most the first 1,000 of a kind. */
const derivedTasksOf = ({ source, of_organization, of_employer }: ChosenTasks): string[] => [
  ...(source === 'job_failed' || source === 'all' ? [failedJobs(of_organization, of_employer)] : []),
  ...(source === 'daily_run_late' || source === 'all' ? [lateRunTasks(of_organization, of_employer)] : []),
  ...(source === 'affordability_figure_missing' || source === 'all'
    ? [figuresMissing(of_organization || of_employer)]
    : []),
]

/** SQL: the id of a derived task. Always the same for the same resource. */
export const taskIdOf = (kind: DerivedKind | PartnerTaskKind, subject: string) =>
  `('task_0' || left(md5('${kind} ' || ${subject}), 25)) collate "C"`

const failedJobs = (of_organization: boolean, of_employer: boolean) => `
  select ${taskIdOf('job_failed', 'job.id')} as id, 'job_failed' as kind,
         (job.payload ->> 'organization_id') collate "C" as organization_id,
         (job.payload ->> 'employer_id') collate "C" as employer_id, job.id::text collate "C" as resource_id,
         jsonb_build_object('task', (select task.identifier from graphile_worker._private_tasks as task
                                      where task.id = job.task_id), 'attempts', job.attempts) as details,
         job.updated_at as opened_at
    from (select * from graphile_worker._private_jobs as job
           where not job.is_available and job.locked_at is null and ${inReach("job.payload ->> 'organization_id'")}
             ${of_organization ? "and job.payload ->> 'organization_id' = :organization_id" : ''}
             ${of_employer ? "and job.payload ->> 'employer_id' = :employer_id" : ''}
           order by job.id limit ${max_found}) as job`

const late_fields =
  'organization.id, organization.daily_run_on, organization.clock_offset_days, organization.created_at'
const late_ways = [
  'where organization.daily_run_on < :late_day::date order by organization.daily_run_on',
  'where organization.daily_run_on is null',
  `where organization.clock_offset_days > 0
     and organization.daily_run_on < :late_day::date + organization.clock_offset_days order by organization.id`,
]

/** SQL: organizations whose daily run is late by `:late_day`. Each condition uses its own index. */
const lateOrganizations = (of_organization: boolean) =>
  of_organization
    ? `select ${late_fields} from organizations as organization
        where organization.id = :organization_id
          and coalesce(organization.daily_run_on < :late_day::date + organization.clock_offset_days, true)`
    : late_ways
        .map((way) => `(select ${late_fields} from organizations as organization ${way} limit ${max_found})`)
        .join(' union ')

/** A late daily run concerns no single employer. */
const lateRunTasks = (of_organization: boolean, of_employer: boolean) => `
  select ${taskIdOf('daily_run_late', 'late.id')} as id, 'daily_run_late' as kind, late.id as organization_id,
         null::text collate "C" as employer_id, late.id as resource_id,
         jsonb_build_object('last_day_run_on', late.daily_run_on) as details,
         coalesce((late.daily_run_on + 1 - late.clock_offset_days)::timestamp at time zone 'America/New_York'
                    + interval '1 hour', late.created_at) as opened_at
    from (select * from (${lateOrganizations(of_organization)}) as found
           where ${inReach('found.id')} ${of_employer ? 'and false' : ''}
           order by found.daily_run_on, found.id limit ${max_found}) as late`

/** Legal figures apply to all organizations, so a missing one concerns no single organization. */
const figuresMissing = (of_one: boolean) => `
  select ${taskIdOf('affordability_figure_missing', "due.figure || ' ' || due.year")} as id,
         'affordability_figure_missing' as kind, null::text collate "C" as organization_id,
         null::text collate "C" as employer_id, due.year::text collate "C" as resource_id,
         jsonb_build_object('figure', due.figure, 'year', due.year, 'needed_on', due.needed_on) as details,
         due.due_on::timestamp at time zone 'America/New_York' as opened_at
    from jsonb_to_recordset(:due_figures::jsonb) as due (figure text, year int, needed_on date, due_on date)
   where ${inReach('null::text')} ${of_one ? 'and false' : ''}
     and not coalesce((
           select case due.figure when 'poverty_guidelines' then entered.poverty_guidelines is not null
                                  when 'assessable_payments' then entered.assessable_payments is not null
                                  else entered.required_contribution is not null end
             from affordability_figures as entered where entered.year = due.year), false)`

const listed = readVariants(
  'tasks.listTasks',
  { source: sources, kind: [false, true], of_organization: [false, true], of_employer: [false, true] },
  (chosen) => {
    const lies_ahead = isAfterAnchor('task', order)
    const opened = openedOf(chosen)
    const seen = derivedTasksOf(chosen)
    const has_both = opened !== null && seen.length > 0
    const tasks = [
      ...(opened === null
        ? []
        : [
            `select id, kind, organization_id, employer_id, resource_id, details, opened_at
               from tasks as task where ${opened} and ${lies_ahead}
              order by opened_at, id limit :limit::bigint + :offset::bigint`,
          ]),
      ...(seen.length === 0 ? [] : [`select * from seen as task where ${lies_ahead}`]),
    ]
    const counted = (from: string) =>
      `select count(*) as total, count(*) filter (where ${lies_ahead}) as ahead from ${from}`
    const totals =
      opened === null
        ? counted('seen as task')
        : has_both
          ? `select opened.total + seen.total as total, opened.ahead + seen.ahead as ahead
               from (${counted(`tasks as task where ${opened}`)}) as opened
              cross join (${counted('seen as task')}) as seen`
          : counted(`tasks as task where ${opened}`)
    const page = keysetPageJson(
      `select shown.item, keys.position, ${keyOf('keys', order)} as key from (
         select task.*, row_number() over (order by task.opened_at, task.id) as position
           from (${tasks.map((task) => `(${task})`).join(' union all ')}) as task
          order by task.opened_at, task.id limit :limit offset :offset) as keys
        cross join lateral (select keys.*) as task
        cross join lateral (${taskJson}) as shown`,
      totals,
    )
    return seen.length === 0 ? page : `with seen as materialized (${seen.join(' union all ')}) ${page}`
  },
)

const all = { source: 'all', kind: false, of_organization: false, of_employer: false } as const

const of_all = `
  select id, kind, organization_id, employer_id, resource_id, details, opened_at from tasks as task
   where ${openedOf(all)}`

const listedAcrossTenants = distributedList('tasks.open', {
  from: `(${[of_all, ...derivedTasksOf(all)].join(' union all ')}) as task`,
  row: 'task',
  reach: inReach('task.organization_id', 'task.employer_id'),
  choices: {},
  where: () => `(:kind::text is null or task.kind = :kind)
    and (:employer_id::text is null or task.employer_id = :employer_id)`,
  order,
  item: taskJson,
  pages: 'by_key',
})

/** The time after midnight within which a daily run normally finishes, in milliseconds. */
const default_delay_ms = 3600_000

/** A page of the open tasks, oldest first. */
export function listTasks(ctx: ReadCtx, filter: TaskFilter): Promise<string | undefined> {
  const { kind = null, organization_id = null, employer_id = null } = filter
  const chosen = {
    source: kind === null ? 'all' : isDerived(kind) ? kind : 'opened',
    kind: kind !== null && !isDerived(kind),
    of_organization: organization_id !== null,
    of_employer: employer_id !== null,
  } as const
  const late_day = easternDay(Date.parse(ctx.real_now) - default_delay_ms)
  const due_figures = JSON.stringify(figuresDue(easternDay(Date.parse(ctx.real_now))))
  const values = { kind, organization_id, employer_id, late_day, due_figures }
  return spansServers(ctx, organization_id)
    ? listedAcrossTenants(ctx, {}, filter, values)
    : readKeysetPage(ctx, listed(chosen), filter, values)
}

/** A new task. `details` contains ids, days and numbers by name, but no personal data. */
export type NewTask = {
  kind: TaskKind
  organization_id: string
  /** Null if it concerns the whole organization. */
  employer_id: string | null
  /** At most one task of a kind is open per resource. */
  resource_id: string
  details: Record<string, string | number | boolean | null>
}

const inserted = statement(
  'tasks.insertTasks',
  `insert into tasks (id, organization_id, employer_id, kind, resource_id, details, opened_at)
   select new_id('task'), input.organization_id, input.employer_id, input.kind, input.resource_id, input.details, :now
     from (select distinct on (resource_id, kind, organization_id) *
             from rows from (jsonb_to_recordset(:tasks::jsonb) as (
                    organization_id text, employer_id text, kind text, resource_id text, details jsonb))
                  with ordinality as input (organization_id, employer_id, kind, resource_id, details, position)
            order by resource_id, kind, organization_id, position desc) as input
    order by input.position
   on conflict (resource_id, kind, organization_id) where closed_at is null do update
     set details = excluded.details
   where tasks.details is distinct from excluded.details`,
)

/** Writes tasks. If a task is already open, only its details change. */
export const insertTasks = (ctx: Ctx, tasks: NewTask[]) => inserted.rows(ctx, { tasks: JSON.stringify(tasks) })

export const saveClosings = statement(
  'tasks.saveClosings',
  `update tasks set closed_at = :now
    where organization_id = :organization_id and kind = any(:kinds::text[]) and resource_id = any(:resource_ids::text[])
      and closed_at is null`,
).rows

export const saveClosingsOf = statement(
  'tasks.saveClosingsOf',
  `update tasks set closed_at = :now
    where employer_id = :employer_id and organization_id = :organization_id and kind = :kind and closed_at is null`,
).rows
