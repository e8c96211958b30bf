import { type Command, InvalidArgumentError } from 'commander'
import type {
  ActivityEntry,
  ActivityListQuery,
  EligibilityExplanation,
  Employee,
  EmployerRow,
  EmployerSetup,
  EmployersListEmployeesQuery,
  EmployersListQuery,
  OpenBenefits,
  PartnerTask,
  TasksListQuery,
  WebhookEvent,
  WebhookEventsListQuery,
} from 'openbenefits'
import { clientOf, connected, connectionOf, type ConnectionOptions, examples } from '../connection.ts'
import { type Column, fieldsOf, hasColors, type Io, pageFor, print, printJson, printList, tableOf } from '../output.ts'

const max_rows = 10_000

function limit(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= max_rows) return count
  throw new InvalidArgumentError(`Must be a whole number from 1 to ${max_rows}.`)
}

const listed = (command: Command): Command =>
  connected(command).option('--limit <rows>', `maximum number of rows, up to ${max_rows}`, limit, 20)

const names = (text: string): string[] => text.split(',').map((name) => name.trim())

const employer_columns: Column<EmployerRow>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name },
  { title: 'stage', of: (row) => row.benefit_lifecycle_stage.stage },
  { title: 'employees', of: ({ employee_count }) => employee_count },
  { title: 'enrolled', of: ({ enrollment_rate_summary: { enrolled, eligible } }) => `${enrolled} of ${eligible}` },
  { title: 'next_date', of: ({ next_date }) => next_date && `${next_date.date} ${next_date.kind}` },
  { title: 'hris', of: ({ hris_status }) => hris_status && `${hris_status.provider} ${hris_status.status}` },
  { title: 'reference_id', of: ({ reference_id }) => reference_id },
]

const setup_columns: Column<EmployerSetup['steps'][number]>[] = [
  { title: 'step', of: ({ step }) => step },
  { title: 'status', of: ({ status }) => status },
  { title: 'actor', of: ({ actor }) => actor },
  { title: 'starts_on', of: ({ starts_on }) => starts_on },
]

/** `employers`: the employers of an organization. */
export function addEmployers(program: Command, io: Io): void {
  const employers = program.command('employers').description('Show the employers of your organization.')
  type Options = ConnectionOptions & {
    limit: number
    search?: string
    stage?: string[]
    sort?: string
    desc?: boolean
    includeCancelled?: boolean
  }
  listed(employers.command('list', { isDefault: true }))
    .description('List employers, newest first or sorted.')
    .option('--search <text>', 'part of the name, or an EIN, id or admin email address')
    .option('--stage <names>', 'only these lifecycle stages, comma separated', names)
    .option('--sort <order>', 'name, employee_count, enrollment, monthly_premium or next_date')
    .option('--desc', 'sort in descending order')
    .option('--include-cancelled', 'include canceled employers')
    .addHelpText(
      'after',
      examples('employers', 'employers --search heron --json', 'employers --stage open_enrollment --sort next_date'),
    )
    .action(async ({ search, stage, sort, desc, includeCancelled, ...options }: Options) => {
      const query = {
        ...pageFor(options.limit),
        ...(search !== undefined && { search }),
        ...(stage && { benefit_lifecycle_stage: stage }),
        ...(sort !== undefined && { sort }),
        ...(desc && { order: 'desc' }),
        ...(includeCancelled && { include_cancelled: true }),
      } as EmployersListQuery
      await printList(io, clientFor(options, io).employers.list(query), employer_columns, options)
    })
  connected(employers.command('get'))
    .description('Show an employer.')
    .argument('<employer_id>', 'empr_…')
    .addHelpText('after', examples('employers get empr_01kdq7b4w8e9rs2mh3n5t6v702'))
    .action(async (id: string, options: ConnectionOptions) =>
      printOne(io, await clientFor(options, io).employers.get(id), options),
    )
  connected(employers.command('setup'))
    .description('Show the setup steps of an employer.')
    .argument('<employer_id>', 'empr_…')
    .addHelpText('after', examples('employers setup empr_01kdq7b4w8e9rs2mh3n5t6v702'))
    .action(async (id: string, options: ConnectionOptions) => {
      const setup = await clientFor(options, io).employers.getSetup(id)
      if (options.json) return printJson(io, setup)
      print(io, tableOf(setup_columns, setup.steps, { bold: hasColors(io.stdout, io.env) }))
    })
}

