import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { create, type Font, type GlyphRun } from 'fontkit'
import fontverter from 'fontverter'
import { LRUCache } from 'lru-cache'
import subsetFont from 'subset-font'

// Each font file has a few hundred characters. A file is read when a text first needs one of its characters, and stays
// loaded for the life of the process. PDFKit embeds only the glyphs in use.

const require = createRequire(import.meta.url)

export type Weight = 'regular' | 'bold'

/** A loaded font file. `key` is its name within a PDF. */
export type Face = { key: string; font: Font }

type Family = {
  /** The path of its `unicode.json`, which lists the characters of each file. */
  ranges: string
  /** Whether one file has every weight. */
  variable?: boolean
  /** The language for which this font family draws Chinese characters. */
  language?: Language
}

export type Language = 'zh' | 'ja' | 'ko'

const families: Family[] = [
  { ranges: require.resolve('@fontsource/noto-sans/unicode.json') },
  { ranges: require.resolve('@fontsource/noto-sans-hebrew/unicode.json') },
  // Noto's Arabic draws dots separately from letters, so a search in the PDF could not distinguish ن from ي.
  { ranges: require.resolve('@fontsource/vazirmatn/unicode.json') },
  { ranges: require.resolve('@fontsource/noto-sans-thai/unicode.json') },
  { ranges: require.resolve('@fontsource-variable/noto-sans-armenian/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-bengali/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-ethiopic/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-georgian/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-gujarati/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-gurmukhi/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-kannada/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-malayalam/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-tamil/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-telugu/unicode.json'), variable: true },
  { ranges: require.resolve('@fontsource-variable/noto-sans-sc/unicode.json'), variable: true, language: 'zh' },
  { ranges: require.resolve('@fontsource-variable/noto-sans-jp/unicode.json'), variable: true, language: 'ja' },
  { ranges: require.resolve('@fontsource-variable/noto-sans-kr/unicode.json'), variable: true, language: 'ko' },
]

/** All other scripts and emoji, as bitmaps: 65,000 characters in one file. */
const last_resort = {
  name: 'unifontex',
  path: require.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff2'),
}

const weights = { regular: 400, bold: 600 }

const ascii = /^[\x20-\x7e]*$/

export const isAscii = (text: string): boolean => ascii.test(text)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Splits text into user-perceived characters: a letter with its accents, a syllable, a flag. */
export const graphemesOf = (text: string): string[] =>
  isAscii(text) ? [...text] : [...graphemes.segment(text)].map(({ segment }) => segment)

/** The language whose forms of the Chinese characters fit a text, derived from its other letters. */
export function languageOf(text: string): Language {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  return /\p{Script=Hangul}/u.test(text) ? 'ko' : 'zh'
}

/**
 * A part of a text drawn with one face. `shown` is the text to draw. `replaced` is true if no font has the characters.
 */
export type Piece = { text: string; shown: string; face: Face; replaced: boolean }

/** Splits prepared texts into pieces. */
export type Faces = { piecesOf: (text: string, weight: Weight, language: Language) => Piece[] }

export async function loadFaces(texts: Record<Weight, Iterable<string>>): Promise<Faces> {
  const chosen = new Map<string, Piece[]>()
  for (const weight of ['regular', 'bold'] as const) {
    for (const text of new Set(texts[weight])) {
      const language = languageOf(text)
      for (const grapheme of graphemesOf(text)) {
        const key = weight + language + grapheme
        if (!chosen.has(key)) chosen.set(key, await choosePieces(grapheme, weight, language))
      }
    }
  }
  return {
    piecesOf: (text, weight, language) =>
      graphemesOf(text).flatMap((grapheme) => {
        // Texts that we add, such as an ellipsis, have no language.
        const pieces = chosen.get(weight + language + grapheme) ?? chosen.get(`${weight}zh${grapheme}`)
        if (!pieces) throw new Error(`the font of a text was not loaded: ${JSON.stringify(text)}`)
        return pieces
      }),
  }
}

/** Replaces a character that no font has. */
const replacement = '\ufffd'

/** Finds a font that has a whole grapheme. Otherwise splits the grapheme into its characters. */
async function choosePieces(grapheme: string, weight: Weight, language: Language): Promise<Piece[]> {
  const characters = [...grapheme]
  const font = await findFont(grapheme, language)
  if (font) {
    const face = await openFace(font, weight)
    return [{ text: grapheme, shown: removeUndrawable(face, characters), face, replaced: false }]
  }
  if (characters.length > 1)
    return (await Promise.all(characters.map((character) => choosePieces(character, weight, language)))).flat()
  const face = await openFace((await findFont(replacement, language))!, weight)
  return [{ text: grapheme, shown: replacement, face, replaced: true }]
}

/** Joiners and selectors, which only affect the appearance of adjacent characters. */
const isInvisible = (character: string) => /\p{Default_Ignorable_Code_Point}/u.test(character)

/** Removes invisible characters that the font lacks or would draw as a box, as the last resort does. */
const removeUndrawable = ({ key, font }: Face, characters: string[]): string =>
  characters
    .filter((character) => !isInvisible(character) || (key !== last_resort.name && hasGlyph(font, character)))
    .join('')

const hasGlyph = (font: Font, character: string): boolean => font.hasGlyphForCodePoint(character.codePointAt(0)!)

