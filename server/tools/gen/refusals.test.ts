import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { endpoints } from '../../modules.ts'
import { explainedRefusals, refusalsDocument } from './refusals.ts'

it('states a remedy for every error code', () => {
  const refusals = explainedRefusals(endpoints)
  expect(refusals.length).toBeGreaterThan(80)
  expect(refusals.filter(({ remedy }) => !remedy).map(({ code }) => code)).toEqual([])
})

it('lists in docs-site/refusals.json the codes that the operations declare', () => {
  const committed = readFileSync(new URL('../../../docs-site/refusals.json', import.meta.url), 'utf8')
  expect(committed).toBe(refusalsDocument(endpoints))
})
