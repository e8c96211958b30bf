import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './stage.ts'

/** A row of the figures: what it is called, and how much of its goal is reached; undefined before it is measured. */
type Goal = { title: string; reached: number | undefined; told: string }

const numberIn = (cell: string): number => Number(/[\d.,]+/.exec(cell)?.[0].replaceAll(',', '') ?? NaN)

/** The rows of the table whose goal is a bound. */
const goalsIn = (text: string): Goal[] =>
  [...text.matchAll(/^\| ([^|]+) \| ([≥≤] [^|]+) \| ([^|]+) \|/gm)].map(([, title, goal, measured]) => {
    const [bound, value] = [numberIn(goal!), numberIn(measured!)]
    const reached = goal!.startsWith('≥') ? value / bound : bound / value
    const told = `${measured!.split(';')[0]} of ${goal}`
    return { title: title!, reached: Number.isNaN(reached) ? undefined : reached, told }
  })

/** As SVG takes it: a link is its text, as code is. */
const escaped = (text: string) =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('`', '')

const [left, full, high] = [470, 240, 26]

function bar({ title, reached, told }: Goal, at: number): string {
  const y = 40 + at * high
  const width = Math.round(full * Math.min(1.25, reached ?? 0))
  const kind = reached === undefined ? 'later' : reached >= 1 ? 'met' : 'missed'
  return [
    `<text x="${left - 10}" y="${y + 14}" text-anchor="end">${escaped(title)}</text>`,
    `<rect x="${left}" y="${y + 2}" width="${Math.max(width, 2)}" height="16" rx="2" class="${kind}"/>`,
    `<text x="${left + full * 1.25 + 12}" y="${y + 14}" class="told">${escaped(told)}</text>`,
  ].join('\n')
}

const style = [
  'text{font:13px system-ui,sans-serif;fill:#e6e3dc}.told{fill:#aab3ae}',
  '.met{fill:#7fc49a}.missed{fill:#d9a05b}.later{fill:#5c6661}',
].join('')

/** Draws the figures of docs/performance.md: how much of each goal is reached, up to a quarter beyond it. */
export async function picture(): Promise<void> {
  const goals = goalsIn(readFileSync(join(root, 'docs/performance.md'), 'utf8'))
  const height = 60 + goals.length * high
  const goal = left + full
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 ${height}" width="960" height="${height}" role="img"`,
    ' aria-label="How much of each goal is reached">',
    `<style>${style}</style>`,
    `<rect width="960" height="${height}" rx="10" fill="#1d2320"/>`,
    `<text x="${goal}" y="26" text-anchor="middle">goal</text>`,
    ...goals.map(bar),
    `<path d="M${goal} 34V${height - 16}" stroke="#e6e3dc" stroke-dasharray="3 4"/>`,
    '</svg>',
    '',
  ].join('\n')
  writeFileSync(join(root, 'docs/pictures/performance.svg'), svg)
}
