import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { actorOf, type Actor } from '../audit/audit.ts'
import { rowsFor, type Endpoint } from '../endpoint.ts'
import { isParam } from '../../kernel/ids.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { contextOf, type Runtime } from '../../runtime/runtime.ts'
import { stranger } from '../audit/audit-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the audit trail has it already: a write has its entry in its transaction. */
    traced: boolean
    /** The organization of what was read, null when it is of none; undefined where that was not looked up. */
    read_at: string | null | undefined
  }
}

/** Said to who asks too much, and when we can't: nothing was read or done. */
const untraced = new Set([429, 503])

/** Nothing may be read that can't be written down (decision 86). */
export function requireTrail({ trail }: Runtime): void {
  if (trail.isFull()) throw new Refusal(generic.unavailable, [], { 'retry-after': '5' })
}

/**
 * Has every answer of an operation in the audit trail, before it is sent: what was read, and what was refused. Nothing
 * of the query goes there, and of the path only ids.
 */
export function traceAnswers(app: FastifyInstance, runtime: Runtime): void {
  const findOrganization = organizationFinder(runtime)
  app.decorateRequest('traced', false)
  app.decorateRequest('read_at', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.endpoint) requireTrail(runtime)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint || request.traced || untraced.has(reply.statusCode)) return done()
    const actor = whoAsked(request, reply)
    if (!actor) return done()
    request.traced = true
    const status = reply.statusCode
    const resource_id = resourceIn(endpoint, (request.params ?? {}) as Record<string, string>, status)
    const note = (organization_id: string | null) =>
      runtime.trail.note({
        operation: endpoint.operation,
        organization_id,
        resource_id,
        fields: null,
        status,
        actor,
        address: request.ip,
        trace_id: request.id,
      })
    const known = knownOrganization(request)
    if (known === undefined) return findOrganization(request, endpoint, resource_id, status).then(note)
    note(known)
    done()
  })
}

/** Nobody, where no credential was shown at all: whoever looks whether we are there asks for nothing. */
function whoAsked({ caller, headers }: FastifyRequest, { statusCode }: FastifyReply): Actor | undefined {
  if (caller) return actorOf(caller)
  const shows_credential = headers.authorization !== undefined && statusCode === 401
  return shows_credential ? { kind: stranger, id: null, user_id: null } : undefined
}

/** The last thing that the path names. What is malformed, or a text that names nothing there is, may be anything. */
function resourceIn({ params: kinds = {} }: Endpoint, params: Record<string, string>, status: number): string | null {
  let last = null
  for (const name in kinds) {
    const value = params[name] ?? ''
    if ((kinds[name] !== 'text' || status < 400) && isParam(kinds[name]!, value)) last = value
  }
  return last
}

/** Whose trail an answer belongs to, where that is known by now: whose who acts is, or what was found. */
function knownOrganization({ caller, read_at }: FastifyRequest): string | null | undefined {
  const { organization_ids } = caller?.reach ?? { organization_ids: [] }
  return organization_ids?.length === 1 ? organization_ids[0]! : read_at
}

/** Looks up whose trail an answer belongs to. What belongs to an organization belongs to it for good. */
function organizationFinder(runtime: Runtime) {
  const known = new LRUCache<string, string>({ max: 10_000 })
  return async (
    { caller, params }: FastifyRequest,
    endpoint: Endpoint,
    resource_id: string | null,
    status: number,
  ): Promise<string | null> => {
    if (!caller || !endpoint.locate || resource_id === null || status >= 400) return null
    const found = known.get(resource_id)
    if (found !== undefined) return found
    const ctx = contextOf(runtime, caller, runtime.database.readsOf(caller.credential_id, rowsFor(endpoint, caller)))
    const organization_id = (await endpoint.locate(ctx, params as Record<string, string>))?.organization_id ?? null
    if (organization_id !== null) known.set(resource_id, organization_id)
    return organization_id
  }
}
