import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { create, type Font, type GlyphRun } from 'fontkit'
import fontverter from 'fontverter'
import { LRUCache } from 'lru-cache'
import subsetFont from 'subset-font'

// The fonts come in files for a few hundred characters each. A file is read when the first text needs one of its
// characters, and kept as long as the process lives; PDFKit puts into a PDF only the glyphs that it uses.

const require = createRequire(import.meta.url)

export type Weight = 'regular' | 'bold'

/** A font file, opened. `key` is its name within a PDF. */
export type Face = { key: string; font: Font }

type Family = {
  /** Where its `unicode.json` is, which tells the characters of each of its files. */
  ranges: string
  /** One file holds every weight. */
  variable?: boolean
  /** Of the Chinese characters, those that look as this language writes them. */
  language?: Language
}

export type Language = 'zh' | 'ja' | 'ko'

const families: Family[] = [
  { ranges: require.resolve('@fontsource/noto-sans/unicode.json') },
  { ranges: require.resolve('@fontsource/noto-sans-hebrew/unicode.json') },
  // Noto's Arabic puts dots on bare letters, so that a search in the PDF could not tell ن from ي.
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

/** Every other script and the emoji, as pixels: 65,000 characters in one file. */
const last_resort = {
  name: 'unifontex',
  path: require.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff2'),
}

const weights = { regular: 400, bold: 600 }

const ascii = /^[\x20-\x7e]*$/

export const isAscii = (text: string): boolean => ascii.test(text)

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** What a reader takes for one character: a letter with its accents, a syllable, a flag. */
export const graphemesOf = (text: string): string[] =>
  isAscii(text) ? [...text] : [...graphemes.segment(text)].map(({ segment }) => segment)

/** The language whose forms of the Chinese characters a text wants, by the other letters in it. */
export function languageOf(text: string): Language {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja'
  return /\p{Script=Hangul}/u.test(text) ? 'ko' : 'zh'
}

/** A part of a text that one face draws: `shown` is what it draws for it; `replaced`: no font has it. */
export type Piece = { text: string; shown: string; face: Face; replaced: boolean }

/** Tells the pieces of texts that were prepared. */
export type Faces = { piecesOf: (text: string, weight: Weight, language: Language) => Piece[] }

/** Loads the faces that the texts need. */
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
        // What we write ourselves into a text, as an ellipsis, is of no language.
        const pieces = chosen.get(weight + language + grapheme) ?? chosen.get(`${weight}zh${grapheme}`)
        if (!pieces) throw new Error(`the face of a text was not loaded: ${JSON.stringify(text)}`)
        return pieces
      }),
  }
}

/** Stands for a character that no font has. */
const replacement = '\ufffd'

/** A grapheme of the font that has all of it; one that none has falls apart into its characters. */
async function choosePieces(grapheme: string, weight: Weight, language: Language): Promise<Piece[]> {
  const characters = [...grapheme]
  const font = await findFont(grapheme, language)
  if (font) {
    const face = await openFace(font, weight)
    return [{ text: grapheme, shown: shownIn(face, characters), face, replaced: false }]
  }
  if (characters.length > 1)
    return (await Promise.all(characters.map((character) => choosePieces(character, weight, language)))).flat()
  const face = await openFace((await findFont(replacement, language))!, weight)
  return [{ text: grapheme, shown: replacement, face, replaced: true }]
}

/** Joiners and selectors, which say how the characters beside them look. */
const isInvisible = (character: string) => /\p{Default_Ignorable_Code_Point}/u.test(character)

/** The last resort draws a box for what is invisible, and others have nothing for some of it. */
const shownIn = ({ key, font }: Face, characters: string[]): string =>
  characters
    .filter((character) => !isInvisible(character) || (key !== last_resort.name && hasGlyph(font, character)))
    .join('')

const hasGlyph = (font: Font, character: string): boolean => font.hasGlyphForCodePoint(character.codePointAt(0)!)

