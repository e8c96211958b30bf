import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pageOf, sidebar, siteLink } from './pages.ts'

/** The Markdown of a page, with links to other pages as Markdown. */
function textOf(root: string, file: string): string {
  const here = `/${pageOf(file)}`
  const relativeTo = (path: string) => `${'../'.repeat(here.split('/').length - 2)}${path.slice(1)}`
  return readFileSync(join(root, file), 'utf8').replaceAll(
    /(?<!!)\[((?:[^\]\n]|\n(?!\s*\n))+)\]\(([^)\s]+)\)/g,
    (link, words: string, href: string) => {
      const to = siteLink(file, href)
      return to === undefined ? link : to === null ? words : `[${words}](${relativeTo(to)})`
    },
  )
}

/** The first paragraph, without Markdown. */
function summaryOf(text: string): string {
  const paragraph = text.split(/\n{2,}/).find((block) => /^[\p{L}[`*]/u.test(block)) ?? ''
  const plain = paragraph.replaceAll(/\[([^\]]+)\]\([^)]+\)|[`*]/g, '$1').replaceAll(/\s+/g, ' ')
  return plain.length > 200 ? `${plain.slice(0, plain.lastIndexOf(' ', 200))} …` : plain
}

/** Writes each page as Markdown next to its HTML, and the lists of pages of https://llmstxt.org. */
export function writeTexts(root: string, files: string[], folder: string): void {
  const texts = new Map(files.map((file) => [`/${pageOf(file)}`, textOf(root, file)]))
  for (const [page, text] of texts) {
    mkdirSync(dirname(join(folder, page)), { recursive: true })
    writeFileSync(join(folder, page), text)
  }
  const pages = sidebar.map(({ text, items }) => ({
    title: text,
    items: items.map((item) => ({ ...item, page: `${item.link.replace(/\/$/, '/index')}.md` })),
  }))
  const lists = pages.map(({ title, items }) => {
    const lines = items.map(({ text, page }) => `- [${text}](docs${page}): ${summaryOf(texts.get(page)!)}`)
    return `## ${title}\n\n${lines.join('\n')}`
  })
  const documents =
    '## OpenAPI\n\n- [Partner interface](v1/openapi.json)\n- [Operator interface](operator/v1/openapi.json)\n'
  const introduction =
    '# OpenBenefits\n\n> A service that administers employer benefits over HTTP: employers, people, eligibility, ' +
    'enrollments, payroll deductions and invoices, with webhooks.'
  writeFileSync(join(folder, 'llms.txt'), [introduction, ...lists, documents].join('\n\n'))
  const all = pages.flatMap(({ items }) => items.map(({ page }) => texts.get(page)!.trimEnd()))
  writeFileSync(join(folder, 'llms-full.txt'), `${all.join('\n\n')}\n`)
}
