import { addDays, monthEnd } from '../../kernel/days.ts'
import { endpoints } from '../../modules.ts'
import type { Db } from '../../database/query/database.ts'
import type { Story } from '../../sandbox/story.ts'
import type { Actor } from './actors.ts'
import type { Reply } from './send.ts'
import type { Random } from './random.ts'
import type { KnownIds } from './known-ids.ts'
import type { FuzzRequest } from './requests.ts'

/** The environment of a scenario: the callers, the existing resources, and its own random numbers. */
type Stage = {
  story: Story
  db: Db
  random: Random
  /** The current calendar day. */
  today: string
  known_ids: KnownIds
  /** Runs the waiting jobs. */
  work(): Promise<void>
  actorOf(name: string): Actor
  send(fuzz_request: FuzzRequest): Promise<Reply>
}

/** Requests that build on each other. Each is valid unless other requests change the same resources in the meantime. */
export type Scenario = (stage: Stage) => Promise<void>

/** A response. The rows of a list are in `data`. */
type Facts = { id: string; data: Facts[] } & Record<string, unknown>
type Action = (operation: string, ids: Record<string, string>, body?: object, query?: string) => Promise<Facts>

/** A request of a scenario was refused because of a concurrent change. The scenario ends. */
class Refused extends Error {}

/** Sends valid requests as an actor. */
const actionsOf =
  ({ send, known_ids }: Stage, actor: Actor): Action =>
  async (operation, ids, body, query) => {
    const endpoint = endpoints.find((one) => one.operation === operation)!
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name]!))
    const { status, text } = await send({
      endpoint,
      actor,
      method: endpoint.method,
      path: query === undefined ? path : `${path}?${query}`,
      headers: [['authorization', `Bearer ${actor.credential}`], ...(body ? [json] : [])],
      body: body && JSON.stringify(body),
      named: Object.values(ids).flatMap((id) => known_ids.thing(id) ?? []),
    })
    if (status >= 300) throw new Refused(text)
    const response = JSON.parse(text) as { data?: unknown }
    return (response.data === undefined || Array.isArray(response.data) ? response : response.data) as Facts
  }

const json: [string, string] = ['content-type', 'application/json']

const partnerOf = (stage: Stage): Action => actionsOf(stage, stage.actorOf("Harbor's key"))
const operatorOf = (stage: Stage): Action => actionsOf(stage, stage.actorOf('the operator'))

/** A number as letters, because names contain no digits. */
const letters = (number: number): string =>
  [...String(number)].map((digit) => String.fromCharCode(97 + Number(digit))).join('')

/** A number that other scenarios are very unlikely to choose. */
const anyNumber = ({ random }: Stage): number => random.whole(10_000_000, 999_999_999)

async function createEmployer(stage: Stage): Promise<string> {
  const number = anyNumber(stage)
  const { id } = await partnerOf(stage)(
    'employers_create',
    {},
    {
      name: `Quillon ${letters(number)}`,
      legal_name: `Quillon ${letters(number)} LLC`,
      ein: `${String(number).slice(0, 2)}-${String(number).padEnd(9, '7').slice(2)}`,
      email: `play${number}@fuzz.example.com`,
      address: { address_line_1: '12 Elm St', city: 'Albany', state: 'NY', zipcode: '12207' },
    },
  )
  return id
}

/** Unique people in the format of a census and of payroll systems. */
function peopleOf(stage: Stage, count: number) {
  const number = anyNumber(stage)
  return Array.from({ length: count }, (_, at) => ({
    first_name: `Ana${letters(at)}`,
    last_name: `Quillon ${letters(number)}`,
    email: `play${number}.${at}@fuzz.example.com`,
    phone: `2${String(number).padStart(9, '0').slice(2)}${String(at).padStart(2, '0')}`,
    date_of_birth: `${1960 + at}-05-17`,
    start_date: addDays(stage.today, -400),
  }))
}

