import type { Socket } from 'node:net'
import { addAbortSignal, Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { SignJWT } from 'jose'
import { z } from 'zod'
import { actorOf, type Actor } from '../audit/audit.ts'
import { serviceCaller } from '../../runtime/caller.ts'
import type { Ctx, ReadCtx } from '../../runtime/ctx.ts'
import { type Db, file_connections } from '../../database/query/database.ts'
import { every_organization } from '../../database/query/rows-of.ts'
import { roleAt } from '../../runtime/permissions.ts'
import { Expiry, readSigned } from '../access-tokens.ts'
import { refuseOtherMethods } from '../wire/other-methods.ts'
import type { DownloadLink } from './download-link.ts'
import type { OpenOperation } from '../openapi/openapi.ts'
import { refusalsOfStrangers } from '../openapi/openapi-errors.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { FairQueue } from '../../kernel/fair-queue.ts'
import { requireTrail } from '../observe/trace.ts'
import { contextOf, type Runtime } from '../../runtime/runtime.ts'

/**
 * A file as it is sent. `file_name` has letters and digits of ASCII, `.`, `-` and `_`; anything else becomes `_`. A
 * body in pieces is asked for the next one when the one before was taken; `bytes` is how many they are together, where
 * known.
 */
export type DownloadedFile = {
  file_name: string
  content_type: string
  bytes?: number
  body: Buffer | AsyncIterable<Buffer | string>
}

/**
 * What a link leads to: a kind of file that a module serves, of one organization or of all (empty), and which one of
 * that kind.
 */
export type DownloadKey = { kind: string; organization_id: string; id: string }

/**
 * Finds the file that a link leads to, when it is opened; undefined when it is gone. `ctx` reads as the service at the
 * organization: whoever made the link has seen to it that its holder may have the file. It reads over the connections
 * for files, in turns among organizations: in pieces, so that no turn is long.
 */
export type Download = (ctx: Ctx, key: DownloadKey, runtime: Runtime) => Promise<DownloadedFile | undefined>

/**
 * The roles in which a key or a session reaches an organization, as was known a few seconds ago at most: none when
 * it is over, or reaches it no more. Of an operator's it is their role; of a session it may be both.
 */
export type RolesHeld = (key_id: string, organization_id: string) => Promise<readonly string[]>

/** Seconds. */
const link_lifetime = 15 * 60

/** Not the issuer of access tokens, which the same key signs: neither is ever taken for the other. */
const signing = { alg: 'HS256', issuer: 'openbenefits downloads' }

/**
 * `key_id`: what ends the link before its time; null where no key asked for it.
 * `role`: the one in which it was asked for, and without which it opens nothing; null for the service itself.
 * `asked_by`: whose downloads they are to the audit trail.
 */
const LinkClaims = z.object({
  kind: z.string(),
  organization_id: z.string(),
  id: z.string(),
  key_id: z.string().nullable(),
  role: z.string().nullable(),
  asked_by: z.custom<Actor>((value) => typeof value === 'object' && value !== null),
  exp: Expiry,
})
type LinkClaims = z.output<typeof LinkClaims>

const path = '/v1/downloads/'

/** When a link that is made now ends, in whole seconds. */
export const linkExpiry = ({ real_now }: ReadCtx): string =>
  new Date((Math.floor(Date.parse(real_now) / 1000) + link_lifetime) * 1000).toISOString()

/**
 * Makes a link of 15 minutes, by the calendar's clock, which opens without a key (decisions.md, section 6), for as long
 * as the key behind the caller reaches the organization in the role that it has now. A module serves its kinds by the
 * field `downloads` of its line in modules.ts:
 *
 *     downloads: { invoice_pdf: openInvoicePdf }
 *     …
 *     const link = await downloadLink(ctx, { kind: 'invoice_pdf', organization_id, id: invoice_id })
 */
export async function downloadLink(ctx: ReadCtx, { kind, organization_id, id }: DownloadKey): Promise<DownloadLink> {
  const expires_at = linkExpiry(ctx)
  const { caller } = ctx
  const role = caller.operator_role ?? roleAt(caller, organization_id) ?? null
  const claims: Omit<LinkClaims, 'exp'> = {
    kind,
    organization_id,
    id,
    key_id: caller.key_id,
    role,
    asked_by: actorOf(caller),
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

const refused = refusalsOfStrangers('download_file', [
  { ...generic.not_found, message: 'The link is wrong, has expired, or leads nowhere any more.' },
  {
    ...generic.unavailable,
    message: 'Too many files of the organization are being downloaded. Wait for `Retry-After` seconds.',
  },
])

const binary = { schema: { type: 'string', contentEncoding: 'binary' } } as const

/** The operation in the OpenAPI document; it is no endpoint record, since nobody is asked who they are. */
export const downloadOperation: OpenOperation = {
  path: `${path}{token}`,
  method: 'get',
  operation: {
    operationId: 'download_file',
    'x-sdk': 'downloads.get',
    tags: ['Downloads'],
    summary: 'Download a file',
    description:
      'Links come in the `download_url` of other answers. They open without a key, and are a 404 from' +
      ' `expires_at` on, or within 5 seconds after the API key that asked for them was revoked, or ' +
      'its owner left or got another role. Too many at once are a 503 with `Retry-After`, and who ' +
      'takes less than 256 KiB in 30 seconds is hung up on.',
    security: [],
    parameters: [
      {
        name: 'token',
        in: 'path',
        required: true,
        description: 'As it stands in the link.',
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
              description: 'A statement, enrollments or audit entries: a header line, and a line for each.',
            },
          },
          'application/x-ndjson': { schema: { type: 'string', description: 'Audit entries, a line of JSON each.' } },
          'application/pdf': binary,
          'image/png': binary,
          'image/jpeg': binary,
          'image/webp': binary,
          'image/heic': binary,
        },
      },
      ...refused.responses,
    },
  },
  refuses: refused.refuses,
}

