import { readFileSync } from 'node:fs'
import { setImmediate as pause } from 'node:timers/promises'
import type { FixedText } from '../http/static/fixed-texts.ts'
import { makeApart } from '../http/static/text-worker.ts'
import { assetTexts } from './assets.ts'
import { chaptersOf, headingsOf, slugOf, withLinks, type Resolve } from './chapters.ts'
import { contents, labels, sources, type SourceFile } from './contents.ts'
import { framed, type Entry, type SitePart, type Surroundings } from './frame.ts'
import { plainOf, renderMarkdown, type Links } from './markdown.ts'
import { partsOf, wholeOf, type Found } from './search.ts'

/** A page of the site: what it is, and what it says, with its title as the first heading. */
export type DocsPage = {
  /** from the root of the site, such as `/docs/employers` */
  path: string
  title: string
  markdown: () => string
  /** the page of the contents under which it stands, where it has no place of its own there */
  within?: string
  /** what the page does beside what all do: the name of a file */
  script?: string
}

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')

/** What the blocks of most pages take for granted. */
const shell_note =
  '> The blocks go on in the shell of [the first request](/docs/the-first-request) and [the tour]' +
  '(/docs/a-short-tour): ' +
  '`$URL`, `$AUTH`, `$JSON`, `field`, `$EMPLOYER` and `$EMPLOYEE` come from there'

/** What some take besides, from the main job: how it is called, where it is used, and where it is made. */
const of_the_main_job: [name: string, used: RegExp, made: RegExp][] = [
  ['`day`', /\$\(day /, /^day\(\)/m],
  ['`$INES`', /\$INES\b/, /^INES=/m],
]

/** The text with that said before its first block, where it needs saying. */
function withShell(markdown: string): string {
  const is_needed = /```sh\n[^`]*\$(?:URL|AUTH)\b/.test(markdown) && !/^(?:URL|EMPLOYER)=/m.test(markdown)
  const besides = of_the_main_job.filter(([, used, made]) => used.test(markdown) && !made.test(markdown))
  const names = besides.map(([name]) => name).join(' and ')
  const more = names && `, ${names} from [employer to election](/docs/from-employer-to-election)`
  return is_needed ? markdown.replace(/^```sh$/m, () => `${shell_note}${more}.\n\n\`\`\`sh`) : markdown
}

