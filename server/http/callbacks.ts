import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { announcedBody, readBody, textOf } from './body/bodies.ts'
import { refuseOtherMethods } from './wire/other-methods.ts'
import type { OpenOperation } from './openapi/openapi.ts'
import { refusalsOfStrangers } from './openapi/openapi-errors.ts'
import { readingBodies } from './body/body-queue.ts'
import { generic, type RefusalKind } from '../kernel/refusal.ts'
import type { Runtime } from '../runtime/runtime.ts'

/**
 * What came: the headers, and the body as it was sent, since a signature is over its bytes: read when it is asked for.
 */
export type Received = { readBody: () => Promise<string>; headers: IncomingHttpHeaders }

/** What an outside system tells of an organization: no endpoint record, since nobody is asked for a key. */
export type Incoming = {
  operation: string
  tag: string
  /** ends with `/{organization_id}` */
  path: string
  summary: string
  description: string
  /** what a request carries instead of a key */
  signature_header: string
  refuses: readonly RefusalKind[]
  /**
   * Proves by the signature who calls, and takes what is said. Refuses an organization that does not exist as it
   * refuses a wrong signature, and asks for the body of nobody else.
   */
  receive(runtime: Runtime, organization_id: string, received: Received): Promise<void>
}

/** Bytes: an event with an invoice and its first lines, many times over. */
const taken = { body_limit: 512 * 1024 }

/** Bytes of bodies that are held until they were taken. */
const memory = 32 * 1024 * 1024

/** Adds what outside systems call. It answers 200 `{"received": true}` once what was said is kept. */
export function serveIncoming(app: FastifyInstance, runtime: Runtime, incoming: Incoming[]): void {
  const readInTurn = readingBodies(memory)
  for (const { path, receive } of incoming) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.route<{ Params: { organization_id: string } }>({
      method: 'POST',
      url,
      handler: async (request, reply) => {
        const { organization_id } = request.params
        const media_type = announcedBody(request.raw, taken)
        await readInTurn(organization_id, async (reading) => {
          const readText = async () => {
            const bytes = media_type && (await readBody(request.raw, reply.raw, taken, reading))
            return bytes ? textOf({ bytes, media_type }, taken) : ''
          }
          await receive(runtime, organization_id, { readBody: readText, headers: request.headers })
        })
        return { received: true }
      },
    })
    refuseOtherMethods(app, url, ['POST'])
  }
}

/** The operation in the OpenAPI document. */
export function openOperationOf({ operation, tag, path, summary, description, ...more }: Incoming): OpenOperation {
  const { invalid_request, payload_too_large, unsupported_media_type, internal_error, unavailable } = generic
  const refused = [
    ...more.refuses,
    invalid_request,
    payload_too_large,
    unsupported_media_type,
    internal_error,
    unavailable,
  ]
  const { responses, refuses } = refusalsOfStrangers(operation, refused)
  const received = { type: 'object', required: ['received'], properties: { received: receivedField } }
  return {
    path,
    method: 'post',
    operation: {
      operationId: operation,
      tags: [tag],
      summary,
      description,
      security: [],
      parameters: [
        {
          name: 'organization_id',
          in: 'path',
          required: true,
          description: 'The organization that it is told of.',
          schema: { type: 'string' },
        },
        {
          name: more.signature_header,
          in: 'header',
          required: true,
          description: 'Proves who calls.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' }, example: { type: 'invoice.paid' } } },
      },
      responses: {
        200: {
          description: 'It was taken.',
          content: { 'application/json': { schema: received, example: { received: true } } },
        },
        ...responses,
      },
    },
    refuses,
  }
}

const receivedField = { const: true, description: 'Always true.' }
