import { createReadStream } from 'node:fs'

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** What a text begins with tells of UTF-16, with its byte order mark or without: every other byte of plain Latin is 0. */
function utf16In(bytes: Uint8Array): Encoding | undefined {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== 0 && b === 0) return 'utf-16le'
  return a === 0 && b !== undefined && b !== 0 ? 'utf-16be' : undefined
}

/**
 * Reads text as spreadsheets and payroll systems save it: UTF-8 or UTF-16, with or without a byte order mark. What is
 * neither is Windows-1252, in which every byte means something.
 */
export function decodeText(bytes: Uint8Array): string {
  const utf16 = utf16In(bytes)
  if (utf16) return new TextDecoder(utf16).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** A file that holds more than was to be read of it. */
export class FileTooLarge extends Error {}

/**
 * The same of a file, in pieces; it is read twice, since UTF-8 is known only at its end. Throws FileTooLarge when it is
 * found to hold more bytes than these: it may grow meanwhile.
 */
export async function* decodeFile(path: string, most_bytes: number): AsyncGenerator<string> {
  const decoder = new TextDecoder(await encodingOf(path, most_bytes))
  for await (const bytes of bytesOf(path, most_bytes)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

async function* bytesOf(path: string, most_bytes: number): AsyncGenerator<Buffer> {
  let length = 0
  for await (const bytes of createReadStream(path) as AsyncIterable<Buffer>) {
    length += bytes.length
    if (length > most_bytes) throw new FileTooLarge(`The file holds more than ${most_bytes} bytes.`)
    yield bytes
  }
}

async function encodingOf(path: string, most_bytes: number): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let first = true
  try {
    for await (const bytes of bytesOf(path, most_bytes)) {
      const utf16 = first ? utf16In(bytes) : undefined
      if (utf16) return utf16
      first = false
      decoder.decode(bytes, { stream: true })
    }
    decoder.decode()
    return 'utf-8'
  } catch (error) {
    if (error instanceof TypeError) return 'windows-1252'
    throw error
  }
}