const task_columns: Column<PartnerTask>[] = [
  { title: 'kind', of: ({ kind }) => kind },
  { title: 'due_on', of: ({ due_on }) => due_on },
  { title: 'employer', of: ({ employer_name }) => employer_name },
  { title: 'owner', of: ({ owner }) => owner?.name },
  { title: 'person', of: ({ person_name }) => person_name },
  { title: 'people', of: ({ people_count }) => people_count },
  { title: 'resource_id', of: ({ resource_id }) => resource_id },
]

/** `tasks`: the work that waits for an organization. */
export function addTasks(program: Command, io: Io): void {
  type Options = ConnectionOptions & { limit: number; kind?: string[]; employer?: string; owner?: string[] }
  listed(program.command('tasks'))
    .description('Show the work that waits for you, by due date.')
    .option('--kind <names>', 'only these kinds, comma separated', names)
    .option('--employer <employer_id>', 'only tasks of this employer')
    .option('--owner <user_ids>', 'only tasks that one of these members owns, comma separated', names)
    .addHelpText('after', examples('tasks', 'tasks --kind renewal_due,invoice_overdue --json'))
    .action(async ({ kind, employer, owner, ...options }: Options) => {
      const query = {
        ...pageFor(options.limit),
        ...(kind && { kind }),
        ...(owner && { owner_user_id: owner }),
        ...(employer !== undefined && { employer_id: employer }),
      } as TasksListQuery
      await printList(io, clientFor(options, io).tasks.list(query), task_columns, options)
    })
}

const activity_columns: Column<ActivityEntry>[] = [
  { title: 'created_at', of: ({ created_at }) => created_at },
  { title: 'event_name', of: ({ event_name }) => event_name },
  { title: 'person', of: ({ person_name }) => person_name },
  { title: 'benefit', of: ({ benefit_name }) => benefit_name },
  { title: 'employer', of: ({ employer_name }) => employer_name },
]

/** `activity`: the changes of an organization, with names. */
export function addActivity(program: Command, io: Io): void {
  type Options = ConnectionOptions & { limit: number; employer?: string; employee?: string }
  listed(program.command('activity'))
    .description('Show what changed, newest first.')
    .option('--employer <employer_id>', 'only changes at this employer')
    .option('--employee <employee_id>', 'only changes to this employee')
    .addHelpText('after', examples('activity', 'activity --limit 100 --json'))
    .action(async ({ employer, employee, ...options }: Options) => {
      const query = {
        ...pageFor(options.limit),
        ...(employer !== undefined && { employer_id: employer }),
        ...(employee !== undefined && { employee_id: employee }),
      } as ActivityListQuery
      await printList(io, clientFor(options, io).activity.list(query), activity_columns, options)
    })
}

const employee_columns: Column<Employee>[] = [
  { title: 'id', of: ({ id }) => id },
  {
    title: 'name',
    of: ({ first_name, last_name, suffix }) => [first_name, last_name, suffix].filter(Boolean).join(' '),
  },
  { title: 'status', of: ({ status }) => status },
  { title: 'class', of: ({ employee_class }) => employee_class },
  { title: 'hired', of: ({ hire_date }) => hire_date },
  { title: 'enrollments', of: ({ enrollments }) => counted(enrollments.map(({ status }) => status)) },
  { title: 'reference_id', of: ({ reference_id }) => reference_id },
]

/** `enrolled 2, pending 1`. */
function counted(words: string[]): string | null {
  const counts = [...new Set(words)].map((word) => `${word} ${words.filter((each) => each === word).length}`)
  return counts.length > 0 ? counts.join(', ') : null
}

/** `employees`: the people of an employer, and the explanation of their coverage. */
export function addEmployees(program: Command, io: Io): void {
  const employees = program.command('employees').description('Show the people of an employer.')
  type Options = ConnectionOptions & { limit: number; search?: string; status?: string }
  listed(employees.command('list', { isDefault: true }))
    .description('List employees, newest first.')
    .argument('<employer_id>', 'empr_…')
    .option('--search <text>', 'part of the first name, last name or email address')
    .option('--status <status>', 'active or terminated')
    .addHelpText(
      'after',
      examples(
        'employees empr_01kdq7b4w8e9rs2mh3n5t6v702 --search grace',
        'employees list empr_01kdq7b4w8e9rs2mh3n5t6v702 --status active --json',
      ),
    )
    .action(async (employer_id: string, { search, status, ...options }: Options) => {
      const query = {
        ...pageFor(options.limit),
        ...(search !== undefined && { search }),
        ...(status !== undefined && { employment_status: status }),
      } as EmployersListEmployeesQuery
      await printList(io, clientFor(options, io).employees.list(employer_id, query), employee_columns, options)
    })
  connected(employees.command('get'))
    .description('Show an employee.')
    .argument('<employee_id>', 'empl_…')
    .addHelpText('after', examples('employees get empl_01kdq7b4w8e9rs2mh3n5t6v703'))
    .action(async (id: string, options: ConnectionOptions) =>
      printOne(io, await clientFor(options, io).employees.get(id), options),
    )
  connected(employees.command('explain'))
    .description('Explain why an employee is eligible or not, and how each coverage date follows.')
    .argument('<employee_id>', 'empl_…')
    .option('--as-of <day>', 'as of this day (default: today)')
    .addHelpText('after', examples('employees explain empl_01kdq7b4w8e9rs2mh3n5t6v703 --as-of 2026-03-10'))
    .action(async (id: string, { asOf, ...options }: ConnectionOptions & { asOf?: string }) => {
      const query = (asOf === undefined ? {} : { as_of: asOf }) as { as_of?: never }
      const explanation = await clientFor(options, io).employees.explainEligibility(id, query)
      if (options.json) return printJson(io, explanation)
      print(io, explained(explanation, hasColors(io.stdout, io.env)))
    })
}