/** A row of Harbor. A query has the organization as `$1` and the calendar day as `$2`. */
async function rowOf<Row extends object>({ db, random, story, today }: Stage, query: string): Promise<Row> {
  const rows = await db.rows<Row>(query, [story.organization_id, today])
  if (rows.length === 0) throw new Refused('No such row exists.')
  return random.pick(rows)
}

const day = '($2::date + organization.clock_offset_days)'

const present = `select ${day}::text as today from organizations as organization where organization.id = $1`

const coverage_in_force = `
  select enrollment.id as enrollment_id, enrollment.employee_id, ${day}::text as today
    from enrollments as enrollment
    join organizations as organization on organization.id = enrollment.organization_id
    join employees as employee
      on employee.id = enrollment.employee_id and employee.organization_id = enrollment.organization_id
    join benefit_plan_years as year
      on year.id = enrollment.plan_year_id and year.organization_id = enrollment.organization_id
   where enrollment.organization_id = $1 and enrollment.answer = 'enrolled' and enrollment.coverage_start <= ${day}
     and enrollment.coverage_end is null and enrollment.inactive_on is null and enrollment.ended_on is null
     and employee.terminated_on is null and year.coverage_end > ${day} + 62
   order by enrollment.id desc limit 100`

/** Coverage ends after a life event and is opened again. */
const changeOfLife: Scenario = async (stage) => {
  const [partner, operator] = [partnerOf(stage), operatorOf(stage)]
  const found = await rowOf<{ enrollment_id: string; employee_id: string; today: string }>(stage, coverage_in_force)
  const { enrollment_id, employee_id, today } = found
  const life_event = { type: 'gain_of_coverage', occurred_on: today }
  const event = await partner('life_events_create', { employee_id }, life_event)
  await operator('operator_approve_life_event', { life_event_id: event.id })
  const reason = { reason: 'A test' }
  const ended = { ...reason, life_event_id: event.id, coverage_end: monthEnd(today) }
  await partner('enrollments_terminate', { enrollment_id }, ended)
  await partner('enrollments_reissue', { enrollment_id }, reason)
  await partner('enrollments_terminate', { enrollment_id }, ended)
  await operator('operator_reissue_enrollment', { enrollment_id }, { ...reason, dry_run: true })
  await operator('operator_reissue_enrollment', { enrollment_id }, reason)
}

const open_offer = `
  select enrollment.id as enrollment_id, enrollment.employee_id, rate.plan_id
    from enrollments as enrollment
    join organizations as organization on organization.id = enrollment.organization_id
    join plan_year_rates as rate
      on rate.plan_year_id = enrollment.plan_year_id and rate.organization_id = enrollment.organization_id
     and rate.benefit_id = enrollment.benefit_id and rate.coverage_tier = 'EE' and rate.pricing = 'tier'
   where enrollment.organization_id = $1 and enrollment.answer is null and enrollment.inactive_on is null
     and ${day} between enrollment.granted_on and enrollment.window_ends_on
   order by enrollment.id desc limit 100`

/** An employee requests a quote, elects, and changes the election. */
const answer: Scenario = async (stage) => {
  const partner = partnerOf(stage)
  const found = await rowOf<{ enrollment_id: string; employee_id: string; plan_id: string }>(stage, open_offer)
  const { enrollment_id, employee_id, plan_id } = found
  const elect = { plan_id, coverage_tier: 'EE', dependent_ids: [] }
  const submission = { answers: [{ enrollment_id, elect }], dry_run: true }
  await partner('employees_answer_enrollments', { employee_id }, submission)
  await partner('enrollments_elect', { enrollment_id }, elect)
  await partner('enrollments_waive', { enrollment_id }, { reason: 'Covered elsewhere' })
  await partner('employees_answer_enrollments', { employee_id }, { ...submission, dry_run: false })
}

