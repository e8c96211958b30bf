import { expect, it } from 'vitest'
import { chunksOf } from '../kernel/concurrency/chunks.ts'
import { share } from '../test/case-count.ts'
import { type Face, findFont, graphemesOf, languageOf, loadFaces } from './fonts.ts'

/** Every character that Unicode assigns, except controls and private use. */
const assigned = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((character) =>
  /[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]/u.test(character),
)

/** Alphabets added in Unicode 14 or later, and phonetic letters. */
const hasNoFontYet = /[\u{a7ce}-\u{a7d4}\u{a7f1}\u{10780}-\u{107ba}\u{1df00}-\u{1dfff}\u{1e030}-\u{1e08f}]/u

it('finds the font of every Unicode character, or reports that no font has it', async () => {
  const fonts = new Map<string, number>()
  const letters: string[] = []
  for (const character of assigned) {
    const font = await findFont(character, languageOf(character))
    const kind = font && (font.family ? 'a family' : 'the last resort')
    fonts.set(kind ?? 'none', (fonts.get(kind ?? 'none') ?? 0) + 1)
    if (kind || hasNoFontYet.test(character)) continue
    if (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(character)) letters.push(character)
  }
  expect(letters).toEqual([])
  expect(fonts.get('a family')).toBeGreaterThan(35_000)
  expect(fonts.get('the last resort')).toBeGreaterThan(29_000)
})

it('draws every tenth character that has a font (except CJK) or a replacement, and all with RUNS=1', async () => {
  const others = assigned
    .filter((character) => !/[\p{Script=Han}\p{Script=Hangul}]/u.test(character))
    .filter((_, at) => at % Math.ceil(1 / share) === 0)
  const { piecesOf } = await loadFaces({ regular: others, bold: [] })
  const drawn = new Map<Face, string[]>()
  for (const character of others)
    for (const { shown, face, replaced } of piecesOf(character, 'regular', languageOf(character))) {
      if (replaced) expect(shown).toBe('\ufffd')
      if (!drawn.has(face)) drawn.set(face, [])
      drawn.get(face)!.push(shown)
    }
  for (const [face, all] of drawn)
    for (const some of chunksOf(all, 200)) {
      const { glyphs, advanceWidth } = face.font.layout(some.join(' '))
      expect([face.key, glyphs.filter(({ id }) => id === 0).length, Number.isFinite(advanceWidth)]).toEqual([
        face.key,
        0,
        true,
      ])
    }
})

it.each([
  ['in one piece, with one font', 'ı', ['ı']],
  ['with an accent from the same font', 'é', ['é']],
  ['with an accent from another file of the same family', 'ы̃', ['ы', '̃']],
  ['without its variation selector', '❤️', ['❤']],
  ['as an emoji of a family', '👨‍👩‍👧', ['👨👩👧']],
  ['as a flag, from its two letters', '🇩🇪', ['🇩🇪']],
  ['as nothing if it is invisible', '\u{e0001}', ['']],
  ['as a replacement if it is unassigned', '\u0378', ['\ufffd']],
  ['as a replacement if it is half a surrogate pair', '\ud800', ['\ufffd']],
  ['as a replacement if it is private', '\u{10fffd}', ['\ufffd']],
  ['with a replacement for its accent only', 'a\u1acf', ['a', '\ufffd']],
])('draws a character %s', async (_, text, shown) => {
  expect(graphemesOf(text)).toHaveLength(1)
  const { piecesOf } = await loadFaces({ regular: [], bold: [text] })
  expect(piecesOf(text, 'bold', 'zh').map((piece) => piece.shown)).toEqual(shown)
})
