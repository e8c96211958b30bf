import { fieldOf, invalid, type Detail } from '../refusal.ts'

const max_depth = 32
const max_values = 500_000
/** Far more than any resource has. Each field may cost a validation. */
const max_fields = 1000
export const unwanted = 'must not be sent: social security numbers are not accepted'

/**
 * An object or list that is open at the current position. `step`: the current name or index in it. `alike`: how many of
 * its first names equal those of the previous object at this depth. `names`: all its names, once one differs.
 */
type Level = { step: string | number; alike: number; names: Set<string> | undefined }

const [quote, comma, openList, closeList, openObject, closeObject, backslash, colon] = [...'",[]{}\\:'].map((sign) =>
  sign.charCodeAt(0),
)

/** The closing quote of a string: the next quote after an even number of backslashes. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return json.length
}

/** The field name whose closing quote is at `end`. Undefined for other strings. */
function nameIn(json: string, start: number, end: number): string | undefined {
  let after = end + 1
  while (json[after] === ' ' || json[after] === '\n' || json[after] === '\r' || json[after] === '\t') after++
  if (json[after] !== ':') return undefined
  const written = json.slice(start + 1, end)
  if (!written.includes('\\')) return written
  try {
    return JSON.parse(`"${written}"`)
  } catch {
    return written
  }
}

/** Whether a field name ends here, directly followed by a colon. */
const isNameUntil = (json: string, end: number): boolean =>
  json.charCodeAt(end) === quote && json.charCodeAt(end + 1) === colon

/**
 * Finds what JSON.parse accepts but we refuse: too many levels, values or fields, a repeated name in an object, or a
 * social security number. It scans the text once and stops at the first fault. It does not check the syntax.
 */
export function faultIn(json: string): Detail | undefined {
  const levels: Level[] = []
  // Rows have the same names. Comparing them with those of the previous row is faster than collecting them in a set.
  const latest: string[][] = []
  let values = 1
  const here = (message: string): Detail => ({ field: fieldOf(levels.map(({ step }) => step)), message })

  for (let at = 0; at < json.length; at++) {
    const sign = json.charCodeAt(at)
    const level = levels[levels.length - 1]
    if (sign === quote) {
      const before = level?.names || typeof level?.step !== 'string' ? undefined : latest[levels.length]![level.alike]
      const closes = at + 1 + (before?.length ?? 0)
      if (before !== undefined && json.startsWith(before, at + 1) && isNameUntil(json, closes)) {
        level!.step = before
        level!.alike++
        at = closes
        continue
      }
      const end = endOfText(json, at)
      const name = typeof level?.step === 'string' ? nameIn(json, at, end) : undefined
      if (level && name !== undefined) {
        level.step = name
        if (name.toLowerCase() === 'ssn') return here(unwanted)
        if (!level.names) {
          latest[levels.length] = latest[levels.length]!.slice(0, level.alike)
          level.names = new Set(latest[levels.length])
        }
        if (level.names.has(name)) return here('must be sent once')
        level.names.add(name)
        // Only names without escapes can be compared as written.
        if (name.length === end - at - 1) latest[levels.length]!.push(name)
        if (level.names.size > max_fields)
          return { field: '', message: `must not contain an object of more than ${max_fields} fields` }
      }
      at = end
    } else if (sign === openObject || sign === openList) {
      if (levels.length >= max_depth) return { field: '', message: `must not nest deeper than ${max_depth} levels` }
      levels.push({ step: sign === openList ? 0 : '', alike: 0, names: undefined })
      latest[levels.length] ??= []
      values++
    } else if (sign === closeObject || sign === closeList) levels.pop()
    else if (sign === comma) {
      values++
      if (typeof level?.step === 'number') level.step++
    }
    if (values > max_values) return { field: '', message: `must not contain more than ${max_values} values` }
  }
  return undefined
}

/** Parses JSON. Throws a 400 for a fault or invalid syntax. */
export function readJson(json: string): unknown {
  const fault = faultIn(json)
  if (fault) throw invalid(fault)
  try {
    return JSON.parse(json)
  } catch {
    throw invalid({ field: '', message: 'the body is not well-formed JSON' })
  }
}
