import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformerStyleToClass } from '@shikijs/transformers'
import { defineConfig } from 'vitepress'
import { siteMarkdown } from '../markdown.ts'
import { excluded, pageOf, sidebar, slugOf } from '../pages.ts'
import { writeTexts } from '../text-files.ts'

const root = join(import.meta.dirname, '../..')

/** The server replaces `/__BASE__` by the path that a proxy puts before its own, or by nothing. */
const base = '/__BASE__/docs/'

/** Classes for the colors of code. The content security policy of the site allows no `style` attributes. */
const code_colors = transformerStyleToClass({ classPrefix: 'code-' })

export default defineConfig({
  srcDir: root,
  srcExclude: excluded,
  rewrites: pageOf,
  base,
  cleanUrls: true,
  // Otherwise the switch of the theme adds an inline style.
  appearance: { disableTransition: false },
  title: 'OpenBenefits',
  titleTemplate: ':title · OpenBenefits',
  description: 'Employer benefits over HTTP: eligibility, enrollments, payroll deductions and invoices',
  head: [
    ['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }],
    ['link', { rel: 'stylesheet', href: `${base}code.css` }],
  ],
  markdown: {
    html: false,
    linkify: false,
    attrs: false,
    component: false,
    emoji: false,
    footnote: false,
    gfmAlerts: false,
    include: false,
    snippet: false,
    toc: false,
    anchor: { slugify: slugOf },
    languageAlias: { '': 'txt' },
    codeTransformers: [code_colors],
    config: (md) => siteMarkdown(md, root),
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'API reference', link: '/reference/', target: '_self' },
      { text: 'Operator API', link: '/operator/', target: '_self' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  // The content security policy allows no `style` attributes, and the theme does not need its two inline styles.
  transformHtml: (html) => html.replaceAll(/ style="[^"]*"/g, ''),
  vite: { publicDir: join(root, 'ui/public') },
  buildEnd({ pages, outDir }) {
    writeFileSync(join(outDir, 'code.css'), code_colors.getCSS())
    writeTexts(root, pages, outDir)
  },
})
