import type { MarkdownRenderer } from 'vitepress'
import { siteLink } from './pages.ts'

type Token = ReturnType<MarkdownRenderer['parse']>[number]
type NewToken = new (type: string, tag: string, nesting: 1 | -1) => Token

/**
 * Markdown as code hosts show it: links name files of the repository, and consecutive code blocks with
 * ```` ```sh tab="curl" ```` in their first line are tabs.
 */
export function siteMarkdown(md: MarkdownRenderer, root: string): void {
  md.core.ruler.push('site', ({ tokens, env, Token }) => {
    const file = (env.realPath ?? env.path).slice(root.length + 1)
    for (const { children } of tokens) if (children) relink(children, file)
    for (const token of tokens) {
      alignByClass(token)
      if (token.type === 'fence' && token.info === 'json') token.content = indented(token.content)
    }
    groupTabs(tokens, Token)
  })
}

function relink(tokens: Token[], file: string): void {
  let is_unlinked = false
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const to = siteLink(file, token.attrGet('href')!)
      is_unlinked = to === null
      if (to != null) token.attrSet('href', to)
    }
    // A link to a file that is not on the site stays as its words.
    if (is_unlinked && token.type.startsWith('link_'))
      Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 })
  }
}

/** The content security policy allows no `style` attributes. */
function alignByClass(token: Token): void {
  const at = token.attrIndex('style')
  if (at < 0) return
  const [, side = 'left'] = /text-align:(\w+)/.exec(token.attrs![at]![1])!
  token.attrs!.splice(at, 1, ['class', side])
}

/** Responses are one line in the guides, because tests compare them with real ones. Readers get them indented. */
function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

const tabOf = ({ type, info }: Token): string | undefined =>
  type === 'fence' ? /\btab="([^"]+)"/.exec(info)?.[1] : undefined

function groupTabs(tokens: Token[], Token: NewToken): void {
  for (let at = 0; at < tokens.length; at++) {
    if (tabOf(tokens[at]!) === undefined) continue
    let end = at
    for (; end < tokens.length && tabOf(tokens[end]!) !== undefined; end++)
      tokens[end]!.info = tokens[end]!.info.replace(/ tab="([^"]+)"/, ' [$1]')
    tokens.splice(end, 0, new Token('container_code-group_close', 'div', -1))
    tokens.splice(at, 0, new Token('container_code-group_open', 'div', 1))
    at = end + 1
  }
}
