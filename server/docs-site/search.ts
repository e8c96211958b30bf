import MiniSearch from 'minisearch'
import { linesOf, slugOf } from './chapters.ts'
import { plainOf } from './markdown.ts'

/** Something that is found: a part of a page under a heading, or an operation. */
export type Found = {
  id: string
  /** where it is, from the root of the site */
  path: string
  /** what kind of page it is on */
  kind: string
  /** the title of the page */
  title: string
  /** the heading it stands under; empty at the top of the page */
  heading: string
  text: string
  /** the beginning of the text, to be shown */
  excerpt: string
}

const excerpt_length = 160

type Searched = { path: string; kind: string; title: string; markdown: string }

const found = ({ path, kind, title }: Omit<Searched, 'markdown'>, heading: string, lines: string[]): Found => {
  const text = plainOf(
    lines
      .filter((line) => !/^\|[\s|:-]+\|$/.test(line))
      .map((line) => line.replace(/^>\s?/, '').replaceAll('|', ' '))
      .join(' '),
  )
  const excerpt = text.length > excerpt_length ? `${text.slice(0, text.lastIndexOf(' ', excerpt_length))} …` : text
  return { id: path, path, kind, title, heading, text, excerpt }
}

/** The parts of a page, heading by heading, without its blocks of code. */
export function partsOf({ path, kind, title, markdown }: Searched): Found[] {
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  for (const { line, is_code } of linesOf(markdown)) {
    const [, marks = '', heading = ''] = (!is_code && /^(#+) (.*)$/.exec(line)) || []
    if (marks.length > 1) parts.push({ heading: plainOf(heading), lines: [] })
    else if (!is_code && marks === '') parts.at(-1)!.lines.push(line)
  }
  const ids = new Map<string, number>()
  return parts.map(({ heading, lines }) => {
    const slug = slugOf(heading)
    const before = ids.get(slug) ?? 0
    ids.set(slug, before + 1)
    const anchor = heading === '' ? '' : `#${slug}${before > 0 ? `-${before}` : ''}`
    return found({ path: path + anchor, kind, title }, heading, lines)
  })
}

/** A page as one thing that is found: by all that it says, beginning with its first part below the title. */
export function wholeOf(parts: Found[]): Found {
  const [top, first] = parts
  return { ...top!, text: parts.map(({ text }) => text).join(' '), excerpt: first?.excerpt ?? top!.excerpt }
}

/** How the index is read: in the browser as here. */
const options = {
  fields: ['title', 'heading', 'text'],
  storeFields: ['path', 'kind', 'title', 'heading', 'excerpt'],
  searchOptions: { boost: { title: 4, heading: 3 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
} as const

/** The index over what can be found, as the browser loads it. */
export function searchIndex(parts: Found[]): string {
  const { fields, storeFields, searchOptions } = options
  const index = new MiniSearch<Found>({ fields: [...fields], storeFields: [...storeFields], searchOptions })
  index.addAll(parts)
  return JSON.stringify({ options, index })
}
