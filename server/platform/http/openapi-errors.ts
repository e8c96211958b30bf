import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { errorHeaders, headersOfAny } from './openapi-headers.ts'
import { pascal, type Json } from './openapi-schemas.ts'
import { generic, type RefusalKind } from '../../kernel/refusal.ts'
import { Timestamp } from '../../kernel/fields.ts'
import { refusals } from '../refusals.ts'

/** The one body of every error (decisions.md, section 1). */
export const ErrorBody = z
  .object({
    error: z
      .object({
        code: z.string().meta({
          description:
            'What programs decide by. Later versions may add codes: treat one that you do not know by its status.',
        }),
        message: z.string().meta({ description: 'What is wrong, for people: the first detail where there is one.' }),
        details: z
          .array(
            z.object({
              field: z.string().meta({ description: 'Where in the request: `employees[3].address.zipcode`.' }),
              message: z.string().meta({ description: 'What is wrong there.' }),
            }),
          )
          .meta({ description: 'What is wrong, field by field: at most 100. Empty where no field is to blame.' }),
        doc_url: z.string().meta({ description: 'The page about this code: its cause, what to do, and an example.' }),
      })
      .meta({ description: 'What went wrong.' }),
    app_error_code: z.string().meta({ description: 'Always equals `error.code`.' }),
    message: z.string().meta({ description: 'Repeats `error.message`.' }),
    timestamp: Timestamp.meta({ description: 'When it was answered, in UTC.' }),
    trace_id: z.string().meta({ description: 'Finds the request in our log; also the `X-Request-Id` of the answer.' }),
  })
  .meta({
    id: 'ApiError',
    description: 'Every 4xx and 5xx answer.',
    example: {
      error: {
        code: 'invalid_request',
        message: 'email: must be an e-mail address',
        details: [{ field: 'email', message: 'must be an e-mail address' }],
        doc_url: 'https://benefits.example.com/docs/errors/invalid_request',
      },
      app_error_code: 'invalid_request',
      message: 'email: must be an e-mail address',
      timestamp: '2026-03-10T14:05:09.123Z',
      trace_id: '0b6b2a0e-5a5c-4b53-9d1f-3d0f4f4f8a11',
    },
  })

/** Everything that any operation like this one may refuse, in the order of checks; what is its own comes after. */
function usualRefusals(endpoint: Endpoint): RefusalKind[] {
  const mayNeedOrganization = endpoint.organization === 'header' || endpoint.organization === 'needed'
  return [
    generic.unauthorized,
    generic.rate_limited,
    ...(mayNeedOrganization ? [refusals.organization_required] : []),
    refusals.invalid_organization_header,
    refusals.organization_access_denied,
    refusals.api_key_in_browser,
    // Whoever is let call it: a bound token may be shown to any.
    refusals.origin_not_allowed,
    ...(endpoint.params ? [generic.not_found] : []),
    generic.forbidden,
    ...(endpoint.hands_out ? [refusals.sign_in_again] : []),
    generic.invalid_request,
    ...(endpoint.body ? [generic.payload_too_large, generic.unsupported_media_type] : []),
    ...(endpoint.method === 'POST' ? [refusals.idempotency_key_in_progress, refusals.idempotency_key_reused] : []),
    ...(endpoint.repeats === 'briefly' ? [refusals.idempotency_answer_forgotten] : []),
    ...(endpoint.method === 'GET' ? [] : [generic.conflict]),
  ]
}

/** What any operation may refuse alike is told once, as `default`: of these statuses, for none but these reasons. */
export const statuses_of_any: readonly number[] = [401, 403, 409, 413, 415, 422, 429, 500, 503]
const reasons_of_any: readonly RefusalKind[] = [
  generic.unauthorized,
  generic.rate_limited,
  refusals.organization_access_denied,
  refusals.api_key_in_browser,
  refusals.origin_not_allowed,
  generic.forbidden,
  generic.payload_too_large,
  generic.unsupported_media_type,
  refusals.idempotency_key_in_progress,
  refusals.idempotency_answer_forgotten,
  generic.conflict,
  refusals.idempotency_key_reused,
  generic.internal_error,
  generic.unavailable,
]
const isOfAny = ({ code }: RefusalKind): boolean => reasons_of_any.some((kind) => kind.code === code)

