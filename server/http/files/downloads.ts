import type { Socket } from 'node:net'
import { addAbortSignal, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { actorOf, type Actor } from '../audit/audit.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../../runtime/ctx.ts'
import type { Db } from '../../database/query/database.ts'
import { file_connections } from '../../database/query/reads.ts'
import { every_organization } from '../../database/query/rows-of.ts'
import { roleInOrganization } from '../../runtime/permissions.ts'
import { Expiry, readSigned } from '../access-tokens.ts'
import { refuseOtherMethods } from '../wire/method-not-allowed.ts'
import { link_minutes, type DownloadLink } from './download-link.ts'
import type { OpenOperation } from '../openapi/openapi-schemas.ts'
import { invoice_prefix } from '../../kernel/ids.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { FairQueue } from '../../kernel/concurrency/fair-queue.ts'
import { requireAuditLog } from '../audit/audit-responses.ts'
import { contextOf, type Runtime } from '../../runtime/runtime.ts'

/**
 * A file to send. Characters of `file_name` other than ASCII letters and digits, `.`, `-` and `_` become `_`. A
 * streamed body yields its next piece when the client has received the previous one. `bytes` is the total size if it is
 * known. With `page_policy`, browsers show the file under this content security policy instead of saving it.
 */
export type DownloadedFile = {
  file_name: string
  content_type: string
  page_policy?: string
  bytes?: number
  body: Buffer | AsyncIterable<Buffer | string>
}

/**
 * The target of a link: a kind of file that a module serves, the organization (empty for all) and the id of the file.
 */
export type DownloadKey = { kind: string; organization_id: string; id: string }

/**
 * Finds the file when a link is opened. Returns undefined if the file is gone. `ctx` reads with the service's own
 * permissions in that organization, because access was checked when the link was created. It reads in small pieces over
 * the connections for files, and organizations take turns.
 */
export type Download = (ctx: Ctx, key: DownloadKey, runtime: Runtime) => Promise<DownloadedFile | undefined>

/**
 * The roles in which a key or a session reaches an organization, at most a few seconds old. Empty if the credential has
 * ended or lost its access. An operator has their operator role. A session may have both.
 */
export type RolesHeld = (key_id: string, organization_id: string) => Promise<readonly string[]>

/** Differs from the issuer of access tokens, which the same key signs, so that neither is accepted as the other. */
const signing = { alg: 'HS256', issuer: 'openbenefits downloads' }

/**
 * `key_id`: the key that requested the link. If the key is revoked or expires, the link stops working. Null if no key
 * requested it.
 *
 * `role`: the role of that key at the time. The link works only while the key has that role. Null for the service
 * itself.
 *
 * `requested_by`: the actor in the audit entries of its downloads.
 */
const LinkClaims = z.object({
  kind: z.string(),
  organization_id: z.string(),
  id: z.string(),
  key_id: z.string().nullable(),
  role: z.string().nullable(),
  requested_by: z.custom<Actor>((value) => typeof value === 'object' && value !== null),
  exp: Expiry,
})
type LinkClaims = z.output<typeof LinkClaims>

const path = '/v1/downloads/'

/** When a link that is created now expires, in whole seconds. */
export const linkExpiry = ({ real_now }: ReadCtx): string =>
  new Date((Math.floor(Date.parse(real_now) / 1000) + link_minutes * 60) * 1000).toISOString()

/**
 * Creates a link that needs no key. It is valid for `link_minutes`, as long as the caller's key keeps its role in the
 * organization (docs/design/access/roles-and-tokens.md). A module registers its kinds of files in the `downloads`
 * field of its line in modules.ts:
 *
 *     downloads: { invoice_pdf: openInvoicePdf }
 *     …
 *     const link = await downloadLink(ctx, { kind: 'invoice_pdf', organization_id, id: invoice_id })
 */
export async function downloadLink(ctx: ReadCtx, { kind, organization_id, id }: DownloadKey): Promise<DownloadLink> {
  const expires_at = linkExpiry(ctx)
  const { caller } = ctx
  const role = caller.operator_role ?? roleInOrganization(caller, organization_id) ?? null
  const claims: Omit<LinkClaims, 'exp'> = {
    kind,
    organization_id,
    id,
    key_id: caller.key_id,
    role,
    requested_by: actorOf(caller),
  }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg })
    .setIssuer(signing.issuer)
    .setExpirationTime(new Date(expires_at))
    .sign(ctx.secrets.tokenKeys()[0]!)
  return {
    download_url: `${ctx.settings.public_url ?? ''}${path}${token}`,
    expires_at,
  }
}

