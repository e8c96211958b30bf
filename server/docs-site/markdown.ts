import { setImmediate as pause } from 'node:timers/promises'
import { Marked, type RendererObject, type Token, type Tokens } from 'marked'
import { html, Html } from '../kernel/html.ts'
import { pictureAt } from './assets.ts'
import { slugOf } from './chapters.ts'
import { colored } from './code-colors.js'

/** The languages that have colors, and how they are called. */
const languages = {
  sh: 'Shell',
  json: 'JSON',
  ts: 'TypeScript',
  python: 'Python',
  ruby: 'Ruby',
  go: 'Go',
  java: 'Java',
  sql: 'SQL',
  ini: 'INI',
}

const isLanguage = (name: string): name is keyof typeof languages => Object.hasOwn(languages, name)

/** Where the words of a text lead, beside its links. */
export type Links = {
  /** what stands before each path of the site: that of a proxy, or nothing */
  base: string
  /** where something in code type is explained, such as an operation or the code of an error */
  explained: (code: string) => string | undefined
}

export type Heading = { level: number; id: string; title: string }

export type Rendered = { body: Html; headings: Heading[] }

const text = (value: string): string => html`${value}`.text

/**
 * What is written in Markdown, as HTML: that of a whole page. HTML in it is shown as it stands. Between two blocks
 * other requests are served.
 */
export async function renderMarkdown(markdown: string, links: Links): Promise<Rendered> {
  const headings: Heading[] = []
  const marked = new Marked({ gfm: true })
  marked.use({ renderer: rendererOf(links, headings) })
  const parts: string[] = []
  for (const block of groupTabs(marked.lexer(markdown))) {
    parts.push('panes' in block ? tabs(block.panes) : marked.parser([withAnswers(block.token, block.former)]))
    await pause()
  }
  return { body: new Html(parts.join('')), headings }
}

type Pane = { label: string; token: Tokens.Code }
type Block = { token: Token; former: Token | undefined } | { panes: Pane[] }

/** Blocks of code that stand one after the other, each with a `tab` in the line that opens it, are one with tabs. */
function groupTabs(tokens: Token[]): Block[] {
  const blocks: Block[] = []
  let former: Token | undefined
  for (const token of tokens) {
    if (token.type === 'space') continue
    const label = token.type === 'code' ? /\btab="([^"]+)"/.exec((token as Tokens.Code).lang ?? '')?.[1] : undefined
    const last = blocks.at(-1)
    if (label === undefined) blocks.push({ token, former })
    else {
      const pane = { label, token: token as Tokens.Code }
      if (last && 'panes' in last) last.panes.push(pane)
      else blocks.push({ panes: [pane] })
    }
    former = token
  }
  return blocks
}

const languageOf = ({ lang = '' }: Tokens.Code): string => lang.split(' ')[0]!

/** What a command says stands below it, and is no command. */
function withAnswers(token: Token, former: Token | undefined): Token {
  if (token.type !== 'code' || former?.type !== 'code') return token
  const { lang = '' } = former as Tokens.Code
  const is_asked = lang === 'sh' || /\btab="TypeScript"/.test(lang)
  const is_said = ['', 'json', undefined].includes((token as Tokens.Code).lang)
  return is_asked && is_said ? { ...token, is_answer: true } : token
}

/** JSON that stands on one line is for programs; people get it with its levels. */
function spread(code: string): string {
  try {
    return JSON.stringify(JSON.parse(code), null, 2)
  } catch {
    return code
  }
}

function figure(token: Tokens.Code & { is_answer?: boolean }, label?: string): string {
  const language = languageOf(token)
  const code = language === 'json' ? spread(token.text) : token.text
  const shown = label ?? (token.is_answer ? 'Answer' : isLanguage(language) ? languages[language] : '')
  const kind = token.is_answer ? 'code answer' : 'code'
  const lines = code.split('\n').length
  return (
    `<figure class="${kind}${lines > 24 ? ' tall' : ''}"${label === undefined ? '' : ` data-tab="${text(label)}"`}>` +
    `<figcaption>${text(shown)}</figcaption>` +
    `<pre tabindex="0"><code>${isLanguage(language) ? colored(code, language) : text(code)}</code></pre></figure>\n`
  )
}

const tabs = (panes: Pane[]): string =>
  `<div class="tabs">${panes.map(({ label, token }) => figure(token, label)).join('')}</div>\n`

function rendererOf({ base, explained }: Links, headings: Heading[]): RendererObject<string, string> {
  // What is in a link already leads somewhere.
  let within_link = false
  const href = (target: string) => text(target.startsWith('/') ? base + target : target)
  return {
    code: (token) => figure(token),
    heading({ tokens, depth, text: title }) {
      const plain = plainOf(title)
      const before = headings.filter((each) => each.id.replace(/-\d+$/, '') === slugOf(plain)).length
      const id = slugOf(plain) + (before > 0 ? `-${before}` : '')
      const words = this.parser.parseInline(tokens)
      if (depth === 1) return `<h1>${words === text(plain) ? breakable(words) : words}</h1>\n`
      headings.push({ level: depth, id, title: plain })
      const anchor = `<a class="anchor" href="#${id}" aria-label="Link to: ${text(plain)}">#</a>`
      return `<h${depth} id="${id}">${words}${anchor}</h${depth}>\n`
    },
    link({ tokens, href: target }) {
      within_link = true
      const words = this.parser.parseInline(tokens)
      within_link = false
      return /^(?:https?:|\/|#)/.test(target) ? `<a href="${href(target)}">${words}</a>` : words
    },
    codespan({ text: code }) {
      const to = within_link ? undefined : explained(code)
      const words = `<code>${breakable(text(code))}</code>`
      return to === undefined ? words : `<a class="code" href="${href(to)}">${words}</a>`
    },
    table({ header, rows, align }) {
      const cell = (tag: string, { tokens }: Tokens.TableCell, at: number) => {
        const words = this.parser.parseInline(tokens)
        const side = align[at] === 'right' ? ' class="right"' : ''
        return words === '' ? '<td></td>' : `<${tag}${side}>${words}</${tag}>`
      }
      const row = (tag: string, cells: Tokens.TableCell[]) =>
        `<tr>${cells.map((each, at) => cell(tag, each, at)).join('')}</tr>`
      const head = header.some(({ text: words }) => words !== '') ? `<thead>${row('th', header)}</thead>` : ''
      const body = rows.map((cells) => row('td', cells)).join('\n')
      // On a phone these have their cells one below the other: side by side each had a few letters a line.
      const stacks = header.length === 3 || header.length === 4 ? ' class="stacks"' : ''
      const whole = `<table${stacks}>${head}<tbody>${body}</tbody></table>`
      return `<div class="table" role="group" aria-label="Table" tabindex="0">${whole}</div>\n`
    },
    html: ({ text: written }) => text(written),
    image({ text: words, href: target }) {
      const at = pictureAt(target)
      return at === undefined ? text(words) : `<img src="${href(at)}" alt="${text(words)}" />`
    },
  }
}

/** A long name or path may be broken behind what joins its words, and an id nowhere. */
const breakable = (code: string): string =>
  /^[a-z]+_[0-9a-z]{26}$/.test(code) ? code : code.replaceAll(/([_/.\]}])(?=\w)/g, '$1<wbr>')

/** The words of a line of Markdown, without its marks. */
export const plainOf = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
