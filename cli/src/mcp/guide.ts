import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** A page of the guide: its name, its title, and its Markdown. */
export type Page = { name: string; title: string; text: string; sections: Section[] }

/** What stands under a heading of the second level. */
export type Section = { name: string; title: string; text: string }

/** Beside the program as it is published, and in the repository. */
const folders = ['./docs', '../../../docs'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** The pages of the guide, as they were when this version was made. */
export function readGuide(): Page[] {
  const folder = folders.find((path) => existsSync(join(path, 'integrating.md')))
  if (folder === undefined) return []
  return readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => pageOf(file.replace(/\.md$/, ''), readFileSync(join(folder, file), 'utf8')))
}

function pageOf(name: string, text: string): Page {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const sections = text
    .split(/^(?=## )/m)
    .flatMap((part) => (part.startsWith('## ') ? [part] : []))
    .map((part) => {
      const heading = part.slice(3, part.indexOf('\n')).trim()
      return { name: slugOf(heading), title: heading, text: part }
    })
  return { name, title, text, sections }
}

/** As the links of the guide name a heading. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
