import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileName, namesIn, partsOf, retired_parts } from './source/identifiers.ts'
import { repositoryFiles, root } from './source/repository-files.ts'

const generated =
  /\.gen\.ts$|^sdk\/src\/(?:v1|operator)\/|(?:statement|contract)-types\.ts$|^server\/(?:schema|statements)\.sql$/
/** These files contain the words because they are about them. */
const about_words = /^server\/(?:test\/source\/language|test\/language\.test|test\/limits-known)\.ts$/

const files = repositoryFiles('cli', 'console', 'packages', 'sdk', 'server', 'widgets')
  .filter((path) => /\.(?:tsx?|m?js|sql)$/.test(path))
  .filter((path) => !generated.test(path) && !about_words.test(path))

/** Names with a retired word that remain, with their place and reason. */
const permitted: { names: string; path: RegExp; reason: string }[] = [
  {
    names: 'staleTime defaultPreloadStaleTime',
    path: /^console\/src\//,
    reason: 'options of TanStack Query and Router',
  },
  {
    names: 'sheet',
    path: /^console\/(?:src\/parts\/(?:roster|table)|test\/journeys)\//,
    reason: 'a property of read-excel-file and write-excel-file',
  },
  { names: 'CSSStyleSheet adoptedStyleSheets', path: /^widgets\/src\//, reason: 'names of the DOM' },
]

describe('finds a retired word in', () => {
  it.each([
    ['a variable', 'a.ts', 'const told_at = 1', 'told_at'],
    ['a property that is destructured', 'a.ts', 'const { said: input } = body', 'said'],
    ['a private method', 'a.ts', 'class A { #tellGap() {} }', 'tellGap'],
    ['a type', 'a.ts', 'type SaidOffer = { id: string }', 'SaidOffer'],
    ['a component', 'a.tsx', 'const page = <OpenMatters />', 'OpenMatters'],
    ['a type that is a value', 'a.ts', 'class Stranger {}', 'Stranger'],
    ['a common table expression in a text', 'a.ts', 'const sql = `with told as (select 1) select 2`', 'told'],
    ['a parameter of SQL', 'a.sql', 'select id from employees where id = :asked', 'asked'],
    ['an alias of SQL', 'a.sql', 'select place.id from employers as place', 'place'],
    ['a function of SQL', 'a.sql', 'create function tell_all() returns void', 'tell_all'],
  ])('%s', (_, path, text, name) => expect([...namesIn(path, text)].filter(isRetired)).toEqual([name]))

  it.each(['placeholder', 'lookup_hash', 'task_kind', 'Severally'])('finds none in %s', (name) =>
    expect(isRetired(name)).toBe(false),
  )
})

function isRetired(name: string): boolean {
  return partsOf(name).some((part) => Object.hasOwn(retired_parts, part))
}

const retired = files.map((path) => ({
  path,
  names: [...namesIn(path, readFileSync(join(root, path), 'utf8')), fileName(path)].filter(isRetired),
}))

const isPermitted = (path: string, name: string) =>
  permitted.some((each) => each.path.test(path) && each.names.split(' ').includes(name))

it('has no name with a retired part', () => {
  const found = retired.flatMap(({ path, names }) =>
    names.filter((name) => !isPermitted(path, name)).map((name) => `${path}: ${name}`),
  )
  expect(found).toEqual([])
})

it('uses each permitted name where it is permitted', () => {
  const unused = permitted.flatMap(({ names, path }) =>
    names.split(' ').filter((name) => !retired.some((each) => path.test(each.path) && each.names.includes(name))),
  )
  expect(unused).toEqual([])
})
