import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpoints } from '../../modules.ts'
import { permissionsDocument } from './permissions.ts'

it('docs/permissions.md lists the permissions that the operations declare', () => {
  const reported = readFileSync(new URL('../../../docs/permissions.md', import.meta.url), 'utf8')
  expect(reported).toBe(permissionsDocument(endpoints))
  for (const { operation } of endpoints) expect(reported).toContain(`| \`${operation}\` |`)
})
