import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
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
  'server/modules.ts': `import { routes } from './modules/directory/employers/routes.ts'`,
  'server/database/query/database.ts': `export const db = 1`,
  'server/runtime/events.ts': 'export const add = "insert into events values ($1)"',
  'server/modules/access/organizations/queries.ts': 'export const all = "select id from organizations"',
  'server/modules/access/organizations/routes.ts': `export const routes = []`,
  'server/modules/directory/employers/queries.ts': `
    import { db } from '../../../database/query/database.ts'
    import type { Organization } from '../../access/organizations/schemas.ts'
    /** Never update employees set here, nor insert into events: this is prose. */
    const find = 'select * from employees join organizations on true for no key update of employees'
    const save = \`
      with e as (select id from employees for update of e skip locked)
      insert into employers (id) select id from e -- delete from employees
      on conflict (id) do update set name = excluded.name\``,
  'server/modules/directory/employers/actions.ts': `
    // update employees set name = 'x'
    import { find } from './queries.ts'
    const refusal = 'Select a plan from the list, or delete from your book what you do not need; update the set.'
    const summary = 'Update an employer. Copy settings from one employer to another. Truncate nothing.'
    const amount = 'It costs $1.'`,
  'server/modules/directory/employers/actions.test.ts': `import { x } from '../employees/routes.ts'; const sql = 'delete from employees'`,
  'server/modules/directory/employees/routes.ts': `import { changeEmployer } from '../employers/actions.ts'`,
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

/** The violations after a text was added below a file of the tree, or as a new file. */
const plant = (path: string, text: string) => violations({ ...tree, [path]: `${tree[path] ?? ''}\n${text}` }, layout)

const rule = {
  above: 'a module imports only from what is below modules/, from itself and from the modules above it in modules.ts.',
  districts: 'between districts: access ← directory ← money, events ← coverage, operations ← roster.',
  layers:
    'kernel ← integrations, documents ← database ← http, jobs, runtime, security, docs-site ← modules ← sandbox ← cli, tools and the doors: no imports from above.',
  io: 'kernel/ does no I/O and knows no server.',
  inner: 'nobody imports what runs another module: its routes, jobs and background.',
  list: 'only the doors and the tools import modules.ts.',
  tests: 'tests and benchmarks serve the code, and never the other way round.',
  computed: 'the name of what is imported is written out, so that everyone sees it.',
  own: 'a module writes only its own tables.',
  named: 'the tables that a file writes are named in it.',
  sql: "a module's SQL is in its queries.ts, and the layers below database/ have none.",
  files:
    'a module holds schemas, rules, queries, actions, routes, jobs, background and their tests, and no other files.',
}

/** Each of these texts alone, planted in a file, is found once: what it does, and the sentence of the rule. */
function finds(what: string, why: string, path: string, texts: string[]) {
  it.each(texts)(`${path.slice('server/'.length)} with %s`, (text) => {
    const found = plant(path, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^server\/[\w./-]+:\d+ /)
    expect(found[0]).toContain(`${what}: ${why}`)
  })
}

const rules = 'server/modules/directory/employers/rules.ts'
const queries = 'server/modules/directory/employers/queries.ts'
const actions = 'server/modules/directory/employers/actions.ts'
const platform = 'server/database/query/database.ts'

it('the tree keeps every rule before anything is planted', () => {
  expect(violations(tree, layout)).toEqual([])
})

describe('a wrong import is found:', () => {
  finds('imports server/modules/directory/employees/rules.ts', rule.above, rules, [
    `import { x } from '../employees/rules.ts'`,
    `import '../employees/rules.ts'`,
    `import type { X } from '../employees/rules.ts'`,
    `type X = import('../employees/rules.ts').X`,
    `const x = await import('../employees/rules.ts')`,
    `export { x } from '../employees/rules.ts'`,
    `export * from '../employees/rules.ts'`,
  ])
  finds(
    'imports server/modules/roster/census/rules.ts',
    rule.districts,
    'server/modules/access/organizations/rules.ts',
    [`import '../../roster/census/rules.ts'`],
  )
  finds('imports server/main.ts', rule.layers, rules, [`import { x } from '../../../main.ts'`])
  finds('imports server/modules/access/organizations/routes.ts', rule.inner, rules, [
    `import '../../access/organizations/routes.ts'`,
  ])
  finds('imports server/modules/access/organizations/jobs.ts', rule.inner, rules, [
    `export * from '../../access/organizations/jobs.ts'`,
  ])
  finds('imports server/modules.ts', rule.list, rules, [`import { modules } from '../../../modules.ts'`])
  finds('imports server/modules.ts', rule.list, platform, [`import { modules } from '../../modules.ts'`])
  finds('imports server/modules/directory/employers/rules.ts', rule.layers, platform, [
    `import '../../modules/directory/employers/rules.ts'`,
  ])
  finds('imports server/database/query/database.ts', rule.layers, 'server/kernel/days.ts', [
    `import type { Db } from '../database/query/database.ts'`,
  ])
  finds('imports server/documents/table.ts', rule.layers, 'server/integrations/stripe/stripe.ts', [
    `import '../../documents/table.ts'`,
  ])
  finds('imports server/sandbox/story.ts', rule.layers, rules, [`import '../../../sandbox/story.ts'`])
  finds('imports node:fs', rule.io, 'server/kernel/days.ts', [`import { readFileSync } from 'node:fs'`])
  finds('imports fastify', rule.io, 'server/kernel/days.ts', [`import type { FastifyRequest } from 'fastify'`])
  finds('imports server/test/cast.ts', rule.tests, rules, [`import { cast } from '../../../test/cast.ts'`])
  finds('imports a computed name', rule.computed, rules, ['await import(`../${name}/rules.ts`)', 'await import(name)'])
})

