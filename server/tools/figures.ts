/** Prints figures about the code: sizes, limits, and code that is not type-checked. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'oxc-parser'
// oxlint-disable-next-line import/no-unassigned-import -- for its statements, which nothing else here declares
import '../runtime/process/installation-lock.ts'
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

/** Counts nodes of a type, such as `any` and `!`, in the syntax trees of files. */
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
  'named statements': statements.size,
  'SQL files of statements': module_files.filter(({ name }) => name.endsWith('.sql')).length,
  'longest statement': `${longest.length} characters, ${longest.name}`,
  'longest line of code': `${longest_line.length} characters, ${longest_line.path}`,
  'positional parameters in modules': count(module_files, /\$\d+\b/g),
  'unnamed statements in modules': count(module_files, /\bdb\.(?:rows|row|json)\b/g),
  'unchecked row types': count(code, /\b(?:db|database|client|pool)\.(?:rows|row|query)</g),
  'any in tests': countNodes(tests, 'TSAnyKeyword'),
  '! in tests': countNodes(tests, 'TSNonNullExpression'),
  [`functions over ${most.function_lines} lines`]: countBeyond(/ has more than \d+ lines$/),
  [`files over ${most.file_lines} lines`]: countBeyond(/: more than \d+ lines$/),
  [`files with lines over ${most.line_characters} characters`]: countBeyond(/: lines over/),
  'not_found refusals in actions': count(
    module_files.filter(({ name }) => /(?:^|-)actions\.ts$/.test(name)),
    /generic\.not_found/g,
  ),
  'functions that re-enter a resource': count(module_files, /function enter[A-Z]\w*/g),
  'files directly in server/': code.filter(({ path }) => /^server\/[^/]+\.ts$/.test(path)).length,
  banners: count(code, /^\/\/ .*-{10,}$/gm),
  ...Object.fromEntries(
    Object.entries(statements_sent).map(([request, { statements, round_trips }]) => [
      `statements of ${request}`,
      `${statements} in ${round_trips} round trips`,
    ]),
  ),
}
for (const [subject, figure] of Object.entries(figures)) console.log(`${subject.padEnd(66)} ${figure}`)
