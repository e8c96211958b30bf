import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { api_version } from './errors.ts'
import { idPattern } from '../../kernel/ids.ts'
import { answerHeaders, errorHeaders, headers } from './openapi-headers.ts'
import { generic, type RefusalKind } from '../../kernel/refusal.ts'
import { roles } from '../permissions.ts'
import { refusals } from '../refusals.ts'

type Json = Record<string, unknown>
type SchemaOf = (schema: z.ZodType, io: 'input' | 'output') => Json

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
  const mayNeedOrganization = endpoint.organization === 'header' || endpoint.organization === 'needed'
  return [
    generic.unauthorized,
    generic.rate_limited,
    ...(mayNeedOrganization ? [refusals.organization_required] : []),
    refusals.invalid_organization_header,
    refusals.organization_access_denied,
    refusals.api_key_in_browser,
    ...(endpoint.params ? [generic.not_found] : []),
    generic.forbidden,
    generic.invalid_request,
    ...(endpoint.body ? [generic.payload_too_large, generic.unsupported_media_type] : []),
    ...(endpoint.method === 'POST' ? [refusals.idempotency_key_in_progress, refusals.idempotency_key_reused] : []),
    ...(endpoint.repeats === 'briefly' ? [refusals.idempotency_answer_forgotten] : []),
    ...(endpoint.method === 'GET' ? [] : [generic.conflict]),
    ...(endpoint.refuses ?? []),
    generic.internal_error,
    generic.unavailable,
  ]
}

/** What a document says of itself. */
export type About = {
  title: string
  description: string
  /** what its Bearer credential is */
  credential: string
  /** the sections in their order, each with a sentence; those without an operation are left out */
  tags: Record<string, string>
}

/** An operation that is no endpoint record, as the document tells of it. */
export type OpenOperation = { path: string; method: string; operation: Json & { operationId: string; tags: string[] } }

/** The OpenAPI 3.1 document of a list of operations, and of some that need no credential. */
export function openapiOf(endpoints: Endpoint[], about: About, open: OpenOperation[] = []): Json {
  const schemas: Json = {}

  /** A schema for the document: named parts move to components. */
  const schemaOf: SchemaOf = (schema, io) => {
    const whole = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tidy }) as Json & { $defs?: Json }
    const { $defs = {}, ...own } = whole
    delete own.$schema
    for (const [name, part] of Object.entries($defs)) {
      const known = schemas[name]
      if (known && JSON.stringify(known) !== JSON.stringify(part))
        throw new Error(`The component ${name} has two shapes.`)
      schemas[name] = part
    }
    return own
  }
  schemaOf(ErrorBody, 'output')

  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const operations = (paths[endpoint.path] ??= {})
    operations[endpoint.method.toLowerCase()] = operationOf(endpoint, schemaOf)
  }
  for (const { path, method, operation } of open) paths[path] = { [method]: operation }
  const told = new Set([...endpoints.map(({ tag }) => tag), ...open.flatMap(({ operation }) => operation.tags)])
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
    tags: Object.entries(about.tags)
      .filter(([name]) => told.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: about.credential },
      },
      headers,
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  }
  return settleReferences(document) as Json
}

/**
 * What JSON Schema would say beyond what an integrator needs: names are those of components, examples a list,
 * a format says more than its regular expression, the bounds of a JS number are no bounds of ours, and answers
 * may gain fields (decisions.md, section 10).
 */