const binary = { schema: { type: 'string', contentEncoding: 'binary' } } as const

/** The operation in the OpenAPI document. It is not an endpoint record, because it requires no authentication. */
export const downloadOperation: OpenOperation = {
  path: `${path}{token}`,
  method: 'get',
  operation: {
    operationId: 'download_file',
    'x-sdk': 'downloads.get',
    tags: ['Downloads'],
    summary: 'Download a file',
    description:
      'Downloads the file behind a `download_url` of another response. The link needs no key. It returns 404 from ' +
      '`expires_at` on, and within 5 seconds after its API key is revoked or the owner of the key leaves or changes ' +
      'roles. Too many concurrent' +
      ' downloads return 503 with `Retry-After`. Connections that receive less than 256 KiB in 30 seconds are closed.',
    security: [],
    parameters: [
      {
        name: 'token',
        in: 'path',
        required: true,
        description: 'The last part of the link.',
        schema: { type: 'string' },
      },
    ],
    responses: {
      200: {
        description: 'The file.',
        content: {
          'text/csv': {
            schema: {
              type: 'string',
              description: 'A statement, enrollments or audit entries: a header line and one line per row.',
            },
          },
          'application/x-ndjson': {
            schema: { type: 'string', description: 'Audit entries, one JSON object per line.' },
          },
          'text/html': { schema: { type: 'string', description: 'An email, without scripts.' } },
          'application/xml': { schema: { type: 'string', description: 'Tax forms or a manifest for the IRS.' } },
          'application/pdf': binary,
          'image/png': binary,
          'image/jpeg': binary,
          'image/webp': binary,
          'image/heic': binary,
        },
      },
    },
  },
  refuses: [
    { ...generic.not_found, message: 'The link is invalid or has expired, or its file no longer exists.' },
    {
      ...generic.unavailable,
      message: 'Too many files of the organization are being downloaded. Wait for `Retry-After` seconds.',
    },
  ],
}

/** One of our ids, the number of an invoice, or the UUID of a transmission to the IRS. */
const resource_id = new RegExp(`^(?:[a-z]+_[0-9a-z]{26}|${invoice_prefix}[\\w-]{1,40}|[0-9a-f-]{36})$`)

/** The resource in the id of a link for the audit log: the employee in `empl_….2026`. Null for a list of entries. */
const resourceOf = ({ id }: LinkClaims): string | null =>
  id.split(/[./:]/).findLast((part) => resource_id.test(part)) ?? null

/** The claims of a link. Undefined if it is forged, changed or expired. */
const readLink = ({ secrets, clock }: Runtime, token: string): Promise<LinkClaims | undefined> =>
  readSigned(secrets, signing, LinkClaims, token, clock())

/** Concurrent downloads in total and per organization, and how many more per organization may wait. */
const concurrent_downloads = { max_running: 500, max_running_per_key: 100, max_waiting_per_key: 50, timeout_ms: 30_000 }

/** Each download reads its pieces one after the other, and organizations take turns. */
const concurrent_reads = {
  ...concurrent_downloads,
  max_waiting_per_key: 1000,
  max_running: file_connections,
  max_running_per_key: file_connections,
}

/**
 * The minimum bytes that a client must receive per timeout, and the maximum duration of a download, in milliseconds.
 */
const min_bytes = 256 * 1024
const timeout_ms = 30_000
const max_ms = 10 * 60_000

