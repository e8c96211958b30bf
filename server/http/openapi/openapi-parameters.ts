import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { idempotency_hours, secret_response_minutes } from '../refusals.ts'
import { type ParamKind } from '../../kernel/ids.ts'
import { Id } from '../../kernel/fields.ts'
import { meaningOf } from '../../kernel/field-docs.ts'
import { addComponent, pascal, type Json, type SchemaOf } from './openapi-schemas.ts'

/** The parameters of an operation: path, query and headers. Those that operations share are added to `components`. */
export function parametersOf(endpoint: Endpoint, schemaOf: SchemaOf, components: Record<string, Json>): Json[] {
  const share = (name: string, parameter: Json) => addComponent('parameters', components, name, parameter)
  const { params = {}, query, path, method } = endpoint
  return [
    ...Object.entries(params).map(([name, kind]) => share(pascal(name), inPath(name, kind, schemaOf))),
    ...Object.entries(query?.shape ?? {}).map(([name, field]) => {
      const parameter = inQuery(name, field as z.ZodType, schemaOf)
      return isOfPages(parameter) ? share(pascal(name), parameter) : parameter
    }),
    ...(path.startsWith('/v1/') ? [share(...organizationOf(endpoint))] : []),
    ...(method === 'POST' ? [share(...idempotencyOf(endpoint))] : []),
  ]
}

function inPath(name: string, kind: ParamKind, schemaOf: SchemaOf): Json {
  const schema = kind === 'text' ? { type: 'string', minLength: 1, maxLength: 255 } : schemaOf(Id(kind), 'output')
  const description = meaningOf(name) ?? `The ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`
  return { name, in: 'path', required: true, description, schema }
}

/** The schema is that of the value, such as a number, though it is sent as text. */
function inQuery(name: string, field: z.ZodType, schemaOf: SchemaOf): Json {
  const { description = meaningOf(name), examples, ...schema } = schemaOf(field, 'output')
  return { name, in: 'query', description, ...(Array.isArray(examples) && { example: examples[0] }), schema }
}

/** Whether this is a paging parameter, which almost all lists share. */
const isOfPages = ({ name, schema }: Json) =>
  (name === 'limit' || name === 'page') && (schema as Json).default !== undefined

function organizationOf({ organization }: Endpoint): [name: string, parameter: Json] {
  const is_needed = organization === 'header' || organization === 'needed'
  const description = 'The organization to act for.'
  const parameter = {
    name: 'X-Service-Organization',
    in: 'header',
    description: is_needed ? `${description} Required if the credentials reach several organizations.` : description,
    schema: { $ref: '#/components/schemas/OrganizationId' },
  }
  return [is_needed ? 'ActingOrganization' : 'Organization', parameter]
}

/** The Idempotency-Key, whose description depends on how the operation responds to repetitions. */
function idempotencyOf({ repeats }: Endpoint): [name: string, parameter: Json] {
  const replayed = `Repeats of this request within ${idempotency_hours} hours return the first response`
  const [name, description] =
    repeats === 'rerun'
      ? ['IdempotencyKeyRerun', 'Repeats of this request run again, because the first result may have expired.']
      : repeats === 'briefly'
        ? [
            'IdempotencyKeySecretResponse',
            `${replayed}, which contains a secret, for ${secret_response_minutes} minutes, and never run again.`,
          ]
        : ['IdempotencyKey', `${replayed}, with \`Idempotent-Replayed: true\`.`]
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return [name, { name: 'Idempotency-Key', in: 'header', description, schema }]
}
