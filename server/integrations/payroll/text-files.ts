import { createReadStream } from 'node:fs'
import { utf16In, type Encoding } from '../../kernel/formats/encoding.ts'

/** Thrown for a file that exceeds the limit of bytes to read. */
export class FileTooLarge extends Error {}

/**
 * Decodes a text file in pieces. The file is read twice, because only its end shows whether all of it is UTF-8. Throws
 * `FileTooLarge` if it has more than `most_bytes`, which can change while it is read, because a file may grow.
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
