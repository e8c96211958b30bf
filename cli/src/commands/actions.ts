import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { InvalidArgumentError, type Command } from 'commander'
import Papa from 'papaparse'
import type { ApiKey, AuditEntriesExportQuery, Employee } from 'openbenefits'
import { clientOf, connected, connectionOf, operatorOf, type ConnectionOptions } from '../connection.ts'
import { UsageError } from '../failures.ts'
import type { Io } from '../io.ts'
import { fieldsOf, say, sayJson, tellList, type Column } from '../output.ts'

const day = (text: string): string => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new InvalidArgumentError('It must be a day such as 2026-03-10.')
}

/** `clock`: the day on which a sandbox is. */
export function addClock(program: Command, io: Io): void {
  type Options = ConnectionOptions & { to?: string }
  connected(program.command('clock'))
    .description('Shows on which day a sandbox organization is, or takes it to a later one. For its operator.')
    .argument('<organization_id>', 'org_…')
    .option('--to <day>', 'a later day: every day on the way is run', day)
    .addHelpText(
      'after',
      '\nExamples:\n  $ openbenefits clock org_01kdq7b4w8e9rs2mh3n5t6v700\n' +
        '  $ openbenefits clock org_01kdq7b4w8e9rs2mh3n5t6v700 --to 2027-01-01',
    )
    .action(async (organization_id: string, { to, ...options }: Options) => {
      const { sandbox } = operatorOf(options, io.env)
      const today = to as `${number}-${number}-${number}` | undefined
      const answer = today
        ? await sandbox.moveClock(organization_id, { today })
        : await sandbox.getClock(organization_id)
      if (options.json) return sayJson(io, answer)
      const turned = 'days_turned' in answer ? [['days that were run', answer.days_turned] as [string, number]] : []
      say(
        io,
        fieldsOf([['today', answer.today], ['ahead of the calendar', `${answer.clock_offset_days} days`], ...turned]),
      )
    })
}

const key_columns: Column<ApiKey>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'name', of: ({ name }) => name },
  { title: 'ends with', of: ({ last_four }) => last_four },
  { title: 'scopes', of: ({ scopes }) => scopes.join(' ') },
  { title: 'last used', of: ({ last_used_at }) => last_used_at },
  { title: 'expires', of: ({ expires_at }) => expires_at },
]

/** `keys`: the API keys of an organization. */
export function addKeys(program: Command, io: Io): void {
  const keys = program.command('keys').description('The API keys of your organization.')
  const ask = (options: ConnectionOptions) => clientOf(connectionOf(options, io.env)).apiKeys
  connected(keys.command('list', { isDefault: true }))
    .description('Lists them; no key is shown.')
    .addHelpText('after', '\nExamples:\n  $ openbenefits keys\n  $ openbenefits keys --json')
    .action((options: ConnectionOptions) =>
      tellList(io, ask(options).list({ limit: 100 }), key_columns, { ...options, limit: 1000 }),
    )
  connected(keys.command('rotate'))
    .description('Makes another secret for a key, and shows it this once. The former is good for a while still.')
    .argument('<api_key_id>', 'key_…')
    .addHelpText('after', '\nExamples:\n  $ openbenefits keys rotate key_01kdq7b4w8e9rs2mh3n5t6v704')
    .action(async (id: string, options: ConnectionOptions) => {
      const answer = await ask(options).rotate(id, {})
      if (options.json) return sayJson(io, answer)
      say(io, fieldsOf(Object.entries(answer).map(([name, value]) => [name, value === null ? null : String(value)])))
    })
  connected(keys.command('revoke'))
    .description('Ends a key for good.')
    .argument('<api_key_id>', 'key_…')
    .addHelpText('after', '\nExamples:\n  $ openbenefits keys revoke key_01kdq7b4w8e9rs2mh3n5t6v704')
    .action(async (id: string, options: ConnectionOptions) => {
      const answer = await ask(options).revoke(id)
      if (options.json) return sayJson(io, answer)
      say(io, `${id} is revoked.`)
    })
}

/** `export`: what is kept, as files. */
export function addExport(program: Command, io: Io): void {
  const exports = program.command('export').description('What is kept, as a file.')
  connected(exports.command('employees'))
    .description('Writes the people of an employer as CSV, or as JSON lines with --json.')
    .argument('<employer_id>', 'empr_…')
    .requiredOption('--to <file>', 'a file that is to be made')
    .addHelpText(
      'after',
      '\nExamples:\n  $ openbenefits export employees empr_01kdq7b4w8e9rs2mh3n5t6v702 --to people.csv',
    )
    .action(async (employer_id: string, options: ConnectionOptions & { to: string }) => {
      const people = clientOf(connectionOf(options, io.env)).employees.list(employer_id, { limit: 100 })
      let count = 0
      const lines = async function* () {
        for await (const person of people) yield lineOf(person, ++count === 1, options.json === true)
      }
      await write(options.to, lines())
      io.stderr.write(`${count} people are in ${options.to}.\n`)
    })
  type Audited = ConnectionOptions & { to: string; after?: string; before?: string }
  connected(exports.command('audit'))
    .description('Writes the audit trail of your organization as CSV, or as JSON lines with --json.')
    .requiredOption('--to <file>', 'a file that is to be made')
    .option('--after <instant>', 'only from then on, such as 2026-11-01T00:00:00Z')
    .option('--before <instant>', 'only until then')
    .addHelpText('after', '\nExamples:\n  $ openbenefits export audit --to trail.csv --after 2026-11-01T00:00:00Z')
    .action(async ({ to, after, before, ...options }: Audited) => {
      const connection = connectionOf(options, io.env)
      const query = {
        format: options.json ? 'ndjson' : 'csv',
        ...(after !== undefined && { occurred_after: after }),
        ...(before !== undefined && { occurred_before: before }),
      } as AuditEntriesExportQuery
      const { download_url } = await clientOf(connection).auditEntries.export(query)
      const answer = await fetch(new URL(download_url, connection.url), { signal: io.signal })
      if (!answer.ok || !answer.body) throw new Error(`The file did not come (${answer.status}).`)
      await write(to, answer.body)
      io.stderr.write(`The trail is in ${to}.\n`)
    })
}

/** A person as a line of the file, below the names of columns where they are the first. */
function lineOf({ address, ...person }: Employee, is_first: boolean, as_json: boolean): string {
  if (as_json) return `${JSON.stringify({ ...person, address })}\n`
  const row = Object.fromEntries(
    Object.entries({ ...person, ...address }).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  )
  return `${Papa.unparse([row], { header: is_first, newline: '\n', escapeFormulae: true })}\n`
}

/** Writes a file for its owner only. What is there stays as it is. */
async function write(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (existsSync(path)) throw new UsageError(`to: ${path} is there already.`)
  await pipeline(Readable.from(pieces), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
}
