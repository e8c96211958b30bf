import type { Style } from '../text.ts'
import { drawFoot, inner, landscape, month_names, outline, drawPartTitle, styles, type Drawing } from './drawing.ts'

/** A line of the table of covered people. `months` are January to December. */
export type CoveredLine = { name: string; number: string; date_of_birth: string; months: boolean[] }

/** The part of a form with covered people, from a line. */
type PeoplePart = { part: string; first_line: number; note?: string }

const per_page = 13

/**
 * Draws the covered people on separate pages. Each page shows the person of the form, because printed pages get mixed
 * up.
 */
export function drawPeoplePages(
  on: Drawing,
  { form, tax_year, person, ...part }: PeoplePart & { form: string; tax_year: number; person: string },
  people: CoveredLine[],
): void {
  for (let from = 0; from < people.length; from += per_page) {
    on.pen.doc.addPage()
    const page = { ...part, first_line: part.first_line + from }
    drawPeople(on, page, people.slice(from, from + per_page), landscape.margin)
    on.write('P', person, styles.small, { x: landscape.margin, y: landscape.margin - 8, width: inner }, 1)
    drawFoot(on, form, tax_year)
  }
}

/** Draws a table of covered people. */
export function drawPeople(
  on: Drawing,
  { part, first_line, note = '' }: PeoplePart,
  people: CoveredLine[],
  y: number,
): void {
  const bar = drawPartTitle(on, part, 'Covered Individuals', y)
  if (note) on.write('P', note, styles.small, { x: landscape.margin + 4, y: bar + 12, width: inner - 8 }, 1)
  const top = note ? bar + 20 : bar
  const widths = [178, 92, 82, 56, ...month_names.map(() => (inner - 408) / 12)]
  const titles = [
    '(a) Name of covered individual(s)',
    '(b) SSN or other TIN',
    '(c) DOB (if SSN or other TIN is not available)',
    '(d) Covered all 12 months',
  ]
  const row = (cells: string[], from: number, height: number, style: Style, lines: number) => {
    let x = landscape.margin
    for (const [index, cell] of cells.entries()) {
      outline(on, x, from, widths[index]!, height)
      const box = { x: x + 3, y: from + style.size + 2, width: widths[index]! - 6 }
      if (cell) on.write('P', cell, style, box, lines)
      x += widths[index]!
    }
  }
  row(titles, top, 32, styles.label, 3)
  const months_x = landscape.margin + 408
  outline(on, months_x, top, inner - 408, 16)
  on.write('P', '(e) Months of coverage', styles.label, { x: months_x + 3, y: top + 10, width: 200 }, 1)
  for (const [index, name] of month_names.entries()) {
    const x = months_x + index * widths[4]!
    outline(on, x, top + 16, widths[4]!, 16)
    on.write('P', name, styles.label, { x: x + 3, y: top + 26, width: widths[4]! - 4 }, 1)
  }
  for (const [index, { name, number, date_of_birth, months }] of people.entries()) {
    const all = months.every(Boolean)
    const marks = [all, ...months.map((covered) => covered && !all)].map((marked) => (marked ? 'X' : ''))
    const cells = [`${first_line + index}  ${name}`, number, number ? '' : date_of_birth, ...marks]
    row(cells, top + 32 + index * 30, 30, styles.small, 2)
  }
}
