/** Formats that people choose instead of CSV, by their first characters. */
const other_formats: [RegExp, string][] = [
  [/^\s*<\?xml/i, 'an XML file'],
  [/^\s*<(?:!doctype|html|head|body|table|meta|!--)/i, 'an HTML page'],
  // Not tabs and line breaks, because a column can be named PK.
  [/^PK(?:(?![\t\r\n])\p{Cc}){2}/u, 'an Excel workbook or another ZIP file'],
  [/^ÐÏ\p{Cc}/u, 'an old Excel workbook'],
  [/^%PDF/, 'a PDF'],
  [/^\s*(?:\[\s*)?\{\s*"/, 'a JSON file'],
  [/\0/, 'a binary file'],
]

/**
 * Reads the text of a CSV file that a spreadsheet or payroll system saved. Throws an error with a readable message if
 * the file has another format.
 */
export async function readText(file: Blob): Promise<string> {
  const text = decode(new Uint8Array(await file.arrayBuffer()))
  const other = other_formats.find(([pattern]) => pattern.test(text.slice(0, 200)))
  if (other) throw new Error(`This file is ${other[1]}. Save the list as CSV in your spreadsheet, and try again.`)
  return text
}

/** Decodes UTF-8, UTF-16, or else Windows-1252. */
function decode(bytes: Uint8Array): string {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (a === 0xfe && b === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
