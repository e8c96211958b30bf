import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

export type Page = { name: string; title: string; text: string; sections: Section[] }

/** The text under a second-level heading. */
export type Section = { name: string; title: string; text: string }

/** The possible folders of the guide: in the published package, and in the repository. */
const folders = ['./docs', '../../../docs'].map((path) => fileURLToPath(new URL(path, import.meta.url)))

/** The pages of the guide of this version. */
export function readGuide(): Page[] {
  const folder = folders.find((path) => existsSync(join(path, 'integrating')))
  if (folder === undefined) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('design/'))
    .toSorted()
    .map((file) => pageOf(file.replace(/\.md$/, '').replaceAll('/', '-'), readFileSync(join(folder, file), 'utf8')))
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

/** The anchor of a heading, as in the links of the guide. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')
