/** The maximum length of a line before the value is broken up. */
const max_line_length = 400

/**
 * JSON for people and diffs. A value that fits is on one line; otherwise each of its parts has a line. The output is
 * deterministic and ends with a newline.
 */
export function printJson(value: unknown): string {
  return `${print(value, '', 0)}\n`
}

/** `before`: how much of the line is already used. */
function print(value: unknown, margin: string, before: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const brief = onOneLine(value)
  if (margin.length > 0 && margin.length + before + brief.length < max_line_length) return brief
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

/** Skips undefined fields, as `JSON.stringify` does. */
const entriesOf = (value: object) => Object.entries(value).filter(([, item]) => item !== undefined)

function onOneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`
  const entries = entriesOf(value).map(([name, item]) => `${JSON.stringify(name)}: ${onOneLine(item)}`)
  return `{${entries.join(', ')}}`
}

/** Serializes a value with sorted names, whose order has no meaning, so that equal values produce the same text. */
export const stableJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