function explained(explanation: EligibilityExplanation, bold: boolean): string {
  const { benefits } = explanation
  const warnings = new Set([explanation, ...benefits].flatMap(({ warnings }) => warnings.map(({ message }) => message)))
  const facts = fieldsOf([
    ['as of', explanation.as_of],
    ['status', explanation.status],
    ['why', explanation.reason],
    ['class', explanation.employee_class],
    ['hired', explanation.hire_date],
    ['ended', explanation.termination_date],
    ['eligible from', explanation.eligible_on],
    ['eligibility lost', explanation.eligibility_lost_on],
    ['coverage ends', explanation.covered_until],
  ])
  const table = tableOf(
    [
      { title: 'benefit', of: ({ benefit }) => benefit.name },
      { title: 'from', of: ({ anchor }) => anchor },
      { title: 'rule', of: ({ rule }) => rule },
      { title: 'earliest start', of: ({ floor }) => floor },
      { title: 'latest start', of: ({ cap }) => cap },
      { title: 'coverage can start', of: ({ coverage_start }) => coverage_start },
      { title: 'enrollment', of: ({ enrollment }) => enrollment?.id },
    ],
    benefits,
    { bold },
  )
  return [facts, ...(benefits.length > 0 ? ['', table] : []), ...[...warnings].map((message) => `! ${message}`)].join(
    '\n',
  )
}

const event_columns: Column<WebhookEvent>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'created_at', of: ({ created_at }) => created_at },
  { title: 'event_name', of: ({ event_name }) => event_name },
  { title: 'resource_id', of: ({ resource_id }) => resource_id },
]

/** `events`: the events of an organization. */
export function addEvents(program: Command, io: Io): void {
  const events = program.command('events').description('Show the events of your organization.')
  type Options = ConnectionOptions & { limit: number; name?: string[]; resource?: string; since?: string }
  listed(events.command('list', { isDefault: true }))
    .description('List events, newest first.')
    .option('--name <names>', 'only these events, such as employee.created,invoice.issued', names)
    .option('--resource <id>', 'only events about this resource')
    .option('--since <instant>', 'only events after this instant, such as 2026-03-10T00:00:00Z')
    .addHelpText('after', examples('events', 'events --name enrollment.elected --since 2026-03-10T00:00:00Z'))
    .action(async ({ name, resource, since, ...options }: Options) => {
      const query = {
        ...pageFor(options.limit),
        ...(name && { event_name: name }),
        ...(resource !== undefined && { resource_id: resource }),
        ...(since !== undefined && { created_after: since }),
      } as WebhookEventsListQuery
      await printList(io, clientFor(options, io).webhookEvents.list(query), event_columns, options)
    })
  connected(events.command('get'))
    .description('Show an event.')
    .argument('<event_id>', 'wevt_…')
    .addHelpText('after', examples('events get wevt_01kdq7b4w8e9rs2mh3n5t6v704'))
    .action(async (id: string, options: ConnectionOptions) =>
      printOne(io, await clientFor(options, io).webhookEvents.get(id), options),
    )
}

const clientFor = (options: ConnectionOptions, io: Io): OpenBenefits => clientOf(connectionOf(options, io.env))

/** Prints the fields of one resource. Nested fields are JSON. */
function printOne(io: Io, thing: object, { json }: ConnectionOptions): void {
  if (json) return printJson(io, thing)
  const textOf = (value: unknown) =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as string)
  print(io, fieldsOf(Object.entries(thing).map(([name, value]) => [name, textOf(value)])))
}
