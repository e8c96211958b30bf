import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { actorOf, type Actor } from './audit.ts'
import { rowsFor, type Endpoint } from '../endpoint.ts'
import { isParam } from '../../kernel/ids.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { contextOf, type Runtime } from '../../runtime/runtime.ts'
import { unauthenticated } from './audit-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request has its audit entry. A write records it in its transaction. */
    is_audited: boolean
    /** The organization of the resource. Null if it has none; undefined if it was not looked up. */
    resource_organization_id: string | null | undefined
  }
}

/** Too many requests, or unavailable: nothing was read or changed. */
const unaudited = new Set([429, 503])

/**
 * Refuses requests while the audit log is full, because no read may go unrecorded (docs/design/access/audit-log.md).
 */
export function requireAuditLog({ audit_log }: Runtime): void {
  if (audit_log.isFull()) throw new Refusal(generic.unavailable, [], { 'retry-after': '5' })
}

/**
 * Records every read and refusal of an operation in the audit log before its response is sent. The entry contains the
 * ids of the path and nothing else of the URL.
 */
export function auditResponses(app: FastifyInstance, runtime: Runtime): void {
  const findOrganization = organizationFinder(runtime)
  app.decorateRequest('is_audited', false)
  app.decorateRequest('resource_organization_id', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.endpoint) requireAuditLog(runtime)
    done()
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { endpoint } = request.routeOptions.config
    if (!endpoint || request.is_audited || unaudited.has(reply.statusCode)) return done()
    const actor = requestActor(request, reply)
    if (!actor) return done()
    request.is_audited = true
    const status = reply.statusCode
    const resource_id = resourceIn(endpoint, (request.params ?? {}) as Record<string, string>, status)
    const note = (organization_id: string | null) =>
      runtime.audit_log.note({
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

/** Undefined if the request has no credential, such as a probe. */
function requestActor({ caller, headers }: FastifyRequest, { statusCode }: FastifyReply): Actor | undefined {
  if (caller) return actorOf(caller)
  const shows_credential = headers.authorization !== undefined && statusCode === 401
  return shows_credential ? { kind: unauthenticated, id: null, user_id: null } : undefined
}

/** The last id in the path. Malformed ids and unknown names are omitted, because they may contain anything. */
function resourceIn({ params: kinds = {} }: Endpoint, params: Record<string, string>, status: number): string | null {
  let last = null
  for (const name in kinds) {
    const value = params[name] ?? ''
    if ((kinds[name] !== 'text' || status < 400) && isParam(kinds[name]!, value)) last = value
  }
  return last
}

/** The organization of the audit entry if it is already known: the caller's only one, or the resource's. */
function knownOrganization({ caller, resource_organization_id }: FastifyRequest): string | null | undefined {
  const { organization_ids } = caller?.reach ?? { organization_ids: [] }
  return organization_ids?.length === 1 ? organization_ids[0]! : resource_organization_id
}

/**
 * Looks up the organization of the resource. Cached, because a resource never changes its organization. The key
 * contains all ids of the path, because organizations use the same invoice numbers.
 */
function organizationFinder(runtime: Runtime) {
  const known = new LRUCache<string, string>({ max: 10_000 })
  return async (
    { caller, params }: FastifyRequest,
    endpoint: Endpoint,
    resource_id: string | null,
    status: number,
  ): Promise<string | null> => {
    if (!caller || !endpoint.locate || resource_id === null || status >= 400) return null
    const ids = params as Record<string, string>
    const path_key = Object.values(ids).join('/')
    const found = known.get(path_key)
    if (found !== undefined) return found
    const ctx = contextOf(runtime, caller, runtime.database.readsOf(caller.credential_id, rowsFor(endpoint, caller)))
    const organization_id = (await endpoint.locate(ctx, ids))?.organization_id ?? null
    if (organization_id !== null) known.set(path_key, organization_id)
    return organization_id
  }
}