/** The id of a thing, and not what else may tell a file from others. */
const named = /^(?:[a-z]+_[0-9a-z]{26}|INV-[\w-]{1,40})$/

/** What a token leads to; undefined for one that is not ours, was changed, or has expired. */
const readLink = ({ secrets, clock }: Runtime, token: string): Promise<LinkClaims | undefined> =>
  readSigned(secrets, signing, LinkClaims, token, clock())

/** How many files are sent at a time, how many of them to one organization, and how many more of it may wait. */
const sent_at_once = { at_once: 500, at_once_of_one: 100, waiting_of_one: 50, patience_ms: 30_000 }

/** Each of those reads a piece after the other, in turns. */
const read_at_once = {
  ...sent_at_once,
  waiting_of_one: 1000,
  at_once: file_connections,
  at_once_of_one: file_connections,
}

/** Bytes of a file that must be taken in so many milliseconds, and milliseconds in which all of it must be. */
const least_taken = 256 * 1024
const patience_ms = 30_000
const longest_ms = 10 * 60_000

/**
 * Adds `GET /v1/downloads/{token}`, which asks for no key. A link that is wrong, has expired, has lost the key that
 * asked for it or leads nowhere any more is a 404. Where PUBLIC_URL is not set, links begin with the address that the
 * server listens on.
 */
export function serveDownloads(
  app: FastifyInstance,
  runtime: Runtime,
  downloads: Record<string, Download>,
  rolesHeld: RolesHeld,
): void {
  const sending = new FairQueue(sent_at_once)
  const reading = new FairQueue(read_at_once)
  const isGood = async ({ key_id, role, organization_id }: LinkClaims): Promise<boolean> =>
    key_id === null || (await rolesHeld(key_id, organization_id)).includes(role ?? '')
  const find = async (claims: LinkClaims): Promise<DownloadedFile | undefined> => {
    const { kind, organization_id, id } = claims
    const key = { kind, organization_id, id }
    if (!(await isGood(claims)) || !Object.hasOwn(downloads, kind)) return undefined
    const rows_of = organization_id === '' ? every_organization : [organization_id]
    const db = inTurns(runtime.database.files(rows_of), reading, organization_id)
    return downloads[kind]!(contextOf(runtime, serviceCaller(organization_id), db), key, runtime)
  }
  app.addHook('onListen', async () => void (runtime.settings.public_url ??= app.listeningOrigin))
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: `${path}:token`,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      requireTrail(runtime)
      const claims = await readLink(runtime, request.params.token)
      if (!claims) throw new Refusal(generic.not_found)
      await sending.run(claims.organization_id, async () => {
        // Whoever waited for the turn may have gone.
        if (reply.raw.destroyed) return
        const file = await find(claims)
        runtime.trail.note({
          operation: downloadOperation.operation.operationId,
          organization_id: claims.organization_id || null,
          resource_id: named.test(claims.id) ? claims.id : null,
          fields: null,
          status: file ? 200 : 404,
          actor: claims.asked_by,
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

/** Reads that each wait for a turn. */
const inTurns = (db: Db, turns: FairQueue, owner: string): Db => ({
  divided: db.divided,
  rows: (text, values) => turns.run(owner, () => db.rows(text, values)),
  row: (text, values) => turns.run(owner, () => db.row(text, values)),
  json: (text, values) => turns.run(owner, () => db.json(text, values)),
})

/** Sends a file as fast as it is taken; one who hardly takes it is hung up on. */
async function send(reply: FastifyReply, { file_name, content_type, bytes, body }: DownloadedFile): Promise<void> {
  reply
    .header('content-type', content_type)
    .header('content-disposition', `attachment; filename="${file_name.replaceAll(/[^\w.-]/g, '_')}"`)
  if (bytes !== undefined) reply.header('content-length', bytes)
  if (reply.request.method === 'HEAD') return void reply.send()
  const watch = hangUpOnSlow(reply.raw.socket!)
  void reply.send(addAbortSignal(AbortSignal.timeout(longest_ms), Readable.from(body, { objectMode: false })))
  // However it ended.
  await finished(reply.raw).catch(() => undefined)
  clearInterval(watch)
}

/** Nobody is slow whom we let wait, as for the next entry of a trail in which few are asked for. */
function hangUpOnSlow(socket: Socket): NodeJS.Timeout {
  const taken = () => socket.bytesWritten - socket.writableLength
  let before = taken()
  return setInterval(() => {
    if (socket.writableLength > 0 && taken() - before < least_taken) socket.destroy()
    before = taken()
  }, patience_ms)
}
