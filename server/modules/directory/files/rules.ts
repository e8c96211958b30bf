/** The accepted types, with the extension of their file names and the bytes that a file has at position `at`. */
const kinds: { content_type: string; ending: string; at: number; beginnings: string[] }[] = [
  { content_type: 'application/pdf', ending: 'pdf', at: 0, beginnings: ['%PDF-'] },
  { content_type: 'image/png', ending: 'png', at: 0, beginnings: ['\x89PNG\r\n\x1a\n'] },
  { content_type: 'image/jpeg', ending: 'jpg', at: 0, beginnings: ['\xff\xd8\xff'] },
  { content_type: 'image/webp', ending: 'webp', at: 8, beginnings: ['WEBPVP8'] },
  { content_type: 'image/heic', ending: 'heic', at: 4, beginnings: ['ftypheic', 'ftypheix', 'ftypmif1'] },
]

const max_beginning_length = 16

/** Detects the type of a file by its content and ignores its name. Undefined if the type is not accepted. */
export function contentTypeOf(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, max_beginning_length)).toString('latin1')
  return kinds.find(({ at, beginnings }) => beginnings.some((beginning) => start.startsWith(beginning, at)))
    ?.content_type
}

/** The file name of a download. Its extension matches the content, so that no system executes the file. */
export const fileNameOf = (name: string, content_type: string): string =>
  `${name}.${kinds.find((kind) => kind.content_type === content_type)!.ending}`
