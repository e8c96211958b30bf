import pg from 'pg'

/** PostgreSQL's description of a statement: the types of its parameters and of its columns, with their names. */
export type Description = { parameters: string[]; columns: { name: string; type: string }[] }

type ParameterMessage = { dataTypeIDs: number[] }
type Fields = { fields: { name: string; dataTypeID: number }[] }
type RawDescription = { parameters: number[]; columns: { name: string; oid: number }[] }

/** Requests the description of a statement, which is parsed but not run. The driver submits it like a query. */
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

/** Describes statements by name. Throws with the name of a statement that PostgreSQL cannot parse. */
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
    const requested = new Describe(text)
    client.query(requested as unknown as pg.Submittable)
    const { parameters, columns } = await requested.described.catch((error: Error) => {
      throw new Error(`${name}: ${error.message}\n${text}`)
    })
    described.set(name, {
      parameters: parameters.map((oid) => types.get(oid)!),
      columns: columns.map((column) => ({ name: column.name, type: types.get(column.oid)! })),
    })
  }
  return described
}
