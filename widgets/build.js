// Builds each widget into one file with the hash that lets a page pin it. A widget with many views has a second file,
// whose hash is in the first one.
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

/** Stands for the hash of the second file until that file is built. */
const placeholder = 'hash-of-screens'
const describe = (code) => ({
  integrity: `sha384-${createHash('sha384').update(code).digest('base64')}`,
  bytes: Buffer.byteLength(code),
  gzip_bytes: gzipSync(code, { level: 9 }).length,
})

const files = {}
const parts = {}
for (const name of widgets) {
  const bundle = await rolldown({
    input: join(here, `src/${name}.ts`),
    platform: 'browser',
    moduleTypes: { '.css': 'text' },
    transform: {
      target: 'es2024',
      define: { 'process.env.NODE_ENV': '"production"', SCREENS_INTEGRITY: `"${placeholder}"` },
    },
    // The second file imports shared modules from the first one, not from a third.
    preserveEntrySignatures: 'allow-extension',
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, chunkFileNames: `${name}-screens.js` })
  await bundle.close()
  const [entry, part, ...more] = output
  if (more.length > 0) throw new Error(`${name} has more than two files.`)
  let { code } = entry
  if (part) {
    const part_name = part.fileName.slice(0, -'.js'.length)
    writeFileSync(join(folder, part.fileName), part.code)
    parts[part_name] = describe(part.code)
    code = code.replace(placeholder, parts[part_name].integrity)
  }
  writeFileSync(join(folder, `${name}.js`), code)
  files[name] = describe(code)
}
// The URL contains a hash of the content, so a page that pins a hash never receives another file.
const content = createHash('sha256').update(JSON.stringify({ files, parts })).digest('hex').slice(0, 8)
writeFileSync(
  join(folder, 'manifest.json'),
  `${JSON.stringify({ version: `${version}-${content}`, files, parts }, null, 2)}\n`,
)
