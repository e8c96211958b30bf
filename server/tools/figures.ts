/** Tells the figures by which the house is measured: how large its pieces are, and what nothing checks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modules } from '../modules.ts'
import { statements } from '../platform/database/statement.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = readdirSync(join(root, 'server'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.parentPath.includes('node_modules'))
  .map((entry) => ({ path: relative(root, join(entry.parentPath, entry.name)), name: entry.name }))
  .map((file) => ({ ...file, text: readFileSync(join(root, file.path), 'utf8') }))
const code = files.filter(({ path }) => !/\.test\.ts$|server\/(test|bench)\//.test(path))
const module_files = code.filter(({ path }) => path.startsWith('server/modules/'))

const count = (where: { text: string }[], pattern: RegExp) =>
  where.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)
const lengths = [...statements.values()].map(({ name, text }) => ({ name, length: text.length }))
const longest = lengths.reduce((a, b) => (a.length > b.length ? a : b))
const longest_line = Math.max(...code.flatMap(({ text }) => text.split('\n').map((line) => line.length)))

const figures: Record<string, string | number> = {
  modules: modules.length,
  'statements with a name': statements.size,
  'the longest statement': `${longest.length} characters, ${longest.name}`,
  'the longest line': `${longest_line} characters`,
  'positional parameters in modules': count(module_files, /\$\d+\b/g),
  'statements without a name in modules': count(module_files, /\bdb\.(?:rows|row|json)\b/g),
  'files directly in server/': code.filter(({ path }) => path.split('/').length === 2).length,
  'files directly in platform/': code.filter(({ path }) => /^server\/platform\/[^/]+$/.test(path)).length,
  'functions that enter a resource anew': count(module_files, /function enter[A-Z]\w*/g),
  'refusals of what was not found, in actions': count(
    module_files.filter(({ name }) => name === 'actions.ts'),
    /generic\.not_found/g,
  ),
  'any in tests': count(
    files.filter(({ path }) => /\.test\.ts$|server\/test\//.test(path)),
    /\bany\b/g,
  ),
  banners: count(code, /^\/\/ .*-{10,}$/gm),
}
for (const [what, figure] of Object.entries(figures)) console.log(`${what.padEnd(45)} ${figure}`)
