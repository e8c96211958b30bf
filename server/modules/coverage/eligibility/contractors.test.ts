import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { createEmployee, createEmployer, importCatalog, openPlanYear } from '../../../test/cast.ts'
import { ofOrganization } from '../../../database/sql/statement.ts'
import { useApi } from '../../../test/harness.ts'
import { pick, sure } from '../../../test/pick.ts'

/** What the migration that took contractors out of `all` makes of policies from before it. */
const api = useApi()
const migration = new URL('../../../migrations/0025_policies_further.sql', import.meta.url)
let catalog: Awaited<ReturnType<typeof importCatalog>>
beforeAll(async () => {
  catalog = await importCatalog(api)
})

/** An employer whose policy for all was made before, and so covers contractors. */
async function anEmployerFromBefore(): Promise<string> {
  const employer_id = await createEmployer(api)
  const path = `/v1/employers/${employer_id}/benefit-eligibility-policies`
  await api.post(path, { classification: 'all', waiting_period: 'none' })
  await api.act((ctx) =>
    ctx.db.rows(
      `update benefit_eligibility_policies
          set effective_on = '2026-01-01', employee_classes = employee_classes || array['Individual Contractor']
        where employer_id = $1`,
      [employer_id],
    ),
  )
  await openPlanYear(api, employer_id, catalog)
  await api.work()
  return employer_id
}

/** As it can be put where tenants are divided, which no such migration was ever run on. */
const ofOneOrganization = (text: string): string =>
  `${ofOrganization(text, `'${api.story.organization_id}'`)} returning true as written`.replaceAll(
    /case classification\s+when '(\w+)' then (array\S+ \S+)\s+when '(\w+)' then/g,
    `case when classification = '$1' then $2 when classification = '$3' then`,
  )

/** Runs what the migration does to what is there. */
async function migrate(): Promise<void> {
  const text = await readFile(migration, 'utf8')
  const statements = text.split(/;\n/).map((one) => one.trim())
  const [classes, followers, due] = [
    'update benefit_eligibility_policies',
    'with today',
    'update eligibility_standings',
  ].map((words) => statements.find((one) => one.replaceAll(/^--.*\n/gm, '').startsWith(words))!)
  await api.act(async (ctx) => {
    for (const statement of [classes!, followers!, due!]) {
      const asked = statement.replaceAll('now()', `timestamptz '${ctx.now}'`)
      await ctx.db.rows(ctx.db.divided ? ofOneOrganization(asked) : asked)
    }
  })
}

const enrollmentsOf = async (employee_id: string) =>
  (await api.get(`/v1/employees/${employee_id}/enrollments`)).body.data

describe('policies for all from before contractors were taken out', () => {
  it('are followed by one for the other classes: a contractor keeps what was, and nobody else notices', async () => {
    const [concerned, other] = [await anEmployerFromBefore(), await anEmployerFromBefore()]
    const contractor = await createEmployee(api, concerned, {
      start_date: '2026-01-02',
      employee_class: 'Individual Contractor',
    })
    const colleague = await createEmployee(api, concerned, { start_date: '2026-01-02' })
    const dental = pick(await enrollmentsOf(contractor.id), (row) => row.benefit.category === 'Dental')
    await api.post(`/v1/enrollments/${dental.id}/elect`, { plan_id: catalog.dental.plan_id, coverage_tier: 'EE' })
    const before = await enrollmentsOf(colleague.id)
    const policyOf = async (employer_id: string): Promise<string> =>
      sure((await api.get(`/v1/employers/${employer_id}`)).body.data.eligibility_policy_id)
    const former = [await policyOf(concerned), await policyOf(other)]

    await migrate()

    expect(await policyOf(other)).toBe(former[1])
    expect(await policyOf(concerned)).not.toBe(former[0])
    const policies = await api.database.reads.rows(
      `select archived_on, cardinality(employee_classes) as classes, effective_on
         from benefit_eligibility_policies where employer_id = $1 order by effective_on`,
      [concerned],
    )
    expect(policies).toEqual([
      { archived_on: '2026-03-10', classes: 6, effective_on: '2026-01-01' },
      { archived_on: null, classes: 5, effective_on: '2026-03-10' },
    ])
    api.moveTo('2026-03-11')
    await api.runDays()
    const ended = pick(await enrollmentsOf(contractor.id), (row) => row.id === dental.id)
    expect([ended.status, ended.coverage_start, ended.coverage_end]).toEqual([
      'enrolled',
      dental.coverage_start,
      '2026-03-31',
    ])
    const after = await enrollmentsOf(colleague.id)
    expect(after.map((row) => [row.status, row.coverage_start])).toEqual(
      before.map((row) => [row.status, row.coverage_start]),
    )
  })
})
