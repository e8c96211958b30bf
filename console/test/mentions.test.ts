import { expect, it } from 'vitest'
import { mentionedIn, patternOf } from '../src/parts/notes/mentions.ts'

const members = ['Ann', 'Ann Lee', 'Zoë', 'Al (HR)', 'Bo'].map((name) => ({ name }))
const namesIn = (text: string) => mentionedIn(text, members).here.map(({ name }) => name)

it.each([
  ['@Ann Lee, call them', ['Ann Lee']],
  ['@Ann and @Ann Lee', ['Ann', 'Ann Lee']],
  ['@Annette', []],
  ['@Zoë. @Al (HR)', ['Zoë', 'Al (HR)']],
  ['@ Bo, bo@Bob', []],
])('finds the members whom a note mentions, not those whose names only begin alike: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

it('splits a note at each mention, also if a member is mentioned twice', () => {
  expect('@Bo and @Bo'.split(patternOf(members))).toEqual(['', '@Bo', ' and ', '@Bo', ''])
  expect('No mention, @Bo'.split(patternOf([]))).toEqual(['No mention, @Bo'])
})
