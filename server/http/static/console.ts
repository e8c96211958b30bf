import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { basePathOf, readBuilt, sendNotBuilt, type SendFile } from './built-files.ts'
import { refuseOtherMethods } from '../wire/method-not-allowed.ts'

/** The path of the console. The bare address redirects browsers here. */
export const console_path = '/console'

/** The built console. Missing until the first start has built it. */
const built = join(import.meta.dirname, '../../../console/dist')

/** The path below the console that sign-in pages and the demo page of the widgets load their font from. */
const font_file = 'inter.woff2'

/** Redirects to the built file of the font, whose name has a hash. Browsers keep that file. */
function redirectToFont(files: Map<string, SendFile>, base: string, reply: FastifyReply): FastifyReply {
  const file = files.keys().find((path) => path.startsWith('assets/inter-latin-wght-normal'))
  if (!file) throw new Refusal(generic.not_found)
  return reply.header('cache-control', 'no-cache').redirect(`${base}/${file}`, 302)
}

/** Allows only files of the same origin, and no inline scripts or styles. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Reads large files in a worker, and compresses large workbooks in one whose script is a blob.
  "worker-src 'self' blob:",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  // PDFs are fetched and shown in a frame by the browser's viewer. Emails have an address and a policy of their own.
  "frame-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Serves the console at `/console`. Every path below it returns the same page, which does its own routing. */
export function serveConsole(app: FastifyInstance, public_url: string | null): void {
  const base = basePathOf(public_url) + console_path
  // Asset links must be absolute, because the page may be requested at any path below the console.
  const absolute = (text: string, path: string) => (path === 'index.html' ? text.replaceAll('"./', `"${base}/`) : text)
  let files: Promise<Map<string, SendFile> | undefined> | undefined
  const find = async () => {
    const found = await (files ??= readBuilt(built, absolute))
    if (!found) files = undefined
    return found
  }
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const found = await find()
    reply.header('referrer-policy', 'same-origin')
    if (!found) return sendNotBuilt(reply, 'console')
    const path = (request.params as { '*'?: string })['*'] ?? ''
    if (path === font_file) return redirectToFont(found, base, reply)
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
    app.get(url, { exposeHeadRoute: false }, sendPage)
    refuseOtherMethods(app, url, ['GET'])
  }
}