/** A census omits most people, so it is held until it is decided. */
const heldCensus: Scenario = async (stage) => {
  const [partner, operator] = [partnerOf(stage), operatorOf(stage)]
  const employer_id = await createEmployer(stage)
  const people = peopleOf(stage, 12)
  await partner('employers_submit_census_sync', { employer_id }, { employees: people })
  await stage.work()
  const submit = async () => {
    const few = { employees: people.slice(0, 3) }
    const { census_sync_id } = await partner('employers_submit_census_sync', { employer_id }, few, 'mode=replace')
    await stage.work()
    return { census_sync_id: String(census_sync_id) }
  }
  await operator('operator_discard_census_sync', await submit())
  if (stage.random.chance(0.5)) await operator('operator_confirm_census_sync', await submit())
  else await partner('employers_confirm_census_sync', { employer_id, ...(await submit()) })
  await stage.work()
}

/** Like `heldCensus`, but the roster comes from a payroll system. */
const heldPayroll: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  const employer_id = await createEmployer(stage)
  const people = peopleOf(stage, 12)
  const { id: hris_connection_id } = await operator('operator_connect_hris', { employer_id }, { source: 'sandbox' })
  const sync = async (count: number) => {
    const payroll = { people: people.slice(0, count) }
    await operator('operator_set_sandbox_payroll', { hris_connection_id }, payroll)
    const { id } = await operator('operator_sync_hris', { hris_connection_id })
    await stage.work()
    return { hris_run_id: id }
  }
  await sync(people.length)
  await operator('operator_confirm_hris_run', await sync(3))
  await stage.work()
  await operator('operator_pause_hris', { hris_connection_id })
  await operator('operator_resume_hris', { hris_connection_id })
}

/** A payroll system is unavailable, so its job waits for a retry. Then files replace it. */
const lostPayroll: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  const employer_id = await createEmployer(stage)
  const finch = { source: 'finch', access_token: 'a token' }
  const { id: hris_connection_id } = await operator('operator_connect_hris', { employer_id }, finch)
  await stage.work()
  await operator('operator_renew_hris_access', { hris_connection_id }, { access_token: 'another token' })
  const { data: jobs } = await operator('operator_list_jobs', {}, undefined, 'state=waiting')
  if (jobs.length > 0) {
    const { id: job_id } = stage.random.pick(jobs)
    await operator('operator_get_job', { job_id })
    await operator('operator_run_job', { job_id })
  }
  await operator('operator_disconnect_hris', { hris_connection_id })
  const files = await operator('operator_connect_hris', { employer_id }, { source: 'csv' })
  const rows = peopleOf(stage, 3)
  await operator('operator_upload_hris_file', { hris_connection_id: files.id }, { rows })
}

const running_year = `
  select year.id as benefit_plan_year_id, rate.plan_id,
         (date_trunc('month', ${day}::timestamp) + interval '1 month')::date::text as effective_on
    from benefit_plan_years as year
    join organizations as organization on organization.id = year.organization_id
    join plan_year_rates as rate on rate.plan_year_id = year.id and rate.organization_id = year.organization_id
   where year.organization_id = $1 and rate.pricing = 'tier'
     and rate.effective_on <= ${day} and rate.until > ${day} + 62
     and ${day} between year.coverage_start and year.coverage_end - 62
   order by year.id, rate.plan_id limit 100`

/** An active plan year is amended, and the amendment is withdrawn. */
const amendment: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  type Found = { benefit_plan_year_id: string; plan_id: string; effective_on: string }
  const found = await rowOf<Found>(stage, running_year)
  const { benefit_plan_year_id, plan_id, effective_on } = found
  const amended = { effective_on, reason: 'New rates', repriced_plan_ids: [plan_id] }
  const { id: amendment_id } = await operator('operator_amend_benefit_plan_year', { benefit_plan_year_id }, amended)
  const withdrawn = { benefit_plan_year_id, amendment_id }
  await operator('operator_withdraw_benefit_plan_year_amendment', withdrawn, { reason: 'Too early' })
}

const subscribed = `
  select subscription.employer_id, ${day}::text as today
    from employer_subscriptions as subscription
    join organizations as organization on organization.id = subscription.organization_id
   where subscription.organization_id = $1 and subscription.started_on < ${day}
     and (subscription.ended_on is null or subscription.ended_on > ${day})
   order by subscription.id desc limit 100`

