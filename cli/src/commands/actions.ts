import { createWriteStream, existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Command, InvalidArgumentError } from 'commander'
import Papa from 'papaparse'
import type { ApiKey, AuditEntriesExportQuery, Employee } from 'openbenefits'
import { clientOf, connected, connectionOf, type ConnectionOptions, examples, operatorOf } from '../connection.ts'
import { UsageError } from '../failures.ts'
import { type Column, fieldsOf, type Io, print, printJson, printList } from '../output.ts'

const day = (text: string): string => {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text
  throw new InvalidArgumentError('Must be a day such as 2026-03-10.')
}

/** `clock`: the test clock of a sandbox organization. */
export function addClock(program: Command, io: Io): void {
  type Options = ConnectionOptions & { to?: string }
  connected(program.command('clock'))
    .description('Show or advance the test clock of a sandbox organization. Requires an operator key.')
    .argument('<organization_id>', 'org_…')
    .option('--to <day>', 'the new day; all days in between are run', day)
    .addHelpText(
      'after',
      examples('clock org_01kdq7b4w8e9rs2mh3n5t6v700', 'clock org_01kdq7b4w8e9rs2mh3n5t6v700 --to 2027-01-01'),
    )
    .action(async (organization_id: string, { to, ...options }: Options) => {
      const { sandbox } = operatorOf(options, io.env)
      const today = to as `${number}-${number}-${number}` | undefined
      const response = today
        ? await sandbox.moveClock(organization_id, { today })
        : await sandbox.getClock(organization_id)
      if (options.json) return printJson(io, response)
      const turned = 'days_run' in response ? [['days run', response.days_run] as [string, number]] : []
      print(
        io,
        fieldsOf([
          ['today', response.today],
          ['ahead of the calendar', `${response.clock_offset_days} days`],
          ...turned,
        ]),
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
  const keys = program.command('keys').description('Manage the API keys of your organization.')
  const apiKeysOf = (options: ConnectionOptions) => clientOf(connectionOf(options, io.env)).apiKeys
  connected(keys.command('list', { isDefault: true }))
    .description('List keys, without their secrets.')
    .addHelpText('after', examples('keys', 'keys --json'))
    .action((options: ConnectionOptions) =>
      printList(io, apiKeysOf(options).list({ limit: 100 }), key_columns, { ...options, limit: 1000 }),
    )
  connected(keys.command('rotate'))
    .description('Rotate a key. The new secret is shown once; the old one works during the grace period.')
    .argument('<api_key_id>', 'key_…')
    .addHelpText('after', examples('keys rotate key_01kdq7b4w8e9rs2mh3n5t6v704'))
    .action(async (id: string, options: ConnectionOptions) => {
      const response = await apiKeysOf(options).rotate(id, {})
      if (options.json) return printJson(io, response)
      print(
        io,
        fieldsOf(Object.entries(response).map(([name, value]) => [name, value === null ? null : String(value)])),
      )
    })
  connected(keys.command('revoke'))
    .description('Revoke a key permanently.')
    .argument('<api_key_id>', 'key_…')
    .addHelpText('after', examples('keys revoke key_01kdq7b4w8e9rs2mh3n5t6v704'))
    .action(async (id: string, options: ConnectionOptions) => {
      const response = await apiKeysOf(options).revoke(id)
      if (options.json) return printJson(io, response)
      print(io, `Revoked ${id}.`)
    })
}

/** `export`: data as files. */
export function addExport(program: Command, io: Io): void {
  const exports = program.command('export').description('Export data to a file.')
  connected(exports.command('employees'))
    .description('Export the people of an employer as CSV, or as JSON lines with --json.')
    .argument('<employer_id>', 'empr_…')
    .requiredOption('--to <file>', 'the file to create')
    .addHelpText('after', examples('export employees empr_01kdq7b4w8e9rs2mh3n5t6v702 --to people.csv'))
    .action(async (employer_id: string, options: ConnectionOptions & { to: string }) => {
      const people = clientOf(connectionOf(options, io.env)).employees.list(employer_id, { limit: 100 })
      let count = 0
      const lines = async function* () {
        for await (const person of people) yield lineOf(person, ++count === 1, options.json === true)
      }
      await write(options.to, lines())
      io.stderr.write(`${count} people written to ${options.to}.\n`)
    })
  type Audited = ConnectionOptions & { to: string; after?: string; before?: string }
  connected(exports.command('audit'))
    .description('Export the audit log of your organization as CSV, or as JSON lines with --json.')
    .requiredOption('--to <file>', 'the file to create')
    .option('--after <instant>', 'only entries after this instant, such as 2026-11-01T00:00:00Z')
    .option('--before <instant>', 'only entries before this instant')
    .addHelpText('after', examples('export audit --to audit.csv --after 2026-11-01T00:00:00Z'))
    .action(async ({ to, after, before, ...options }: Audited) => {
      const connection = connectionOf(options, io.env)
      const query = {
        format: options.json ? 'ndjson' : 'csv',
        ...(after !== undefined && { occurred_after: after }),
        ...(before !== undefined && { occurred_before: before }),
      } as AuditEntriesExportQuery
      const { download_url } = await clientOf(connection).auditEntries.export(query)
      const response = await fetch(new URL(download_url, connection.url), { signal: io.signal })
      if (!response.ok || !response.body) throw new Error(`The download failed (${response.status}).`)
      await write(to, response.body)
      io.stderr.write(`Audit log written to ${to}.\n`)
    })
}

/** Formats a person as a line of the file. The first line is preceded by the column names. */
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

/** Creates a file that only its owner can read. Never overwrites a file. */
async function write(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  if (existsSync(path)) throw new UsageError(`to: ${path} already exists.`)
  await pipeline(Readable.from(pieces), createWriteStream(path, { mode: 0o600, flags: 'wx' }))
}
