import { z } from 'zod'
import { invalid_organization_header, organization_access_denied, organization_required } from './caller.ts'
import type { Endpoint } from './endpoint.ts'
import { api_key_in_browser, api_version } from './http.ts'
import { idempotency_key_in_progress, idempotency_key_reused } from './idempotency.ts'
import { generic, type RefusalKind } from './refusal.ts'

type Json = Record<string, unknown>

/** The one body of every error (decisions.md, section 1). */
export const ErrorBody = z
  .object({
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), message: z.string() })),
    }),
    app_error_code: z.string().meta({ description: 'Always equals error.code.' }),
    message: z.string().meta({ description: 'Repeats error.message.' }),
    timestamp: z.string(),
    trace_id: z.string().meta({ description: 'Also the X-Request-Id of the answer.' }),
  })
  .meta({ id: 'Error', description: 'Every 4xx and 5xx answer.' })

/** Everything that an operation may refuse, in the order of checks. */
export function refusalsOf(endpoint: Endpoint): RefusalKind[] {
  const takesShape = endpoint.query !== undefined || endpoint.body !== undefined || endpoint.method === 'POST'
  const mayNeedOrganization = endpoint.organization === 'header' || endpoint.organization === 'needed'
  return [
    generic.unauthorized,
    generic.rate_limited,
    ...(mayNeedOrganization ? [organization_required] : []),
    invalid_organization_header,
    organization_access_denied,
    api_key_in_browser,
    ...(endpoint.params ? [generic.not_found] : []),
    generic.forbidden,
    ...(takesShape ? [generic.invalid_request] : []),
    ...(endpoint.body ? [generic.payload_too_large, generic.unsupported_media_type] : []),
    ...(endpoint.method === 'POST' ? [idempotency_key_in_progress, idempotency_key_reused] : []),
    ...(endpoint.method === 'GET' ? [] : [generic.conflict]),
    ...(endpoint.refuses ?? []),
    generic.internal_error,
    generic.unavailable,
  ]
}

/** The OpenAPI 3.1 document of a list of operations. */
export function openapiOf(endpoints: Endpoint[], about: { title: string; description: string; tags: Json[] }): Json {
  const schemas: Json = {}

  /** A schema for the document: named parts move to components. */
  const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $defs = {}, $schema: _, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json & { $defs?: Json }
    Object.assign(schemas, $defs)
    return own.id ? name(own) : own
  }
  const name = (own: Json): Json => {
    schemas[own.id as string] = own
    return { $ref: `#/components/schemas/${own.id}` }
  }
  schemaOf(ErrorBody, 'output')

  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint, schemaOf)
  }
  const document = {
    openapi: '3.1.1',
    info: {
      title: about.title,
      version: api_version,
      description: about.description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This server' }],
    security: [{ bearer: [] }],
    tags: about.tags,
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token that was issued from one.' },
      },
      headers,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
  return settleReferences(document) as Json
}

const headers = {
  'X-Request-Id': { description: 'Finds this request in the logs of the service.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Requests a minute.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Requests left.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': { description: 'Unix seconds when the limit is whole again.', schema: { type: 'integer' } },
}

const headerReferences = Object.fromEntries(
  Object.keys(headers).map((header) => [header, { $ref: `#/components/headers/${header}` }]),
)

/** `$defs` became components, ids are the names of components. */
function settleReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(settleReferences)
  if (typeof node !== 'object' || node === null) return node
  const settled: Json = {}
  for (const [key, value] of Object.entries(node)) {
    if (key === '$ref') settled[key] = (value as string).replace('#/$defs/', '#/components/schemas/')
    else if (key === 'id' && typeof value === 'string') continue
    else settled[key] = settleReferences(value)
  }
  return settled
}

function operationOf(endpoint: Endpoint, schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json): Json {
  const answers = Object.entries(endpoint.returns).map(([status, schema]) => [
    status,
    {
      description: status === '202' ? 'Accepted.' : status === '201' ? 'Created.' : 'Done.',
      headers: headerReferences,
      content: { 'application/json': { schema: schemaOf(schema, 'output') } },
    },
  ])
  const refusals = Map.groupBy(refusalsOf(endpoint), (kind) => kind.status)
  const errors = [...refusals].map(([status, kinds]) => [
    String(status),
    {
      description: [...new Set(kinds.map((kind) => `\`${kind.code}\`: ${kind.message}`))].join('\n\n'),
      headers: { 'X-Request-Id': headerReferences['X-Request-Id'] },
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(kinds.map((kind) => [kind.code, { value: errorExample(kind) }])),
        },
      },
    },
  ])
  return {
    operationId: endpoint.operation,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description && { description: endpoint.description }),
    parameters: parametersOf(endpoint, schemaOf),
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: schemaOf(endpoint.body, 'input'),
            ...(endpoint.example !== undefined && { example: endpoint.example }),
          },
        },
      },
    }),
    responses: Object.fromEntries([...answers, ...errors].sort(([a], [b]) => Number(a) - Number(b))),
  }
}

const errorExample = (kind: RefusalKind): Json => ({
  error: { code: kind.code, message: kind.message, details: [] },
  app_error_code: kind.code,
  message: kind.message,
  timestamp: '2026-03-10T14:05:09.123Z',
  trace_id: '0b6b2a0e-5a5c-4b53-9d1f-3d0f4f4f8a11',
})

function parametersOf(endpoint: Endpoint, schemaOf: (schema: z.ZodType, io: 'input' | 'output') => Json): Json[] {
  const path = Object.entries(endpoint.params ?? {}).map(([name, prefix]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$` },
  }))
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, field]) => {
    const { description, example, ...schema } = schemaOf(field as z.ZodType, 'input')
    return {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      schema,
    }
  })
  const organization = {
    name: 'X-Service-Organization',
    in: 'header',
    description:
      endpoint.organization === 'header' || endpoint.organization === 'needed'
        ? 'The organization to act as. Required when the credentials reach several.'
        : 'The organization to act as.',
    schema: { type: 'string', pattern: '^org_[0-7][0-9a-hjkmnp-tv-z]{25}$' },
  }
  const idempotency = {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'Repeats of this request within 24 hours get the answer of the first.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  }
  const onPartnerInterface = endpoint.path.startsWith('/v1/')
  return [
    ...path,
    ...query,
    ...(onPartnerInterface ? [organization] : []),
    ...(endpoint.method === 'POST' ? [idempotency] : []),
  ]
}
