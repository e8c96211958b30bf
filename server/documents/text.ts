import bidiOf from 'bidi-js'
import {
  type Faces,
  graphemesOf,
  isAscii,
  type Language,
  languageOf,
  type Piece,
  isCopyable,
  type Weight,
} from './fonts.ts'

/** `language` overrides the language of the text: a part of it has the language of the whole. */
export type Style = { weight: Weight; size: number; color: string; language?: Language }

/** A measured line of text. Runs are in reading order. Their `x` is the position on the page. */
export type TextLine = { text: string; width: number; style: Style; runs: Run[] }

/**
 * Text of one face and one direction. Brackets are mirrored in the shown text. `spelled` is whether copying the run
 * gives the text.
 */
type Run = Piece & { level: number; width: number; x: number; spelled: boolean }

/** A PDF with the loaded faces of its text, for measuring and writing. */
export type Pen = { doc: PDFKit.PDFDocument; faces: Faces }

const bidi = bidiOf()

const rightToLeft =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u0640]/u

/** Measures text on a single line. */
export function lineOf(pen: Pen, text: string, style: Style): TextLine {
  const runs = runsOf(pen, text, style)
  let width = 0
  for (const run of orderVisually(runs)) {
    run.x = width
    width += run.width
  }
  return { text, width, style, runs }
}

/** Draws a line with its baseline at `y`. */
export function drawLine({ doc }: Pen, line: TextLine, x: number, y: number): void {
  doc.fillColor(line.style.color)
  for (const run of line.runs) {
    if (!run.shown) continue
    if (!run.spelled) doc.markContent('Span', { actual: run.text.toWellFormed() })
    doc.font(run.face.font as never, run.face.key, line.style.size)
    doc.text(run.shown, x + run.x, y, { lineBreak: false, baseline: 'alphabetic', ...layoutFeatures(run) })
    if (!run.spelled) doc.endMarkedContent()
  }
}

function runsOf({ doc, faces }: Pen, text: string, style: Style): Run[] {
  const { weight, size, language = languageOf(text) } = style
  const { levels, mirrored } = directionsOf(text)
  const plain = isAscii(text)
  const runs: Run[] = []
  let index = 0
  for (const piece of faces.piecesOf(text, weight, language)) {
    const level = levels?.[index] ?? 0
    const shown = mirrored?.get(index) ?? piece.shown
    const last = runs.at(-1)
    const face = last && isSpaceOf(last, piece, level) ? last.face : piece.face
    const joins_last = last?.face === face && last.level === level && last.replaced === piece.replaced
    if (joins_last && (plain || areOfOneWord(last.text, piece.text, level))) {
      last.text += piece.text
      last.shown += shown
    } else runs.push({ ...piece, face, shown, level, width: 0, x: 0, spelled: true })
    index += piece.text.length
  }
  for (const run of runs) {
    doc.font(run.face.font as never, run.face.key, size)
    run.width = doc.widthOfString(run.shown, layoutFeatures(run))
    // PDF readers reorder right-to-left text themselves.
    run.spelled = plain || (!run.replaced && (run.level % 2 === 1 || isCopyable(run.face, run.shown)))
  }
  return runs
}

/**
 * Whether a space follows a right-to-left word whose font has a space. It then belongs to the run of the word: PDF
 * readers drop a space that is drawn alone to the left of a word, and copied names would lose it.
 */
const isSpaceOf = (last: Run, { text }: Piece, level: number): boolean =>
  text === ' ' &&
  level % 2 === 1 &&
  last.level === level &&
  rightToLeft.test(last.text) &&
  last.face.font.hasGlyphForCodePoint(0x20)

/** PDFKit lays out right-to-left text word by word from the left, unless it receives a list of features. */
const layoutFeatures = ({ level, shown }: Run): { features?: [] } =>
  level % 2 === 1 && shown.includes(' ') ? { features: [] } : {}

/** PDFKit reverses right-to-left text by letter, so punctuation must be a separate run. */
const areOfOneWord = (word: string, grapheme: string, level: number): boolean =>
  level % 2 === 1
    ? rightToLeft.test(word) && (grapheme === ' ' || rightToLeft.test(grapheme))
    : word !== ' ' && grapheme !== ' '

/** Applies the Unicode bidirectional algorithm. Odd levels run from right to left, with mirrored brackets. */
function directionsOf(text: string): { levels?: Uint8Array; mirrored?: Map<number, string> } {
  if (!rightToLeft.test(text)) return {}
  const embedding = bidi.getEmbeddingLevels(text)
  return { levels: embedding.levels, mirrored: bidi.getMirroredCharactersMap(text, embedding.levels) }
}

/** Rule L2 of the algorithm: from the highest level down, reverse every sequence at that level or above. */
function orderVisually(runs: Run[]): Run[] {
  let ordered = runs
  const highest = Math.max(0, ...runs.map((run) => run.level))
  for (let level = highest; level > 0; level--) {
    const turned: Run[] = []
    let from = 0
    while (from < ordered.length) {
      let to = from
      while (to < ordered.length && ordered[to]!.level >= level) to++
      turned.push(...ordered.slice(from, to).reverse())
      if (to === from) turned.push(ordered[to++]!)
      from = to
    }
    ordered = turned
  }
  return ordered
}

/** Wraps text to lines of at most `width`. Text that does not fit in the last line ends with an ellipsis. */
export function wrap(pen: Pen, text: string, font_style: Style, width: number, max_lines: number): TextLine[] {
  const style = { ...font_style, language: languageOf(text) }
  const whole = lineOf(pen, text, style)
  if (whole.width <= width) return [whole]
  const lines: TextLine[] = []
  let rest = text
  while (rest) {
    const last = lines.length + 1 === max_lines
    const fits = last ? rest : fittingPrefix(pen, rest, style, width)
    if (last && lineOf(pen, rest, style).width > width) return [...lines, shortened(pen, rest, style, width)]
    lines.push(lineOf(pen, fits.trimEnd(), style))
    rest = rest.slice(fits.length).trimStart()
  }
  return lines
}

/** The longest prefix that fits, up to a possible line break, and at least one grapheme. */
function fittingPrefix(pen: Pen, text: string, style: Style, width: number): string {
  let fits = ''
  for (const piece of piecesOf(text)) {
    if (lineOf(pen, (fits + piece).trimEnd(), style).width > width) break
    fits += piece
  }
  return fits || beginning(pen, text, style, width) || graphemesOf(text)[0]!
}

const shortened = (pen: Pen, text: string, style: Style, width: number): TextLine => {
  const ellipsis = lineOf(pen, '…', style).width
  return lineOf(pen, `${beginning(pen, text, style, width - ellipsis).trimEnd()}…`, style)
}

/** The longest prefix of whole graphemes that fits. */
function beginning(pen: Pen, text: string, style: Style, width: number): string {
  let fits = ''
  for (const grapheme of graphemesOf(text)) {
    if (lineOf(pen, fits + grapheme, style).width > width) break
    fits += grapheme
  }
  return fits
}

const words = new Intl.Segmenter('en', { granularity: 'word' })

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Splits text where a line may break: after spaces and hyphens, and between words in scripts without spaces. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = pieces.at(-1)
    const may_break = last === undefined || /[\s-]$/.test(last) || (isWordLike && unspaced.test(segment))
    if (may_break && segment.trim()) pieces.push(segment)
    else pieces[Math.max(0, pieces.length - 1)] = (last ?? '') + segment
  }
  return pieces
}
