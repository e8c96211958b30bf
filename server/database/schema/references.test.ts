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
      `insert into enrollment_evidence (organization_id, enrollment_id, position, action, recorded_at, coverage_start)
       values ($1, 'enrl_none', 1, 'ended', now(), '2026-03-05')`,
    ],
    [
      'an employment of nobody',
      `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at, created_at, updated_at,
                              roster_number, search_key)
       select 'empl_new', $1, employer_id, 'mbr_nobody', '2026-03-05', now(), now(), now(), 1000, 'x'
         from employees where id = $2`,
    ],
    [
      'an employment at an employer that is not there',
      `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at, created_at, updated_at,
                              roster_number, search_key)
       select 'empl_new', $1, 'empr_none', member_id, '2026-03-05', now(), now(), now(), 1000, 'x'
         from employees where id = $2`,
    ],
    [
      'a class of an employment that is not there, beside one that is',
      `insert into employee_classifications (organization_id, employee_id, effective_on, employee_class, created_at)
       select $1, id, '2026-04-01', 'Intern', now() from unnest(array['empl_none', $2]) as said (id)
       returning true as written`,
    ],
    [
      'a pay of an employment that is not there',
      `insert into employee_compensations (organization_id, employee_id, effective_on, compensation_type, created_at)
       values ($1, 'empl_none', '2026-04-01', 'Hourly', now())`,
    ],
    [
      'a membership of somebody in a group that is not there, and in a plan that is not',
      `insert into group_members
         (id, organization_id, group_id, member_id, reference_id, plan_id, joined_at, updated_at)
       select 'grpmbr_new', $1, 'grp_none', member_id, 'A', 'pln_none', now(), now() from employees where id = $2`,
    ],
  ])('is refused when it is %s', async (_, text) => {
    const { id, organization_id } = await somebody()
    await expect(run(text, text.includes('$2') ? [organization_id, id] : [organization_id])).rejects.toMatchObject({
      code: '23503',
    })
  })

  it('keeps what it refers to', async () => {
    const { id } = await somebody()
    for (const [table, column, key] of [
      ['employees', 'member_id', 'id'],
      ['employees', 'employer_id', 'id'],
      ['employee_classifications', 'employee_id', 'employee_id'],
    ]) {
      const moving = run(`update ${table} set ${column} = ${column} || 'x' where ${key} = $1`, [id])
      await expect(moving).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
    }
  })

  it('may refer to what the same statement brings, and to nothing that another has not committed', async () => {
    const { organization_id, employer_id } = await somebody()
    const person = `insert into members (id, organization_id, first_name, last_name, name_key, date_of_birth,
                      member_number, created_at, updated_at)
      values ($1, $2, 'Ada', 'Byron', 'ada|byron', '1990-12-10', 900001, now(), now())`
    const employment = `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at,
                          created_at, updated_at, roster_number, search_key)
      values ('empl_' || $1, $2, $3, $1, '2026-03-05', now(), now(), now(), 1000, 'x')`
    await api.act(async (ctx) => {
      await ctx.db.rows(person, ['mbr_coming', organization_id])
      const elsewhere = api.act((other) => other.db.rows(employment, ['mbr_coming', organization_id, employer_id]))
      await expect(elsewhere).rejects.toMatchObject({ code: '23503' })
    })
    await api.act((ctx) => ctx.db.rows(employment, ['mbr_coming', organization_id, employer_id]))
  })

  it('refers to what is never deleted and keeps its id', async () => {
    const { id, organization_id, member_id, employer_id } = await somebody()
    for (const [table, key] of [
      ['employees', id],
      ['members', member_id],
      ['employers', employer_id],
      ['organizations', organization_id],
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
