import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpoints } from '../modules.ts'
import { permissionsDocument } from './permissions.ts'

it('docs/permissions.md says what the operations declare: what contract.test.ts asks of each of them', () => {
  const told = readFileSync(new URL('../../docs/permissions.md', import.meta.url), 'utf8')
  expect(told).toBe(permissionsDocument(endpoints))
  for (const { operation } of endpoints) expect(told).toContain(`| \`${operation}\` |`)
})
