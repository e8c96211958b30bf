/** How long a line may be before what it holds gets lines of its own. */
const longest_line = 400

/**
 * JSON for people and for diffs: whatever fits stands on one line, all else has a line for each of its parts. The same
 * value gives the same text; it ends with a line break.
 */
export function printJson(value: unknown): string {
  return `${print(value, '', 0)}\n`
}

/** `before`: how much of the line is taken already. */
function print(value: unknown, margin: string, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const brief = onOneLine(value)
  if (margin.length > 0 && margin.length + before + brief.length < longest_line) return brief
  const inner = `${margin} `
  const lines = Array.isArray(value)
    ? value.map((item) => `${inner}${print(item, inner, 1)}`)
    : entriesOf(value).map(([name, item]) => {
        const key = `${JSON.stringify(name)}: `
        return `${inner}${key}${print(item, inner, key.length + 1)}`
      })
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return lines.length === 0 ? `${open}${close}` : `${open}\n${lines.join(',\n')}\n${margin}${close}`
}

/** What is undefined is not there, as in `JSON.stringify`. */
const entriesOf = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined)

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const entries = entriesOf(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`)
  return `{${entries.join(', ')}}`
}
