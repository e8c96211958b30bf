import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type {
  BeneficiariesInput,
  BenefitPlanYearId,
  EmployeeId,
  EmployerId,
  EnrollmentAgreement,
  EnrollmentDraft,
  EnrollmentReminders,
  OpenBenefits,
} from 'openbenefits'
import { clientOf, connected, connectionOf, type ConnectionOptions, examples, collectValues } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { type Column, fieldsOf, hasColors, isConfirmed, type Io, print, printJson, tableOf } from '../output.ts'

const employer = 'empr_01kdq7b4w8e9rs2mh3n5t6v702'
const employee = 'empl_01kdq7b4w8e9rs2mh3n5t6v703'
const benefit = 'bprd_01kdq7b4w8e9rs2mh3n5t6v706'

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new UsageError(`${path} cannot be read.`)
  }
}

function beneficiariesIn(path: string): BeneficiariesInput {
  const text = textIn(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${path} is not JSON.`)
  }
}

const answer_columns: Column<EnrollmentDraft['answers'][number]>[] = [
  { title: 'enrollment', of: ({ enrollment_id }) => enrollment_id },
  { title: 'choice', of: ({ elect }) => (elect ? 'elect' : 'waive') },
  { title: 'plan', of: ({ elect }) => elect?.plan_id },
  { title: 'dependents', of: ({ elect }) => elect?.dependent_ids.join(' ') },
]

/** `drafts`: the unfinished election of an employee. */
export function addDrafts(program: Command, io: Io): void {
  const drafts = program.command('drafts').description('Show or discard the unfinished election of an employee.')
  connected(drafts.command('get', { isDefault: true }))
    .description('Show the choices that are saved but not submitted.')
    .argument('<employee_id>', 'empl_…')
    .addHelpText('after', examples(`drafts ${employee}`))
    .action(async (id: EmployeeId, options: ConnectionOptions) => {
      const draft = await clientOf(connectionOf(options, io.env)).enrollments.getDraft(id)
      if (options.json) return printJson(io, draft)
      const { saved_at, window_ends_on, answers } = draft
      if (!saved_at) return print(io, 'No draft.')
      const facts = fieldsOf([
        ['saved', saved_at],
        ['window ends', window_ends_on],
      ])
      print(io, `${facts}\n\n${tableOf(answer_columns, answers, { bold: hasColors(io.stdout, io.env) })}`)
    })
  connected(drafts.command('discard'))
    .description('Discard the choices. Submitted elections stay.')
    .argument('<employee_id>', 'empl_…')
    .addHelpText('after', examples(`drafts discard ${employee}`))
    .action(async (id: EmployeeId, options: ConnectionOptions) => {
      const draft = await clientOf(connectionOf(options, io.env)).enrollments.discardDraft(id)
      if (options.json) return printJson(io, draft)
      print(io, 'Discarded.')
    })
}

const agreement_columns: Column<EnrollmentAgreement>[] = [
  { title: 'id', of: ({ id }) => id ?? 'default' },
  { title: 'plan_year', of: ({ benefit_plan_year_id: id }) => id ?? 'all' },
  { title: 'version', of: ({ version }) => version },
  { title: 'created', of: ({ created_at }) => created_at },
  { title: 'text', of: ({ text_en }) => (text_en.length > 60 ? `${text_en.slice(0, 59)}…` : text_en) },
]

/** `agreements`: the agreements that employees sign with their elections. */
export function addAgreements(program: Command, io: Io): void {
  const agreements = program.command('agreements').description('Manage the agreements that employees sign.')
  connected(agreements.command('list', { isDefault: true }))
    .description('List the versions, newest first.')
    .addHelpText('after', examples('agreements', 'agreements --json'))
    .action(async (options: ConnectionOptions) => {
      const data = await clientOf(connectionOf(options, io.env)).enrollments.listAgreements()
      if (options.json) return printJson(io, { data })
      print(io, tableOf(agreement_columns, data, { bold: hasColors(io.stdout, io.env) }))
    })
  type NewOptions = ConnectionOptions & { en: string; es: string; planYear?: string }
  connected(agreements.command('create'))
    .description('Publish the next version. It applies immediately.')
    .requiredOption('--en <file>', 'the English text, a file')
    .requiredOption('--es <file>', 'the Spanish text, a file')
    .option('--plan-year <id>', 'only for this plan year')
    .addHelpText('after', examples('agreements create --en agreement-en.txt --es agreement-es.txt'))
    .action(async ({ en, es, planYear, ...options }: NewOptions) => {
      const texts = { text_en: textIn(en), text_es: textIn(es) }
      const body = { ...texts, ...(planYear && { benefit_plan_year_id: planYear as `plyr_${string}` }) }
      const made = await clientOf(connectionOf(options, io.env)).enrollments.createAgreement(body)
      if (options.json) return printJson(io, made)
      print(io, `Published version ${made.version} (${made.id}).`)
    })
}

/** `beneficiaries`: the people, estates and trusts that receive a benefit after the death of an employee. */
export function addBeneficiaries(program: Command, io: Io): void {
  const commands = program.command('beneficiaries').description('Show or designate the beneficiaries of an employee.')
  const of = (options: ConnectionOptions) => clientOf(connectionOf(options, io.env)).beneficiaries
  connected(commands.command('list', { isDefault: true }))
    .description('List the beneficiaries of each benefit that takes them.')
    .argument('<employee_id>', 'empl_…')
    .addHelpText('after', examples(`beneficiaries ${employee}`))
    .action(async (id: EmployeeId, options: ConnectionOptions) => {
      const data = await of(options).list(id)
      if (options.json) return printJson(io, { data })
      const lines = data.flatMap(({ benefit_id, benefit_name, beneficiaries }) =>
        beneficiaries.map((beneficiary) => ({ benefit_id, benefit_name, ...beneficiary })),
      )
      if (lines.length === 0) return print(io, 'No beneficiaries.')
      const columns: Column<(typeof lines)[number]>[] = [
        { title: 'benefit', of: ({ benefit_name }) => benefit_name },
        { title: 'level', of: ({ level }) => level },
        { title: 'type', of: ({ type }) => type },
        { title: 'name', of: ({ name }) => name },
        { title: 'relationship', of: ({ relationship }) => relationship },
        { title: 'share', of: ({ share_percentage: share }) => `${share}%` },
      ]
      print(io, tableOf(columns, lines, { bold: hasColors(io.stdout, io.env) }))
    })
  connected(commands.command('set'))
    .description('Replace the beneficiaries of a benefit by those in a JSON file.')
    .argument('<employee_id>', 'empl_…')
    .argument('<benefit_id>', 'bprd_…')
    .argument('<file>', 'a JSON file with `beneficiaries`')
    .addHelpText('after', examples(`beneficiaries set ${employee} ${benefit} beneficiaries.json`))
    .action(async (id: EmployeeId, benefit_id: `bprd_${string}`, file: string, options: ConnectionOptions) => {
      const body = beneficiariesIn(file)
      const saved = await of(options).designate(id, benefit_id, body)
      if (options.json) return printJson(io, saved)
      print(io, `Designated ${saved.beneficiaries.length} for ${saved.benefit_name}.`)
    })
}

/**
 * The plan year to send reminders for: the requested one, or the one with the only open window. Undefined if no window
 * is open.
 */
async function planYearOf(
  windows: OpenBenefits['enrollmentWindows'],
  employer_id: EmployerId,
  given?: string,
): Promise<BenefitPlanYearId | undefined> {
  if (given !== undefined) return given as BenefitPlanYearId
  const open = (await windows.list(employer_id)).filter(({ can_answer }) => can_answer > 0)
  const ids = open.map(({ benefit_plan_year_id }) => benefit_plan_year_id)
  if (ids.length > 1) throw new UsageError(`plan-year: several windows are open: ${ids.join(', ')}.`)
  return ids[0]
}

function printReminders(
  io: Io,
  { enrollment_messages: mode, recipients, skipped, preview }: EnrollmentReminders,
): void {
  const left_out = [...new Set(skipped.map(({ reason }) => reason))].map((reason): [string, number] => [
    reason,
    skipped.filter((row) => row.reason === reason).length,
  ])
  print(io, fieldsOf([['reminders', recipients.length], ['sent by', mode === 'send' ? 'email' : 'you'], ...left_out]))
  if (preview) print(io, `\n${preview.subject}\n\n${preview.text}`)
}

/** `remind`: reminds employees to enroll. */
export function addRemind(program: Command, io: Io): void {
  type Options = ConnectionOptions & { planYear?: string; employee?: string[]; dryRun?: boolean; yes?: boolean }
  connected(program.command('remind'))
    .description('Preview reminders to enroll, and send them after a confirmation.')
    .argument('<employer_id>', 'empr_…')
    .option('--plan-year <id>', 'plyr_… (default: that of the only open window)')
    .option(
      '--employee <id>',
      'remind only this employee; repeatable (default: everyone who can still respond)',
      collectValues,
    )
    .option('--dry-run', 'preview only')
    .option('--yes', 'skip the confirmation')
    .addHelpText('after', examples(`remind ${employer}`, `remind ${employer} --dry-run`))
    .action(async (employer_id: EmployerId, { planYear, employee: ids, dryRun, yes, ...options }: Options) => {
      if (!dryRun && !yes && (!io.stdin.isTTY || options.json))
        throw new UsageError('yes: there is no terminal to confirm in. Preview with --dry-run, then use --yes.')
      const windows = clientOf(connectionOf(options, io.env)).enrollmentWindows
      const benefit_plan_year_id = await planYearOf(windows, employer_id, planYear)
      if (!benefit_plan_year_id) return print(io, 'No enrollment window is open.')
      const request = { benefit_plan_year_id, ...(ids && { employee_ids: ids as EmployeeId[] }) }
      if (dryRun || !yes) {
        const planned = await windows.remind(employer_id, { ...request, dry_run: true })
        if (options.json) return printJson(io, planned)
        printReminders(io, planned)
        if (dryRun || planned.recipients.length === 0) return undefined
        if (!(await isConfirmed(io, 'Send these reminders?'))) return print(io, 'No reminders were sent.')
      }
      const sent = await windows.remind(employer_id, request)
      if (options.json) return printJson(io, sent)
      print(io, `Reminders: ${sent.recipients.length}.`)
    })
}
