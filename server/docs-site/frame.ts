import { html, Html } from '../kernel/html.ts'
import type { Heading } from './markdown.ts'

/** A link of the contents. */
export type Entry = { path: string; title: string }
export type PageGroup = { title: string; entries: Entry[] }

/** A part of the site, with contents of its own: what is read together. */
export type SitePart = { title: string; home: string; groups: PageGroup[] }

/** What all pages have about them. */
export type Surroundings = {
  /** what stands before each path of the site: that of a proxy, or nothing */
  base: string
  sections: SitePart[]
}

/** A page with what is in it. */
export type Filled = {
  path: string
  title: string
  description: string
  body: Html
  headings: Heading[]
  /** the entry of the contents that it belongs to, where it is none itself */
  within?: string | undefined
  /** the name of a script of its own */
  script?: string | undefined
  /** where it is as Markdown */
  markdown: string
}

const nothing = new Html('')
const current = (is: boolean, what: 'page' | 'true' = 'page') => (is ? new Html(` aria-current="${what}"`) : nothing)

/** The stylesheets and scripts of the bar at the top. */
export const headOf = ({ base }: Surroundings): Html =>
  html` <link rel="icon" href="${base}/docs/assets/icon.svg" type="image/svg+xml" />
    <link rel="preload" href="${base}/docs/assets/inter.woff2" as="font" type="font/woff2" crossorigin />
    <link rel="stylesheet" href="${base}/docs/assets/bar.css" />
    <script src="${base}/docs/assets/theme.js"></script>
    <script type="module" src="${base}/docs/assets/search.js"></script>`

/** The bar at the top of every page: in which section one is, the search, and light or dark. */
export function barOf({ base, sections }: Surroundings, here: string): Html {
  const links = sections.map(
    ({ title, home }) => html`<a href="${base}${home}" ${current(title === here, 'true')}>${title}</a>`,
  )
  return html`<header class="ob-bar">
    <a class="ob-brand" href="${base}/docs">OpenBenefits <span>docs</span></a>
    <nav aria-label="Parts of the documentation">${links}</nav>
    <button
      type="button"
      class="ob-search"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K /"
      data-index="${base}/docs/search.json"
    >
      <span>Search</span><kbd>Ctrl K</kbd>
    </button>
    <button type="button" class="ob-theme">Theme</button>
  </header>`
}

const entry = (base: string, { path, title }: Entry, here: string): Html =>
  html`<li><a href="${base}${path}" ${current(path === here)}>${title}</a></li>`

const contentsOf = (base: string, { title, groups }: SitePart, here: string): Html =>
  html`<nav id="contents" class="contents" aria-label="${title}">
    ${groups.map(
      (group) =>
        html`<h2>${group.title}</h2>
          <ul>
            ${group.entries.map((each) => entry(base, each, here))}
          </ul>`,
    )}
  </nav>`

/** Names of events and codes of errors are broken behind what joins their words. */
const broken = (title: string): Html[] =>
  title.split(/(?<=[._])(?=\w)/).map((part, at) => (at === 0 ? html`${part}` : html`<wbr />${part}`))

const outlineOf = (headings: Heading[]): Html => {
  const shown = headings.filter(({ level }) => level <= 3)
  if (shown.length < 2) return nothing
  const items = shown.map(
    ({ id, title, level }) => html`<li class="level-${String(level)}"><a href="#${id}">${broken(title)}</a></li>`,
  )
  return html`<aside class="outline" aria-label="On this page">
    <h2>On this page</h2>
    <ul>
      ${items}
    </ul>
  </aside>`
}

/** What comes before and after in the contents. */
function neighborsOf(base: string, { groups }: SitePart, here: string): Html {
  const entries = groups.flatMap((group) => group.entries)
  const at = entries.findIndex(({ path }) => path === here)
  const link = (to: Entry | undefined, rel: 'prev' | 'next', words: string) =>
    to ? html`<a rel="${rel}" href="${base}${to.path}"><small>${words}</small>${to.title}</a>` : html`<span></span>`
  if (at < 0) return nothing
  return html`<nav class="neighbors" aria-label="Before and after">
    ${[link(entries[at - 1], 'prev', 'Before'), link(entries[at + 1], 'next', 'Next')]}
  </nav>`
}

/** The section whose contents list a path; the first where none does. */
const sectionOf = ({ sections }: Surroundings, path: string): SitePart =>
  sections.find(({ groups }) => groups.some(({ entries }) => entries.some((each) => each.path === path))) ??
  sections[0]!

/** A page, whole. */
export function framed(
  around: Surroundings,
  { path, title, description, body, headings, markdown, script, within = path }: Filled,
): string {
  const { base } = around
  const section = sectionOf(around, within)
  const group = section.groups.find(({ entries }) => entries.some((each) => each.path === within))
  const is_home = path === section.home
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · OpenBenefits</title>
        <meta name="description" content="${description}" />
        <link rel="alternate" type="text/markdown" href="${base}${markdown}" />
        ${headOf(around)}
        <link rel="stylesheet" href="${base}/docs/assets/docs.css" />
        <script type="module" src="${base}/docs/assets/docs.js"></script>
        ${script === undefined ? nothing : html`<script type="module" src="${base}/docs/assets/${script}"></script>`}
      </head>
      <body class="ob-docs">
        <a class="skip" href="#main">Skip to the text</a>
        ${barOf(around, section.title)}
        <div class="columns">
          <div class="aside">
            <button type="button" class="menu" aria-expanded="false" aria-controls="contents">Contents</button>
            ${contentsOf(base, section, within)}
          </div>
          <main id="main">
            <article>
              ${is_home ? nothing : html`<p class="crumb">${group?.title ?? section.title}</p>`} ${body}
            </article>
            ${neighborsOf(base, section, path)}
            <footer>
              <a href="${base}${markdown}">This page as Markdown</a><a href="${base}/llms.txt">llms.txt</a>
            </footer>
          </main>
          ${outlineOf(headings)}
        </div>
      </body>
    </html> `.text
}
