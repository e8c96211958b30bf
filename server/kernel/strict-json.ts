import { fieldOf, invalid, type Detail } from './refusal.ts'

const deepest = 32
const most_values = 500_000
/** No resource has nearly so many; behind each may stand a check. */
const most_fields = 1000
export const unwanted = 'must not be sent: we do not want social security numbers'

/**
 * An object or list that is open where we read, and where in it we are. Of an object, how many of its names are those
 * of the one before it at this depth, in their order; and all that were there, from the first other one on.
 */
type Level = { step: string | number; alike: number; names: Set<string> | undefined }

const [quote, comma, openList, closeList, openObject, closeObject, backslash, colon] = [...'",[]{}\\:'].map((sign) =>
  sign.charCodeAt(0),
)

/** Where the text that opens at a quote closes, by a quote without an odd number of backslashes before it. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return json.length
}

/** The name of a field that closes at `end`; undefined for a text that is no name. */
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

/** Whether a name without blanks behind it closes here. */
const isNameUntil = (json: string, end: number): boolean =>
  json.charCodeAt(end) === quote && json.charCodeAt(end + 1) === colon

/**
 * What JSON.parse would take and we don't: too deep, too much, a name twice in one object, or a social security number.
 * It reads a text once, whatever is in it, and ends at the first fault; whether it is JSON at all is not asked here.
 * `count`: of values, for a text that is read in pieces.
 */
export function faultIn(json: string, count = { values: 1 }): Detail | undefined {
  const levels: Level[] = []
  // Rows are alike: which names the latest object of a depth had is told by a look, and none of them is there twice.
  const latest: string[][] = []
  let { values } = count
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
        // As it is written, so that it is known again by that.
        if (name.length === end - at - 1) latest[levels.length]!.push(name)
        if (level.names.size > most_fields)
          return { field: '', message: `must not hold an object of more than ${most_fields} fields` }
      }
      at = end
    } else if (sign === openObject || sign === openList) {
      if (levels.length >= deepest) return { field: '', message: `must not nest deeper than ${deepest} levels` }
      levels.push({ step: sign === openList ? 0 : '', alike: 0, names: undefined })
      latest[levels.length] ??= []
      values++
    } else if (sign === closeObject || sign === closeList) levels.pop()
    else if (sign === comma) {
      values++
      if (typeof level?.step === 'number') level.step++
    }
    if (values > most_values) return { field: '', message: `must not hold more than ${most_values} values` }
  }
  count.values = values
  return undefined
}

/** Reads JSON that is to be checked against a schema; throws a 400 for a text with a fault, or that is no JSON. */
export function readJson(json: string, count?: { values: number }): unknown {
  const fault = faultIn(json, count)
  if (fault) throw invalid(fault)
  try {
    return JSON.parse(json)
  } catch {
    throw invalid({ field: '', message: 'the body is not well-formed JSON' })
  }
}
