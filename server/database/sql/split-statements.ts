/** Strings, quoted names, comments and function bodies, in which no statement ends; then the end of a statement. */
const token = /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|(\$\w*\$)[^]*?\1|\bbegin atomic\b[^]*?;\s*end\b|;/gi

/** Splits SQL into its statements, each with the comment before it. */
export function splitStatements(sql: string): string[] {
  const found: string[] = []
  let from = 0
  for (const { 0: text, index } of sql.matchAll(token)) {
    if (text !== ';') continue
    found.push(sql.slice(from, index))
    from = index + 1
  }
  return [...found, sql.slice(from)]
    .map((text) => text.trim())
    .filter((text) => text.replaceAll(/--[^\n]*/g, '').trim())
}

export const withoutComment = (statement: string): string => statement.replace(/^(?:\s*--[^\n]*\n)+/, '').trim()