/** A font file that is not loaded. The last resort has no `family`. */
type FontFile = { name: string; family?: Family }

/**
 * The first font that has a whole grapheme except invisible characters. Undefined if no font has it. For a letter of a
 * family, the accent is taken from another file of the family rather than the whole grapheme from the last resort,
 * which is only for characters that no family has.
 */
export async function findFont(grapheme: string, language: Language): Promise<FontFile | undefined> {
  const characters = [...grapheme].filter((character) => !isInvisible(character))
  const [letter = ' '] = characters
  const foreign = ({ family }: FontFile) => Number(family?.language !== undefined && family.language !== language)
  const files = (await filesByCharacter()).get(letter.codePointAt(0)!) ?? []
  let has_family_letter = false
  for (const file of files.toSorted((a, b) => foreign(a) - foreign(b))) {
    const drawn = await charactersIn(file)
    if (drawn.has(letter) && characters.every((character) => drawn.has(character))) return file
    has_family_letter ||= drawn.has(letter)
  }
  if (has_family_letter) return undefined
  const { font } = await openFace(last_resort, 'regular')
  return characters.every((character) => hasGlyph(font, character)) ? last_resort : undefined
}

type Index = Map<number, FontFile[]>

const indexes = new Map<'of all', Promise<Index>>()

/**
 * The files that may have each character according to their families, in order of preference. A file may still lack the
 * character.
 */
const filesByCharacter = (): Promise<Index> =>
  cacheByKey(indexes, 'of all', async () => {
    const files: Index = new Map()
    for (const family of families) {
      const ranges: Record<string, string> = JSON.parse(await readFile(family.ranges, 'utf8'))
      for (const [part, range] of Object.entries(ranges)) {
        const file = { name: `${basename(dirname(family.ranges))}-${part.replace(/[[\]]/g, '')}`, family }
        for (const character of numbersIn(range)) files.getOrInsertComputed(character, () => []).push(file)
      }
    }
    return files
  })

/** Parses the character ranges of a file, such as `U+0102-0103,U+0110`. */
function* numbersIn(ranges: string): Generator<number> {
  for (const range of ranges.split(',')) {
    const [first, last = first] = range.replace('U+', '').split('-')
    for (let character = parseInt(first!, 16); character <= parseInt(last!, 16); character++) yield character
  }
}

const characterSets = new Map<string, Promise<Set<string>>>()

const charactersIn = (file: FontFile): Promise<Set<string>> =>
  cacheByKey(characterSets, file.name, async () => {
    const font = openFont(await fontverter.convert(await readFont(file, 'regular'), 'sfnt'))
    return new Set(font.characterSet.map((character) => String.fromCodePoint(character)))
  })

function readFont({ name, family }: FontFile, weight: Weight): Promise<Buffer> {
  if (!family) return readFile(last_resort.path)
  const style = family.variable ? 'wght' : weights[weight]
  return readFile(join(dirname(family.ranges), 'files', `${name}-${style}-normal.woff2`))
}

const faces = new Map<string, Promise<Face>>()

function openFace(file: FontFile, weight: Weight): Promise<Face> {
  const key = file.family ? `${file.name}-${weight}` : file.name
  return cacheByKey(faces, key, async () => {
    const bytes = await readFont(file, weight)
    const font = openFont(
      file.family?.variable
        ? await subsetFont(bytes, [...(await charactersIn(file))].join(''), {
            targetFormat: 'sfnt',
            variationAxes: { wght: weights[weight] },
          })
        : await fontverter.convert(bytes, 'sfnt'),
    )
    rememberShapes(font)
    return { key, font }
  })
}

function openFont(bytes: Buffer): Font {
  const font = create(bytes)
  if ('fonts' in font) throw new Error('it is a collection of fonts')
  return font
}

const isEmptyList = (given: unknown) => Array.isArray(given) && given.length === 0

/**
 * Caches shaped words, since the same words recur in every invoice. Returns copies, because PDFKit scales the result.
 */
function rememberShapes(font: Font): void {
  const shape = font.layout.bind(font)
  const shapes = new LRUCache<string, GlyphRun>({ max: 5_000 })
  font.layout = (text, ...more) => {
    if (more.some((given) => given !== undefined && !isEmptyList(given))) return shape(text, ...more)
    let run = shapes.get(text)
    if (!run) {
      // fontkit caches a glyph with the letter for which it was first used, even across texts.
      Object.assign(font, { _glyphs: {} })
      // Disables optional ligatures: PDF readers reverse their letters in Arabic.
      shapes.set(text, (run = shape(text, { liga: false })))
    }
    const positions = run.positions.map((position) => ({ ...position }))
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions })
  }
}

/** Whether the glyphs of a text correspond to its letters from left to right, so that it can be copied and searched. */
export const isCopyable = (face: Face, text: string): boolean =>
  face.font
    .layout(text)
    .glyphs.map((glyph) => String.fromCodePoint(...glyph.codePoints))
    .join('') === text

/** Runs `work` once per key and caches the result, unless it fails. */
function cacheByKey<Key, Value>(done: Map<Key, Promise<Value>>, key: Key, work: () => Promise<Value>): Promise<Value> {
  const before = done.get(key)
  if (before) return before
  const now = work()
  done.set(key, now)
  now.catch(() => done.delete(key))
  return now
}
