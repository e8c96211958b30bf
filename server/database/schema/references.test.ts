import { describe, expect, it } from 'vitest'
import { createEmployee, createEmployer } from '../../test/fixtures.ts'
import { useApi } from '../../test/harness.ts'
import { first } from '../../test/pick.ts'

const api = useApi()

const run = (text: string, values: unknown[]) => api.act((ctx) => ctx.db.rows(text, values))

/** An employee, as rows refer to them. */
async function anEmployee() {
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
      'a balance of a missing enrollment',
      `insert into deduction_balances (organization_id, enrollment_id, year, tax_classification, collected_in_cents)
       values ($1, 'enr_none', 2026, 'Pre-tax', 100)`,
    ],
    [
      'a line of a missing statement',
      `insert into deduction_lines (organization_id, statement_id, employee_id, enrollment_id, year, kind,
                                    amount_in_cents, benefit_name, tax_classification)
       values ($1, 'stmt_none', $2, 'enr_none', 2026, 'deduction', 100, 'Medical', 'Pre-tax')`,
    ],
    [
      'an enrollment in a missing plan year',
      `insert into enrollments (id, organization_id, employer_id, employee_id, plan_year_id, benefit_id, anchored_on,
                                granted_on, granted_for, window_ends_on, coverage_start, created_at, updated_at)
       select 'enrl_new', $1, employer_id, id, 'plyr_none', 'bprd_none', '2026-03-05', '2026-03-05', '2026-03-05',
              '2026-03-05', '2026-03-05', now(), now()
         from employees where id = $2`,
    ],
    [
      'evidence of a missing enrollment',
      `insert into enrollment_evidence (organization_id, enrollment_id, position, action, recorded_at, actor,
                                        reported_by, coverage_start)
       values ($1, 'enrl_none', 1, 'ended', now(), 'rule', 'rule', '2026-03-05')`,
    ],
    [
      'an employment of a missing member',
      `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at, created_at, updated_at,
                              roster_number, search_key, report_hash)
       select 'empl_new', $1, employer_id, 'mbr_no_one', '2026-03-05', now(), now(), now(), 1000, 'x', 'hash'
         from employees where id = $2`,
    ],
    [
      'an employment at a missing employer',
      `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at, created_at, updated_at,
                              roster_number, search_key, report_hash)
       select 'empl_new', $1, 'empr_none', member_id, '2026-03-05', now(), now(), now(), 1000, 'x', 'hash'
         from employees where id = $2`,
    ],
    [
      'a class of a missing employment, in addition to that of an existing one',
      `insert into employee_classifications (organization_id, employee_id, effective_on, employee_class, created_at)
       select $1, id, '2026-04-01', 'Intern', now() from unnest(array['empl_none', $2]) as input (id)
       returning true as written`,
    ],
    [
      'a compensation of a missing employment',
      `insert into employee_compensations (organization_id, employee_id, effective_on, compensation_type, created_at)
       values ($1, 'empl_none', '2026-04-01', 'Hourly', now())`,
    ],
    [
      'a bargaining unit of a missing employment',
      `insert into employee_bargaining_units (organization_id, employee_id, effective_on, bargaining_unit, created_at)
       values ($1, 'empl_none', '2026-04-01', 'Local 12', now())`,
    ],
    [
      'a membership in a missing group and plan',
      `insert into group_members
         (id, organization_id, group_id, member_id, reference_id, plan_id, joined_at, updated_at)
       select 'grpmbr_new', $1, 'grp_none', member_id, 'A', 'pln_none', now(), now() from employees where id = $2`,
    ],
  ])('is refused if it is %s', async (_, text) => {
    const { id, organization_id } = await anEmployee()
    await expect(run(text, text.includes('$2') ? [organization_id, id] : [organization_id])).rejects.toMatchObject({
      code: '23503',
    })
  })

  it('cannot change its references', async () => {
    const { id } = await anEmployee()
    for (const [table, column, key] of [
      ['employees', 'member_id', 'id'],
      ['employees', 'employer_id', 'id'],
      ['employee_classifications', 'employee_id', 'employee_id'],
    ]) {
      const moving = run(`update ${table} set ${column} = ${column} || 'x' where ${key} = $1`, [id])
      await expect(moving).rejects.toMatchObject({ code: expect.stringMatching(/^23/) })
    }
  })

  it('may refer to rows of the same transaction, but not to uncommitted rows of others', async () => {
    const { organization_id, employer_id } = await anEmployee()
    const person = `insert into members (id, organization_id, first_name, last_name, name_key, date_of_birth,
                      created_at, updated_at)
      values ($1, $2, 'Ada', 'Byron', 'ada|byron', '1990-12-10', now(), now())`
    const employment = `insert into employees (id, organization_id, employer_id, member_id, hired_on, known_at,
                          created_at, updated_at, roster_number, search_key, report_hash)
      values ('empl_' || $1, $2, $3, $1, '2026-03-05', now(), now(), now(), 1000, 'x', 'hash')`
    await api.act(async (ctx) => {
      await ctx.db.rows(person, ['mbr_coming', organization_id])
      const elsewhere = api.act((other) => other.db.rows(employment, ['mbr_coming', organization_id, employer_id]))
      await expect(elsewhere).rejects.toMatchObject({ code: '23503' })
    })
    await api.act((ctx) => ctx.db.rows(employment, ['mbr_coming', organization_id, employer_id]))
  })

  it('refers to rows that cannot be deleted or change their id', async () => {
    const { id, organization_id, member_id, employer_id } = await anEmployee()
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