/** What can happen to any request. */
const accidents = [generic.internal_error, generic.unavailable]

/** Everything that an operation may refuse, in the order of checks. */
export const refusalsOf = (endpoint: Endpoint): RefusalKind[] => [
  ...usualRefusals(endpoint),
  ...(endpoint.refuses ?? []),
  ...accidents,
]

/** The names of answers that refuse for one of several reasons which many operations share, by the last of these. */
const shared_names: Record<string, string> = {
  'invalid_organization_header invalid_request': 'InvalidRequest',
  'organization_required invalid_organization_header invalid_request': 'InvalidRequestOrNoOrganization',
}

const status_names: Record<number, string> = {
  400: 'BadRequest',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'TooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  500: 'InternalError',
  502: 'BadGateway',
  503: 'Unavailable',
}

/** The answers that refuse, by their names: what many operations refuse alike is one of them. */
export type ErrorAnswers = Record<string, Json>

/**
 * How an operation refuses for reasons of its own, by status, with what any may refuse as its `default`; what it refers
 * to is added to the answers.
 */
export function refusalsByStatus(endpoint: Endpoint, answers: ErrorAnswers): [string, Json][] {
  const by_status = [...Map.groupBy(refusalsOf(endpoint), ({ status }) => status)]
  const own = by_status.filter(([status, all]) => !statuses_of_any.includes(status) || !all.every(isOfAny))
  const told = own
    .toSorted(([a], [b]) => a - b)
    .map(([status, all]): [string, Json] => {
      const kinds = all.filter((kind, at) => !isOfAny(kind) && all.findIndex(({ code }) => code === kind.code) === at)
      const codes = kinds.map(({ code }) => code)
      const shared = codes.length === 1 && isShared(codes[0]!) ? pascal(codes[0]!) : shared_names[codes.join(' ')]
      const name = shared ?? `${pascal(endpoint.operation)}${status_names[status]}`
      const answer = errorAnswer(kinds, shared ? errorHeaders(status) : undefined)
      const same = Object.keys(answers).find((other) => isDeepStrictEqual(answers[other], answer))
      answers[same ?? name] = answer
      return [String(status), { $ref: `#/components/responses/${same ?? name}` }]
    })
  answers.Refused ??= errorAnswer([...reasons_of_any], headersOfAny)
  return [...told, ['default', { $ref: '#/components/responses/Refused' }]]
}

const isShared = (code: string) => code in generic || code in refusals

/**
 * An answer that refuses for one of these reasons: in words those that are its own where it has some, since the list of
 * codes names the others. The list is open: for what any operation refuses, and for codes that are added later.
 */
function errorAnswer(kinds: RefusalKind[], headers?: Json): Json {
  const code = { anyOf: [{ type: 'string', enum: kinds.map(({ code }) => code) }, { type: 'string' }] }
  const special = kinds.filter(({ code }) => !isShared(code))
  const own = special.length > 0 ? special : kinds
  const its_code = { properties: { error: { properties: { code } } } }
  return {
    description: own.map(({ code, message }) => `\`${code}\`: ${message}`).join('\n\n'),
    ...(headers && { headers }),
    content: {
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/ApiError' }, its_code] },
      },
    },
  }
}

/** How somebody is refused who is not asked for a key, by status, and what that refers to. */
export function refusalsOfStrangers(
  operation: string,
  refused: RefusalKind[],
): { responses: Record<string, Json>; refuses: ErrorAnswers } {
  const refuses: ErrorAnswers = {}
  const responses: Record<string, Json> = {}
  for (const [status, kinds] of Map.groupBy(refused, ({ status }) => status)) {
    const name = `${pascal(operation)}${status_names[status]}`
    refuses[name] = errorAnswer(kinds)
    responses[status] = { $ref: `#/components/responses/${name}` }
  }
  return { responses, refuses }
}
