import pg from 'pg'

/**
 * What PostgreSQL says of a statement: the types of its parameters and of the columns that it gives, by their names.
 */
export type Description = { parameters: string[]; columns: { name: string; type: string }[] }

type ParameterMessage = { dataTypeIDs: number[] }
type Fields = { fields: { name: string; dataTypeID: number }[] }
type RawDescription = { parameters: number[]; columns: { name: string; oid: number }[] }

/** Asks for the description of a statement, which is parsed and not run: a query as the driver submits them. */
class Describe {
  readonly described: Promise<RawDescription>
  readonly #text: string
  readonly #settled = Promise.withResolvers<RawDescription>()
  readonly #seen: RawDescription = { parameters: [], columns: [] }

  constructor(text: string) {
    this.#text = text
    this.described = this.#settled.promise
  }

  submit(connection: any): void {
    connection.once(
      'parameterDescription',
      ({ dataTypeIDs }: ParameterMessage) => void (this.#seen.parameters = dataTypeIDs),
    )
    connection.parse({ name: '', text: this.#text, types: [] })
    connection.describe({ type: 'S', name: '' })
    connection.sync()
  }

  handleRowDescription({ fields }: Fields): void {
    this.#seen.columns = fields.map(({ name, dataTypeID }) => ({ name, oid: dataTypeID }))
  }

  handleError(error: Error): void {
    this.#settled.reject(error)
  }

  handleReadyForQuery(): void {
    this.#settled.resolve(this.#seen)
  }
}

/** Describes statements by their names. Throws with the name of one that PostgreSQL does not understand. */
export async function describeAll(
  client: pg.Client,
  statements: Iterable<{ name: string; text: string }>,
): Promise<Map<string, Description>> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    'select oid::int4, oid::regtype::text as name from pg_type',
  )
  const types = new Map(rows.map(({ oid, name }) => [oid, name]))
  const described = new Map<string, Description>()
  for (const { name, text } of statements) {
    const asked = new Describe(text)
    client.query(asked as unknown as pg.Submittable)
    const { parameters, columns } = await asked.described.catch((error: Error) => {
      throw new Error(`${name}: ${error.message}\n${text}`)
    })
    described.set(name, {
      parameters: parameters.map((oid) => types.get(oid)!),
      columns: columns.map((column) => ({ name: column.name, type: types.get(column.oid)! })),
    })
  }
  return described
}
