// Bundles the service into a few files, so that a start need not read some 1,200; see docs/design/service/process.md.
// Files that the sources read, such as SQL and migrations, stay where they are, and so do packages that are loaded on
// demand.
import { isBuiltin, SourceMap } from 'node:module'
import { rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { rolldown } from 'rolldown'

const here = import.meta.dirname
const folder = resolve(process.argv[2] ?? join(here, 'dist'))
const entries = ['main', 'worker-child', 'validation-thread']

/** Packages that an idle service never loads. They stay in node_modules until they are used. */
const loaded_on_demand = new Set([
  '@keycloak/keycloak-admin-client',
  '@tryfinch/finch-api',
  'openid-client',
  'pg-native',
  'stripe',
  'tinypool',
])

const packageOf = (id) => id.split('/', id.startsWith('@') ? 2 : 1).join('/')
const slashed = (path) => path.split(sep).join('/')

/** Code that replaces `import.meta` of a source with its location relative to the bundle. */
const positionOf = (path) =>
  `const source_position = { url: new URL(${JSON.stringify(`../${path}`)}, import.meta.url).href, ` +
  `get dirname() { return process.getBuiltinModule('node:url').fileURLToPath(new URL('.', this.url)).slice(0, -1) } }; `

/** Keeps each source's paths to neighboring files. A thread that is bundled too is started from its bundle. */
const position_plugin = {
  name: 'positions',
  transform(code, id) {
    const path = slashed(relative(here, id))
    if (/^(?:\.\.\/(?!packages\/)|node_modules\/)/.test(path)) return undefined
    const lines = entries.includes(path.replace(/\.ts$/, '')) ? `import './runtime/process/source-lines.ts';` : ''
    const has_position = /\bimport\.meta\.(url|dirname)\b/.test(code)
    if (!lines && !has_position) return undefined
    // On one line with the code after it, so that line numbers stay the same.
    const position = has_position ? positionOf(path) : ''
    const moved = code
      .replaceAll(/\bimport\.meta\.(url|dirname)\b/g, 'source_position.$1')
      .replaceAll(/new URL\('\.\.?\/([\w-]+)\.ts', source_position\.url\)/g, (whole, name) =>
        entries.includes(name) ? `new URL(${JSON.stringify(`./${name}.js`)}, import.meta.url)` : whole,
      )
    return { code: lines + position + moved, map: null }
  },
}

const builtin_import = /^import (?:(\w[\w$]*)(?:, )?)?(?:\* as (\w[\w$]*)|\{ (.*) \})? from "([^"]+)";$/gm

/**
 * Takes Node's modules by name with `process.getBuiltinModule`. An import would read every export of a module, and for
 * `node:http` this loads an unused HTTP client, which took 40 ms of the start.
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
  external: (id) => loaded_on_demand.has(packageOf(id)),
  plugins: [position_plugin, builtins],
  logLevel: 'warn',
})
// A single non-ASCII character would make V8 use two bytes per character.
const { output } = await bundle.write({
  dir: folder,
  format: 'esm',
  charset: 'ascii',
  comments: false,
  sourcemap: 'hidden',
})
await bundle.close()

/** The source and the source line of each line; see runtime/process/source-lines.ts. */
function linesOf({ code, map }) {
  const source_map = new SourceMap(map)
  const sources = []
  const lines = code.split('\n').flatMap((_, line) => {
    const { generatedLine, originalSource, originalLine } = source_map.findEntry(line, Number.MAX_SAFE_INTEGER)
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
