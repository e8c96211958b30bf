import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { basePathOf, readBuilt, sendNotBuilt, type SendFile } from './built-files.ts'

/** The built site, by the generator in `docs-site`. Missing until the first start has built it. */
const built = join(import.meta.dirname, '../../../docs-site/dist')

/** The site is built once, for any path that a proxy may put before ours. */
const base_in_build = /\/__BASE__/g

type Site = { files: Map<string, SendFile>; policy: string }

/** All pages contain the same inline scripts. They set the theme before the first paint. */
const inline_script = /<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g

function policyOf(page: string): string {
  const hashes = [...page.matchAll(inline_script)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

async function readSite(base: string): Promise<Site | undefined> {
  const files = await readBuilt(built, (text) => text.replaceAll(base_in_build, base))
  return files && { files, policy: policyOf(await readFile(join(built, 'index.html'), 'utf8')) }
}

/** Serves the documentation below `/docs/`: pages without `.html`, and as Markdown with `.md`. */
export function serveDocsSite(app: FastifyInstance, public_url: string | null): void {
  const base = basePathOf(public_url)
  let reading: Promise<Site | undefined> | undefined
  const send = async (path: string, request: FastifyRequest, reply: FastifyReply) => {
    const site = await (reading ??= readSite(base))
    if (!site) {
      reading = undefined
      return sendNotBuilt(reply, 'documentation')
    }
    const page = site.files.get(path === '' ? 'index.html' : `${path}.html`)
    const found = page ?? (path.endsWith('.html') ? undefined : site.files.get(path))
    if (!found) return reply.callNotFound()
    if (page) reply.header('content-security-policy', site.policy)
    await found(request, reply)
    return reply
  }
  app.get('/docs', (_, reply) => reply.redirect(`${base}/docs/`, 308))
  // Pages of the site link only to paths below it.
  app.get('/docs/operator/', (_, reply) => reply.redirect(`${base}/operator/docs/`, 308))
  app.get('/docs/*', (request, reply) => send((request.params as { '*': string })['*'], request, reply))
  for (const path of ['llms.txt', 'llms-full.txt']) app.get(`/${path}`, (request, reply) => send(path, request, reply))
}
