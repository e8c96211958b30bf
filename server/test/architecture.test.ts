import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { modules } from '../modules.ts'
import { repositoryFiles, root } from './source/repository-files.ts'
import { violations, type Files, type Layout, importCycles } from './architecture.ts'

/** Tables that belong to no module. */
const platform_tables = [
  'webhook_events',
  'webhook_event_counts',
  'webhook_event_positions',
  'webhook_outbox',
  'audit_batches',
  'audit_chains',
  'idempotency_keys',
  'rate_limits',
  'mail_minutes',
  'migrations',
  'schema_definitions',
  'installation',
  'secret_keys',
  'service_processes',
  'replica_heartbeats',
  'write_positions',
  'unsharding_steps',
  'two_phase_commits',
]

/** Folders with more than 15 files besides tests. This list may only get shorter. */
const crowded_folders: string[] = []

/** The commands and entry points that open, migrate or shard a database. */
const citus_importers = [
  'server/cli/audit.ts',
  'server/cli/distribute.ts',
  'server/cli/doctor.ts',
  'server/cli/secrets.ts',
  'server/database/schema/migrate.ts',
  'server/open-runtime.ts',
]

/** A small tree that follows the rules. Employers is below organizations and above employees. */
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

/** The violations after text is appended to a file of the tree, or written to a new file. */
const seed = (path: string, text: string) => violations({ ...tree, [path]: `${tree[path] ?? ''}\n${text}` }, layout)

const rule = {
  above:
    'a module imports only from what is below modules/, from itself, from districts below and from the modules above it in its district.',
  districts: 'between districts: access ← directory ← money, events ← coverage, operations ← roster ← aca.',
  layers:
    'kernel ← integrations, documents ← database ← http, jobs, runtime, security ← modules ← sandbox ← cli, tools and the doors: no imports from above.',
  io: 'kernel/ does no I/O and knows no server.',
  inner: 'no module imports the entry points of another module: its routes and background.',
  list: 'only entry points and tools import modules.ts.',
  tests: 'server code does not import tests or benchmarks.',
  computed: 'import paths are literals.',
  own: 'a module writes only its own tables.',
  named: 'a write names its table literally in the same file.',
  sql: "a module's SQL is in its queries.ts, and the layers below database/ have none.",
  files:
    'a module holds schemas, rules, queries, actions, routes, background, functions.sql and their tests, and no other files.',
}