/** A page that a file is, or each of its chapters, with its links as they stand in the file. */
function drafts({
  file,
  path,
  chapters,
  renamed = {},
}: SourceFile): (DocsPage & { file: string; anchors: string[] })[] {
  const whole = read(file)
  if (chapters === 'none') {
    const title = plainOf(/^# (.*)$/m.exec(whole)?.[1] ?? file)
    const anchors = ['', ...headingsOf(whole).map((each) => `#${slugOf(each.title)}`)]
    return [{ file, path, title, anchors, markdown: () => withShell(whole) }]
  }
  return chaptersOf(whole)
    .filter(({ title }) => chapters === 'all' || chapters.includes(title))
    .map(({ slug, title, markdown }) => ({
      file,
      path: path + (renamed[slug] ?? slug),
      title: plainOf(title),
      anchors: [`#${slug}`, ...headingsOf(markdown).map((each) => `#${slugOf(each.title)}`)],
      markdown: () => withShell(`# ${title}\n\n${markdown.trimStart()}`),
    }))
}

/** Where the links of files lead: by the path of a file and a heading in it. */
function resolverOf(all: ReturnType<typeof drafts>): Resolve {
  const places = new Map<string, string>([
    ['openapi.json', '/v1/openapi.json'],
    ['openapi.operator.json', '/operator/v1/openapi.json'],
  ])
  for (const { file, path, anchors } of all) {
    if (!places.has(file)) places.set(file, path)
    anchors.forEach((anchor, at) => places.set(file + anchor, at === 0 ? path : path + anchor))
  }
  return (target) => places.get(target)
}

const test_data = 'docs/test-data.md'

/** The ids of those whom the page of test data names, by name; none where nobody knows them. */
export type TestIds = ReadonlyMap<string, string>

const named_first = /^\| (\p{Lu}[^|]*?) (?=\|)/gmu

/** Whom the page of test data names: employers, and employees. */
export const namesInTestData = (): string[] => [
  ...new Set([...read(test_data).matchAll(named_first)].map(([, name]) => name!)),
]

const withIds = (markdown: string, ids: TestIds): string =>
  markdown.replaceAll(named_first, (whole, name: string) => (ids.has(name) ? `| ${name} \`${ids.get(name)}\` ` : whole))

/**
 * The pages that files are, in the order of the files, with links that lead through the site. Between two files other
 * requests are served, and what a page says is put together when it is first asked for.
 */
export async function filePages(test_ids: TestIds): Promise<DocsPage[]> {
  const all: ReturnType<typeof drafts> = []
  for (const source of sources) {
    all.push(...drafts(source))
    await pause()
  }
  const resolve = resolverOf(all)
  return all.map(({ file, path, title, markdown }) => {
    let linked: string | undefined
    const link = () => {
      const written = withLinks(markdown(), file, resolve)
      return file === test_data ? withIds(written, test_ids) : written
    }
    return { path, title, markdown: () => (linked ??= link()) }
  })
}

/** The contents, with the pages that they don't name: each follows the page that stands before it in its file. */
export function sectionsOf(pages: DocsPage[]): SitePart[] {
  const listed = structuredClone(contents)
  const groups = listed.flatMap((section) => section.groups)
  let here = groups[0]!
  let former: string | undefined
  for (const { path, within } of pages) {
    if (within !== undefined) continue
    const group = groups.find(({ paths }) => paths.includes(path))
    if (group) here = group
    else here.paths.splice(here.paths.indexOf(former ?? '') + 1 || here.paths.length, 0, path)
    former = path
  }
  const titles = new Map(pages.map(({ path, title }) => [path, title]))
  const entryOf = (path: string): Entry[] =>
    titles.has(path) ? [{ path, title: labels[path] ?? titles.get(path)! }] : []
  return listed.map(({ title, groups: own }) => {
    const filled = own.map((group) => ({ title: group.title, entries: group.paths.flatMap(entryOf) }))
    return { title, home: filled[0]!.entries[0]!.path, groups: filled.filter(({ entries }) => entries.length > 0) }
  })
}

/** The first paragraph of a page, without its marks. */
function descriptionOf(markdown: string): string {
  const paragraph = markdown.split(/\n{2,}/).find((block) => !/^(?:[#>|`-]|\s*$)/.test(block)) ?? ''
  const words = plainOf(paragraph)
  return words.length > 200 ? `${words.slice(0, words.lastIndexOf(' ', 200))} …` : words
}

export type Site = {
  pages: DocsPage[]
  /** where something in code type is explained, by what stands there */
  explained: ReadonlyMap<string, string>
  /** Where the service is reached. */
  public_url: () => string | null
}

/** The path that a proxy puts before ours. */
export const baseOf = (public_url: string | null): string =>
  public_url === null ? '' : new URL(public_url).pathname.replace(/\/$/, '')

/** What stands about every page, references too. */
export const surroundingsOf = ({ pages, public_url }: Site): Surroundings => ({
  base: baseOf(public_url()),
  sections: sectionsOf(pages),
})

/** A page runs files of ours and nothing else, and is shown in no other page. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Where a page is as Markdown. */
const markdownPath = (path: string): string => `${path}.md`

const html_type = 'text/html; charset=utf-8'
const markdown_type = 'text/markdown; charset=utf-8'

/** Everything under /docs but the references: pages, each as Markdown too, what they load, and lists for programs. */
export function siteTexts(site: Site): FixedText[] {
  return [
    ...assetTexts(),
    ...site.pages.flatMap((page) => pageTexts(site, page)),
    { path: '/docs/search.json', content_type: 'application/json; charset=utf-8', text: () => indexOf(site) },
    { path: '/llms.txt', content_type: markdown_type, text: () => listForPrograms(site) },
    { path: '/llms-full.txt', content_type: markdown_type, text: () => allForPrograms(site) },
  ]
}

function pageTexts(site: Site, { path, title, markdown, within, script }: DocsPage): FixedText[] {
  const explained = (code: string) => {
    const to = site.explained.get(code.split('?')[0]!)
    return to === path ? undefined : to
  }
  const draw = async () => {
    const around = surroundingsOf(site)
    const links: Links = { base: around.base, explained }
    const { body, headings } = await renderMarkdown(markdown(), links)
    const description = descriptionOf(markdown())
    return framed(around, { path, title, description, body, headings, within, script, markdown: markdownPath(path) })
  }
  return [
    { path, content_type: html_type, text: draw, headers: { 'content-security-policy': policy } },
    { path: markdownPath(path), content_type: markdown_type, text: markdown },
  ]
}

/** What kind of page stands at a path, in the words of the list of what was found. */
const kinds: [path: RegExp, kind: string][] = [
  [/^\/docs\/errors\/./, 'Error'],
  [/^\/docs\/api\b/, 'API'],
  [/^\/docs\/operator\b/, 'Operator API'],
  [/^\/docs\/operations\//, 'Running it'],
  [/^/, 'Guide'],
]

async function indexOf({ pages }: Site): Promise<string> {
  const found: Found[] = []
  for (const { path, title, markdown } of pages) {
    const [, kind] = kinds.find(([pattern]) => pattern.test(path))!
    // Tables of fields name everything everywhere: of an operation its words are searched.
    const text = kind.includes('API') ? markdown().replaceAll(/^\|.*\n/gm, '') : markdown()
    const parts = partsOf({ path, kind, title, markdown: text })
    // The page of an error is about one thing.
    found.push(...(kind === 'Error' ? [wholeOf(parts)] : parts))
    await pause()
  }
  return makeApart(new URL('./search-thread.ts', import.meta.url), found)
}

/** What there is to read, for a program that reads: https://llmstxt.org. */
async function listForPrograms(site: Site): Promise<string> {
  const at = (path: string) => `${site.public_url() ?? ''}${path}`
  const groups: string[] = []
  for (const section of sectionsOf(site.pages))
    for (const { title, entries } of section.groups) {
      const lines = entries.map(({ path, title: name }) => {
        const page = site.pages.find((each) => each.path === path)!
        return `- [${name}](${at(markdownPath(path))}): ${descriptionOf(page.markdown())}`
      })
      groups.push(`## ${section.title}: ${title}\n\n${lines.join('\n')}`)
      await pause()
    }
  const documents = [
    `- [The partner interface](${at('/v1/openapi.json')}): OpenAPI 3.1, every operation with its fields and examples`,
    `- [The operator interface](${at('/operator/v1/openapi.json')}): the same for those who run an installation`,
  ]
  return [
    '# OpenBenefits',
    '> A service for administering employer benefits over HTTP: employers, their people, eligibility, enrollments, ' +
      'payroll deductions and invoices, with webhooks.',
    `Every page is there as Markdown: add \`.md\` to its address. All of them in one text: ${at('/llms-full.txt')}`,
    ...groups,
    `## OpenAPI\n\n${documents.join('\n')}\n`,
  ].join('\n\n')
}

/** Every page of the contents, one after the other. */
async function allForPrograms({ pages }: Site): Promise<string> {
  const listed = sectionsOf(pages).flatMap(({ groups }) => groups.flatMap(({ entries }) => entries))
  const texts: string[] = []
  for (const { path } of listed) {
    const page = pages.find((each) => each.path === path)!
    texts.push(page.markdown().trimEnd())
    await pause()
  }
  return `${texts.join('\n\n')}\n`
}
