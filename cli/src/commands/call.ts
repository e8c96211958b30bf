import { readFileSync } from 'node:fs'
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { type Operation, operations } from 'openbenefits/operations'
import {
  clientOf,
  connected,
  connectionOf,
  type ConnectionOptions,
  methodOf,
  operatorOf,
  collectValues,
} from '../connection.ts'
import { UsageError } from '../failures.ts'
import { hasColors, type Io, print, printJson, tableOf } from '../output.ts'

type CallOptions = ConnectionOptions & { data?: string; query?: string[]; get?: string }

/** `call`: every operation of both APIs by name. */
export function addCall(program: Command, io: Io): void {
  connected(program.command('call'))
    .description(
      'Call any API operation by name, such as employers.create. Operator operations start with "operator.".',
    )
    .showHelpAfterError('(pass query parameters as --query name=value, and see call --help for the options)')
    .argument('[operation]', 'the operation; omit to list all')
    .argument('[ids...]', 'the ids of the path, in order')
    .option('--data <json>', 'the request body: JSON, @file, or - for standard input')
    .option('--query <name=value>', 'a query parameter; repeatable', collectValues)
    .option('--get <field>', 'print only this field of the response: id, key.operator_key, data.0.id')
    .addHelpText(
      'after',
      `
Operator operations use OPENBENEFITS_OPERATOR_KEY with OPENBENEFITS_URL or --url, an operator profile, or the sandbox.

Examples:
  $ openbenefits call
  $ openbenefits call employers.list --query limit=5
  $ openbenefits call employers.create --data @employer.json --get id
  $ openbenefits call operator.invoices.runDay empr_01kdq7b4w8e9rs2mh3n5t6v702`,
    )
    .action(async (name: string | undefined, ids: string[], options: CallOptions) => {
      if (name === undefined) return printOperations(io, options)
      const result = await call(operationNamed(name), ids, options, io)
      if (options.get === undefined) return printJson(io, result)
      print(io, picked(result, options.get))
    })
}

function printOperations(io: Io, { json }: CallOptions): void {
  const rows = operations.map(({ name, method, path }) => ({ name, method, path }))
  if (json) return printJson(io, { data: rows })
  const titles = ['name', 'method', 'path'] as const
  const columns = titles.map((title) => ({ title, of: (row: (typeof rows)[number]) => row[title] }))
  print(io, tableOf(columns, rows, { bold: hasColors(io.stdout, io.env) }))
}

function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (found) return found
  const like = operations.filter((operation) =>
    operation.name.split('.').some((part) => name.split('.').includes(part)),
  )
  const closest = like.toSorted((a, b) => sharedLength(b.name, name) - sharedLength(a.name, name)).slice(0, 5)
  const known = closest.length > 0 ? ` Similar: ${closest.map((operation) => operation.name).join(', ')}.` : ''
  throw new UsageError(`operation: unknown operation ${JSON.stringify(name)}.${known}`)
}

/** The length of the longest common prefix of two names. */
function sharedLength(a: string, b: string): number {
  const index = [...a].findIndex((letter, position) => letter !== b[position])
  return index < 0 ? a.length : index
}

/** Calls a method of the SDK with the arguments. A list returns its first page, or the requested one. */
async function call(operation: Operation, ids: string[], options: CallOptions, io: Io): Promise<unknown> {
  const { name, path, has } = operation
  const wanted = path.match(/{\w+}/g) ?? []
  if (ids.length !== wanted.length)
    throw new UsageError(`ids: ${name} takes ${wanted.length === 0 ? 'none' : wanted.join(' ')}.`)
  if (options.data !== undefined && !has.has('body')) throw new UsageError(`data: ${name} takes no body.`)
  if (options.query && !has.has('query')) throw new UsageError(`query: ${name} takes no query parameters.`)
  const is_of_operators = name.startsWith('operator.')
  const client = is_of_operators ? operatorOf(options, io.env) : clientOf(connectionOf(options, io.env))
  const body = has.has('body') ? [await bodyOf(options.data, io)] : []
  const query = has.has('query') ? [queryOf(options.query)] : []
  return methodOf(client, name)(...ids, ...body, ...query, { signal: io.signal })
}

async function bodyOf(data: string | undefined, io: Io): Promise<unknown> {
  if (data === undefined) return {}
  try {
    const text =
      data === '-' ? await readAll(io.stdin) : data.startsWith('@') ? readFileSync(data.slice(1), 'utf8') : data
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`data: ${(error as Error).message}`)
  }
}

function queryOf(pairs: string[] = []): Record<string, string[]> {
  const query: Record<string, string[]> = {}
  for (const pair of pairs) {
    const [name = '', value] = pair.split(/=(.*)/s)
    if (value === undefined) throw new UsageError(`query: ${JSON.stringify(pair)} is not name=value.`)
    query[name] = [...(query[name] ?? []), value]
  }
  return query
}

/** A field of a response by path, as text for a shell. */
function picked(result: unknown, path: string): string {
  let found: unknown = result
  for (const part of path.split('.')) found = (found as Record<string, unknown> | null | undefined)?.[part]
  if (found === undefined) throw new UsageError(`get: the response has no ${path}.`)
  return typeof found === 'object' ? JSON.stringify(found) : String(found)
}
