import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../test/cast.ts'
import { useApi } from '../../test/harness.ts'
import { first } from '../../test/pick.ts'

const api = useApi()

const run = (text: string, values: unknown[]) => api.act((ctx) => ctx.db.rows(text, values))

/** Somebody who is employed, as rows refer to them. */
async function somebody() {
  const { id: employee_id } = await createEmployee(api, await createEmployer(api))
  const rows = await api.act((ctx) =>
    ctx.db.rows<Record<'id' | 'organization_id' | 'employer_id' | 'member_id', string>>(
      'select id, organization_id, employer_id, member_id from employees where id = $1',
      [employee_id],
    ),
  )
  return first(rows)
}

describe('a row', () => {
  it.each<[string, string]>([
    [
      'a balance of an enrollment that is not there',
      `insert into deduction_balances (organization_id, enrollment_id, year, tax_classification, collected_in_cents)
       values ($1, 'enr_none', 2026, 'Pre-tax', 100)`,
    ],
    [
      'a line of a statement that is not there',
      `insert into deduction_lines (organization_id, statement_id, employee_id, enrollment_id, year, kind,
                                    amount_in_cents, benefit_name, tax_classification)
       values ($1, 'stmt_none', $2, 'enr_none', 2026, 'deduction', 100, 'Medical', 'Pre-tax')`,
    ],
    [
      'an enrollment in what no plan year offers',
      `insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id, anchored_on,
                                granted_on, window_ends_on, coverage_start, created_at, updated_at)
       select 'enrl_new', $1, employer_id, id, 'plyr_none', 'bprd_none', '2026-03-05', '2026-03-05', '2026-03-05',
              '2026-03-05', now(), now()
         from employees where id = $2`,
    ],
    [
      'evidence of an enrollment that is not there',
      `insert into enrollment_evidence (organization_id, enrollment_id, position, deed, recorded_at, coverage_start)
       values ($1, 'enrl_none', 1, 'ended', now(), '2026-03-05')`,
    ],
    [
      'an employment of nobody',
      `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at, created_at, updated_at,
                              roster_number, search_key)
       select 'empl_new', $1, employer_id, 'mbr_nobody', '2026-03-05', now(), now(), now(), 1000, 'x'
         from employees where id = $2`,
    ],
  ])('is refused when it is %s', async (_, text) => {
    const { id, organization_id } = await somebody()
    await expect(run(text, text.includes('$2') ? [organization_id, id] : [organization_id])).rejects.toMatchObject({
      code: '23503',
    })
  })

  it('refers to what is never deleted and keeps its id', async () => {
    const { id, member_id, employer_id } = await somebody()
    for (const [table, key] of [
      ['employees', id],
      ['members', member_id],
      ['employers', employer_id],
    ] as const) {
      await expect(run(`delete from ${table} where id = $1`, [key])).rejects.toMatchObject({
        code: expect.stringMatching(/^23/),
      })
      await expect(run(`update ${table} set id = id || 'x' where id = $1`, [key])).rejects.toMatchObject({
        code: expect.stringMatching(/^23/),
      })
    }
  })
})
