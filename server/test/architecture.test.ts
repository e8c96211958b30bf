import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { modules, platform_tables } from '../modules.ts'
import { violations, type Files, type Layout } from './architecture.ts'

/** A small tree that keeps the rules: employers stands below organizations and above employees. */
const layout: Layout = {
  modules: [
    { name: 'organizations', tables: ['organizations'] },
    { name: 'employers', tables: ['employers', 'employer_admins'] },
    { name: 'employees', tables: ['employees'] },
  ],
  platform_tables: ['events'],
}
const tree: Files = {
  'server/modules.ts': `import { routes } from './modules/employers/routes.ts'`,
  'server/platform/db.ts': `export const db = 1`,
  'server/platform/events.ts': 'export const add = "insert into events values ($1)"',
  'server/modules/organizations/queries.ts': 'export const all = "select id from organizations"',
  'server/modules/organizations/routes.ts': `export const routes = []`,
  'server/modules/employers/queries.ts': `
    import { db } from '../../platform/db.ts'
    import type { Organization } from '../organizations/schemas.ts'
    /** Never update employees set here, nor insert into events: this is prose. */
    const find = 'select * from employees join organizations on true for no key update of employees'
    const save = \`
      with e as (select id from employees for update of e skip locked)
      insert into employers (id) select id from e -- delete from employees
      on conflict (id) do update set name = excluded.name\``,
  'server/modules/employers/actions.ts': `
    // update employees set name = 'x'
    import { find } from './queries.ts'
    const refusal = 'Select a plan from the list, or delete from your book what you do not need; update the set.'
    const summary = 'Update an employer. Copy settings from one employer to another. Truncate nothing.'
    const amount = 'It costs $1.'`,
  'server/modules/employers/actions.test.ts': `import { x } from '../employees/routes.ts'; const sql = 'delete from employees'`,
  'server/modules/employees/routes.ts': `import { changeEmployer } from '../employers/actions.ts'`,
  'server/bench/run.ts': `import { modules } from '../modules.ts'; const sql = 'truncate employees'`,
  'server/migrations/0001_all.sql': `
    -- create table prose ();
    create table organizations (id text);
    create table employers (id text);
    create table admins (id text);
    alter table admins rename to employer_admins;
    create unlogged table if not exists employees (id text) partition by hash (id);
    create table employees_1 partition of employees for values with (modulus 1, remainder 0);
    create table gone (id text);`,
  'server/migrations/0002_more.sql': 'create table events (id text); drop table gone;',
}

/** Adds lines below a file of the tree, or a new file. */
const plant = (path: string, text: string, changed: Partial<Layout> = {}) =>
  violations({ ...tree, [path]: `${tree[path] ?? ''}\n${text}` }, { ...layout, ...changed })

const rule = {
  above: 'a module imports only from platform/, from itself and from the modules above it in modules.ts.',
  inner: "nobody imports another module's routes or jobs.",
  platform: 'platform/ knows no module.',
  list: 'only files directly in server/ import modules.ts.',
  tests: 'tests and benchmarks serve the code, and never the other way round.',
  computed: 'the name of what is imported is written out, so that everyone sees it.',
  own: 'a module writes only its own tables.',
  named: 'the tables that a file writes are named in it.',
  sql: "a module's SQL is in its queries.ts and nowhere else.",
  files: 'a module holds schemas, rules, queries, actions, routes, jobs and their tests, and no other files.',
}

