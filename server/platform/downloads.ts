import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { serviceCaller } from './caller.ts'
import type { Ctx } from './ctx.ts'
import { refuseOtherMethods } from './methods.ts'
import { anonymousHeaders } from './openapi-headers.ts'
import { generic, Refusal } from './refusal.ts'
import { Timestamp } from './values.ts'
import { contextOf, type World } from './world.ts'

/** A file as it is sent. `file_name` has letters and digits of ASCII, `.`, `-` and `_`; anything else becomes `_`. */
export type DownloadedFile = { file_name: string; content_type: string; body: string | Buffer | Readable }

/** What a link leads to: a kind of file that a module serves, of one organization, and which one of that kind. */
export type DownloadKey = { kind: string; organization_id: string; id: string }

/**
 * Finds the file that a link leads to, when it is opened; undefined when it is gone. `ctx` reads as the service at the
 * organization: whoever made the link has seen to it that its holder may have the file.
 */
export type Download = (ctx: Ctx, key: DownloadKey) => Promise<DownloadedFile | undefined>

/** `{ download_url, expires_at }` of an answer. */
export const DownloadLink = z
  .object({
    download_url: z.url().meta({ description: 'Opens with GET, without a key. Whoever has it has the file.' }),
    expires_at: Timestamp.meta({ description: 'From this instant on the link is a 404.' }),
  })
  .meta({ id: 'DownloadLink', description: 'A signed link of 15 minutes.' })
export type DownloadLink = z.output<typeof DownloadLink>

/** Seconds. */
const link_lifetime = 15 * 60

/** Not the issuer of access tokens, which the same key signs: neither is ever taken for the other. */
const signing = { alg: 'HS256', issuer: 'openbenefits downloads' }

const path = '/v1/downloads/'

/** When a link that is made now ends, in whole seconds. */
export const linkExpiry = ({ real_now }: Ctx): string =>
  new Date((Math.floor(Date.parse(real_now) / 1000) + link_lifetime) * 1000).toISOString()

/**
 * Makes a link of 15 minutes, by the calendar's clock, which opens without a key (decisions.md, section 6). A module
 * serves its kinds by the field `downloads` of its line in modules.ts:
 *
 *     downloads: { invoice_pdf: (ctx, { organization_id, id }) => findPdf(ctx, organization_id, id) }
 *     …
 *     const link = await downloadLink(ctx, { kind: 'invoice_pdf', organization_id, id: invoice_id })
 */
export async function downloadLink(ctx: Ctx, { kind, organization_id, id }: DownloadKey): Promise<DownloadLink> {
  const expires_at = linkExpiry(ctx)
  const token = await new SignJWT({ kind, organization_id, id })
    .setProtectedHeader({ alg: signing.alg })
    .setIssuer(signing.issuer)
    .setExpirationTime(new Date(expires_at))
    .sign(ctx.secrets.token_key)
  return {
    download_url: `${ctx.settings.public_url ?? ''}${path}${token}`,
    expires_at,
  }
}

/** The operation in the OpenAPI document; it is no endpoint record, since nobody is asked who they are. */
export const downloadOperation = {
  path: `${path}{token}`,
  method: 'get',
  operation: {
    operationId: 'download_file',
    tags: ['Downloads'],
    summary: 'Download a file',
    description:
      'Links come in the `download_url` of other answers; take them as they are. They open without a key, and are a 404 ' +
      'from `expires_at` on. The answer is sent with `Cache-Control: no-store`.',
    security: [],
    parameters: [{ name: 'token', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: {
        description: 'The file.',
        headers: anonymousHeaders,
        content: {
          'text/csv': {
            schema: { type: 'string', description: 'A statement: a header line, and a line for each of its lines.' },
          },
          'application/pdf': { schema: { type: 'string', contentEncoding: 'binary' } },
        },
      },
      404: {
        description: '`not_found`: The link is wrong, has expired, or leads nowhere any more.',
        headers: anonymousHeaders,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  },
}

/** What a token leads to; undefined for one that is not ours, was changed, or has expired. */
async function readLink(world: World, token: string): Promise<DownloadKey | undefined> {
  try {
    const { payload } = await jwtVerify<DownloadKey>(token, world.secrets.token_key, {
      algorithms: [signing.alg],
      issuer: signing.issuer,
      currentDate: new Date(world.clock()),
    })
    return payload
  } catch {
    return undefined
  }
}

/**
 * Adds `GET /v1/downloads/{token}`, which asks for no key. A link that is wrong, has expired or leads nowhere any more
 * is a 404. Where PUBLIC_URL is not set, links begin with the address that the server listens on.
 */
export function serveDownloads(app: FastifyInstance, world: World, downloads: Record<string, Download>): void {
  app.addHook('onListen', async () => void (world.settings.public_url ??= app.listeningOrigin))
  app.get<{ Params: { token: string } }>(`${path}:token`, async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
    const key = await readLink(world, request.params.token)
    const serve = key && Object.hasOwn(downloads, key.kind) ? downloads[key.kind] : undefined
    const ctx = key && contextOf(world, serviceCaller(key.organization_id), world.database.reads)
    const file = ctx && (await serve?.(ctx, key))
    if (!file) throw new Refusal(generic.not_found)
    return send(reply, file)
  })
  refuseOtherMethods(app, `${path}:token`, ['GET', 'HEAD'])
}

const send = (reply: FastifyReply, { file_name, content_type, body }: DownloadedFile): FastifyReply =>
  reply
    .header('content-type', content_type)
    .header('content-disposition', `attachment; filename="${file_name.replaceAll(/[^\w.-]/g, '_')}"`)
    .send(body)
