import { parseSync } from 'oxc-parser'
import { childrenOf, type Syntax } from './syntax.ts'

/**
 * Counts retired words and sentence openings of our style guide in every text that a person can read: comments,
 * messages, log lines, UI texts, test titles, Markdown, the comments of SQL and CSS, and configuration files.
 *
 * A linter for prose (textlint, retext) reads Markdown and, with plugins, comments. It does not read messages in string
 * literals, which are half of our text, so the rules use the TypeScript parser that is already installed.
 */
export const rules = {
  /** A statement must not begin with these words; a question may. */
  'opens with what': opensWith('what'),
  'opens with who': opensWith('who|whoever|whose|whom'),
  tell: word('tell|tells|told|telling'),
  say: word('(?<!prefer not to )(?:say|says|said|saying)'),
  ask: word('ask|asks|asked|asking'),
  hear: word('hear|hears|heard|hearing'),
  look: word('(?:look|looks|looked|looking)(?! up\\b|-back)'),
  mend: word('mend|mends|mended|mending'),
  reckon: word('reckon|reckons|reckoned|reckoning'),
  deed: word('deed|deeds'),
  matter: word('matter|matters'),
  // `rate of pay` is the name of an affordability safe harbor.
  'pay as a noun': word(
    '(?:a|an|each|every|the|per|next|last|from|(?<!rate )of|one|her|his|their|its) pay' +
      '(?![ -](?:period|calendar|dates?|days?|frequency|stubs?|schedule))',
  ),
  /** A column of an uploaded file may still have this name. */
  'e-mail': word('(?<!,)e-mails?'),
  nobody: word('nobody|somebody|everybody|whoever'),
  'unclear null': word('unless said|as absent|since ever|is none|no more(?! than)'),
} satisfies Record<string, (sentence: string) => number>

export type Rule = keyof typeof rules

/** How often a text breaks each rule. Rules without violations are omitted. */
export function countRetired(texts: string[]): Partial<Record<Rule, number>> {
  const sentences = texts.flatMap(sentencesOf)
  const counts = Object.entries(rules).map(
    ([rule, count]) => [rule, sentences.reduce((sum, sentence) => sum + count(sentence), 0)] as const,
  )
  return Object.fromEntries(counts.filter(([, count]) => count > 0))
}

/** The texts of a file that people read: comments, and string literals with more than one word. */
export function textsOf(path: string, source: string): { comments: string[]; literals: string[] } {
  if (/\.(?:ts|tsx|js|mjs)$/.test(path)) return textsOfCode(path, source)
  if (path.endsWith('.md')) return { comments: [], literals: [...paragraphsOf(source)] }
  if (path.endsWith('.sql')) return { comments: joined(source.matchAll(/--(.*)/g)), literals: [] }
  if (/\.(?:ya?ml|tpl|service)$|Containerfile$/.test(path)) return { comments: [], literals: configTextsOf(source) }
  if (path.endsWith('.css')) return { comments: [...source.matchAll(/\/\*([^]*?)\*\//g)].map(clean), literals: [] }
  return { comments: [], literals: source.replaceAll(/<(style|script)[^]*?<\/\1>|<[^>]+>/g, '\n').split(/\n\s*\n/) }
}

function textsOfCode(path: string, source: string): { comments: string[]; literals: string[] } {
  const { program, comments } = parseSync(path, source)
  const literals: string[] = []
  const visit = (node: Syntax) => {
    if (node.type === 'ImportDeclaration') return
    if ((node.type === 'Literal' || node.type === 'JSXText') && typeof node.value === 'string')
      literals.push(node.value)
    if (node.type === 'TemplateLiteral') literals.push((node.quasis ?? []).map(({ value }) => value.cooked).join('x'))
    for (const child of childrenOf(node)) visit(child)
  }
  visit(program as unknown as Syntax)
  return { comments: blocksOf(source, comments), literals: literals.filter(isProse) }
}

/** Adjacent line comments are one text, because a sentence may continue on the next line. */
function blocksOf(source: string, comments: { type: string; value: string; start: number; end: number }[]): string[] {
  const blocks: string[] = []
  let last_end = -1
  for (const { type, value, start, end } of comments) {
    const text = value.replaceAll(/^\s*\*+/gm, ' ')
    const continues = type === 'Line' && last_end >= 0 && source.slice(last_end, start).trim() === ''
    if (continues) blocks.push(`${blocks.pop()} ${text}`)
    else blocks.push(text)
    last_end = type === 'Line' ? end : -1
  }
  return blocks
}

/** The comments and values of a configuration file. Adjacent comment lines are one text. */
const configTextsOf = (source: string): string[] => [
  ...joined(source.matchAll(/(?:^|\s)#(.*)/g)),
  ...source.split('\n').filter((line) => !/(?:^|\s)#/.test(line)),
]

/** The paragraphs of a Markdown page, without code. */
function paragraphsOf(markdown: string): string[] {
  const prose = markdown
    .replaceAll(/^```[^]*?^```/gm, '')
    .replaceAll(/`[^`\n]*`/g, 'x')
    .replaceAll(/\]\([^)]*\)/g, ']')
  return prose.split(/\n\s*\n|\n(?=\s*(?:[-*|#>]|\d+\.) ?)|\|/)
}

const joined = (matches: Iterable<RegExpMatchArray>): string[] => [[...matches].map(clean).join(' ')]
const clean = (match: RegExpMatchArray): string => match[1]!.trim()
const isProse = (text: string): boolean => /[a-z]\S* \S*[a-z]/i.test(text)

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' })
const opening_words = /\bwh(?:at|o|oever|ose|om)\b/i

/** The sentences of a text. Most texts stay whole, because only rules about openings depend on sentences. */
function sentencesOf(text: string): string[] {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return opening_words.test(line) ? [...segmenter.segment(line)].map(({ segment }) => segment.trim()) : [line]
}

function opensWith(words: string): (sentence: string) => number {
  const opening = new RegExp(`^[^a-z]*(?:${words})\\b`, 'i')
  return (sentence) => (opening.test(sentence) && !/\?\W*$/.test(sentence) ? 1 : 0)
}

function word(words: string): (sentence: string) => number {
  const found = new RegExp(`\\b(?:${words})\\b`, 'gi')
  return (sentence) => [...sentence.matchAll(found)].length
}
