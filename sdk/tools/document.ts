/** What the documents of the interfaces say, as far as the SDK is made of it. */
export type OpenDocument = {
  openapi: string
  info: object
  paths: Record<string, Record<string, OpenOperation>>
  webhooks?: Record<string, { post: { summary: string } }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
  }
}

export type OpenOperation = {
  operationId: string
  summary: string
  description?: string
  parameters?: (Parameter | Ref)[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema; example?: unknown }> }
  responses: Record<string, Response | Ref>
  /** such as `employers.create` */
  'x-sdk'?: string
  'x-pagination'?: { type: 'page' | 'cursor'; rows: string }
}

export type Ref = { $ref: string }

export type Parameter = {
  name: string
  in: string
  description?: string
  required?: boolean
  schema: Schema
}

export type Response = {
  content?: Record<string, { schema: Schema }>
}

export type Schema = Partial<Ref> & {
  type?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
  description?: string
  examples?: unknown[]
}

/** `#/components/schemas/Employer` is called `Employer`. */
export const nameOf = ({ $ref }: Ref): string => $ref.split('/').at(-1)!

export const isRef = (value: object): value is Ref => '$ref' in value

/** A part of the document that may stand among its components. */
export function found<T extends object>(part: T | Ref, among: Record<string, T>): T {
  return isRef(part) ? among[nameOf(part)]! : part
}

/** The operations that clients call, in the order of the document, with where they are. */
export const operationsOf = ({ paths }: OpenDocument): (OpenOperation & Where)[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const [group, name] = operation['x-sdk']?.split('.') ?? []
      return group && name ? [{ ...operation, path, method: method.toUpperCase(), called: { group, name } }] : []
    }),
  )

/** Where an operation is, and how clients call it: by its group and its name in that. */
type Where = { path: string; method: string; called: { group: string; name: string } }

export type Called = ReturnType<typeof operationsOf>[number]

/** `employee` and `created` of `employee_created`, and of `planYears` as well: `PlanYears`. */
export const pascal = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** What something looks like, if it is shown; of a list, one of it. */
export function sampleOf(schema: Schema, document: OpenDocument): unknown {
  const { examples, anyOf, items } = found(schema, document.components.schemas)
  if (examples) return examples[0]
  if (anyOf) return sampleOf(anyOf[0]!, document)
  const item = items && sampleOf(items, document)
  return item && [item]
}

/** The name of the type of what an operation is asked with in its query. */
export const queryNameOf = ({ operationId }: OpenOperation): string => `${pascal(operationId)}Query`

/** The parameters of the query, whole. */
export const queryOf = ({ parameters = [] }: OpenOperation, { components }: OpenDocument): Parameter[] =>
  parameters.map((one) => found(one, components.parameters)).filter((one) => one.in === 'query')
