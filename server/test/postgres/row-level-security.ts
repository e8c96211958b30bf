import type pg from 'pg'
import { statements } from '../../database/sql/statement.ts'
import { describeAll } from '../../tools/gen/describe.ts'

/** A statement with `$1` for its values, and the names and types of its values. */
export type RequestScope = { name: string; text: string; parameters: { name: string; type: string }[] }

/** Every statement that reads or writes rows. */
export async function allStatements(client: pg.Client): Promise<RequestScope[]> {
  const reading_or_writing = [...statements.values()].filter(({ sql }) =>
    /^\s*(?:select|insert|update|delete|merge|with)\b/i.test(sql),
  )
  const described = await describeAll(client, reading_or_writing)
  return reading_or_writing.map(({ name, sql, parameters }) => {
    const types = described.get(name)!.parameters
    return { name, text: sql, parameters: parameters.map((parameter, at) => ({ name: parameter, type: types[at]! })) }
  })
}

/** The values with which statements restrict an organization. */
const a_value = String.raw`any\(\$\d+(?:::text\[\])?\)|\$\d+(?:::text)?|\w+\.(?:organization_id|id)`
const tenant_condition = new RegExp(String.raw`(?<![\w.])(?:\w+\.)?organization_id = (?:${a_value})(?![\w.(])`, 'g')

/**
 * The statement without each of its tenant conditions in turn, and without all of them. Empty if it has none, such as
 * for a plain insert.
 */
export function withoutConditions({ text }: RequestScope): string[] {
  const conditions = [...text.matchAll(tenant_condition)]
  const one_by_one = conditions.map(
    ({ index, 0: found }) => text.slice(0, index) + 'true' + text.slice(index + found.length),
  )
  return conditions.length > 1 ? [...one_by_one, text.replaceAll(tenant_condition, 'true')] : one_by_one
}

const an_id = /([a-z]+_)0([0-9a-z]{25})/g

/** The id of a row's copy in the mirrored organization. */
export const mirrored = (text: string): string => text.replaceAll(an_id, '$17$2')

type Row = Record<string, unknown>

/** Sample values of an organization's rows by column name, and of ids by kind, the most common first. */
export type Samples = Map<string, string[]>

const tables_of_organizations = `
  select class.oid::regclass::text as name,
         array(select quote_ident(attname) from pg_attribute
                where attrelid = class.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
    from pg_class as class
   where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
     and exists (select from pg_attribute where attrelid = class.oid and attname = 'organization_id'
                                            and not attisdropped)
   order by name`

const tablesOf = async (client: pg.ClientBase) =>
  (await client.query<{ name: string; columns: string[] }>(tables_of_organizations)).rows

export async function samplesOf(client: pg.ClientBase, organization_id: string): Promise<Samples> {
  const counts = new Map<string, Map<string, number>>()
  const count = (name: string, value: string) => {
    const values = counts.get(name) ?? new Map<string, number>()
    counts.set(name, values.set(value, (values.get(value) ?? 0) + 1))
  }
  for (const { name } of await tablesOf(client)) {
    const { rows } = await client.query<{ row: Row }>(
      `select to_jsonb(made) as row from ${name} as made where organization_id = $1 limit 1000`,
      [organization_id],
    )
    for (const { row } of rows)
      for (const [column, value] of Object.entries(row))
        if (typeof value === 'string' || typeof value === 'number')
          count(column === 'id' ? `${name.replace(/ies$/, 'y').replace(/s$/, '')}_id` : column, String(value))
  }
  const default_first = (values: Map<string, number>) =>
    [...values].sort(([, a], [, b]) => b - a).map(([value]) => value)
  return new Map([...counts].map(([name, values]) => [name, default_first(values)]))
}

