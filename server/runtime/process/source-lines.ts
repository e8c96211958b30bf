/**
 * Loaded first by the files that `server/build.js` builds, so that stack traces contain the lines of the sources. The
 * mapping of a file is read for its first stack trace.
 */
import { readFileSync } from 'node:fs'

/** Two numbers per line of a built file: the index of its source (-1 for none), and the line in that source. */
type Lines = { sources: string[]; lines: number[] }

const known = new Map<string, Lines | undefined>()

function linesOf(file: string): Lines | undefined {
  if (known.has(file)) return known.get(file)
  let lines: Lines | undefined
  try {
    lines = JSON.parse(readFileSync(new URL(`${file}.lines.json`), 'utf8')) as Lines
  } catch {
    // The file was rebuilt after it was loaded. The trace keeps the line of the built file.
  }
  known.set(file, lines)
  return lines
}

/** A line of a stack trace with the location in its source, if known. */
const mapToSource = (frame: string): string =>
  frame.replace(/(file:\/\/[^\s()]+\.js):(\d+):\d+/, (location: string, file: string, line: string) => {
    const { sources, lines } = linesOf(file) ?? { sources: [], lines: [] }
    const at = 2 * (Number(line) - 1)
    const source = sources[lines[at] ?? -1]
    return source === undefined ? location : `${new URL(`../${source}`, file).href}:${lines[at + 1]}`
  })

function headOf(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'Error'
  }
}

Error.prepareStackTrace = (error, frames) =>
  [headOf(error), ...frames.map((frame) => `    at ${mapToSource(String(frame))}`)].join('\n')
