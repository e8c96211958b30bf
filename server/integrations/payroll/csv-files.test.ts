import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeFile, FileTooLarge } from './csv-files.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'encoding-'))))
afterAll(() => rm(folder, { recursive: true }))

it.each([
  ['UTF-8', 'Zoë', Buffer.from('Zoë')],
  ['UTF-16', 'Zoë', Buffer.from('\ufeffZoë', 'utf16le')],
  ['Windows-1252', 'Zoë', Buffer.from('Zoë', 'latin1')],
])('a file in %s is read up to the byte limit, and no further', async (encoding, text, bytes) => {
  const path = join(folder, encoding)
  await writeFile(path, bytes)
  const read = async (max_bytes: number) => (await Array.fromAsync(decodeFile(path, max_bytes))).join('')
  expect(await read(bytes.length)).toBe(text)
  await expect(read(bytes.length - 1)).rejects.toBeInstanceOf(FileTooLarge)
})
