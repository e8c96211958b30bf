import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { at_coordinator, by_organization, everywhere, organization_columns, rules_when_divided } from './placement.ts'

const schema = await readFile(new URL('../../schema.sql', import.meta.url), 'utf8')

/** Tables of the schema by their names, each with what stands between its brackets; partitions are of their whole. */
const tables = new Map(
  [...schema.matchAll(/^CREATE (?:UNLOGGED )?TABLE (\w+) \(\n(.*?)\n\)/gms)].map(([, name, body]) => [name!, body!]),
)

const placed = [...by_organization, ...everywhere, ...Object.values(at_coordinator).flat()]

test('each table has its place, once', () => {
  expect(placed.toSorted()).toEqual([...tables.keys()].toSorted())
})

test('statements are handed the whole row of an organization', () => {
  const columns = tables
    .get('organizations')!
    .split('\n')
    .filter((line) => !line.includes('CONSTRAINT'))
  const typed = columns.map(
    (line) => /^ *(\w+ [a-z ]+?(?: COLLATE \S+?)?)(?: DEFAULT .*| NOT NULL| GENERATED .*)?,?$/.exec(line)![1]!,
  )
  expect(organization_columns).toEqual(typed.map((column) => column.replace('COLLATE', 'collate')))
})

test.each(by_organization)('%s is divided by a column of each of its keys', (table) => {
  const body = tables.get(table)!
  expect(body).toMatch(new RegExp(`^  organization_id text COLLATE "C" NOT NULL`, 'm'))
  const inside = [...body.matchAll(/(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)/g)].map(([, columns]) => columns!)
  const beside = [
    ...schema.matchAll(
      new RegExp(`^CREATE UNIQUE INDEX .* ON ${table} USING btree \\((.*?)\\)(?: INCLUDE.*| WHERE.*)?;$`, 'gm'),
    ),
  ]
  for (const columns of [...inside, ...beside.map(([, columns]) => columns!)])
    expect(columns.split(', ')).toContain('organization_id')
  for (const [, name] of body.matchAll(/CONSTRAINT (\w+) EXCLUDE/g))
    expect(rules_when_divided.find((rule) => rule.name === name)!.divided).toContain(`, organization_id with =,`)
})

test('what is divided refers to what is divided with it, or to its organization', () => {
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
