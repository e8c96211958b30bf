/** Tells the figures by which the house is measured: how large its pieces are, and what nothing checks. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
// oxlint-disable-next-line import/no-unassigned-import -- for its statements, which nothing else here declares
import '../runtime/installation-lock.ts'
import { modules } from '../modules.ts'
import { statements } from '../database/sql/statement.ts'
import { beyondLimits, most } from './limits.ts'
import { statements_sent } from './statements-sent.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const generated = /^server\/(?:(?:schema|statements)\.sql|migrations\/|database\/sql\/statement-types\.ts)|-types\.ts$/
const files = readdirSync(join(root, 'server'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:ts|sql)$/.test(entry.name))
  .map((entry) => ({
    path: relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
    name: entry.name,
  }))
  .filter(({ path }) => !path.includes('node_modules') && !generated.test(path))
  .map((file) => ({ ...file, text: readFileSync(join(root, file.path), 'utf8') }))
const tests = files.filter(({ path }) => /\.test\.ts$|^server\/test\//.test(path))
const code = files.filter((file) => !tests.includes(file) && !file.path.startsWith('server/bench/'))
const module_files = code.filter(({ path }) => path.startsWith('server/modules/'))

const count = (where: { text: string }[], pattern: RegExp) =>
  where.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0)

/** How often the compiler is told in these files to believe something. */
function countNodes(where: { path: string; text: string }[], type: string): number {
  const within = (node: unknown): number => {
    if (typeof node !== 'object' || node === null) return 0
    const own = 'type' in node && node.type === type ? 1 : 0
    return Object.values(node).reduce<number>((sum, value) => sum + within(value), own)
  }
  return where.reduce((sum, { path, text }) => sum + within(parseSync(path, text).program), 0)
}

const longest = [...statements.values()]
  .map(({ name, text }) => ({ name, length: text.replaceAll(/\s+/g, ' ').length }))
  .reduce((a, b) => (a.length > b.length ? a : b))
const longest_line = code
  .flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, length: line.length })))
  .reduce((a, b) => (a.length > b.length ? a : b))
const beyond = files.flatMap(({ path, text }) => beyondLimits(path, text))
const countBeyond = (pattern: RegExp) => beyond.filter((each) => pattern.test(each)).length

const figures: Record<string, string | number> = {
  modules: modules.length,
  'statements with a name': statements.size,
  'files of statements': module_files.filter(({ name }) => name.endsWith('.sql')).length,
  'the longest statement': `${longest.length} characters, ${longest.name}`,
  'the longest line of code': `${longest_line.length} characters, ${longest_line.path}`,
  'positional parameters in modules': count(module_files, /\$\d+\b/g),
  'statements without a name in modules': count(module_files, /\bdb\.(?:rows|row|json)\b/g),
  'row types that nothing checks': count(code, /\b(?:db|database|client|pool)\.(?:rows|row|query)</g),
  'any in tests': countNodes(tests, 'TSAnyKeyword'),
  '! in tests': countNodes(tests, 'TSNonNullExpression'),
  [`functions over ${most.function_lines} lines`]: countBeyond(/ has more than \d+ lines$/),
  [`files over ${most.file_lines} lines`]: countBeyond(/: more than \d+ lines$/),
  [`files with lines over ${most.line_characters} characters`]: countBeyond(/: lines over/),
  'refusals of what was not found, in actions': count(
    module_files.filter(({ name }) => /(?:^|-)actions\.ts$/.test(name)),
    /generic\.not_found/g,
  ),
  'functions that enter a resource anew': count(module_files, /function enter[A-Z]\w*/g),
  'files directly in server/': code.filter(({ path }) => /^server\/[^/]+\.ts$/.test(path)).length,
  banners: count(code, /^\/\/ .*-{10,}$/gm),
  ...Object.fromEntries(Object.entries(statements_sent).map(([request, sent]) => [`statements of ${request}`, sent])),
}
for (const [what, figure] of Object.entries(figures)) console.log(`${what.padEnd(66)} ${figure}`)
