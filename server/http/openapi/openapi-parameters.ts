import type { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { type ParamKind } from '../../kernel/ids.ts'
import { Id } from '../../kernel/fields.ts'
import { meaningOf } from '../../kernel/words.ts'
import { pascal, type Json, type SchemaOf } from './openapi-schemas.ts'

/** The parameters that operations share, by their names. */
export type Parameters = Record<string, Json>

/** What an operation takes beside its body; what others take too is added to the shared ones. */
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
  return { name, in: 'path', required: true, description: meaningOf(name) ?? theThing(name), schema }
}

/** `invitation_id`: The invitation. */
const theThing = (name: string): string => `The ${name.replace(/_id$/, '').replaceAll('_', ' ')}.`

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

/** The page of a list, which all lists but one take alike. */
const isOfPages = (name: string, { schema }: Json) =>
  (name === 'limit' || name === 'page') && (schema as Json).default !== undefined

/** What a query parameter means, a number say, and not that it travels as text; what no schema can tell stays text. */
function querySchema(field: z.ZodType, schemaOf: SchemaOf): Json {
  const meant = schemaOf(field, 'output')
  const told = ['type', '$ref', 'anyOf'].some((key) => key in meant)
  return told ? meant : schemaOf(field, 'input')
}

type Share = (name: string, parameter: Json) => Json

function organizationOf({ organization }: Endpoint, share: Share): Json {
  const is_needed = organization === 'header' || organization === 'needed'
  return share(is_needed ? 'ActingOrganization' : 'Organization', {
    name: 'X-Service-Organization',
    in: 'header',
    description: is_needed
      ? 'The organization to act as. Required when the credentials reach several.'
      : 'The organization to act as.',
    schema: { $ref: '#/components/schemas/OrganizationId' },
  })
}

/** What repeats with the same Idempotency-Key are answered: the name of the parameter, and in words. */
function repeatsOf({ repeats }: Endpoint): [name: string, description: string] {
  if (repeats === 'anew')
    return ['IdempotencyKeyDoneAnew', 'Repeats of this request are done anew: what was answered first may have ended.']
  const answered = 'Repeats of this request within 24 hours get the answer of the first'
  return repeats === 'briefly'
    ? ['IdempotencyKeyOfSecret', `${answered}, which holds a secret, for 10 minutes, and are not done again.`]
    : ['IdempotencyKey', `${answered}, with \`Idempotent-Replayed: true\`.`]
}

function idempotencyOf(endpoint: Endpoint, share: Share): Json {
  const [name, description] = repeatsOf(endpoint)
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return share(name, { name: 'Idempotency-Key', in: 'header', description, schema })
}