/** An employer cancels its subscription and returns on the same day. */
const comeback: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  const { employer_id, today } = await rowOf<{ employer_id: string; today: string }>(stage, subscribed)
  await operator('operator_end_subscription', { employer_id }, { ended_on: today })
  await operator('operator_grant_subscription', { employer_id }, { started_on: today })
}

/** A person leaves and is hired again. */
const rehire: Scenario = async (stage) => {
  const partner = partnerOf(stage)
  const { today } = await rowOf<{ today: string }>(stage, present)
  const employer_id = await createEmployer(stage)
  const [person] = peopleOf(stage, 1)
  const { id: employee_id } = await partner('employees_create_employee', { employer_id }, person)
  const termination_date = addDays(today, -30)
  await partner('employees_terminate', { employee_id }, { termination_date })
  await partner('employees_reinstate', { employee_id }, {})
  await partner('employees_terminate', { employee_id }, { termination_date })
  await partner('employees_rehire', { employee_id }, { start_date: addDays(today, -2) })
}

/** An operator who has keys is created and removed. */
const colleague: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  const number = anyNumber(stage)
  const wanted = { name: 'Otto', email: `otto${number}@example.com`, role: 'operations' }
  const { id: operator_id } = await operator('operator_create_operator', {}, wanted)
  const { id: operator_key_id } = await operator('operator_create_operator_key', { operator_id }, { name: 'Laptop' })
  await operator('operator_list_operator_keys', { operator_id })
  await operator('operator_revoke_operator_key', { operator_id, operator_key_id })
  await operator('operator_dismiss_operator', { operator_id })
}

/** The owner of a key creates an organization, whose days are run. Later, a leaked key of theirs is reported. */
const newcomer: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  const { id: user_id } = await operator('operator_create_user', {}, { name: 'Uma' })
  const { api_key } = await operator('operator_create_api_key', {}, { user_id, mode: 'test' })
  const actor = { ...stage.actorOf('a newcomer'), name: 'a founder', credential: String(api_key) }
  const { id: organization_id } = await actionsOf(stage, actor)('create_organization', {}, { name: 'Northwind' })
  await operator('operator_run_day', { organization_id })
  await stage.work()
  await operator('operator_move_clock', { organization_id }, { today: addDays(stage.today, 3) })
  await operator('operator_list_usage', { organization_id })
  await operator('operator_end_membership', { organization_id, user_id })
  await partnerOf(stage)('api_keys_report_leak', {}, { api_key })
}

const billed = `
  select distinct invoice.employer_id from invoices as invoice
   where invoice.organization_id = $1 and invoice.paid_at is null and invoice.voided_at is null and $2::date is not null
   order by invoice.employer_id`

/** The invoice of the month is voided, drafted again, issued and paid. */
const bill: Scenario = async (stage) => {
  const operator = operatorOf(stage)
  const { employer_id } = await rowOf<{ employer_id: string }>(stage, billed)
  const invoices = async (status: string) => {
    const { data } = await operator('operator_list_invoices', { employer_id })
    const [first] = data.filter((invoice) => invoice.status === status)
    if (!first) throw new Refused(`There is no ${status} invoice.`)
    return { employer_id, invoice_id: String(first.invoice_id) }
  }
  await operator('operator_void_invoice', await invoices('open'))
  await operator('operator_run_invoice_day', { employer_id })
  await stage.work()
  const drafted = await invoices('draft')
  await operator('operator_issue_invoice', drafted)
  await operator('operator_pay_invoice', drafted, {})
}

const plays = {
  changeOfLife,
  heldPayroll,
  answer,
  heldCensus,
  newcomer,
  lostPayroll,
  amendment,
  comeback,
  rehire,
  colleague,
  bill,
}

/** All scenarios in random order. A refusal ends a scenario without a fault. */
export function shuffledScenarios(random: Random): Scenario[] {
  const all = Object.values(plays).map(
    (play): Scenario =>
      (stage) =>
        play(stage).catch((error) => {
          if (!(error instanceof Refused)) throw error
        }),
  )
  const first = random.whole(0, all.length - 1)
  return [...all.slice(first), ...all.slice(0, first)]
}
