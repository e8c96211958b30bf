import { readFileSync } from 'node:fs'

/** Shared SQL: a constant text, or a function of columns. */
type SharedSql = string | ((...columns: string[]) => string)

/** Strings and quoted names, in which nothing is replaced; then comments and shared pieces. */
const token = /'(?:[^']|'')*'|"[^"]*"|[ \t]*--[^\n]*|\/\*[^]*?\*\/|\bshared\.(\w+)\(([^()]*)\)/g

/**
 * Reads the statement of a `.sql` file without its comments, once, when its module loads: `sqlFile(new
 * URL('settle-enrollments.sql', import.meta.url))`. Shared pieces appear like functions,
 * `shared.in_reach(employee.organization_id)`, and are inserted in parentheses. Throws if the pieces in the file differ
 * from the passed ones.
 */
export function sqlFile(file: URL, pieces: Record<string, SharedSql> = {}): string {
  const used = new Set<string>()
  const pieceFor = (name: string, columns: string) => {
    const piece = Object.hasOwn(pieces, name) ? pieces[name] : undefined
    if (piece === undefined) throw new Error(`${file.pathname} uses shared.${name}, which was not passed.`)
    used.add(name)
    return `(${typeof piece === 'string' ? piece : piece(...columns.split(',').map((column) => column.trim()))})`
  }
  const text = readFileSync(file, 'utf8').replaceAll(token, (found, name: string | undefined, columns: string) => {
    if (name !== undefined) return pieceFor(name, columns)
    return /^\s*--|^\/\*/.test(found) ? '' : found
  })
  const unused = Object.keys(pieces).filter((name) => !used.has(name))
  if (unused.length > 0) throw new Error(`${file.pathname} does not use shared.${unused.join(', shared.')}.`)
  const statement = text
    .replaceAll(/^\s*\n/gm, '')
    .trim()
    .replace(/;$/, '')
  if (statement === '') throw new Error(`${file.pathname} contains no statement.`)
  return statement
}
