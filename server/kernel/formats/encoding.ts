export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/** Detects UTF-16 by its byte order mark, or by a zero byte among the first two, as in Latin text. */
export function utf16In(bytes: Uint8Array): Encoding | undefined {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  if (a !== 0 && b === 0) return 'utf-16le'
  return a === 0 && b !== undefined && b !== 0 ? 'utf-16be' : undefined
}

/**
 * Decodes text from spreadsheets and payroll systems: UTF-8 or UTF-16, with or without a byte order mark. Other text is
 * decoded as Windows-1252, in which every byte is valid.
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
