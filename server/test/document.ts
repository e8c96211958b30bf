import { statuses_of_any } from '../platform/http/openapi-errors.ts'

type Json = Record<string, unknown>

/** What a part of an OpenAPI document refers to, or the part itself. */
export function referredBy(document: Json, part: Json): Json {
  const { $ref } = part as { $ref?: string }
  if (!$ref) return part
  const [, , kind, name] = $ref.split('/') as [string, string, string, string]
  return (document.components as Record<string, Record<string, Json>>)[kind]![name]!
}

type Operation = Json & { parameters?: Json[]; responses: Record<string, Json> }

const findOperation = (document: Json, path: string, method: string): Operation =>
  (document.paths as Record<string, Record<string, Operation>>)[path]![method.toLowerCase()]!

/** The answers of an operation by their status: what its `default` stands for among them. */
function byStatus({ responses: { default: refused, ...responses } }: Operation): Record<string, Json> {
  const of_any = refused ? statuses_of_any.map((status) => [String(status), refused] as const) : []
  return { ...Object.fromEntries(of_any), ...responses }
}

/** An operation of a document, with its parameters and answers as they are. */
export function operationIn(document: Json, path: string, method: string): Operation {
  const operation = findOperation(document, path, method)
  return {
    ...operation,
    parameters: operation.parameters?.map((parameter) => referredBy(document, parameter)) ?? [],
    responses: Object.fromEntries(
      Object.entries(byStatus(operation)).map(([status, answer]) => [status, referredBy(document, answer)]),
    ),
  }
}

/** Where in a document the schema of an answer stands, as a reference. */
export function answerPointer(document: Json, path: string, method: string, status: number): string {
  const { $ref } = byStatus(findOperation(document, path, method))[status] as { $ref?: string }
  const steps = ['content', 'application/json', 'schema']
  const all = $ref
    ? [...$ref.split('/').slice(1), ...steps]
    : ['paths', path, method.toLowerCase(), 'responses', String(status), ...steps]
  return `#/${all.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}
