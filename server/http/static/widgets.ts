import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { generic, Refusal } from '../../kernel/refusal.ts'
import { senderOf } from './fixed-texts.ts'
import { refuseOtherMethods } from '../wire/other-methods.ts'

const folder = join(import.meta.dirname, '../../../widgets')

/** What is built of the widgets; it is not there before the first start has built it. */
const built = join(folder, 'dist')

/** The page of a made-up app, in which a sandbox shows them. */
const demo = {
  '/widgets': ['index.html', 'text/html; charset=utf-8'],
  '/widgets/demo/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/widgets/demo/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const

/** As strict as a page of a partner may be: nothing but files of its own, and nothing that is written into it. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

/** What is built: by which version, and of each widget its hash and size. */
export type WidgetManifest = {
  version: string
  files: Record<string, { integrity: string; bytes: number; gzip_bytes: number }>
}

type SendFile = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
type Built = { manifest: WidgetManifest; files: Map<string, SendFile> }

/** Pages of any origin load it, and check that it is what they pinned. */
const for_everybody = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const javascript = 'text/javascript; charset=utf-8'

async function readBuilt(): Promise<Built | undefined> {
  const text = await readFile(join(built, 'manifest.json'), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const manifest = JSON.parse(text) as WidgetManifest
  // What has a version never changes.
  const headers = { ...for_everybody, 'cache-control': 'public, max-age=31536000, immutable' }
  const read = Object.keys(manifest.files).map(async (name): Promise<[string, SendFile]> => {
    const bytes = await readFile(join(built, `${name}.js`))
    return [`${manifest.version}/${name}.js`, senderOf(javascript, () => bytes, headers)]
  })
  const sendManifest = senderOf('application/json; charset=utf-8', () => text, for_everybody)
  return { manifest, files: new Map([...(await Promise.all(read)), ['manifest.json', sendManifest]]) }
}

const not_built = 'The widgets are not built yet: a start builds them in a few seconds, or `npm run build`.'

/**
 * Serves the widgets: `/widgets/manifest.json` names the version and what each file must hash to, and
 * `/widgets/{version}/{name}.js` is the file, for good. A sandbox shows them at `/widgets`.
 */
export function serveWidgets(app: FastifyInstance, sandbox: boolean): void {
  let found: Promise<Built | undefined> | undefined
  const url = '/widgets/*'
  app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
    const there = await (found ??= readBuilt())
    if (!there) {
      found = undefined
      throw new Refusal({ ...generic.unavailable, message: not_built }, [], { 'retry-after': '5' })
    }
    const send = there.files.get((request.params as { '*': string })['*'])
    if (!send) throw new Refusal(generic.not_found)
    return send(request, reply)
  })
  refuseOtherMethods(app, url, ['GET'])
  if (sandbox) serveDemo(app)
}

function serveDemo(app: FastifyInstance): void {
  const headers = { 'content-security-policy': policy, 'referrer-policy': 'same-origin' }
  for (const [url, [file, content_type]] of Object.entries(demo)) {
    const text = () => readFile(join(folder, 'demo', file), 'utf8')
    app.get(url, { exposeHeadRoute: false }, senderOf(content_type, text, headers))
    refuseOtherMethods(app, url, ['GET'])
  }
}
