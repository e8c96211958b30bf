/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

type Part = string | Html | readonly Html[]

const textOf = (part: Part): string => {
  if (typeof part === 'string') return escaped(part)
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('')
}

const style = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { max-width: 32rem; margin: 12vh auto 0; padding: 0 1.25rem }
  h1 { font-size: 1.4rem; margin: 0 0 1rem }
  h2 { font-size: 1rem; margin: 1.5rem 0 .5rem }
  ul { list-style: none; margin: 0; padding: 0 }
  li + li { margin-top: .5rem }
  a.button, button { font: inherit; color: inherit; background: none; border: 1px solid; border-radius: 6px;
    padding: .5rem .9rem; cursor: pointer; text-decoration: none; display: inline-block }
  li button { width: 100%; text-align: left }
  small { display: block; opacity: .75 }`

/**
 * HTML with values in it, which are escaped unless they are HTML already. `html.page` is a whole page of them.
 */
export const html = Object.assign(
  (texts: TemplateStringsArray, ...parts: Part[]): Html =>
    new Html(texts.map((text, at) => text + (at < parts.length ? textOf(parts[at]!) : '')).join('')),
  {
    page: (title: string, body: Html): Html =>
      new Html(
        `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
          `<meta name="viewport" content="width=device-width">` +
          `<title>${escaped(title)} · OpenBenefits</title><style>${style}</style></head>` +
          `<body><main><h1>${escaped(title)}</h1>${body.text}</main></body></html>`,
      ),
  },
)