describe("a write to another's table is found:", () => {
  finds('writes employees, which belongs to employees', rule.own, queries, [
    `const s = 'insert into employees (id) values ($1)'`,
    `const s = 'INSERT INTO public."employees" VALUES ($1)'`,
    `const s = 'update employees as e set name = $1'`,
    `const s = 'update only employees set name = $1'`,
    `const s = 'delete from employees where id = $1'`,
    `const s = 'merge into employees using e on true'`,
    `const s = 'truncate table employees'`,
    `const s = 'copy employees (id, name) from stdin'`,
    `const s = 'update ' + 'employees' + ' set name = ' + name`,
    'const o = { table: "employees" }; const s = `delete from ${o.table}`',
  ])
  finds('writes a table that is named elsewhere', rule.named, queries, ['const s = `delete from ${tableOf(x)}`'])
  finds('writes events, which belongs to no module', rule.own, queries, [`const s = 'insert into events values (1)'`])
  finds('writes graphile_worker.jobs, which belongs to nobody', rule.own, queries, [
    `'delete from graphile_worker.jobs'`,
  ])
  for (const path of [platform, 'server/seed.ts']) {
    finds('writes employers, which belongs to employers', rule.own, path, [
      `const s = 'update employers set name = $1'`,
    ])
  }

  it('in a later part of a statement, with its line', () => {
    const text = `const s = \`
      with changed as (update employers set name = $1 returning id),
           counted as (
             update
               employees as employee
               set name = 'x' from changed returning 1)
      delete from employer_admins\``
    const line = tree[queries]!.split('\n').length + 4
    expect(plant(queries, text)).toEqual([
      `${queries}:${line} writes employees, which belongs to employees: ${rule.own}`,
    ])
  })

  it('but a file writes the temporary table that it makes', () => {
    expect(plant(queries, `const s = 'create temp table rows (id text)', t = 'copy rows from stdin'`)).toEqual([])
  })
})

describe('SQL outside queries.ts is found:', () => {
  finds('holds SQL', rule.sql, actions, [
    `const s = 'update employers set name = $1'`,
    `const s = 'select id, name from employers'`,
    `const s = 'select now()'`,
    `const s = 'create temp table rows (id text)'`,
    `const s = find + ' where employers.id = $4'`,
    'const s = `with e as (${find}) table e`',
    'const s = `\n  SELECT id\n  FROM employers`',
  ])
})

describe('files and tables:', () => {
  it('a seventh file of a module is found', () => {
    for (const path of [
      'server/modules/directory/employers/helpers.ts',
      'server/modules/directory/employers/v2/rules.ts',
    ]) {
      expect(plant(path, '')).toEqual([`${path}: ${rule.files}`])
    }
  })

  it('a role that is divided keeps its rules', () => {
    expect(
      plant('server/modules/directory/employers/run-queries.ts', `const s = 'update employers set name = $1'`),
    ).toEqual([])
    expect(plant('server/modules/directory/employers/run-rules.ts', `const s = 'select now()'`)).toHaveLength(1)
    expect(plant(rules, `import '../../access/organizations/run-jobs.ts'`)).toHaveLength(1)
  })

  it('a statement in a file of its own is declared beside it, and writes what its module may', () => {
    const path = 'server/modules/access/organizations/save-all.sql'
    const declared = (text: string) =>
      violations(
        {
          ...tree,
          [path]: text,
          'server/modules/access/organizations/queries.ts': `sqlFile(new URL('save-all.sql', import.meta.url))`,
        },
        layout,
      )
    expect(declared('update organizations set name = :name')).toEqual([])
    expect(declared('-- All.\n\ndelete from employers')).toEqual([
      `${path}:3 writes employers, which belongs to employers: ${rule.own}`,
    ])
    expect(plant(path, 'select 1')).toEqual([
      `${path}: a statement in a file of its own is declared by the queries.ts beside it.`,
    ])
    expect(plant('server/modules/access/organizations/SAVE.sql', 'select 1')).toEqual([
      `server/modules/access/organizations/SAVE.sql: ${rule.files}`,
    ])
  })

  it('a module is in the list and has a folder', () => {
    expect(plant('server/modules/directory/plans/rules.ts', '')).toEqual([
      'server/modules/directory/plans: every module is listed in modules.ts and lies in a district.',
    ])
    expect(violations(tree, { ...layout, modules: [...layout.modules, { name: 'plans', tables: [] }] })).toEqual([
      'server/modules.ts lists plans: every listed module has its folder.',
    ])
  })

  it('a table is made by a migration and has one owner', () => {
    expect(plant('server/migrations/0003_new.sql', 'create table plans (id text)')).toEqual([
      'The table plans is in no list of modules.ts: every table has an owner.',
    ])
    expect(plant('server/migrations/0003_new.sql', 'drop table events')).toEqual([
      'The table events of modules.ts is made by no migration: every listed table exists.',
    ])
    expect(violations(tree, { ...layout, platform_tables: ['events', 'employees'] })).toEqual([
      'The table employees is listed twice in modules.ts: a table has one owner.',
    ])
  })
})

it('this repository keeps every rule', () => {
  const root = join(import.meta.dirname, '../..')
  const files = readdirSync(join(root, 'server'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(root, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')])
  expect(violations(Object.fromEntries(files), { modules, platform_tables })).toEqual([])
})
