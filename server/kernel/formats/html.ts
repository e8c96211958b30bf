/** Text that is already HTML. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!)

type Part = string | Html | readonly Html[]

const textOf = (part: Part): string => {
  if (typeof part === 'string') return escape(part)
  return part instanceof Html ? part.text : part.map(({ text }) => text).join('')
}

/** The mark of OpenBenefits, `ui/public/icon.svg`. Inline, since these pages load no images. */
const mark =
  '<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#2f55cc"/>' +
  '<path d="M16.5 8.6a8 8 0 1 0 6.9 6.9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/>' +
  '<circle cx="22" cy="10" r="2.4" fill="#fff"/></svg>'

/** The colors of the console, `ui/tokens.css`, and its font, because these pages lead to it. */
const style = `
  @font-face { font-family: 'Inter Variable'; font-weight: 100 900; font-display: swap;
    src: url(/console/inter.woff2) format('woff2') }
  :root { color-scheme: light dark; font: 14px/20px 'Inter Variable', system-ui, sans-serif;
    color: light-dark(#16191d, #e8eaed); background: light-dark(#ffffff, #0f1115) }
  body { max-width: 26rem; margin: 14vh auto 0; padding: 0 16px 48px }
  .mark { display: block; width: 36px; height: 36px; margin: 0 0 16px }
  h1 { font-size: 24px; line-height: 32px; font-weight: 620; margin: 0 0 16px }
  h2 { font-size: 14px; margin: 24px 0 8px }
  p { margin: 0 0 16px }
  a { color: light-dark(#2748b3, #9db2ff) }
  ul { list-style: none; margin: 0; padding: 0 }
  a.button { color: light-dark(#ffffff, #0f1115); background: light-dark(#2f55cc, #9db2ff); border-radius: 6px;
    padding: 6px 12px; text-decoration: none; display: inline-block }
  button { font: inherit; color: inherit; background: none; border: 1px solid light-dark(#8b929c, #6d7580);
    border-radius: 6px; padding: 6px 12px; cursor: pointer }
  .search { display: flex; align-items: end; gap: 8px; margin: 0 0 16px }
  .search label { flex: 1 }
  .search input { display: block; box-sizing: border-box; width: 100%; margin-top: 4px; padding: 6px 8px; font: inherit;
    color: inherit; background: none; border: 1px solid light-dark(#8b929c, #6d7580); border-radius: 6px }
  li { border-top: 1px solid light-dark(#e2e5e9, #2a2f37) }
  li button { width: 100%; text-align: left; border: 0; border-radius: 0; padding: 8px }
  li button:hover { background: light-dark(#f7f8f9, #15181d) }
  :focus-visible { outline: 2px solid light-dark(#2748b3, #9db2ff); outline-offset: 1px }
  small { display: block; font-size: 12.5px; color: light-dark(#565e69, #a4acb7) }`

/** HTML with values, which are escaped unless they are HTML already. `html.page` builds a whole page. */
export const html = Object.assign(
  (texts: TemplateStringsArray, ...parts: Part[]): Html =>
    new Html(texts.map((text, index) => text + (index < parts.length ? textOf(parts[index]!) : '')).join('')),
  {
    page: (title: string, body: Html, more_style = '', lang = 'en'): Html =>
      new Html(
        `<!doctype html><html lang="${lang}"><head><meta charset="utf-8">` +
          `<meta name="viewport" content="width=device-width">` +
          `<title>${escape(title)} · OpenBenefits</title><style>${style}${more_style}</style></head>` +
          `<body><main>${mark}<h1>${escape(title)}</h1>${body.text}</main></body></html>`,
      ),
  },
)
