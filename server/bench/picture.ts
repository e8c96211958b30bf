import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { is_smoke } from './sizes.ts'
import { root, temporaryFolder } from './stage.ts'

/** A row of the figures: what it is called, and how much of its goal is reached; undefined before it is measured. */
type Goal = { title: string; reached: number | undefined; told: string }

const numberIn = (cell: string): number => Number(/[\d.,]+/.exec(cell)?.[0].replaceAll(',', '') ?? NaN)

/** The rows of the table whose goal is a bound. */
const goalsIn = (text: string): Goal[] =>
  [...text.matchAll(/^\| ([^|]+) \| ([≥≤] [^|]+) \| ([^|]+) \|/gm)].map(([, title, goal, measured]) => {
    const [bound, value] = [numberIn(goal!), numberIn(measured!)]
    const reached = goal!.startsWith('≥') ? value / bound : bound / value
    const told = `${measured!.split(/[;,] /)[0]} of ${goal}`
    return { title: title!, reached: Number.isNaN(reached) ? undefined : reached, told }
  })

/** As SVG takes it. */
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** A title in lines that fit: a link is its text, as code is. */
function linesOf(title: string): string[] {
  const lines = ['']
  for (const word of title
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim()
    if (longer.length > most_characters) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** As narrow as a phone shows it without making it smaller; a title stands above its bar. */
const [wide, margin, full, line, gap] = [420, 16, 190, 18, 12]
const most_characters = 48
const first_y = 44

/** A goal, drawn from a height on, and where the next begins. */
function drawn({ title, reached, told }: Goal, from: number): { svg: string[]; to: number } {
  const lines = linesOf(title)
  const y = from + lines.length * line + 3
  const width = Math.max(2, Math.round(full * Math.min(1.25, reached ?? 0)))
  const kind = reached === undefined ? 'later' : reached >= 1 ? 'met' : 'missed'
  const svg = [
    ...lines.map((text, at) => `<text x="${margin}" y="${from + at * line + 14}">${escaped(text)}</text>`),
    `<rect x="${margin}" y="${y}" width="${width}" height="12" rx="2" class="${kind}"/>`,
    `<path d="M${margin + full} ${y - 2}v16"/>`,
    `<text x="${margin + full * 1.25 + 10}" y="${y + 11}" class="told">${escaped(told)}</text>`,
  ]
  return { svg, to: y + 12 + gap }
}

const colorsOf = ([ground, text, told, met, missed, later]: string[]) =>
  `.ground{fill:${ground}}text{fill:${text}}path{stroke:${text}}.told{fill:${told}}` +
  `.met{fill:${met}}.missed{fill:${missed}}.later{fill:${later}}`
/** Those of the console, in which what was missed differs from what was met in lightness too. */
const style = [
  'text{font:14.5px system-ui,sans-serif}.told{font-size:13.5px}',
  colorsOf(['#f7f8f9', '#16191d', '#565e69', '#0b6b3f', '#dd9a2b', '#b9bfc7']),
  `@media (prefers-color-scheme:dark){${colorsOf(['#15181d', '#e8eaed', '#a4acb7', '#2f8f60', '#edb85c', '#4a515b'])}}`,
].join('\n')

/** Draws the figures of docs/performance.md: how much of each goal is reached, up to a quarter beyond it. */
export async function picture(): Promise<void> {
  const goals = goalsIn(readFileSync(join(root, 'docs/performance.md'), 'utf8'))
  const rows: string[] = []
  let height = first_y
  for (const goal of goals) {
    const { svg, to } = drawn(goal, height)
    rows.push(...svg)
    height = to
  }
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${height}" width="${wide}" height="${height}"`,
    ' role="img" aria-label="How much of each goal is reached">',
    `<style>${style}</style>`,
    `<rect width="${wide}" height="${height}" rx="10" class="ground"/>`,
    `<text x="${margin + full}" y="26" text-anchor="middle">goal</text>`,
    ...rows,
    '</svg>',
    '',
  ].join('\n')
  writeFileSync(join(is_smoke ? temporaryFolder() : join(root, 'docs/pictures'), 'performance.svg'), svg)
}
