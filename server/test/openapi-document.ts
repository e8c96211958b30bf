type Json = Record<string, unknown>

/** The target of a reference in an OpenAPI document, or the part itself if it is not a reference. */
export function resolveReference(document: Json, part: Json): Json {
  const { $ref } = part as { $ref?: string }
  if (!$ref) return part
  const [, , kind, name] = $ref.split('/') as [string, string, string, string]
  return (document.components as Record<string, Record<string, Json>>)[kind]![name]!
}

type Operation = Json & { parameters?: Json[]; responses: Record<string, Json> }

const findOperation = (document: Json, path: string, method: string): Operation =>
  (document.paths as Record<string, Record<string, Operation>>)[path]![method.toLowerCase()]!

/** An operation of a document, with its parameters and responses. */
export function operationIn(document: Json, path: string, method: string): Operation {
  const operation = findOperation(document, path, method)
  return {
    ...operation,
    parameters: operation.parameters?.map((parameter) => resolveReference(document, parameter)) ?? [],
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, answer]) => [status, resolveReference(document, answer)]),
    ),
  }
}

/** The reference to the schema of a response in a document. */
export function responsePointer(document: Json, path: string, method: string, status: number): string {
  const { $ref } = findOperation(document, path, method).responses[status] as { $ref?: string }
  const steps = ['content', 'application/json', 'schema']
  const all = $ref
    ? [...$ref.split('/').slice(1), ...steps]
    : ['paths', path, method.toLowerCase(), 'responses', String(status), ...steps]
  return `#/${all.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`
}
