import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { html, type Html } from '../../kernel/formats/html.ts'
import { generic, Refusal } from '../../kernel/refusal.ts'
import type { SendFile } from './built-files.ts'
import { senderOf } from './fixed-texts.ts'
import { refuseOtherMethods } from '../wire/method-not-allowed.ts'

const folder = join(import.meta.dirname, '../../../widgets')

/** The built widgets. Missing until the first start has built them. */
const built = join(folder, 'dist')

/** The demo page, a fictional partner app with the widgets. */
const demo = {
  '/widgets': ['index.html', 'text/html; charset=utf-8'],
  '/widgets/demo/page.js': ['page.js', 'text/javascript; charset=utf-8'],
  '/widgets/demo/page.css': ['page.css', 'text/css; charset=utf-8'],
} as const

/** The strictest policy that a partner's page may have: only files of its own origin, no inline scripts or styles. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; font-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

type BuiltFile = { integrity: string; bytes: number; gzip_bytes: number }

/** The manifest of the build: the version, and the hash and size of each widget and of the parts that load later. */
export type WidgetManifest = { version: string; files: Record<string, BuiltFile>; parts: Record<string, BuiltFile> }

type Built = { manifest: WidgetManifest; files: Map<string, SendFile> }

/** Pages of any origin may load the widgets and verify their pinned hash. */
const public_headers = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }
const javascript = 'text/javascript; charset=utf-8'

const readManifest = () => readFile(join(built, 'manifest.json'), 'utf8').catch(() => undefined)

/** The policy of our own page with a widget. */
export const widget_policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; font-src 'self'; connect-src 'self'; " +
  "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The script of a widget for our own page. Refuses with 503 until the widgets are built. */
export async function widgetScript(name: string): Promise<Html> {
  const text = await readManifest()
  if (text === undefined) throw new Refusal(widgets_not_built, [], { 'retry-after': '5' })
  const { version, files } = JSON.parse(text) as WidgetManifest
  return html`<script
    type="module"
    src="/widgets/${version}/${name}.js"
    integrity="${files[name]!.integrity}"
    crossorigin
  ></script>`
}

async function readBuilt(): Promise<Built | undefined> {
  const text = await readManifest()
  if (text === undefined) return undefined
  const manifest = JSON.parse(text) as WidgetManifest
  // A file of a version never changes.
  const headers = { ...public_headers, 'cache-control': 'public, max-age=31536000, immutable' }
  const read = Object.keys({ ...manifest.files, ...manifest.parts }).map(async (name): Promise<[string, SendFile]> => {
    const bytes = await readFile(join(built, `${name}.js`))
    return [`${manifest.version}/${name}.js`, senderOf(javascript, () => bytes, headers)]
  })
  const sendManifest = senderOf('application/json; charset=utf-8', () => text, public_headers)
  return { manifest, files: new Map([...(await Promise.all(read)), ['manifest.json', sendManifest]]) }
}

const widgets_not_built = {
  ...generic.unavailable,
  message: 'The widgets are not built yet. The first start builds them within seconds; otherwise run `npm run build`.',
}

/**
 * Serves the widgets. `/widgets/manifest.json` contains the version and the hash of each file.
 * `/widgets/{version}/{name}.js` is the file and never changes. A sandbox shows the widgets at `/widgets`.
 */
export function serveWidgets(app: FastifyInstance, sandbox: boolean): void {
  let found: Promise<Built | undefined> | undefined
  const url = '/widgets/*'
  app.get(url, { exposeHeadRoute: false }, async (request, reply) => {
    const built_widgets = await (found ??= readBuilt())
    if (!built_widgets) {
      found = undefined
      throw new Refusal(widgets_not_built, [], { 'retry-after': '5' })
    }
    const send = built_widgets.files.get((request.params as { '*': string })['*'])
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
