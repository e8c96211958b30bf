import { createReadStream } from 'node:fs'
import { utf16In, type Encoding } from '../../kernel/encoding.ts'

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
