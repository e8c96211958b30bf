import type { Db } from '../../database/query/database.ts'
import { newId, type Prefix } from '../../kernel/ids.ts'
import type { Random } from './random.ts'

/** An existing resource with its organization and the ids in its row (`employer_id`, `employee_id` …). */
export type Thing = { id: string; organization_id: string | null; names: Record<string, string> }

type Table = { table: string; id: string; names: string[]; owned: boolean }

/** The number of known resources of a kind: the newest, and some of the oldest, which have the longest history. */
const newest = 150
const first = 60

/** Jobs are in a table of the job library and have numeric ids. */
const jobs_read = `
  select id::text as id, payload ->> 'organization_id' as organization_id, '{}'::jsonb as names
    from graphile_worker._private_jobs as job order by job.id desc limit 50`

/** The existing resources in the database. Requests take their ids from here, and responses are checked against it. */
export class KnownIds {
  readonly #db: Db
  readonly #random: Random
  readonly #tables: Table[]
  #kinds = new Map<string, Thing[]>()
  readonly #known = new Map<string, Thing>()
  /** Users and keys of the test itself. They are not changed, so that the owner of all data remains known. */
  #cast = new Set<string>()
  /** Organizations whose keys have access to all others. */
  #super = new Set<string>()
  /** The secrets of created keys, the newest last. */
  readonly #made_keys: string[] = []

  private constructor(db: Db, random: Random, tables: Table[]) {
    this.#db = db
    this.#random = random
    this.#tables = tables
  }

  static async open(db: Db, random: Random): Promise<KnownIds> {
    const columns = await db.rows<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
        where table_schema = 'public' and data_type = 'text' and (column_name = 'id' or column_name like '%\\_id')
        order by table_name, column_name`,
    )
    const tables = [...Map.groupBy(columns, ({ table }) => table)].flatMap(([table, its]): Table[] => {
      const names = its.map(({ column }) => column)
      const id = names.includes('id') ? 'id' : table === 'invoices' ? 'invoice_id' : undefined
      if (!id || table.includes('audit_')) return []
      return [{ table, id, names: names.filter((name) => name !== id), owned: names.includes('organization_id') }]
    })
    const known_ids = new KnownIds(db, random, tables)
    await known_ids.check()
    known_ids.#cast = new Set(
      ['usr', 'key', 'opkey'].flatMap((kind) => known_ids.#kinds.get(kind) ?? []).map(({ id }) => id),
    )
    await known_ids.check()
    return known_ids
  }

  /** Reads the existing resources again. */
  async check(): Promise<void> {
    const rows = await Promise.all(this.#tables.map((table) => this.#read(table)))
    const found = [...rows.flat(), ...(await this.#db.rows<Thing>(jobs_read))]
    const everywhere = await this.#db.rows<{ id: string }>('select id from organizations where super_in')
    this.#super = new Set(everywhere.map(({ id }) => id))
    const free = found.filter(({ id }) => !this.#cast.has(id))
    this.#kinds = Map.groupBy(free, ({ id }) => kindOf(id))
    for (const thing of found) if (isPrefixed(thing.id)) this.#known.set(thing.id, thing)
  }

  /** Whether the keys of an organization have access to all others. */
  actsEverywhere(organization_id: string): boolean {
    return this.#super.has(organization_id)
  }

  /** Stores the secret of a created key, since it is shown only once. */
  keepKey(secret: string): void {
    this.#made_keys.push(secret)
    if (this.#made_keys.length > 30) this.#made_keys.shift()
  }

  /** A created key, which may have ended. Undefined if there are no such keys. */
  aMadeKey(random: Random): string | undefined {
    return this.#made_keys.length === 0 ? undefined : random.pick(this.#made_keys)
  }

  async #read({ table, id, names, owned }: Table, ids?: string[]): Promise<Thing[]> {
    const pairs = names.filter((name) => name !== 'organization_id').map((name) => `'${name}', ${name}`)
    const organization = owned ? 'organization_id' : table === 'organizations' ? 'id' : 'null'
    const named = `jsonb_strip_nulls(jsonb_build_object(${pairs.join(', ')})) as names`
    const columns = `${id} as id, ${organization} as organization_id, ${named}`
    return ids
      ? this.#db.rows<Thing>(`select ${columns} from ${table} where ${id} = any($1)`, [ids])
      : this.#db.rows<Thing>(
          `(select ${columns} from ${table} order by ${id} desc limit ${newest})
            union (select ${columns} from ${table} order by ${id} limit ${first}) order by id`,
        )
  }

  /** The resources with these ids. Unknown ids are left out. */
  async things(ids: string[]): Promise<Map<string, Thing>> {
    const unknown_ids = ids.filter((id) => !this.#known.has(id))
    if (unknown_ids.length > 0) {
      const found = await Promise.all(this.#tables.map((table) => this.#read(table, unknown_ids)))
      for (const thing of found.flat()) this.#known.set(thing.id, thing)
    }
    return new Map(ids.flatMap((id) => (this.#known.has(id) ? [[id, this.#known.get(id)!]] : [])))
  }

  thing(id: string): Thing | undefined {
    return this.#known.get(id)
  }

  /** A resource of a kind in one of these organizations. Null for any organization. Undefined if they have none. */
  take(kind: string, organizations: readonly string[] | null, fits?: (thing: Thing) => boolean): Thing | undefined {
    const those = (this.#kinds.get(kind) ?? []).filter(
      (thing) =>
        (organizations === null || thing.organization_id === null || organizations.includes(thing.organization_id)) &&
        (fits === undefined || fits(thing)),
    )
    if (those.length === 0) return undefined
    // The oldest and newest are the most useful: they have a history or an open window.
    return this.#random.chance(0.3)
      ? those[Math.floor(those.length * this.#random.next() ** 2)]
      : this.#random.pick(those)
  }
}

/** Path parameters that are strings without a prefix. */
const texts: Record<string, { is: RegExp; missing: string }> = {
  invoice_id: { is: /^INV-/, missing: 'INV-999999' },
  job_id: { is: /^\d+$/, missing: '99999999999' },
}

const textOf = (id: string): string | undefined => Object.keys(texts).find((name) => texts[name]!.is.test(id))

const isPrefixed = (id: string): boolean => textOf(id) === undefined

/** The prefix of an id. For a string, the name of its path parameter. */
export const kindOf = (id: string): string => textOf(id) ?? id.slice(0, id.indexOf('_'))

/** A well-formed id that does not exist. */
export const missing = (kind: string): string => texts[kind]?.missing ?? newId(kind as Prefix)

/** All ids in a string. */
export const idsIn = (text: string): string[] => [
  ...new Set(text.match(/\b[a-z]{3,6}_[0-7][0-9a-hjkmnp-tv-z]{25}\b/g) ?? []),
]
