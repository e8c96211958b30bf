import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { senderOf } from './fixed-texts.ts'
import { html } from '../../kernel/html.ts'
import { refuseOtherMethods } from '../wire/other-methods.ts'

/** Where the console is, and where browsers are led that ask for nothing in particular. */
export const console_path = '/console'

/** What is built of the console; it is not there before the first start has built it. */
const built = join(import.meta.dirname, '../../../console/dist')

const content_types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Nothing but files of our own, and nothing that is written into the page. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  // A PDF that was fetched, shown in a frame by what the browser has for that.
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** What answers for each file, by its path; undefined while nothing is built. */
async function readBuilt(base: string): Promise<Map<string, Send> | undefined> {
  const entries = await readdir(built, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in content_types)
  const read = files.map(async ({ parentPath, name }): Promise<[string, Send]> => {
    const path = relative(built, join(parentPath, name)).replaceAll('\\', '/')
    const bytes = await readFile(join(parentPath, name))
    // Assets lie beside the page, wherever below it somebody is.
    const page = () => Buffer.from(bytes.toString().replaceAll('"./', `"${base}/`))
    return [path, senderOf(content_types[extname(name)]!, path === 'index.html' ? page : () => bytes)]
  })
  const found = new Map(await Promise.all(read))
  return found.has('index.html') ? found : undefined
}

const missing = html.page(
  'The console is not built yet',
  html`<p>
      A start builds it in a few seconds when it is missing: load this page again. When it stays away, the start has
      said why.
    </p>
    <p>
      A checkout that was installed for production alone (<code>npm ci --omit=dev</code>) has nothing to build it with.
      Run <code>npm ci</code> and <code>npm run build</code> there once, or install what <code>npm run package</code>
      writes, which has it built.
    </p>`,
)

/** Serves the console at `/console`: each address of it is the same page, which reads the address by itself. */
export function serveConsole(app: FastifyInstance, public_url: string | null): void {
  const base = new URL(public_url ?? 'http://localhost').pathname.replace(/\/$/, '') + console_path
  let files: Promise<Map<string, Send> | undefined> | undefined
  const find = async () => {
    const found = await (files ??= readBuilt(base))
    if (!found) files = undefined
    return found
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find()
    reply.header('referrer-policy', 'same-origin')
    if (!found) return sendMissing(reply)
    const path = (request.params as { '*'?: string })['*'] ?? ''
    const send = found.get(path)
    if (!send && path.startsWith('assets/')) throw new Refusal(generic.not_found)
    if (!send || path === 'index.html') {
      reply.header('content-security-policy', policy)
      return found.get('index.html')!(request, reply)
    }
    await send(request, reply)
    return reply
  }
  for (const url of [console_path, `${console_path}/*`]) {
    app.get(url, { exposeHeadRoute: false }, answer)
    refuseOtherMethods(app, url, ['GET'])
  }
}

const sendMissing = (reply: FastifyReply) =>
  reply
    .code(503)
    .headers({ 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'", 'retry-after': 5 })
    .type('text/html; charset=utf-8')
    .send(missing.text)
