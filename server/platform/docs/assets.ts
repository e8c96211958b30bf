import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FixedText } from '../http/fixed-texts.ts'

const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** What pages load: all of it is ours but what searches. */
const own = ['bar.css', 'docs.css', 'docs.js', 'events.js', 'icon.svg', 'search.js', 'theme.js']
const minisearch = fileURLToPath(import.meta.resolve('minisearch'))

const asset = (name: string, file: string | URL): FixedText => ({
  path: `/docs/assets/${name}`,
  content_type: types[name.split('.').at(-1)!]!,
  text: () => readFileSync(file, 'utf8'),
})

export const assetTexts = (): FixedText[] => [
  ...own.map((name) => asset(name, new URL(`./assets/${name}`, import.meta.url))),
  asset('minisearch.js', minisearch),
]
