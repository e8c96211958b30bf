import { expect, it } from 'vitest'
import { en } from '../src/employee/words-en.ts'
import { tax_form_words } from '../src/employee/tax-forms/tax-form-words.ts'

/** The reading level of the English texts of the Employee Dashboard: at most grade 8 (Flesch-Kincaid). */
const highest_grade = 8

/** Texts with fewer words are labels, for which the formula means nothing. */
const min_words = 8

/** Terms of insurance that have no simpler word. The dashboard explains them, so they count as short words. */
const terms = new RegExp(
  String.raw`\b(${[
    'beneficiar(y|ies)|benefits?|contingent|coverage|deduct(ible|ions?|ed)|dependents?|domestic partner',
    'eligib(le|ility)|employe[er]s?|employment|enroll(ed|ing|ment)?|insurance|medicare|medicaid',
    'out-of-pocket maximum|preventive|primary|qualifying life event',
  ].join('|')})\b`,
  'gi',
)

/** The words with their syllables: groups of vowels, without a silent e at the end. */
const syllablesOf = (word: string): number =>
  Math.max(
    1,
    word
      .toLowerCase()
      .replace(/(?<![aeiouyl])e(s|d)?$/, '')
      .match(/[aeiouy]+/g)?.length ?? 1,
  )

function gradeOf(text: string): { words: number; grade: number } {
  const plain = text.replaceAll(terms, 'cover')
  const words = plain.match(/[A-Za-z’'-]+|\d+/g) ?? []
  const sentences = plain.split(/[.?!:](?:\s|$)/).filter((one) => /\w/.test(one)).length
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const grade = (0.39 * words.length) / sentences + (11.8 * syllables) / words.length - 15.59
  return { words: words.length, grade }
}

/** All text of a value. Functions are called with numbers in place of names and days. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return textsOf(value(...Array.from({ length: value.length }, () => 3)))
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

it('has English texts for employees of at most grade 8', () => {
  const texts = [...textsOf(en), ...textsOf(tax_form_words.en)]
  const difficult = texts
    .map((text) => ({ text, ...gradeOf(text) }))
    .filter(({ words, grade }) => words >= min_words && grade > highest_grade)
  expect(difficult.map(({ text, grade }) => `${grade.toFixed(1)} ${text}`)).toEqual([])
})
