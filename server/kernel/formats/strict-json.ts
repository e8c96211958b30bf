import { fieldOf, invalid, type Detail } from '../refusal.ts'

const max_depth = 32
/** 100,000 rows of hours with seven fields. */
const max_values = 1_000_000
/** Far more than any resource has. Each field may cost a validation. */
const max_fields = 1000
export const unwanted = 'must not be sent: Social Security numbers are not accepted'

/** An object or list that is open at the current position: the current name or index in it, and the names so far. */
type Level = { step: string | number; names: Set<string> | undefined }

/** The closing quote of a string: the next quote after an even number of backslashes. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end
    while (json[before - 1] === '\\') before--
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

/**
 * Finds what JSON.parse accepts but we refuse: too many levels, values or fields, a repeated name in an object, or a
 * social security number. It scans the text once and stops at the first fault. It does not check the syntax.
 */
export function faultIn(json: string): Detail | undefined {
  const levels: Level[] = []
  let values = 1
  const here = (message: string): Detail => ({ field: fieldOf(levels.map(({ step }) => step)), message })
  for (let at = 0; at < json.length; at++) {
    const level = levels.at(-1)
    switch (json[at]) {
      case '"': {
        const end = endOfText(json, at)
        const name = level?.names && nameIn(json, at, end)
        at = end
        if (level?.names === undefined || name === undefined) break
        level.step = name
        if (name.toLowerCase() === 'ssn') return here(unwanted)
        if (level.names.has(name)) return here('must be sent only once')
        if (level.names.add(name).size > max_fields)
          return { field: '', message: `must not contain an object of more than ${max_fields} fields` }
        break
      }
      case '{':
      case '[':
        if (levels.length >= max_depth) return { field: '', message: `must not nest deeper than ${max_depth} levels` }
        levels.push(json[at] === '[' ? { step: 0, names: undefined } : { step: '', names: new Set() })
        values++
        break
      case '}':
      case ']':
        levels.pop()
        break
      case ',':
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
