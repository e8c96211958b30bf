/** The parts of the OpenAPI documents that the SDK is generated from. */
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

/** Resolves a part of the document that may be a reference to a component. */
export function resolve<T extends object>(part: T | Ref, among: Record<string, T>): T {
  return isRef(part) ? among[nameOf(part)]! : part
}

/** The operations with method and path, in document order. */
export const operationsOf = ({ paths }: OpenDocument): (OpenOperation & Where)[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const [group, name] = operation['x-sdk']?.split('.') ?? []
      return group && name ? [{ ...operation, path, method: method.toUpperCase(), called: { group, name } }] : []
    }),
  )

/** An operation with its method, path, group and method name. */
type Where = { path: string; method: string; called: { group: string; name: string } }

export type Called = ReturnType<typeof operationsOf>[number]

/** `employee_created` and `planYears` in PascalCase: `EmployeeCreated`, `PlanYears`. */
export const pascal = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** The type name of an operation's query. */
export const queryNameOf = ({ operationId }: OpenOperation): string => `${pascal(operationId)}Query`

/** The query parameters, with references resolved. */
export const queryOf = ({ parameters = [] }: OpenOperation, { components }: OpenDocument): Parameter[] =>
  parameters.map((one) => resolve(one, components.parameters)).filter((one) => one.in === 'query')
