// Builds each widget into one self-contained file, with the hash that lets a page pin it.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const here = import.meta.dirname
const widgets = ['employee-dashboard', 'employer-benefits', 'employer-billing']
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))

const folder = process.argv[2] ?? join(here, 'dist')
mkdirSync(folder, { recursive: true })

const files = {}
for (const name of widgets) {
  const bundle = await rolldown({
    input: join(here, `src/${name}.ts`),
    platform: 'browser',
    moduleTypes: { '.css': 'text' },
    transform: { target: 'es2024', define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false })
  await bundle.close()
  const { code } = output[0]
  writeFileSync(join(folder, `${name}.js`), code)
  files[name] = {
    integrity: `sha384-${createHash('sha384').update(code).digest('base64')}`,
    bytes: Buffer.byteLength(code),
    gzip_bytes: gzipSync(code, { level: 9 }).length,
  }
}
// The URL contains a hash of the content, so a page that pins a hash never receives another file.
const content = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 8)
writeFileSync(
  join(folder, 'manifest.json'),
  `${JSON.stringify({ version: `${version}-${content}`, files }, null, 2)}\n`,
)
