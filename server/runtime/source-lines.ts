/**
 * Loaded first by what `server/build.js` builds: traces name the lines of the sources, not those of the built files.
 * What tells them is read when the first trace is asked for that leads through a file.
 */
import { readFileSync } from 'node:fs'

/** Of each line of a built file two numbers: which source it is from (-1: none), and which line of it. */
type Lines = { sources: string[]; lines: number[] }

const known = new Map<string, Lines | undefined>()

function linesOf(file: string): Lines | undefined {
  if (known.has(file)) return known.get(file)
  let lines: Lines | undefined
  try {
    lines = JSON.parse(readFileSync(new URL(`${file}.lines.json`), 'utf8')) as Lines
  } catch {
    // Built meanwhile anew: the trace tells where in the built file it was.
  }
  known.set(file, lines)
  return lines
}

/** A line of a trace, by the source that it is from where that is known. */
const inSource = (frame: string): string =>
  frame.replace(/(file:\/\/[^\s()]+\.js):(\d+):\d+/, (place: string, file: string, line: string) => {
    const { sources, lines } = linesOf(file) ?? { sources: [], lines: [] }
    const at = 2 * (Number(line) - 1)
    const source = sources[lines[at] ?? -1]
    return source === undefined ? place : `${new URL(`../${source}`, file).href}:${lines[at + 1]}`
  })

function headOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

Error.prepareStackTrace = (error, frames) =>
  [headOf(error), ...frames.map((frame) => `    at ${inSource(String(frame))}`)].join('\n')
