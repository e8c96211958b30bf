import { expect, it } from 'vitest'
import { searchPatterns } from './queries.ts'

it.each([
  ['maria ana ria maria a', { patterns: ['%maria%\n%'], words: ['%ana%\n%'] }],
  ['ana ana', { patterns: ['%ana%\n%'], words: [] }],
  ['ana', { patterns: ['%ana%'], words: [] }],
  ["o'hara", { patterns: ['%ohara%\n%', "%\n%o'hara%"], words: [] }],
  ['---', { patterns: ['%\n%---%'], words: [] }],
  ['50% a_b', { patterns: ['%50\\%%\n%'], words: ['%a\\_b%\n%'] }],
])('a search for %s compares a person with each of its words once', (search, expected) =>
  expect(searchPatterns(search)).toEqual(expected),
)
