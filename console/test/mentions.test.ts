import { expect, it } from 'vitest'
import { ambiguousMention, splitByMention, mentionPattern, addMentionNames } from '../src/parts/notes/mentions.ts'

const members = ['Ann', 'Ann Lee', 'Zoë', 'Al (HR)', 'Bo'].map((name) => ({ name }))
const namesIn = (text: string) => splitByMention(text, members).here.map(({ name }) => name)

it.each([
  ['@Ann Lee, call them', ['Ann Lee']],
  ['@Ann and @Ann Lee', ['Ann', 'Ann Lee']],
  ['@Annette', []],
  ['@Zoë. @Al (HR)', ['Zoë', 'Al (HR)']],
  ['@ Bo, bo@Bob', []],
])('finds the members whom a note mentions, not those whose names only begin the same way: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names)
})

it('splits a note at each mention, even if a member is mentioned twice', () => {
  expect('@Bo and @Bo'.split(mentionPattern(members))).toEqual(['', '@Bo', ' and ', '@Bo', ''])
  expect('No mention, @Bo'.split(mentionPattern([]))).toEqual(['No mention, @Bo'])
})

it('mentions one of two members with the same name, by email address or id', () => {
  const namesakes = [
    { user_id: 'usr_1', name: 'Ann Lee', email: 'ann@example.com' },
    { user_id: 'usr_2', name: 'Ann Lee', email: null },
    { user_id: 'usr_3', name: 'Bo', email: null },
  ]
  const members = addMentionNames(namesakes)
  expect(members.map(({ name }) => name)).toEqual(['Ann Lee (ann@example.com)', 'Ann Lee (usr_2)', 'Bo'])
  expect(splitByMention('@Ann Lee (usr_2) and @Bo', members).here).toEqual([members[1], members[2]])
  expect(ambiguousMention('@Ann Lee (usr_2) and @Bo', namesakes)).toBe(undefined)
  expect(ambiguousMention('@Ann Lee (usr_2) and @Ann Lee', namesakes)).toBe('Ann Lee')
})
