import { describe, expect, it } from 'vitest'
import { comparableName, foldName, fullNamesOf, removeAccents, nameKey, searchableName } from './person-names.ts'

describe('names', () => {
  it.each([
    ['José  NÚÑEZ', 'jose nunez'],
    ['Groß', 'GROSS'],
    ['GROẞ', 'Gross'],
    ['Łukasz', 'lukasz'],
    ['Sørensen', 'SORENSEN'],
    ['Işık', 'ISIK'],
    ['Æsa', 'aesa'],
    ['Zoe\u0308', 'ZOË'],
    ['Đorđe', 'dorde'],
  ])('%s is stored and searched like %s', (one, other) => expect(foldName(one)).toBe(foldName(other)))

  it.each([
    ['Łucja Sørensen', 'Lucja Sorensen'],
    ['Þórður Æsa', 'Thordur Aesa'],
    ['Groß Núñez', 'Gross Nunez'],
    ['小林', '小林'],
  ])('%s is %s in plain letters', (name, plain) => expect(removeAccents(name)).toBe(plain))

  it.each([
    ['O’Brien', 'OBRIEN'],
    ["O'Brien", 'O’Brien'],
    ['Anne-Marie', 'Anne Marie'],
    ['Anne\u2011Marie', 'annemarie'],
    ['De La Cruz', 'Delacruz'],
    ['Ka\u02bbiulani', 'Kaiulani'],
    ['So\u00adfia', 'Sofia'],
    ['\u200bAda\ufeff', 'ADA'],
    ['Müller–Lüdenscheidt', 'muller ludenscheidt'],
  ])('%s compares equal to %s', (one, other) => expect(comparableName(one)).toBe(comparableName(other)))

  it.each([
    ['रीना', 'रानी'],
    ['Ann', 'Anna'],
    ['ไม้', 'ไม'],
    ['Ana.Maria', 'Anamaria'],
  ])('%s does not compare equal to %s', (one, other) => expect(comparableName(one)).not.toBe(comparableName(other)))

  it.each([
    ['O’Brien', "o'brien"],
    ['Anne-Marie  Sá', 'ANNEMARIE SA'],
    ['So\u00adfia', 'Sofia'],
    ['García - López', 'garcia lopez'],
  ])('%s is searched like %s', (one, other) => expect(searchableName(one)).toBe(searchableName(other)))

  it('can be given as first and last name or as last and first name', () => {
    expect(fullNamesOf('ana maria costa')).toEqual({
      first_names: ['ana', 'maria costa', 'ana maria', 'costa'],
      last_names: ['maria costa', 'ana', 'costa', 'ana maria'],
    })
    expect(fullNamesOf('ana')).toEqual({ first_names: [], last_names: [] })
  })

  it('keep first and last names separate', () => {
    expect(nameKey({ first_name: 'Ana Maria', last_name: 'Costa' })).toBe('ana maria|costa')
  })
})
