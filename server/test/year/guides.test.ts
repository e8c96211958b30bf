import { beforeAll, describe, expect, it } from 'vitest'
import { harborsCatalog } from '../../sandbox/catalog.ts'
import { useApi } from '../harness.ts'
import { blocksIn, maskVariables, readDocument, runSteps, stepsIn, stepsOf } from '../guides/code-blocks.ts'
import { done } from './employer-client.ts'

/** Runs the pages about a year for partners and for operators, each in one shell, as readers do. */
const api = useApi()

/** `$URL`, `$AUTH`, `$JSON`, `field` and `sandbox`. */
const shell = stepsOf('docs/tour.md', '## The first request', '## Next steps').slice(0, 2)

beforeAll(async () => {
  const path = `/operator/v1/organizations/${api.story.organization_id}/catalog/import` as const
  const rows = harborsCatalog('2020-01-01', '2025-01-01')
  done(await api.post(path, { rows }, { key: api.operator_key }))
})

describe.each(['docs/integrating/a-year.md', 'docs/operating/a-year.md'])('%s', (path) => {
  const steps = stepsIn(blocksIn(readDocument(path)))
  let input: string[] = []
  let complaints = ''

  beforeAll(async () => {
    const output = await runSteps(api, api.story, [...shell, ...steps])
    input = output.input.slice(shell.length)
    complaints = output.complaints.replace(/^EIN_ALREADY_EXISTS: .*\n/, '')
  })

  it.each(steps.map(({ command, shown }, index) => [command.split('\n').find(Boolean), shown, index] as const))(
    'matches the documented response: %s',
    (_, shown, index) => {
      expect(maskVariables(input[index] ?? '')).toEqual(maskVariables(shown))
    },
  )

  it('has no refused request', () => {
    expect(complaints).toBe('')
  })
})