function tidy({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  delete schema.id
  if (schema.propertyNames === undefined) delete schema.additionalProperties
  if (schema.example !== undefined) schema.examples = [schema.example as z.core.JSONSchema.JSONSchema]
  delete schema.example
  if (schema.format === 'date' || schema.format === 'date-time') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

/** `$defs` became components. */
function settleReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(settleReferences)
  if (typeof node !== 'object' || node === null) return node
  const settled: Json = {}
  for (const [key, value] of Object.entries(node)) {
    settled[key] =
      key === '$ref' ? (value as string).replace('#/$defs/', '#/components/schemas/') : settleReferences(value)
  }
  return settled
}

function operationOf(endpoint: Endpoint, schemaOf: SchemaOf): Json {
  const answers = Object.entries(endpoint.returns).map(([status, schema]) => [
    status,
    {
      description: status === '202' ? 'Accepted.' : status === '201' ? 'Created.' : 'Done.',
      headers: answerHeaders(endpoint.method),
      content: { 'application/json': { schema: schemaOf(schema, 'output') } },
    },
  ])
  const by_status = Map.groupBy(refusalsOf(endpoint), (kind) => kind.status)
  const errors = [...by_status].map(([status, kinds]) => [
    String(status),
    {
      description: [...new Set(kinds.map((kind) => `\`${kind.code}\`: ${kind.message}`))].join('\n\n'),
      headers: errorHeaders(status),
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
    description: [endpoint.description, acceptedBy(endpoint)].filter(Boolean).join('\n\n'),
    ...(endpoint.roles && { 'x-roles': endpoint.roles, 'x-scopes': endpoint.scopes }),
    parameters: parametersOf(endpoint, schemaOf),
    ...(endpoint.body && {
      requestBody: {
        required: !endpoint.body.safeParse({}).success,
        content: {
          'application/json': {
            schema: schemaOf(endpoint.body, 'input'),
            ...(endpoint.example !== undefined && { example: endpoint.example }),
          },
          ...(endpoint.csv && { 'text/csv': { schema: csvSchema(endpoint.rows!.field) } }),
        },
      },
    }),
    responses: Object.fromEntries([...answers, ...errors].sort(([a], [b]) => Number(a) - Number(b))),
  }
}

const csvSchema = (field: string): Json => ({
  type: 'string',
  description:
    `The rows of \`${field}\` as comma-separated values: the first line names their fields, and each other line is a ` +
    'row. An empty cell is the same as null. In errors the rows are counted from 0, below the first line.',
})

/** Which credentials may perform an operation, in words. */
function acceptedBy({ allows, roles: allowed, scopes }: Endpoint): string {
  const names: Record<string, string> = {
    api_key: 'an API key',
    access_token: 'an unbound access token',
    employer_token: 'a token bound to the employer',
    employee_token: 'a token bound to the employee',
    operator: 'the operator key',
  }
  const accepted = `Accepts ${allows.map((kind) => names[kind]).join(', ')}.`
  if (!allowed) return accepted
  const by = allowed.length === roles.length ? 'every role' : allowed.map((role) => `\`${role}\``).join(', ')
  const need = scopes?.length ? ` Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.` : ''
  return `${accepted} Open to ${by} of the organization.${need}`
}

const errorExample = (kind: RefusalKind): Json => ({
  error: { code: kind.code, message: kind.message, details: [] },
  app_error_code: kind.code,
  message: kind.message,
  timestamp: '2026-03-10T14:05:09.123Z',
  trace_id: '0b6b2a0e-5a5c-4b53-9d1f-3d0f4f4f8a11',
})

/** What a query parameter means, a number say, and not that it travels as text; what no schema can tell stays text. */
function querySchema(field: z.ZodType, schemaOf: SchemaOf): Json {
  const meant = schemaOf(field, 'output')
  const told = ['type', '$ref', 'anyOf'].some((key) => key in meant)
  return told ? meant : schemaOf(field, 'input')
}

/** What repeats with the same Idempotency-Key are answered, in words. */
function repeatsOf({ repeats }: Endpoint): string {
  if (repeats === 'anew') return 'Repeats of this request are done anew: what was answered first may have ended.'
  const answered = 'Repeats of this request within 24 hours get the answer of the first'
  return repeats === 'briefly'
    ? `${answered}, which holds a secret, for 10 minutes, and are not done again.`
    : `${answered}.`
}

function parametersOf(endpoint: Endpoint, schemaOf: SchemaOf): Json[] {
  const path = Object.entries(endpoint.params ?? {}).map(([name, kind]) => ({
    name,
    in: 'path',
    required: true,
    schema:
      kind === 'text'
        ? { type: 'string', minLength: 1, maxLength: 255 }
        : { type: 'string', pattern: idPattern(kind).source },
  }))
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, field]) => {
    const { description, examples, ...schema } = querySchema(field as z.ZodType, schemaOf)
    return {
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      ...(Array.isArray(examples) && { example: examples[0] }),
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
    description: repeatsOf(endpoint),
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