/**
 * Adds `GET /v1/downloads/{token}`, which requires no key. Invalid, expired and revoked links and those of missing
 * files return 404. If PUBLIC_URL is not set, links begin with the address that the server listens on.
 */
export function serveDownloads(
  app: FastifyInstance,
  runtime: Runtime,
  downloads: Record<string, Download>,
  rolesHeld: RolesHeld,
): void {
  const downloadQueue = new FairQueue(concurrent_downloads)
  const readQueue = new FairQueue(concurrent_reads)
  const keepsRole = async ({ key_id, role, organization_id }: LinkClaims): Promise<boolean> =>
    key_id === null || (await rolesHeld(key_id, organization_id)).includes(role ?? '')
  const find = async (claims: LinkClaims): Promise<DownloadedFile | undefined> => {
    const { kind, organization_id, id } = claims
    const key = { kind, organization_id, id }
    if (!(await keepsRole(claims)) || !Object.hasOwn(downloads, kind)) return undefined
    const rows_of = organization_id === '' ? every_organization : [organization_id]
    const db = queuedReads(runtime.database.files(rows_of), readQueue, organization_id)
    return downloads[kind]!(contextOf(runtime, serviceCaller(organization_id), db), key, runtime)
  }
  app.addHook('onListen', async () => void (runtime.settings.public_url ??= app.listeningOrigin))
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: `${path}:token`,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      requireAuditLog(runtime)
      const claims = await readLink(runtime, request.params.token)
      if (!claims) throw new Refusal(generic.not_found)
      await downloadQueue.run(claims.organization_id, async () => {
        // The client may have disconnected while the download was queued.
        if (reply.raw.destroyed) return
        const file = await find(claims)
        runtime.audit_log.note({
          operation: downloadOperation.operation.operationId,
          organization_id: claims.organization_id || null,
          resource_id: resourceOf(claims),
          fields: null,
          status: file ? 200 : 404,
          actor: claims.requested_by,
          address: request.ip,
          trace_id: request.id,
        })
        if (!file) throw new Refusal(generic.not_found)
        await send(reply, file)
      })
      return reply
    },
  })
  refuseOtherMethods(app, `${path}:token`, ['GET', 'HEAD'])
}

const queuedReads = (db: Db, turns: FairQueue, owner: string): Db => ({
  ...db,
  rows: (text, values) => turns.run(owner, () => db.rows(text, values)),
  row: (text, values) => turns.run(owner, () => db.row(text, values)),
  json: (text, values) => turns.run(owner, () => db.json(text, values)),
})

/** Sends a file as fast as the client receives it, and closes the connection of a client that is too slow. */
async function send(reply: FastifyReply, file: DownloadedFile): Promise<void> {
  const { file_name, content_type, page_policy, bytes, body } = file
  const disposition = page_policy === undefined ? 'attachment' : 'inline'
  reply
    .header('content-type', content_type)
    .header('content-disposition', `${disposition}; filename="${file_name.replaceAll(/[^\w.-]/g, '_')}"`)
  // The address of the page is secret, so that other sites do not get it as the referrer.
  if (page_policy !== undefined)
    reply.headers({ 'content-security-policy': page_policy, 'referrer-policy': 'no-referrer' })
  if (bytes !== undefined) reply.header('content-length', bytes)
  if (reply.request.method === 'HEAD') return void reply.send()
  const watch = disconnectIfSlow(reply.raw.socket!)
  void reply.send(addAbortSignal(AbortSignal.timeout(max_ms), Readable.from(body, { objectMode: false })))
  // Any outcome ends the watch.
  await finished(reply.raw).catch(() => undefined)
  clearInterval(watch)
}

/**
 * Closes the connection of a slow client. A client does not count as slow while it waits for us, such as for a rare
 * audit entry.
 */
function disconnectIfSlow(socket: Socket): NodeJS.Timeout {
  const received = () => socket.bytesWritten - socket.writableLength
  let before = received()
  return setInterval(() => {
    if (socket.writableLength > 0 && received() - before < min_bytes) socket.destroy()
    before = received()
  }, timeout_ms)
}
