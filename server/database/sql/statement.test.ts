import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { inReach, isOfCaller } from '../../database/sql/reach.ts'
import { endpoint } from '../../http/endpoint.ts'
import type { Ctx, ReadCtx } from '../../runtime/ctx.ts'
import { removeTestStatements } from '../../test/declared-statements.ts'
import type { Db } from '../query/database.ts'
import { compile, read, readVariants, statement, variants } from './statement.ts'

removeTestStatements()

/** A connection that records its statements. */
const recording = () => {
  const sent: { text: string; values: unknown[] | undefined }[] = []
  const note = async (text: string, values?: unknown[]) => {
    sent.push({ text, values })
    return [] as never
  }
  return { requested: sent, db: { rows: note, row: note, json: note } as unknown as Db }
}

describe('a parameter is numbered', () => {
  it.each([
    ['at its first occurrence', 'select :a, :b, :a', 'select $1, $2, $1', ['a', 'b']],
    ['before a cast', 'select :a::text, now()::date', 'select $1::text, now()::date', ['a']],
    ['but not in a string', `select ':a', 'it''s :b', :c`, `select ':a', 'it''s :b', $1`, ['c']],
    ['but not in a quoted name', 'select ":a", :b', 'select ":a", $1', ['b']],
    ['but not in a comment', 'select 1 -- :a\n/* :b */ , :c', 'select 1 -- :a\n/* :b */ , $1', ['c']],
    ['but not in a slice', 'select x[1:2], x[:a]', 'select x[1:2], x[$1]', ['a']],
  ])('%s', (_, text, compiled, parameters) => {
    expect(compile(text)).toEqual({ text: compiled, parameters })
  })
})

it('sends a statement with its name, and its values in the order of its parameters', async () => {
  const { requested, db } = recording()
  const found = statement('test.found', 'select :b, :today::date, :reach_employer_id where :a')
  const caller = { reach: { organization_ids: null, employer_id: null, employee_id: null } } as never
  await found.rows({ db, today: '2026-03-10', caller }, { a: true, b: 2 })
  expect(requested).toEqual([
    { text: '/* test.found */ select $1, $2::date, $3 where $4', values: [2, '2026-03-10', null, true] },
  ])
})

it('refuses a statement if a value is missing or its name is taken', async () => {
  const { db } = recording()
  const lacking = statement('test.lacking', 'select :a, :now')
  expect(() => lacking.rows({ db, now: 'x' })).toThrow('test.lacking requires a value for :a.')
  expect(() => lacking.rows({ db }, { a: 1 })).toThrow('test.lacking requires a value for :now.')
  expect(() => statement('test.lacking', 'select 1')).toThrow('There are two statements named test.lacking.')
})

it('compiles a variant of a statement for each choice of filters', () => {
  const listed = variants(
    'test.listed',
    { status: [null, 'active', 'terminated'], search: [false, true] },
    ({ status, search }) =>
      `select 1${status ? ` where status = '${status}'` : ''}${search ? ' and name ~ :search' : ''}`,
  )
  expect(listed({ status: null, search: false }).text).toBe('/* test.listed() */ select 1')
  expect(listed({ status: 'active', search: true })).toMatchObject({
    text: `/* test.listed(active, search) */ select 1 where status = 'active' and name ~ $1`,
    parameters: ['search'],
  })
})

describe('a read', () => {
  const in_reach = `select '{}' as json from employees as employee
    where ${inReach('employee.organization_id', 'employee.employer_id', 'employee.id')}`

  it('is limited to the reach of its caller', () => {
    expect(read('test.inReach', in_reach).parameters).toContain('reach_organization_ids')
    expect(read('test.ofCaller', `select ${isOfCaller('user_id')} from memberships`).parameters).toContain(
      'caller_user_id',
    )
  })

  it.each([
    ['no caller', 'select 1 from employees where id = :employee_id'],
    ['the organizations', 'select 1 from employees where organization_id = any(:reach_organization_ids)'],
    ['the user', 'select 1 from memberships where user_id = :caller_user_id'],
  ])('that names only %s is refused at its declaration', (names, text) => {
    const why = `test.${names} is a read that ignores the reach of its caller. Limit its rows with inReach().`
    expect(() => read(`test.${names}`, text)).toThrow(why)
  })

  it('is refused if one of its variants omits the reach', () => {
    const build = ({ mine }: { mine: boolean }) => (mine ? in_reach : 'select 1 from employees')
    expect(() => readVariants('test.variants', { mine: [true, false] }, build)).toThrow('test.variants() is a read')
  })
})

// The compiler checks these cases at the start of npm run check. Nothing here is called.
describe('an operation that reads', () => {
  const salaries = statement('test.findSalary', 'select salary from salaries where employee_id = :employee_id')
  const employee = read('test.findEmployee', `select 1 as json where ${inReach("'org'")} and :employee_id = ''`)
  const findSalary = (ctx: ReadCtx, employee_id: string) => {
    // @ts-expect-error -- a read cannot run a statement without the reach
    return salaries.json(ctx, { employee_id })
  }
  const findEmployee = (ctx: ReadCtx, employee_id: string) => employee.json(ctx, { employee_id })
  const at = {
    operation: 'employees_get_salary',
    path: '/v1/employees/{employee_id}/salary',
    tag: 'Employees',
    summary: 'Read the salary of another person',
    allows: ['api_key'],
    roles: ['ADMIN'],
    organization: 'path',
    params: { employee_id: 'empl' },
    returns: { 200: z.object({}) },
  } as const

  it('is a type error if its statement omits the reach', () => {
    // @ts-expect-error -- a read cannot pass its context to a function that runs any statement
    const handled = endpoint({ ...at, method: 'GET', handle: (ctx) => runAny(ctx) })
    const runAny = (ctx: Ctx) => salaries.json(ctx, { employee_id: 'empl_1' })
    expect([handled, findSalary]).toHaveLength(2)
  })

  it('is a type error if it adds a job or sends SQL text', () => {
    // @ts-expect-error -- a read cannot change anything
    endpoint({ ...at, method: 'GET', handle: (ctx) => ctx.enqueue('x', {}) })
    // @ts-expect-error -- a read has only a connection for reads
    expect(endpoint({ ...at, method: 'GET', handle: (ctx) => ctx.db.json('select 1') }).method).toBe('GET')
  })

  it('is accepted if its statement names the reach, and a write may run both', () => {
    const reads = endpoint({ ...at, method: 'GET', handle: (ctx, { params }) => findEmployee(ctx, params.employee_id) })
    const writes = endpoint({
      ...at,
      method: 'POST',
      handle: async (ctx, { params }) =>
        (await salaries.json(ctx, { employee_id: params.employee_id })) ?? findEmployee(ctx, params.employee_id),
    })
    expect([reads.method, writes.method]).toEqual(['GET', 'POST'])
  })
})
