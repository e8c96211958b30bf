import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { announcedBody, openBodyMemory, textOf } from './body/body-bytes.ts'
import { refuseOtherMethods } from './wire/method-not-allowed.ts'
import type { OpenOperation } from './openapi/openapi-schemas.ts'
import { generic, type RefusalKind } from '../kernel/refusal.ts'
import type { Runtime } from '../runtime/runtime.ts'

/** A received request. `readBody` reads the body as sent, because the signature covers its bytes. */
export type Received = { readBody: () => Promise<string>; headers: IncomingHttpHeaders }

/** A webhook from an outside system for an organization. It is not an endpoint record, because it has no API key. */
export type Incoming = {
  operation: string
  tag: string
  /** ends with `/{organization_id}` */
  path: string
  summary: string
  description: string
  /** the header that authenticates a request instead of a key */
  signature_header: string
  refuses: readonly RefusalKind[]
  /**
   * Verifies the signature and processes the event. Refuses an unknown organization like a wrong signature,
   * without reading its body.
   */
  receive(runtime: Runtime, organization_id: string, received: Received): Promise<void>
}

/** In bytes. Many times the size of an event with an invoice and its first lines. */
const accepted = { body_limit: 512 * 1024 }

/** Bytes of bodies that are held until they are processed. */
const memory = 32 * 1024 * 1024

/** Adds the routes of webhooks. They respond 200 `{"received": true}` when the event is stored. */
export function serveIncoming(app: FastifyInstance, runtime: Runtime, incoming: Incoming[]): void {
  const withMemory = openBodyMemory(memory)
  for (const { path, receive } of incoming) {
    const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
    app.route<{ Params: { organization_id: string } }>({
      method: 'POST',
      url,
      handler: async (request, reply) => {
        const { organization_id } = request.params
        const media_type = announcedBody(request.raw, accepted)
        await withMemory(organization_id, async (readBytes) => {
          const readText = async () => {
            const bytes = media_type && (await readBytes(request.raw, reply.raw, accepted))
            return bytes ? textOf({ bytes, media_type }, accepted) : ''
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
          description: 'The organization that the event concerns.',
          schema: { type: 'string' },
        },
        {
          name: more.signature_header,
          in: 'header',
          required: true,
          description: 'Authenticates the sender.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'object' }, example: { type: 'invoice.paid' } } },
      },
      responses: {
        200: {
          description: 'The event was accepted.',
          content: { 'application/json': { schema: received, example: { received: true } } },
        },
      },
    },
    refuses: [...more.refuses, invalid_request, payload_too_large, unsupported_media_type, internal_error, unavailable],
  }
}

const receivedField = { const: true, description: 'Always true.' }
