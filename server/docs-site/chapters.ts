import { posix } from 'node:path'

/** A part of a Markdown file that is a page of the site: its heading is the title, and those below it are raised. */
export type Chapter = { slug: string; title: string; markdown: string }

/** The name by which a heading is linked to, as code hosts make it. */
export const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-')

/** The lines of a Markdown text, each with whether it belongs to a block of code. */
export function linesOf(markdown: string): { line: string; is_code: boolean }[] {
  let fence = ''
  return markdown.split('\n').map((line) => {
    const [, marks = ''] = /^(`{3,})/.exec(line) ?? []
    const is_code = fence !== '' || marks !== ''
    if (fence === '') fence = marks
    else if (marks !== '' && line.trim() === fence) fence = ''
    return { line, is_code }
  })
}

/** The chapters of a file, by its headings of the second level, in order. What stands before the first is left out. */
export function chaptersOf(markdown: string): Chapter[] {
  const chapters: { title: string; lines: string[] }[] = []
  for (const { line, is_code } of linesOf(markdown)) {
    const [, marks = '', title = ''] = (!is_code && /^(#+) (.*)$/.exec(line)) || []
    if (marks === '##') chapters.push({ title, lines: [] })
    else chapters.at(-1)?.lines.push(marks === '' ? line : line.slice(1))
  }
  return chapters.map(({ title, lines }) => ({
    slug: slugOf(title),
    title,
    markdown: `${lines.join('\n').trimEnd()}\n`,
  }))
}

/** The headings of a text that is a page, below its title: their level and words. */
export const headingsOf = (markdown: string): { level: number; title: string }[] =>
  linesOf(markdown).flatMap(({ line, is_code }) => {
    const [, marks = '', title = ''] = (!is_code && /^(#{2,}) (.*)$/.exec(line)) || []
    return marks === '' ? [] : [{ level: marks.length, title }]
  })

/** Where a link of a file leads on the site; undefined when what it names is not there. */
export type Resolve = (target: string) => string | undefined

/**
 * The text with its links leading through the site, as `resolve` says by the path from the root of the repository and
 * the heading. A link to what is not on the site is left as its words.
 */
export function withLinks(markdown: string, file: string, resolve: Resolve): string {
  const link = (whole: string, words: string, target: string) => {
    if (/^(?:[a-z]+:|\/)/.test(target)) return whole
    const [path = '', anchor] = target.split('#')
    const named = path === '' ? file : posix.join(posix.dirname(file), path)
    const to = resolve(anchor === undefined ? named : `${named}#${anchor}`)
    return to === undefined ? words : `[${words}](${to})`
  }
  const texts: { lines: string[]; is_code: boolean }[] = []
  for (const { line, is_code } of linesOf(markdown)) {
    if (texts.at(-1)?.is_code === is_code) texts.at(-1)!.lines.push(line)
    else texts.push({ lines: [line], is_code })
  }
  return texts
    .map(({ lines, is_code }) => ({ text: lines.join('\n'), is_code }))
    .map(({ text, is_code }) => (is_code ? text : text.replaceAll(a_link, link)))
    .join('\n')
}

/** A link, also one that goes on in the next line, and no picture. */
const a_link = /(?<!!)\[((?:[^\]\n]|\n(?!\s*\n))+)\]\(([^)\s]+)\)/g
