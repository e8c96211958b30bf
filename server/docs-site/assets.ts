import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FixedText } from '../http/static/fixed-texts.ts'

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** What pages load: all of it is ours but what searches, and the font. */
const own = ['bar.css', 'docs.css', 'docs.js', 'events.js', 'icon.svg', 'search.js', 'theme.js']
const minisearch = fileURLToPath(import.meta.resolve('minisearch'))
const font = fileURLToPath(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'))

const asset = (name: string, file: string | URL): FixedText => ({
  path: `/docs/assets/${name}`,
  content_type: types[name.split('.').at(-1)!]!,
  text: () => readFileSync(file),
})

/** A font is asked for by every page, and changes with its package: it is kept for a week. */
const kept = { headers: { 'cache-control': 'public, max-age=604800' } }

/** Pictures of the guides, by the addresses that the pages have them at. */
const pictures = new URL('../../docs/pictures/', import.meta.url)

/** Where a page has a picture that its Markdown names by its place beside it; undefined for anything else. */
export const pictureAt = (target: string): string | undefined => {
  const [, name] = /^(?:\.\.\/)?pictures\/([\w-]+\.svg)$/.exec(target) ?? []
  return name && `/docs/assets/${name}`
}

export const assetTexts = (): FixedText[] => [
  ...own.map((name) => asset(name, new URL(`./assets/${name}`, import.meta.url))),
  ...readdirSync(pictures).map((name) => asset(name, new URL(name, pictures))),
  asset('minisearch.js', minisearch),
  { ...asset('inter.woff2', font), ...kept },
]