/** Expects each of these texts, added to a file, to cause exactly one violation, with its description and rule. */
function finds(part: string, why: string, path: string, texts: string[]) {
  it.each(texts)(`${path.slice('server/'.length)} with %s`, (text) => {
    const found = seed(path, text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(/^server\/[\w./-]+:\d+ /)
    expect(found[0]).toContain(`${part}: ${why}`)
  })
}

const rules = 'server/modules/directory/employers/rules.ts'
const queries = 'server/modules/directory/employers/queries.ts'
const actions = 'server/modules/directory/employers/actions.ts'
const platform = 'server/database/query/database.ts'

it('the tree follows every rule before any violation is added', () => {
  expect(violations(tree, layout)).toEqual([])
})

describe('detects a forbidden import:', () => {
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
  finds('imports server/modules/access/organizations/background.ts', rule.inner, rules, [
    `export * from '../../access/organizations/background.ts'`,
  ])
  finds('imports server/modules.ts', rule.list, rules, [`import { modules } from '../../../modules.ts'`])
  finds('imports server/modules/directory/modules.ts', rule.list, rules, [`import '../modules.ts'`])
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
  finds('imports server/test/fixtures.ts', rule.tests, rules, [
    `import { anEmployer } from '../../../test/fixtures.ts'`,
  ])
  finds('imports a computed path', rule.computed, rules, ['await import(`../${name}/rules.ts`)', 'await import(name)'])
})

describe("detects a write to another module's table:", () => {
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
  finds('writes graphile_worker.jobs, which belongs to no module', rule.own, queries, [
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
    expect(seed(queries, text)).toEqual([
      `${queries}:${line} writes employees, which belongs to employees: ${rule.own}`,
    ])
  })

  it('but allows a file to write a temporary table that it creates', () => {
    expect(seed(queries, `const s = 'create temp table rows (id text)', t = 'copy rows from stdin'`)).toEqual([])
  })
})

describe('detects SQL outside queries.ts:', () => {
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
  it('detects any other file in a module', () => {
    for (const path of [
      'server/modules/directory/employers/helpers.ts',
      'server/modules/directory/employers/v2/rules.ts',
    ]) {
      expect(seed(path, '')).toEqual([`${path}: ${rule.files}`])
    }
  })

  it('applies the rules of a role to files with a prefix, such as run-queries.ts', () => {
    expect(
      seed('server/modules/directory/employers/run-queries.ts', `const s = 'update employers set name = $1'`),
    ).toEqual([])
    expect(seed('server/modules/directory/employers/run-rules.ts', `const s = 'select now()'`)).toHaveLength(1)
    expect(seed(rules, `import '../../access/organizations/run-routes.ts'`)).toHaveLength(1)
  })

  it('requires a statement file to be declared next to it, and to write only tables of its module', () => {
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
    expect(seed(path, 'select 1')).toEqual([
      `${path}: a statement in a file of its own is declared by the queries.ts next to it.`,
    ])
    expect(seed('server/modules/access/organizations/SAVE.sql', 'select 1')).toEqual([
      `server/modules/access/organizations/SAVE.sql: ${rule.files}`,
    ])
  })

  it('requires every module to be listed and to have a folder', () => {
    expect(seed('server/modules/directory/plans/rules.ts', '')).toEqual([
      'server/modules/directory/plans: every module is listed in modules.ts and lies in a district.',
    ])
    expect(violations(tree, { ...layout, modules: [...layout.modules, { name: 'plans', tables: [] }] })).toEqual([
      'server/modules.ts lists plans: every listed module has its folder.',
    ])
  })

  it('requires every table to have a migration and one owner', () => {
    expect(seed('server/migrations/0003_new.sql', 'create table plans (id text)')).toEqual([
      'The table plans is in no list of modules.ts: every table has an owner.',
    ])
    expect(seed('server/migrations/0003_new.sql', 'drop table events')).toEqual([
      'The table events of modules.ts is made by no migration: every listed table exists.',
    ])
    expect(violations(tree, { ...layout, platform_tables: ['events', 'employees'] })).toEqual([
      'The table employees is listed twice in modules.ts: a table has one owner.',
    ])
  })
})

it('detects an import cycle, including one of types only', () => {
  const cycle = {
    'server/a.ts': `import { b } from './b.ts'; import { x } from './x.ts'`,
    'server/b.ts': `export * from './c/c.ts'`,
    'server/c/c.ts': `import type { A } from '../a.ts'`,
    'server/x.ts': `const lazy = await import('./a.ts')`,
  }
  expect(importCycles(cycle)).toEqual([['server/a.ts', 'server/b.ts', 'server/c/c.ts']])
})

describe('this repository', () => {
  const filesIn = (folders: string[], includes = (_path: string) => true): Files =>
    Object.fromEntries(
      repositoryFiles(...folders)
        .filter(includes)
        .map((path) => [path, readFileSync(join(root, path), 'utf8')]),
    )

  it('follows every rule', () => {
    expect(violations(filesIn(['server']), { modules, platform_tables })).toEqual([])
  })

  it('has no import cycles', () => {
    const is_code = (path: string) => /(?<!\.test|\.d)\.(?:tsx?|js)$/.test(path) && !/^\w+\/(?:test|bench)\//.test(path)
    const folders = ['cli', 'console', 'packages', 'sdk', 'server', 'widgets']
    expect(importCycles(filesIn(folders, is_code))).toEqual([])
  })

  it('has at most 15 files in a folder, besides tests', () => {
    const counts = new Map<string, number>()
    for (const path of repositoryFiles('cli', 'console', 'packages', 'sdk', 'server', 'widgets'))
      if (!/\.test\.tsx?$/.test(path)) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1)
    const crowded = [...counts].filter(([, count]) => count > 15).map(([folder]) => folder)
    expect(crowded.sort()).toEqual(crowded_folders)
  })

  it('names Citus only in database/citus and where a database is opened, migrated or distributed', () => {
    const importing = Object.entries(filesIn(['server'], (path) => /(?<!\.test)\.ts$/.test(path)))
      .filter(([path, text]) => text.includes('/citus/') && !/^server\/(?:test|tools|database\/citus)\//.test(path))
      .map(([path]) => path)
    expect(importing.sort()).toEqual(citus_importers)
    const naming = Object.entries(filesIn(['server/modules'], (path) => !path.endsWith('.test.ts'))).filter(
      ([, text]) => /citus/i.test(text),
    )
    expect(naming.map(([path]) => path)).toEqual([])
  })
})
