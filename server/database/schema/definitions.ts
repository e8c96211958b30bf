/**
 * The functions, triggers and views of the database. Each is defined in a `functions.sql` next to the code that uses
 * it or follows from references.ts, and not in a migration. A start re-creates them when one has changed
 * (docs/design/data/schema.md).
 */
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import about from '../../package.json' with { type: 'json' }
import type { Db } from '../query/database.ts'
import { splitStatements, withoutComment } from '../sql/split-statements.ts'
import { reference_definitions } from './references.ts'

const server = fileURLToPath(new URL('../../', import.meta.url))
const files = ['database/*/functions.sql', 'http/*/functions.sql', 'runtime/functions.sql', 'modules/*/*/functions.sql']

/** `name` is the object as a drop statement names it: `function new_id`, `trigger keep_rows on employers`. */
export type Definition = { name: string; sql: string; hash: string }
type StoredDefinition = Omit<Definition, 'sql'> & { version: string }

const definition_start =
  /^create or replace (?:(?<kind>function|view) (?<object>\w+)|trigger (?<trigger>\w+)\s[^]*?\son (?<table>\w+)\s)/i

export function definitionOf(statement: string): Definition {
  const sql = withoutComment(statement)
  const { kind, object, trigger, table } = definition_start.exec(sql)?.groups ?? {}
  if (!object && !trigger) throw new Error(`A functions.sql contains another statement: ${sql.slice(0, 100)}`)
  const name = object ? `${kind!.toLowerCase()} ${object}` : `trigger ${trigger} on ${table}`
  return { name, sql, hash: createHash('sha256').update(sql).digest('base64') }
}

/**
 * Sorts definitions after the functions that they call, because PostgreSQL resolves most function bodies at creation.
 */
export function inDependencyOrder(definitions: readonly Definition[]): Definition[] {
  const functions = new Map(definitions.map((definition) => [definition.name, definition]))
  const ordered = new Set<Definition>()
  const begun = new Set<Definition>()
  const visit = (definition: Definition): void => {
    if (begun.has(definition)) return
    begun.add(definition)
    for (const [, called] of definition.sql.matchAll(/\b(\w+)\s*\(/g)) {
      const other = functions.get(`function ${called}`)
      if (other) visit(other)
    }
    ordered.add(definition)
  }
  definitions.forEach(visit)
  return [...ordered]
}

async function readAll(): Promise<Definition[]> {
  const paths = (await Array.fromAsync(glob(files, { cwd: server }))).sort()
  const texts = await Promise.all(paths.map((path) => readFile(`${server}/${path}`, 'utf8')))
  return inDependencyOrder([...texts.flatMap(splitStatements), ...reference_definitions].map(definitionOf))
}

let read: Promise<Definition[]> | undefined

/** Reads the definitions of this version once per process, in the order of their creation. */
export const readDefinitions = (): Promise<Definition[]> => (read ??= readAll())

/** Whether a version is later than this one. */
const isLater = (version: string): boolean => version.localeCompare(about.version, 'en', { numeric: true }) > 0

async function storedDefinitions(db: Pick<Db, 'rows'>): Promise<Map<string, StoredDefinition>> {
  const [found] = await db.rows<{ there: boolean }>(`select to_regclass('schema_definitions') is not null as there`)
  const rows = found!.there ? await db.rows<StoredDefinition>('select name, hash, version from schema_definitions') : []
  return new Map(rows.map((row) => [row.name, row]))
}

/**
 * Whether the database has the definitions of this version. Those of a later version count as well: a process of the
 * previous version keeps using them until it is replaced.
 */
const areCurrent = (stored: ReadonlyMap<string, StoredDefinition>, definitions: readonly Definition[]): boolean =>
  [...stored.values()].some(({ version }) => isLater(version)) ||
  (stored.size === definitions.length && definitions.every(({ name, hash }) => stored.get(name)?.hash === hash))

export const areDefinitionsCurrent = async (db: Pick<Db, 'rows'>): Promise<boolean> =>
  areCurrent(await storedDefinitions(db), await readDefinitions())

/**
 * Creates all functions and views, and the triggers that changed or are missing, because creating a trigger waits for
 * the writers of its table. Then drops removed definitions and functions with changed parameters. Runs after the
 * migrations, in their transaction. Without migrations it does nothing if the definitions are current.
 */
export async function createDefinitions(
  client: pg.ClientBase,
  apply: (sql: string) => Promise<unknown>,
  migrated: boolean,
): Promise<void> {
  const rows: Db['rows'] = async (text, values) => (await client.query(text, values)).rows
  const definitions = await readDefinitions()
  const stored = await storedDefinitions({ rows })
  if (!migrated && areCurrent(stored, definitions)) return
  const triggers = new Set((await rows<{ name: string }>(existing_triggers)).map(({ name }) => name))
  const isKept = ({ name, hash }: Definition) =>
    name.startsWith('trigger ') && stored.get(name)?.hash === hash && triggers.has(name)
  await apply(sqlOf(definitions.filter((definition) => !isKept(definition)).map(({ sql }) => sql)))
  const names = definitions.map(({ name }) => name)
  const removed = [...stored.keys()].filter((name) => !names.includes(name))
  const replaced = await rows<{ name: string }>(replaced_functions, [ofKind('function', names)])
  await apply(
    sqlOf(
      dropsOf(
        removed,
        replaced.map(({ name }) => name),
      ),
    ),
  )
  await rows(store, [names, definitions.map(({ hash }) => hash), about.version])
}

const sqlOf = (statements: readonly string[]): string => statements.join(';\n')

/** The objects of a kind among names such as `function new_id`. */
const ofKind = (kind: string, names: readonly string[]): string[] =>
  names.filter((name) => name.startsWith(`${kind} `)).map((name) => name.slice(kind.length + 1))

/** Functions come last and in one statement, because they may depend on each other. */
function dropsOf(removed: readonly string[], replaced: readonly string[]): string[] {
  const functions = [...ofKind('function', removed), ...replaced]
  return [
    ...ofKind('trigger', removed).map((name) => `drop trigger if exists ${name}`),
    ...ofKind('view', removed).map((name) => `drop view if exists ${name}`),
    ...(functions.length > 0 ? [`drop function if exists ${functions.join(', ')}`] : []),
  ]
}

const existing_triggers = `
  select format('trigger %s on %s', tgname, tgrelid::regclass) as name
    from pg_trigger where not tgisinternal and tgparentid = 0`

/** Functions with these names that this transaction did not create, because they have other parameters. */
const replaced_functions = `
  select oid::regprocedure::text as name from pg_proc
   where pronamespace = 'public'::regnamespace and proname = any($1) and xmin <> pg_current_xact_id()::xid`

const store = `
  with gone as (delete from schema_definitions where not name = any($1))
  insert into schema_definitions (name, hash, version)
  select name, hash, $3 from unnest($1::text[], $2::text[]) as definition (name, hash)
  on conflict (name) do update set hash = excluded.hash, version = excluded.version`
