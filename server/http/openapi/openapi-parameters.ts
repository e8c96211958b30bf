import { idempotency_hours, secret_response_minutes } from '../refusals.ts'
import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { type ParamKind } from '../../kernel/ids.ts'
import { Id } from '../../kernel/fields.ts'
import { meaningOf } from '../../kernel/field-docs.ts'
import { pascal, type Json, type SchemaOf } from './openapi-schemas.ts'

/** The shared parameters by name. */
export type Parameters = Record<string, Json>

/** The parameters of an operation: path, query and headers. Adds those that operations share to `shared`. */
export function parametersOf(endpoint: Endpoint, schemaOf: SchemaOf, shared: Parameters): Json[] {
  const share = (name: string, parameter: Json): Json => {
    const known = shared[name]
    if (known && JSON.stringify(known) !== JSON.stringify(parameter))
      throw new Error(`The parameter ${name} has two shapes.`)
    shared[name] = parameter
    return { $ref: `#/components/parameters/${name}` }
  }
  const path = Object.entries(endpoint.params ?? {}).map(([name, kind]) =>
    share(pascal(name), inPath(name, kind, schemaOf)),
  )
  const query = Object.entries(endpoint.query?.shape ?? {}).map(([name, field]) => {
    const parameter = inQuery(name, field as z.ZodType, schemaOf)
    return isOfPages(name, parameter) ? share(pascal(name), parameter) : parameter
  })
  const onPartnerInterface = endpoint.path.startsWith('/v1/')
  return [
    ...path,
    ...query,
    ...(onPartnerInterface ? [organizationOf(endpoint, share)] : []),
    ...(endpoint.method === 'POST' ? [idempotencyOf(endpoint, share)] : []),
  ]
}

function inPath(name: string, kind: ParamKind, schemaOf: SchemaOf): Json {
  const schema = kind === 'text' ? { type: 'string', minLength: 1, maxLength: 255 } : schemaOf(Id(kind), 'output')
  return { name, in: 'path', required: true, description: meaningOf(name) ?? resourceName(name), schema }
}

const resourceName = (name: string): string => `The ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`

function inQuery(name: string, field: z.ZodType, schemaOf: SchemaOf): Json {
  const { description = meaningOf(name), examples, ...schema } = querySchema(field, schemaOf)
  return {
    name,
    in: 'query',
    description,
    ...(Array.isArray(examples) && { example: examples[0] }),
    schema,
  }
}

/** Whether this is a paging parameter, which almost all lists share. */
const isOfPages = (name: string, { schema }: Json) =>
  (name === 'limit' || name === 'page') && (schema as Json).default !== undefined

/** The schema of a query parameter's value, such as a number, though it is sent as text. Falls back to the text. */
function querySchema(field: z.ZodType, schemaOf: SchemaOf): Json {
  const parsed = schemaOf(field, 'output')
  const is_described = ['type', '$ref', 'anyOf'].some((key) => key in parsed)
  return is_described ? parsed : schemaOf(field, 'input')
}

type Share = (name: string, parameter: Json) => Json

function organizationOf({ organization }: Endpoint, share: Share): Json {
  const is_needed = organization === 'header' || organization === 'needed'
  return share(is_needed ? 'ActingOrganization' : 'Organization', {
    name: 'X-Service-Organization',
    in: 'header',
    description: is_needed
      ? 'The organization to act for. Required if the credentials reach several organizations.'
      : 'The organization to act for.',
    schema: { $ref: '#/components/schemas/OrganizationId' },
  })
}

/** The name and description of the Idempotency-Key parameter, by how the operation responds to repetitions. */
function repeatsOf({ repeats }: Endpoint): [name: string, description: string] {
  if (repeats === 'rerun')
    return ['IdempotencyKeyRerun', 'Repeats of this request run again, because the first result may have expired.']
  const replayed = `Repeats of this request within ${idempotency_hours} hours return the first response`
  return repeats === 'briefly'
    ? [
        'IdempotencyKeySecretResponse',
        `${replayed}, which contains a secret, for ${secret_response_minutes} minutes, and never run again.`,
      ]
    : ['IdempotencyKey', `${replayed}, with \`Idempotent-Replayed: true\`.`]
}

function idempotencyOf(endpoint: Endpoint, share: Share): Json {
  const [name, description] = repeatsOf(endpoint)
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return share(name, { name: 'Idempotency-Key', in: 'header', description, schema })
}
