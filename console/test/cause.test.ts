import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fact_names } from '../src/parts/benefits/labels.ts'

const operations = ['openapi.json', 'openapi.operator.json'].flatMap((file) =>
  [...readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').matchAll(/"operationId": ?"(\w+)"/g)].map(
    ([, id]) => id,
  ),
)
it('has a label for the cause of an adjustment only if its operation exists', () => {
  expect(Object.keys(fact_names).filter((id) => !operations.includes(id))).toEqual([])
})
