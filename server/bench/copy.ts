import pg from 'pg'

/** A message that pg dispatches to whoever is submitted, beyond those that its types name. */
type CopyConnection = pg.Connection & { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

/** `copy … from stdin`, which pg can carry though it has no name for it: one statement, then the lines as one chunk. */
export function copyIn(client: pg.Client, text: string, lines: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let failure: Error | undefined
    const copy = {
      submit: (connection: pg.Connection) => connection.query(text),
      handleCopyInResponse(connection: CopyConnection) {
        connection.sendCopyFromChunk(lines)
        connection.endCopyFrom()
      },
      handleCommandComplete: () => undefined,
      handleError: (error: Error) => void (failure = error),
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
    }
    client.query(copy as pg.Submittable)
  })
}

const asTheyAre = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig

/** The rows of a query as the lines that `copy` takes; they must hold no tab, backslash or line break. */
export async function linesOf(client: pg.Client, text: string, values: unknown[]): Promise<Buffer> {
  const { rows } = await client.query<(string | null)[]>({ text, values, rowMode: 'array', types: asTheyAre })
  return Buffer.from(rows.map((row) => `${row.map((value) => value ?? '\\N').join('\t')}\n`).join(''))
}
