import { readFileSync } from 'node:fs'

/** SQL that several statements share: a text in which nothing varies, or one for the columns that it is asked about. */
type SharedSql = string | ((...columns: string[]) => string)

/** Strings and quoted names, in which nothing is a comment or a piece; then either. */
const token = /'(?:[^']|'')*'|"[^"]*"|[ \t]*--[^\n]*|\/\*[^]*?\*\/|\bshared\.(\w+)\(([^()]*)\)/g

/**
 * The text of a `.sql` file, without its comments, for a statement to be declared of. Read once, where the module is
 * loaded: `sqlFile(new URL('settle-enrollments.sql', import.meta.url))`. What is shared with other statements stands in
 * it like a function, `shared.in_reach(employee.organization_id)`, and is put there in parentheses; throws where the
 * pieces in the file are not the ones that are given.
 */
export function sqlFile(file: URL, pieces: Record<string, SharedSql> = {}): string {
  const used = new Set<string>()
  const pieceFor = (name: string, columns: string) => {
    const piece = Object.hasOwn(pieces, name) ? pieces[name] : undefined
    if (piece === undefined) throw new Error(`${file.pathname} names shared.${name}, which it is not given.`)
    used.add(name)
    return `(${typeof piece === 'string' ? piece : piece(...columns.split(',').map((column) => column.trim()))})`
  }
  const text = readFileSync(file, 'utf8').replaceAll(token, (found, name: string | undefined, columns: string) => {
    if (name !== undefined) return pieceFor(name, columns)
    return /^\s*--|^\/\*/.test(found) ? '' : found
  })
  const unused = Object.keys(pieces).filter((name) => !used.has(name))
  if (unused.length > 0) throw new Error(`${file.pathname} has no use for shared.${unused.join(', shared.')}.`)
  const statement = text
    .replaceAll(/^\s*\n/gm, '')
    .trim()
    .replace(/;$/, '')
  if (statement === '') throw new Error(`${file.pathname} holds no statement.`)
  return statement
}