/** A file of fonts, not opened; `family` has none for the last resort. */
type FontFile = { name: string; family?: Family }

/**
 * The first font that has all of a grapheme but what is invisible; undefined when none has. Accents beside a letter of
 * a family are better drawn by another file of it than with their letter by the last resort, which is for what no
 * family has.
 */
export async function findFont(grapheme: string, language: Language): Promise<FontFile | undefined> {
  const characters = [...grapheme].filter((character) => !isInvisible(character))
  const [letter = ' '] = characters
  const foreign = ({ family }: FontFile) => Number(family?.language !== undefined && family.language !== language)
  const files = (await filesByCharacter()).get(letter.codePointAt(0)!) ?? []
  let known = false
  for (const file of files.toSorted((a, b) => foreign(a) - foreign(b))) {
    const has = await charactersIn(file)
    if (has.has(letter) && characters.every((character) => has.has(character))) return file
    known ||= has.has(letter)
  }
  if (known) return undefined
  const { font } = await openFace(last_resort, 'regular')
  return characters.every((character) => hasGlyph(font, character)) ? last_resort : undefined
}

type Index = Map<number, FontFile[]>

const indexes = new Map<'of all', Promise<Index>>()

/** Which files may have a character, as their families say, in the order of these; what they do have is less. */
const filesByCharacter = (): Promise<Index> =>
  once(indexes, 'of all', async () => {
    const files: Index = new Map()
    for (const family of families) {
      const ranges: Record<string, string> = JSON.parse(await readFile(family.ranges, 'utf8'))
      for (const [part, said] of Object.entries(ranges)) {
        const file = { name: `${basename(dirname(family.ranges))}-${part.replace(/[[\]]/g, '')}`, family }
        for (const character of numbersIn(said)) {
          const others = files.get(character)
          if (others) others.push(file)
          else files.set(character, [file])
        }
      }
    }
    return files
  })

/** `U+0102-0103,U+0110`: what a family says of a file. */
function* numbersIn(ranges: string): Generator<number> {
  for (const range of ranges.split(',')) {
    const [first, last = first] = range.replace('U+', '').split('-')
    for (let character = parseInt(first!, 16); character <= parseInt(last!, 16); character++) yield character
  }
}

const characterSets = new Map<string, Promise<Set<string>>>()

/** The characters that a file has. */
const charactersIn = (file: FontFile): Promise<Set<string>> =>
  once(characterSets, file.name, async () => {
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
  return once(faces, key, async () => {
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

/** Words return from invoice to invoice: each is shaped once. Copies, because PDFKit scales what it is given. */
function rememberShapes(font: Font): void {
  const shape = font.layout.bind(font)
  const shapes = new LRUCache<string, GlyphRun>({ max: 5_000 })
  font.layout = (text, ...more) => {
    if (more.some((given) => given !== undefined)) return shape(text, ...more)
    let run = shapes.get(text)
    if (!run) {
      // fontkit keeps a glyph together with the letter that it first stood for, in whichever text of the process.
      Object.assign(font, { _glyphs: {} })
      // Without the ligatures that can be spared: readers of PDFs turn their letters round in Arabic.
      shapes.set(text, (run = shape(text, { liga: false })))
    }
    const positions = run.positions.map((position) => ({ ...position }))
    return Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions })
  }
}

/**
 * Whether the glyphs of a text, from left to right, are its letters: then whoever copies or searches them finds them.
 */
export const spells = (face: Face, text: string): boolean =>
  face.font
    .layout(text)
    .glyphs.map((glyph) => String.fromCodePoint(...glyph.codePoints))
    .join('') === text

/** Does it the first time and remembers the answer, unless it failed. */
function once<Key, Value>(done: Map<Key, Promise<Value>>, key: Key, work: () => Promise<Value>): Promise<Value> {
  const before = done.get(key)
  if (before) return before
  const now = work()
  done.set(key, now)
  now.catch(() => done.delete(key))
  return now
}