describe('the planted tree', () => {
  it('keeps every rule before anything is planted', () => {
    expect(violations(tree, layout)).toEqual([])
  })

  const employers = 'server/modules/employers'
  it.each([
    // Imports
    [`${employers}/rules.ts`, `import { x } from '../employees/rules.ts'`, 'imports server/modules/employees/rules.ts', rule.above],
    [`${employers}/rules.ts`, `import type { X } from '../employees/schemas.ts'`, 'imports server/modules/employees/schemas.ts', rule.above],
    [`${employers}/rules.ts`, `type X = import('../employees/schemas.ts').X`, 'imports server/modules/employees/schemas.ts', rule.above],
    [`${employers}/rules.ts`, `const x = await import('../employees/rules.ts')`, 'imports server/modules/employees/rules.ts', rule.above],
    [`${employers}/rules.ts`, `export { x } from '../employees/rules.ts'`, 'imports server/modules/employees/rules.ts', rule.above],
    [`${employers}/rules.ts`, `export * from '../employees/rules.ts'`, 'imports server/modules/employees/rules.ts', rule.above],
    [`${employers}/rules.ts`, `import { x } from '../../main.ts'`, 'imports server/main.ts', rule.above],
    [`${employers}/rules.ts`, `import { x } from '../organizations/routes.ts'`, 'imports server/modules/organizations/routes.ts', rule.inner],
    [`${employers}/rules.ts`, `import { x } from '../organizations/jobs.ts'`, 'imports server/modules/organizations/jobs.ts', rule.inner],
    [`${employers}/rules.ts`, `import { modules } from '../../modules.ts'`, 'imports server/modules.ts', rule.list],
    [`${employers}/rules.ts`, `import { cast } from '../../test/cast.ts'`, 'imports server/test/cast.ts', rule.tests],
    [`${employers}/rules.ts`, 'const x = await import(`../${name}/rules.ts`)', 'imports a computed name', rule.computed],
    ['server/platform/db.ts', `import { x } from '../modules/employers/rules.ts'`, 'imports server/modules/employers/rules.ts', rule.platform],
    ['server/platform/db.ts', `import { modules } from '../modules.ts'`, 'imports server/modules.ts', rule.list],
    // Writes
    [`${employers}/queries.ts`, `const s = 'insert into employees (id) values ($1)'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'INSERT INTO public."employees" VALUES ($1)'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'update employees as e set name = $1'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'update only employees set name = $1'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'delete from organizations where id = $1'`, 'writes organizations, which belongs to organizations', rule.own],
    [`${employers}/queries.ts`, `const s = 'merge into employees using e on true'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'truncate table employees'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'copy employees (id, name) from stdin'`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, `const s = 'insert into events values ($1)'`, 'writes events, which belongs to platform/', rule.own],
    [`${employers}/queries.ts`, `const s = 'delete from graphile_worker.jobs'`, 'writes graphile_worker.jobs, which belongs to nobody', rule.own],
    [`${employers}/queries.ts`, `const s = 'update ' + 'employees' + ' set name = ' + name`, 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, 'const o = { table: "employees" }; const s = `delete from ${o.table}`', 'writes employees, which belongs to employees', rule.own],
    [`${employers}/queries.ts`, 'const s = `delete from ${tableOf(x)}`', 'writes a table that is named elsewhere', rule.named],
    ['server/platform/db.ts', `const s = 'update employers set name = $1'`, 'writes employers, which belongs to employers', rule.own],
    ['server/seed.ts', `const s = 'update employers set name = $1'`, 'writes employers, which belongs to employers', rule.own],
    // SQL outside queries.ts
    [`${employers}/actions.ts`, `const s = 'update employers set name = $1'`, 'holds SQL', rule.sql],
    [`${employers}/actions.ts`, `const s = 'select id, name from employers'`, 'holds SQL', rule.sql],
    [`${employers}/actions.ts`, `const s = 'select now()'`, 'holds SQL', rule.sql],
    [`${employers}/actions.ts`, `const s = \`with e as (\${find}) table e\``, 'holds SQL', rule.sql],
    [`${employers}/actions.ts`, `const s = find + ' where employers.id = $4'`, 'holds SQL', rule.sql],
    [`${employers}/actions.ts`, `const s = 'create temp table rows (id text)'`, 'holds SQL', rule.sql],
    // Files
    [`${employers}/helpers.ts`, '', `${employers}/helpers.ts`, rule.files],
    [`${employers}/v2/rules.ts`, '', `${employers}/v2/rules.ts`, rule.files],
    ['server/modules/plans/rules.ts', '', 'server/modules/plans', 'every module is listed in modules.ts.'],
    // Tables
    ['server/migrations/0003_new.sql', 'create table plans (id text)', 'The table plans is in no list of modules.ts', 'every table has an owner.'],
    ['server/migrations/0003_new.sql', 'drop table events', 'The table events of modules.ts is made by no migration', 'every listed table exists.'],
  ])('%s with "%s" is found', (path, text, what, why) => {
    const found = plant(path, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toContain(`${what}: ${why}`)
    if (!what.startsWith('The table')) expect(found[0]).toContain(path.split('/').slice(0, 3).join('/'))
  })

  it('finds a foreign table in a later part of a statement, and its line', () => {
    const found = plant(
      'server/modules/employers/queries.ts',
      `const s = \`
        with changed as (update employers set name = $1 returning id),
             counted as (
               update
                 employees as employee
                 set name = 'x' from changed returning 1)
        delete from employer_admins\``,
    )
    const line = tree['server/modules/employers/queries.ts']!.split('\n').length + 5
    expect(found).toEqual([`server/modules/employers/queries.ts:${line} writes employees, which belongs to employees: ${rule.own}`])
  })

  it('lets a file write the temporary table that it makes', () => {
    expect(
      plant('server/modules/employers/queries.ts', `const s = 'create temp table rows (id text)', t = 'copy rows from stdin'`),
    ).toEqual([])
  })

  it('finds a table with two owners, and a listed module without a folder', () => {
    expect(violations(tree, { ...layout, platform_tables: ['events', 'employees'] })).toEqual([
      'The table employees is listed twice in modules.ts: a table has one owner.',
    ])
    expect(violations(tree, { ...layout, modules: [...layout.modules, { name: 'plans', tables: [] }] })).toEqual([
      'server/modules.ts lists plans: every listed module has its folder.',
    ])
  })
})

it('this repository keeps every rule', () => {
  const root = new URL('../../', import.meta.url)
  const paths = readdirSync(new URL('server/', root), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => `${entry.parentPath}/${entry.name}`.replaceAll('\\', '/').replace(/^.*?\/server\//, 'server/'))
  const files = Object.fromEntries(paths.map((path) => [path, readFileSync(new URL(path, root), 'utf8')]))
  expect(violations(files, { modules, platform_tables })).toEqual([])
})
