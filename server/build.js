// Builds the service into a few files, which a start reads in place of some 1,200; see docs/decisions/0205. What they read
// beside themselves, such as SQL and migrations, stays where it is, and so do packages that are loaded when used.
import { isBuiltin, SourceMap } from 'node:module'
import { rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'

const here = import.meta.dirname
const folder = resolve(process.argv[2] ?? join(here, 'dist'))
const entries = ['main', 'checking-thread']

/** Packages that a quiet service never loads: they stay in node_modules until somebody uses them. */
const loaded_when_used = new Set([
  '@keycloak/keycloak-admin-client',
  '@tryfinch/finch-api',
  'openid-client',
  'pg-native',
  'stripe',
])

const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/')
const slashed = (path) => path.split(sep).join('/')

/** What `import.meta` was to a source, by the place of what was built from it. */
const placeOf = (path) =>
  `const source_place = { url: new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href, ` +
  `get dirname() { return process.getBuiltinModule('node:url').fileURLToPath(new URL('.', this.url)).slice(0, -1) } }; `

/** Each source goes on finding what lies beside it; a thread that is built too is started as it was built. */
const places = {
  name: 'places',
  transform(code, id) {
    const path = slashed(relative(here, id))
    if (/^(?:\.\.\/(?!packages\/)|node_modules\/)/.test(path)) return undefined
    const lines = entries.includes(path.replace(/\.ts$/, '')) ? `import './runtime/source-lines.ts';` : ''
    const is_placed = /\bimport\.meta\.(url|dirname)\b/.test(code)
    if (!lines && !is_placed) return undefined
    // On one line with what follows: a line of the source stays the same line.
    const place = is_placed ? placeOf(path) : ''
    const moved = code
      .replaceAll(/\bimport\.meta\.(url|dirname)\b/g, 'source_place.$1')
      .replaceAll(/new URL\('\.\/([\w-]+)\.ts', source_place\.url\)/g, (whole, name) =>
        entries.includes(name) ? `new URL(${JSON.stringify(`./${name}.js`)}, import.meta.url)` : whole,
      )
    return { code: lines + place + moved, map: null }
  },
}

const builtin_import = /^import (?:(\w[\w$]*)(?:, )?)?(?:\* as (\w[\w$]*)|\{ (.*) \})? from "([^"]+)";$/gm

/**
 * What Node has is taken from it by name. Imported, each of its modules is asked for all that it has, and so `node:http`
 * loads a client of HTTP that nobody uses, which took 40 ms of a start.
 */
const builtins = {
  name: 'builtins',
  renderChunk(code) {
    const taken = code.replaceAll(builtin_import, (line, whole, all, names, module) => {
      if (!isBuiltin(module)) return line
      const from = `process.getBuiltinModule(${JSON.stringify(module)})`
      const parts = [whole, all, names && `{ ${names.replaceAll(/(\S+) as (\S+)/g, '$1: $2')} }`].filter(Boolean)
      return parts.map((part) => `const ${part} = ${from};`).join(' ')
    })
    return { code: taken, map: null }
  },
}

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, join(here, `${name}.ts`)])),
  platform: 'node',
  external: (id) => loaded_when_used.has(packageOf(id)),
  plugins: [places, builtins],
  logLevel: 'warn',
})
// One character beyond ASCII would have V8 keep two bytes for each.
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  charset: 'ascii',
  comments: false,
  sourcemap: 'hidden',
})
await bundle.close()

/** Of each line, from which source it is, and from which line of it; see runtime/source-lines.ts. */
function linesOf({ code, map }) {
  const places = new SourceMap(map)
  const sources = []
  const lines = code.split('\n').flatMap((_, line) => {
    const { generatedLine, originalSource, originalLine } = places.findEntry(line, Number.MAX_SAFE_INTEGER)
    if (generatedLine !== line || originalSource === undefined) return [-1, 0]
    const path = slashed(relative(here, resolve(folder, originalSource)))
    if (!sources.includes(path)) sources.push(path)
    return [sources.indexOf(path), originalLine + 1]
  })
  return { sources, lines }
}

for (const chunk of output.filter(({ map }) => map)) {
  rmSync(join(folder, `${chunk.fileName}.map`))
  writeFileSync(join(folder, `${chunk.fileName}.lines.json`), JSON.stringify(linesOf(chunk)))
}
