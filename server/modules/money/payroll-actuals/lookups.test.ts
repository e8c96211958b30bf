import { expect, it } from 'vitest'
import { statements } from '../../../database/sql/statement.ts'
import { useApi } from '../../../test/harness.ts'
import { listRequested } from './queries.ts'

const api = useApi()

it('reads only the lines of the employees in the rows', async () => {
  const key = { statement_id: 'stmt_1', employer_id: 'empr_1', organization_id: api.story.organization_id }
  const named = { employee_ids: ['empl_1'], reference_ids: ['E-1'], enrollment_ids: ['enrl_1'] }
  const plan = await api.act(async (ctx) => {
    expect(await listRequested(ctx, key, named)).toEqual([])
    await ctx.db.rows('set local plan_cache_mode = force_custom_plan')
    await ctx.db.rows('set local enable_seqscan = off')
    const listed = statements.get('payroll-actuals.listRequested')!
    const { text, parameters } = listed
    const values: Record<string, unknown> = { ...key, ...named }
    const rows = await ctx.db.rows<{ 'QUERY PLAN': string }>(
      `explain ${ctx.db.distribution?.rewrite(listed, true).text ?? text}`,
      parameters.map((parameter) => values[parameter]),
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan.match(/on deduction_lines.*\n *Index Cond: .*employee_id = /g)).toHaveLength(2)
  expect(plan).toMatch(/using employees_(by|of)_reference(_\d+)? on employees/)
  expect(plan).not.toMatch(/employees_roster|Seq Scan/)
})