/** Adds a copy of an organization, row by row with other ids, as a superuser who bypasses keys and triggers. */
export async function mirror(client: pg.ClientBase, organization_id: string): Promise<void> {
  await client.query('begin')
  await client.query('set local session_replication_role = replica')
  const copy = (table: string, columns: string[], key: string) =>
    client.query(
      `insert into ${table} (${columns.join(', ')})
       select ${columns.map((column) => `(made).${column}`).join(', ')}
         from (select jsonb_populate_record(null::${table},
                        regexp_replace(to_jsonb(row)::text, '([a-z]+_)0([0-9a-z]{25})', '\\17\\2', 'g')::jsonb) as made
                 from ${table} as row where ${key} = $1 offset 0) as mirrored
       on conflict do nothing`,
      [organization_id],
    )
  const { rows } = await client.query<{ columns: string[] }>(
    `select array_agg(quote_ident(attname)) as columns from pg_attribute
      where attrelid = 'organizations'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  await copy('organizations', rows[0]!.columns, 'id')
  for (const { name, columns } of await tablesOf(client)) await copy(name, columns, 'organization_id')
  await client.query('commit')
}

/** Makes PostgreSQL refuse adding, changing or removing rows of an organization. */
export async function watchRowsOf(client: pg.ClientBase, organization_id: string): Promise<void> {
  await client.query(`
    create function refuse_touch() returns trigger language plpgsql as $$ begin
      raise exception 'A row of % is touched.', tg_table_name;
    end $$`)
  for (const { name } of await tablesOf(client))
    for (const [action, row] of [
      ['insert', 'new'],
      ['update', 'old'],
      ['delete', 'old'],
    ])
      await client.query(
        `create trigger touched_by_${action} after ${action} on ${name} for each row
           when (${row}.organization_id = '${organization_id}') execute function refuse_touch()`,
      )
}

const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/s$/, '')

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`

/** The arguments of statements: the organization of the caller, with ids of the mirrored one. */
export class Values {
  readonly #samples: Samples
  readonly #organization_id: string
  readonly #instants: { today: string; now: string }

  constructor(samples: Samples, organization_id: string, instants: { today: string; now: string }) {
    this.#samples = samples
    this.#organization_id = organization_id
    this.#instants = instants
  }

  /** The text with the parameters replaced by their values. */
  into(text: string, requested: RequestScope): string {
    return text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      const { name, type } = requested.parameters[Number(number) - 1]!
      return `${this.#literal(name, type, this.#rowOf(number, text))}::${type}`
    })
  }

  /** The columns read from a parameter with JSON rows. */
  #rowOf(number: string, text: string): string | undefined {
    const of_json = new RegExp(String.raw`to_recordset\(\$${number}(?:::jsonb?)?\)\s+as\s+\w+\s*\(([^)]*)\)`)
    return of_json.exec(text)?.[1]
  }

  #literal(name: string, type: string, columns: string | undefined): string {
    if (columns !== undefined) return quoted(JSON.stringify([this.#row(columns)]))
    if (type.endsWith('[]')) {
      const values = this.#many(name)
      return values === undefined ? 'null' : `array[${values.map(quoted).join(', ')}]`
    }
    const value = this.#one(name, type)
    return value === null ? 'null' : quoted(value)
  }

  #row(columns: string): Record<string, unknown> {
    const row: Record<string, unknown> = {}
    for (const [, name, type] of columns.matchAll(/(\w+)\s+([a-z][\w ]*(?:\[\])?)/g))
      row[name!] = type!.endsWith('[]') ? (this.#many(name!) ?? []) : this.#one(name!, type!.trim())
    return row
  }

  #many(name: string): string[] | undefined {
    if (name.endsWith('organization_ids')) return [this.#organization_id]
    if (name === 'search_patterns') return ['%']
    return this.#known(singular(name))?.slice(0, 50).map(mirrored)
  }

  #one(name: string, type: string): string | null {
    if (name === 'organization_id') return this.#organization_id
    if (/^reach_|^after|^occurred_|_(?:after|before)$/.test(name)) return null
    if (type === 'boolean') return 'true'
    if (type === 'json' || type === 'jsonb') return '[]'
    if (type.startsWith('timestamp')) return this.#instants.now
    if (/^(?:smallint|int|integer|bigint|numeric|double precision|float8)$/.test(type))
      return /^(?:offset|behind|seen)$/.test(name) ? '0' : /limit|most/.test(name) ? '1000' : '1'
    const known = this.#known(name)?.[0]
    if (type === 'date') return known ?? this.#instants.today
    if (known !== undefined) return mirrored(known)
    return type === 'bytea' ? '' : null
  }

  /** Values by the name itself, or without its qualifier: `benefit_plan_year_id` is also a `plan_year_id`. */
  #known(name: string): string[] | undefined {
    for (let rest = name; rest !== ''; rest = rest.includes('_') ? rest.slice(rest.indexOf('_') + 1) : '') {
      const values = this.#samples.get(rest)
      if (values && rest !== 'id') return values
    }
    return undefined
  }
}
