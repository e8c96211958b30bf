import pg from 'pg'
import { secondsOf } from './figures.ts'

/** Messages of the COPY protocol, which the types of pg lack. */
type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** Runs `copy … from stdin`: one statement, then all lines as one chunk. */
function copyIn(client: pg.Client, text: string, lines: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const copy = {
      submit: (connection: pg.Connection) => connection.query(text),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(lines)
        connection.endCopyFrom()
      },
      handleCommandComplete: () => undefined,
      // No other callback follows an error.
      handleError: reject,
      handleReadyForQuery: () => resolve(),
    }
    client.query(copy as pg.Submittable)
  })
}

const asTheyAre = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const escaped = (value: string) => value.replaceAll(/[\\\t\n\r]/g, (character) => escapes[character]!)

/** The rows of a query as the lines that `copy` takes. */
async function linesOf(client: pg.Client, text: string, values: unknown[]): Promise<Buffer> {
  const { rows } = await client.query<(string | null)[]>({ text, values, rowMode: 'array', types: asTheyAre })
  return Buffer.from(
    rows.map((row) => `${row.map((value) => (value === null ? '\\N' : escaped(value))).join('\t')}\n`).join(''),
  )
}

/** Creates copies of tables with the same indexes and checks, but no foreign keys. */
export async function makeCopies(client: pg.Client, tables: string[]): Promise<void> {
  await client.query('drop schema if exists copies cascade; create schema copies')
  for (const table of tables) await client.query(`create table copies.${table} (like ${table} including all)`)
}

/** Copies the rows of each table that match its condition on $1, in one transaction. Returns the seconds of writing. */
export async function copyTables(client: pg.Client, tables: Record<string, string>, id: string): Promise<number> {
  const copies: { text: string; lines: Buffer }[] = []
  for (const [table, condition] of Object.entries(tables)) {
    const columns = await columnsOf(client, table)
    const lines = await linesOf(client, `select ${columns} from ${table} where ${condition}`, [id])
    copies.push({ text: `copy copies.${table} (${columns}) from stdin`, lines })
  }
  return secondsOf(async () => {
    await client.query('begin')
    for (const { text, lines } of copies) await copyIn(client, text, lines)
    await client.query('commit')
  })
}

async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as names
        from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  return rows[0]!.names
}
