import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { html } from '../../kernel/formats/html.ts'
import { senderOf } from './fixed-texts.ts'

export type SendFile = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

const content_types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/** The names of assets contain a hash of their content. */
const immutable = { 'cache-control': 'public, max-age=31536000, immutable' }

/** The path that a proxy puts before ours, from the public URL: `/benefits`, or nothing. */
export const basePathOf = (public_url: string | null): string =>
  public_url === null ? '' : new URL(public_url).pathname.replace(/\/$/, '')

/**
 * Reads every file of a folder that a build writes, and returns its sender by the path in the folder. `rewrite` changes
 * texts before they are compressed. Undefined while `index.html` is missing, because the first start has not built it.
 */
export async function readBuilt(
  folder: string,
  rewrite: (text: string, path: string) => string,
): Promise<Map<string, SendFile> | undefined> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in content_types)
  const read = files.map(async ({ parentPath, name }): Promise<[string, SendFile]> => {
    const path = relative(folder, join(parentPath, name)).replaceAll('\\', '/')
    const type = content_types[extname(name)]!
    const bytes = await readFile(join(parentPath, name))
    const content = () => (type.includes('utf-8') ? rewrite(bytes.toString(), path) : bytes)
    return [path, senderOf(type, content, path.startsWith('assets/') ? immutable : {})]
  })
  const found = new Map(await Promise.all(read))
  return found.has('index.html') ? found : undefined
}

/** The response for a part of the service that browsers load but that is not built yet. */
export const sendNotBuilt = (reply: FastifyReply, part: 'console' | 'documentation'): FastifyReply =>
  reply
    .code(503)
    .headers({ 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'", 'retry-after': 5 })
    .type('text/html; charset=utf-8')
    .send(
      html.page(
        `The ${part} is not built yet`,
        html`<p>
            The first start builds it within seconds. Reload this page. If this page remains, the log contains the
            reason.
          </p>
          <p>
            An installation without development packages (<code>npm ci --omit=dev</code>) cannot build it. Run
            <code>npm ci</code> and <code>npm run build</code> there once, or install the package that
            <code>npm run package</code> writes.
          </p>`,
      ).text,
    )
