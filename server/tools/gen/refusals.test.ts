import { readFileSync } from 'node:fs'
import { expect, it, describe } from 'vitest'
import { endpoints } from '../../modules.ts'
import { explainedRefusals, refusalsDocument } from './refusals.ts'
import { permissionsDocument } from './permissions.ts'

it('states a remedy for every error code', () => {
  const refusals = explainedRefusals(endpoints)
  expect(refusals.length).toBeGreaterThan(80)
  expect(refusals.filter(({ remedy }) => !remedy).map(({ code }) => code)).toEqual([])
})

it('lists in docs-site/refusals.json the codes that the operations declare', () => {
  const committed = readFileSync(new URL('../../../docs-site/refusals.json', import.meta.url), 'utf8')
  expect(committed).toBe(refusalsDocument(endpoints))
})

describe('permissions', () => {
  it('docs/permissions.md lists the permissions that the operations declare', () => {
    const reported = readFileSync(new URL('../../../docs/permissions.md', import.meta.url), 'utf8')
    expect(reported).toBe(permissionsDocument(endpoints))
    for (const { operation } of endpoints) expect(reported).toContain(`| \`${operation}\` |`)
  })
})
