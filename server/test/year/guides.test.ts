import { beforeAll, describe, expect, it } from 'vitest'
import { harborsCatalog } from '../../sandbox/catalog.ts'
import { useApi } from '../harness.ts'
import { masked, paste, stepsOf } from '../pasted.ts'
import { done } from './told-employer.ts'

/** The chapters about a year, of partners and of operators, pasted into one shell after the other as readers would. */
const api = useApi()

/** `$URL`, `$AUTH`, `$JSON`, `field` and `sandbox`. */
const shell = stepsOf('README.md', '## The first request', '## Where to read on').slice(0, 2)

beforeAll(async () => {
  const path = `/operator/v1/organizations/${api.story.organization_id}/catalog/import` as const
  const rows = harborsCatalog('2020-01-01', '2025-01-01')
  done(await api.post(path, { rows }, { key: api.operator_key }))
})

describe.each([
  ['docs/integrating.md', '## A year with an employer'],
  ['docs/operations.md', '## A year of administration'],
])('%s', (path, heading) => {
  const steps = stepsOf(path, heading, '## ')
  let said: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const pasted = await paste(api, api.story, [...shell, ...steps])
    said = pasted.said.slice(shell.length)
    complaints = pasted.complaints.replace(/^EIN_ALREADY_EXISTS: .*\n/, '')
  }, 240_000)

  it.each(steps.map(({ pasted, shown }, index) => [pasted.split('\n').find(Boolean), shown, index] as const))(
    'is answered as it shows: %s',
    (_, shown, index) => {
      expect(masked(said[index] ?? '')).toEqual(masked(shown))
    },
  )

  it('is refused nothing', () => {
    expect(complaints).toBe('')
  })
})
