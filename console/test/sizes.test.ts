import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, it } from 'vitest'
import { sure } from '../../server/test/pick.ts'
import { buildPages } from './stage.ts'

beforeAll(buildPages)

it('loads at most 150 kB of script initially, and 80 kB more per page', () => {
  type Chunk = { file: string; isEntry?: boolean; isDynamicEntry?: boolean; imports?: string[] }
  const dist = join(import.meta.dirname, '../dist')
  const chunks = JSON.parse(readFileSync(join(dist, 'manifest.json'), 'utf8')) as Record<string, Chunk>
  const reached = (name: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(name)) return seen
    seen.add(name)
    for (const next of chunks[name]?.imports ?? []) reached(next, seen)
    return seen
  }
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, sure(chunks[name]).file))).length, 0)
  const [entry = ''] = Object.keys(chunks).filter((name) => chunks[name]!.isEntry)
  const first = reached(entry)
  const pages = Object.keys(chunks).filter((name) => chunks[name]!.isDynamicEntry)
  const added = pages.map((page) => [page, sizeOf([...reached(page)].filter((name) => !first.has(name)))] as const)
  // Operators also load the client of their API.
  const operator = added.find(([page]) => page.endsWith('sdk/src/operator.ts'))
  const initial = added
    .filter(([page]) => /\/(home|book|today)\.tsx$/.test(page))
    .map(([page, size]) => (page.endsWith('today.tsx') ? size + sure(operator)[1] : size))
  expect(initial).toHaveLength(3)
  expect(sizeOf(first) + Math.max(...initial)).toBeLessThanOrEqual(150_000)
  expect(added.filter(([, size]) => size > 80_000)).toEqual([])
})
