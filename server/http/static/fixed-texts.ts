import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** A document that is the same for every client as long as the process runs. It is created on the first request. */
export type FixedText = {
  path: string
  content_type: string
  text: () => string | Buffer | Promise<string>
  /** for a page: its content security policy */
  headers?: Record<string, string>
}

type TextEncoding = 'br' | 'gzip'
type Encoded = { etag: string; encoding?: TextEncoding; bytes: Buffer }

const compress: Record<TextEncoding, (bytes: Buffer) => Promise<Buffer>> = {
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes) => promisify(gzip)(bytes, { level: 9 }),
}

/**
 * Serves documents without authentication, at their own paths and below paths that end in `/*`. `find` lists them on
 * the first request. They are compressed if the client accepts it, and revalidated by ETag.
 */
export function serveFixedTexts(app: FastifyInstance, urls: string[], find: () => Promise<FixedText[]>): void {
  let finding: Promise<Map<string, ReturnType<typeof senderOf>>> | undefined
  const findAll = async () =>
    new Map(
      (await find()).map(({ path, content_type, text, headers }) => [path, senderOf(content_type, text, headers)]),
    )
  for (const url of urls)
    app.get(url, async (request, reply) => {
      finding ??= findAll().catch((error) => {
        finding = undefined
        throw error
      })
      const { '*': rest } = request.params as { '*'?: string }
      const send = (await finding).get(rest === undefined ? url : url.slice(0, -1) + rest)
      return send ? send(request, reply) : reply.callNotFound()
    })
}

/** Serves one document. It is created and compressed on the first request. */
export function senderOf(
  content_type: string,
  create: () => string | Buffer | Promise<string>,
  headers: Record<string, string> = {},
) {
  const made = new Map<TextEncoding | undefined, Promise<Encoded>>()
  let written: Promise<string | Buffer> | undefined
  const write = () =>
    (written ??= Promise.try(create).catch((error) => {
      // Retry on the next request.
      written = undefined
      made.clear()
      throw error
    }))
  const make = async (encoding: TextEncoding | undefined): Promise<Encoded> => {
    const whole = Buffer.from(await write())
    const hash = createHash('sha256').update(whole).digest('base64url').slice(0, 22)
    if (!encoding) return { etag: `"${hash}"`, bytes: whole }
    return { etag: `"${hash}-${encoding}"`, encoding, bytes: await compress[encoding](whole) }
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const wanted = encodingFor(request.headers['accept-encoding'])
    const sent = made.get(wanted) ?? make(wanted)
    made.set(wanted, sent)
    const { etag, encoding, bytes } = await sent
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', etag, ...headers })
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
    if (encoding) reply.header('content-encoding', encoding)
    return reply.type(content_type).send(bytes)
  }
}

/** The best encoding that a client accepts. Undefined if it accepts none. */
function encodingFor(accepted = ''): TextEncoding | undefined {
  const accepted_encodings = accepted
    .split(',')
    .map((encoding) => encoding.trim().toLowerCase())
    .filter((encoding) => !/;\s*q=0(\.0*)?$/.test(encoding))
    .map((encoding) => encoding.split(';')[0]!.trim())
  return (['br', 'gzip'] as const).find((encoding) => accepted_encodings.includes(encoding))
}

const isKnown = (if_none_match: string | undefined, etag: string): boolean =>
  if_none_match === '*' || (if_none_match?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag) ?? false)
