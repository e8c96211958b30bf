import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import {
  at_coordinator,
  by_organization,
  everywhere,
  organization_columns,
  sharded_rules,
  triggers_of_one_server,
} from './placement.ts'
import { readDefinitions } from '../schema/definitions.ts'

const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')

/** The tables of the schema by name, with the text between their parentheses. Partitions are omitted. */
const tables = new Map(
  [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n(.*?)\n\)/gms)].map(([, name, body]) => [name!, body!]),
)

const placed_tables = [...by_organization, ...everywhere, ...Object.values(at_coordinator).flat()]

test('each table has exactly one placement', () => {
  expect(placed_tables.toSorted()).toEqual([...tables.keys()].toSorted())
})

test('organization_columns lists all columns of organizations', () => {
  const columns = tables
    .get('organizations')!
    .split('\n')
    .filter((line) => !line.includes('CONSTRAINT'))
  const typed = columns.map(
    (line) => /^ *(\w+ [a-z ]+?(?: COLLATE \S+?)?)(?: DEFAULT .*| NOT NULL| GENERATED .*)?,?$/.exec(line)![1]!,
  )
  expect(organization_columns).toEqual(typed.map((column) => column.replace('COLLATE', 'collate')))
})

test.each(by_organization)('%s has organization_id in each of its keys', (table) => {
  const body = tables.get(table)!
  expect(body).toMatch(new RegExp(`^  organization_id text COLLATE "C" NOT NULL`, 'm'))
  const inside = [...body.matchAll(/(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/g)].map(([, columns]) => columns!)
  const others = [
    ...schema.matchAll(
      new RegExp(`^CREATE UNIQUE INDEX .* ON ${table} USING btree \\((.*?)\\)(?: INCLUDE.*| WHERE.*)?;$`, 'gm'),
    ),
  ]
  for (const columns of [...inside, ...others.map(([, columns]) => columns!)])
    expect(columns.split(', ')).toContain('organization_id')
  for (const [, name] of body.matchAll(/CONSTRAINT (\w+) EXCLUDE/g))
    expect(sharded_rules.find((rule) => rule.name === name)!.sharded).toContain(`, organization_id with =,`)
})

test('sharded tables refer only to sharded tables or to their organization', () => {
  const found = by_organization.flatMap((table) =>
    [...tables.get(table)!.matchAll(/FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/g)].map(
      ([, from, target, to]) => ({
        from: from!.split(', ').indexOf('organization_id'),
        target: target!,
        to: to!.split(', ').indexOf('organization_id'),
      }),
    ),
  )
  expect(found.length).toBeGreaterThan(50)
  for (const { from, target, to } of found) {
    if (target === 'organizations') continue
    expect(by_organization).toContain(target)
    expect(from).toBeGreaterThanOrEqual(0)
    expect(to).toBe(from)
  }
})

test('no sharded table keeps a statement trigger', async () => {
  const trigger = /^create or replace trigger (\w+)\s+after [^;]*?\son (\w+)\s[^;]*?for\s+each\s+statement/
  const found = (await readDefinitions()).flatMap(({ sql }) => {
    const [, name, table] = trigger.exec(sql) ?? []
    return name && table ? { name, table } : []
  })
  const sharded = found.filter(({ table }) => by_organization.some((name) => name === table))
  expect(sharded.length).toBeGreaterThan(10)
  expect(triggers_of_one_server).toEqual(expect.arrayContaining(sharded.map((one) => expect.objectContaining(one))))
})
