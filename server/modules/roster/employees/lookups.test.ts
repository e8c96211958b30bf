import { expect, it } from 'vitest'
import { statements } from '../../../database/sql/statement.ts'
import { aPerson, createEmployee, createEmployer } from '../../../test/fixtures.ts'
import { useApi } from '../../../test/harness.ts'

const api = useApi()

it.each(['employees.findReferenced', 'employees.findEmployments'])(
  'uses an index for each person at an employer that joined after the last analyze (%s)',
  async (name) => {
    const known = await createEmployer(api)
    for (let number = 0; number < 30; number++)
      await createEmployee(api, known, aPerson({ reference_id: `E-${number}`, email: `${name}${number}@example.com` }))
    const young = await createEmployer(api)
    const plan = await api.act(async ({ db }) => {
      // The statistics now place every employee at the first employer and contain nothing about the second.
      await db.rows('analyze employees')
      await db.rows('set local plan_cache_mode = force_custom_plan')
      await db.rows('set local enable_seqscan = off')
      const found = statements.get(name)!
      const { text, parameters } = found
      const values: Record<string, unknown> = {
        employer_id: young,
        organization_id: api.story.organization_id,
        reference_ids: ['E-1'],
        member_ids: ['mbr_1'],
      }
      const rows = await db.rows<{ 'QUERY PLAN': string }>(
        `explain ${db.distribution?.rewrite(found, true).text ?? text}`,
        parameters.map((parameter) => values[parameter]),
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
    expect(plan).toMatch(/Index Scan using employees_(by_reference|of_member)(_\d+)? on employees/)
    expect(plan).not.toContain('employees_roster')
  },
)
