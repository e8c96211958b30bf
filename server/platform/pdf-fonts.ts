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
const last_resort = require.resolve('@fontsource/unifontex/files/unifontex-latin-400-normal.woff2')

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

/** Tells the face of each character of texts that were prepared. */
export type Faces = {
  facesOf: (text: string, weight: Weight, language: Language) => { grapheme: string; face: Face }[]
}

/** Loads the faces that the texts need. */
export async function loadFaces(texts: Record<Weight, Iterable<string>>): Promise<Faces> {
  const chosen = new Map<string, Face>()
  for (const weight of ['regular', 'bold'] as const) {
    for (const text of new Set(texts[weight])) {
      const language = languageOf(text)
      for (const grapheme of graphemesOf(text)) {
        const key = weight + language + grapheme
        if (!chosen.has(key)) chosen.set(key, await faceOf(grapheme, weight, language))
      }
    }
  }
  return {
    facesOf: (text, weight, language) =>
      graphemesOf(text).map((grapheme) => {
        // What we write ourselves into a text, as an ellipsis, is of no language.
        const face = chosen.get(weight + language + grapheme) ?? chosen.get(`${weight}zh${grapheme}`)
        if (!face) throw new Error(`the face of a text was not loaded: ${JSON.stringify(text)}`)
        return { grapheme, face }
      }),
  }
}

/** The first face that has the whole grapheme, the last resort among them; else one that has its letter. */
async function faceOf(grapheme: string, weight: Weight, language: Language): Promise<Face> {
  const characters = [...grapheme].map((character) => character.codePointAt(0)!)
  const letter = characters[0]!
  const foreign = (family: Family) => Number(family.language !== undefined && family.language !== language)
  const preferred = families.toSorted((a, b) => foreign(a) - foreign(b))
  let second: Face | undefined
  for (const family of preferred) {
    const file = (await filesOf(family)).get(letter)
    if (!file) continue
    const face = await openFace(family, file, weight)
    if (hasAll(face, characters)) return face
    if (face.font.hasGlyphForCodePoint(letter)) second ??= face
  }
  const last = await openLastResort()
  return second && !hasAll(last, characters) ? second : last
}

const hasAll = ({ font }: Face, characters: number[]): boolean =>
  characters.every((character) => isInvisible(character) || font.hasGlyphForCodePoint(character))

/** Joiners and selectors, which say how the characters beside them look. */
const isInvisible = (character: number) => /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(character))

type Files = Map<number, string>

const files = new Map<Family, Promise<Files>>()

/** Which file has a character, as the family says; it may be wrong for a few. */
function filesOf(family: Family): Promise<Files> {
  return once(files, family, async () => {
    const ranges: Record<string, string> = JSON.parse(await readFile(family.ranges, 'utf8'))
    const fileOf: Files = new Map()
    for (const [file, said] of Object.entries(ranges))
      for (const character of charactersOf(said)) if (!fileOf.has(character)) fileOf.set(character, file)
    return fileOf
  })
}

/** `U+0102-0103,U+0110`: what a family says of a file. */
function* charactersOf(ranges: string): Generator<number> {
  for (const range of ranges.split(',')) {
    const [first, last = first] = range.replace('U+', '').split('-')
    for (let character = parseInt(first!, 16); character <= parseInt(last!, 16); character++) yield character
  }
}

const faces = new Map<string, Promise<Face>>()

function openFace(family: Family, file: string, weight: Weight): Promise<Face> {
  const folder = dirname(family.ranges)
  const name = `${basename(folder)}-${file.replace(/[[\]]/g, '')}`
  return once(faces, `${name}-${weight}`, async () => {
    const style = family.variable ? 'wght' : weights[weight]
    const bytes = await readFile(join(folder, 'files', `${name}-${style}-normal.woff2`))
    const font = family.variable
      ? await subsetFont(bytes, await textOf(family, file), {
          targetFormat: 'sfnt',
          variationAxes: { wght: weights[weight] },
        })
      : await fontverter.convert(bytes, 'sfnt')
    return faceFrom(`${name}-${weight}`, font)
  })
}

const openLastResort = (): Promise<Face> =>
  once(faces, 'unifontex', async () =>
    faceFrom('unifontex', await fontverter.convert(await readFile(last_resort), 'sfnt')),
  )

/** Every character of a file. */
async function textOf(family: Family, file: string): Promise<string> {
  const all = [...(await filesOf(family))].filter(([, where]) => where === file)
  return String.fromCodePoint(...all.map(([character]) => character))
}

function faceFrom(key: string, bytes: Buffer): Face {
  const font = create(bytes)
  if ('fonts' in font) throw new Error(`${key} is a collection of fonts`)
  rememberShapes(font)
  return { key, font }
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

/** Whether the glyphs of a text, from left to right, are its letters: then whoever copies or searches them finds them. */
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
