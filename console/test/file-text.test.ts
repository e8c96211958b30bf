import { expect, it } from 'vitest'
import { readText } from '../src/parts/roster/file-text.ts'

it.each([
  ['an HTML page', '<html><body>Sign in</body></html>'],
  ['a PDF', '%PDF-1.7'],
  ['an Excel workbook or another ZIP file', 'PK\x03\x04\x14\0'],
])('names the format of a chosen file that is not CSV: %s', (kind, content) =>
  expect(readText(new Blob([content]))).rejects.toThrow(
    `This file is ${kind}. Save the list as CSV in your spreadsheet, and try again.`,
  ),
)

it.each(['PK\t\tName\n1\t\tAda', 'PK\r\n1'])('reads a list whose first column is named PK: %j', async (content) =>
  expect(await readText(new Blob([content]))).toBe(content),
)
