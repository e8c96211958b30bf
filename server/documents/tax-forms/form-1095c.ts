import { loadFaces, type Weight } from '../fonts.ts'
import { startPdf, writeIn } from '../pdf-pages.ts'
import type { Pen, Style } from '../text.ts'
import {
  drawFoot,
  field,
  inner,
  landscape,
  latin,
  month_names,
  outline,
  partBar,
  styles,
  type Drawing,
  type FormParty,
} from './drawing.ts'

/** Form 1095-C of an employee. All values are texts as the form shows them; empty if a cell is empty. */
export type Form1095cDocument = {
  tax_year: number
  /** The day on which the form was made. */
  made_on: string
  /** Whether the form corrects an earlier one. */
  is_corrected: boolean
  employee: FormParty
  employer: FormParty & { phone: string }
  /** Only for an ICHRA. */
  age_on_january_1: string
  /** Two digits. */
  plan_start_month: string
  /** Lines 14 to 17, each with twelve months. */
  lines: { number: '14' | '15' | '16' | '17'; months: string[] }[]
  /** Part III. Empty if no coverage is self-insured. */
  covered_people: { name: string; number: string; date_of_birth: string; months: boolean[] }[]
}

const line_labels = {
  14: '14 Offer of Coverage (enter required code)',
  15: '15 Employee Required Contribution (see instructions)',
  16: '16 Section 4980H Safe Harbor and Other Relief (enter code, if applicable)',
  17: '17 ZIP Code',
}

/** The people on each page of Part III. */
const people_per_page = 13

/**
 * Renders Forms 1095-C, each on a first page with Parts I and II, and as many pages of Part III as needed. There is at
 * least one form.
 */
export async function renderForms1095c(documents: Form1095cDocument[]): Promise<Buffer> {
  const { tax_year, employer, made_on } = documents[0]!
  const info = {
    Title: `Form 1095-C (${tax_year})`,
    Author: employer.name,
    Subject: 'Employer-Provided Health Insurance Offer and Coverage',
    made_on,
  }
  const { doc, done } = startPdf({ info, lang: 'en-US' }, [landscape.width, landscape.height])
  const pen: Pen = { doc, faces: await loadFaces(textsOf(documents)) }
  const root = doc.struct('Document')
  doc.addStructure(root)
  for (const document of documents) drawForm({ pen, write: writeIn(pen, root) }, document)
  root.end()
  doc.end()
  return done
}

function drawForm(on: Drawing, document: Form1095cDocument): void {
  const { doc } = on.pen
  doc.addPage()
  drawHead(on, document)
  const below = drawParties(on, document, 108)
  drawMonths(on, document, below)
  drawFoot(on, '1095-C', document.tax_year)
  for (let from = 0; from < document.covered_people.length; from += people_per_page) {
    doc.addPage()
    drawPeople(on, document, from)
    drawFoot(on, '1095-C', document.tax_year)
  }
}

/** All texts of the forms, so that their fonts can be loaded. */
function textsOf(documents: Form1095cDocument[]): Record<Weight, string[]> {
  const names = documents.flatMap(({ employee, employer, covered_people }) => [
    ...Object.values(employee),
    ...Object.values(employer),
    ...covered_people.map(({ name }) => name),
  ])
  return { regular: [...names, latin], bold: [latin] }
}

function drawHead(on: Drawing, { tax_year, is_corrected }: Form1095cDocument): void {
  const { margin, width } = landscape
  on.write('P', 'Form', styles.small, { x: margin, y: 54, width: 30 }, 1)
  on.write('H1', '1095-C', styles.form, { x: margin + 24, y: 58, width: 110 }, 1)
  for (const [at, name] of ['Department of the Treasury', 'Internal Revenue Service'].entries())
    on.write('P', name, styles.label, { x: margin, y: 74 + at * 9, width: 130 }, 1)
  const title = 'Employer-Provided Health Insurance Offer and Coverage'
  on.write('P', title, styles.title, { x: 200, y: 56, width: 400 }, 1)
  const notes = ['Do not attach to your tax return. Keep for your records.', 'Go to www.irs.gov/Form1095C for details.']
  notes.forEach((note, at) => on.write('P', note, styles.small, { x: 200, y: 72 + at * 11, width: 400 }, 1))
  for (const [at, mark] of ['VOID', 'CORRECTED'].entries()) {
    outline(on, width - margin - 168, 44 + at * 16, 8, 8)
    on.write('P', mark, styles.small, { x: width - margin - 156, y: 51 + at * 16, width: 60 }, 1)
    if (mark === 'CORRECTED' && is_corrected)
      on.write('P', 'X', styles.strong, { x: width - margin - 167, y: 51 + at * 16, width: 8 }, 1)
  }
  on.write('P', 'OMB No. 1545-2251', styles.small, { x: width - margin - 84, y: 50, width: 84 }, 1)
  on.write('P', String(tax_year), styles.form, { x: width - margin - 84, y: 76, width: 84 }, 1)
}

/** Draws Part I, and returns where the next part begins. */
function drawParties(on: Drawing, { employee, employer }: Form1095cDocument, top: number): number {
  const y = partBar(on, 'Part I', 'Employee and Applicable Large Employer Member (Employer)', top)
  const [left, half] = [landscape.margin, inner / 2]
  const right = left + half
  field(on, '1 Name of employee (first name, middle initial, last name)', employee.name, left, y, half - 110)
  field(on, '2 Social security number (SSN)', employee.number, right - 110, y, 110)
  field(on, '3 Street address (including apartment no.)', employee.address, left, y + 26, half)
  field(on, '4 City or town', employee.city, left, y + 52, half - 190)
  field(on, '5 State or province', employee.state, right - 190, y + 52, 80)
  field(on, '6 Country and ZIP code', employee.zipcode, right - 110, y + 52, 110)
  field(on, '7 Name of employer', employer.name, right, y, half - 130)
  field(on, '8 Employer identification number (EIN)', employer.number, right + half - 130, y, 130)
  field(on, '9 Street address (including room or suite no.)', employer.address, right, y + 26, half - 130)
  field(on, '10 Contact telephone number', employer.phone, right + half - 130, y + 26, 130)
  field(on, '11 City or town', employer.city, right, y + 52, half - 190)
  field(on, '12 State or province', employer.state, right + half - 190, y + 52, 80)
  field(on, '13 Country and ZIP code', employer.zipcode, right + half - 110, y + 52, 110)
  return y + 90
}

/** The single value of a line if all months are equal, which is written under "All 12 Months". */
const valueOfYear = (months: string[]): string =>
  months[0] !== '' && months.every((value) => value === months[0]) ? months[0]! : ''

/** Draws Part II. */
function drawMonths(on: Drawing, document: Form1095cDocument, top: number): void {
  const bar = partBar(on, 'Part II', 'Employee Offer of Coverage', top)
  const half = inner / 2
  field(on, "Employee's Age on January 1", document.age_on_january_1, landscape.margin, bar, half)
  const start = 'Plan Start Month (enter 2-digit number)'
  field(on, start, document.plan_start_month, landscape.margin + half, bar, half)
  const y = bar + 26
  const label_width = 132
  const width = (inner - label_width) / 13
  const x = (at: number) => landscape.margin + label_width + at * width
  outline(on, landscape.margin, y, label_width, 20)
  for (const [at, name] of ['All 12 Months', ...month_names].entries()) {
    outline(on, x(at), y, width, 20)
    on.write('P', name, styles.label, { x: x(at) + 2, y: y + 9, width: width - 4 }, 2)
  }
  for (const [row, { number, months }] of document.lines.entries()) {
    const from = y + 20 + row * 36
    outline(on, landscape.margin, from, label_width, 36)
    const label = { x: landscape.margin + 3, y: from + 10, width: label_width - 6 }
    on.write('P', line_labels[number], styles.label, label, 3)
    const whole = valueOfYear(months)
    for (const [at, value] of [whole, ...months.map((month) => (whole ? '' : month))].entries()) {
      outline(on, x(at), from, width, 36)
      if (value) on.write('P', value, styles.small, { x: x(at) + 2, y: from + 22, width: width - 4 }, 1)
    }
  }
}

/** Draws one page of Part III. */
function drawPeople(on: Drawing, { covered_people }: Form1095cDocument, from: number): void {
  const top = partBar(on, 'Part III', 'Covered Individuals', landscape.margin)
  const note =
    'X  If Employer provided self-insured coverage, check the box and enter the information for each individual ' +
    'enrolled in coverage, including the employee.'
  on.write('P', note, styles.small, { x: landscape.margin + 4, y: top + 12, width: inner - 8 }, 1)
  const widths = [178, 92, 82, 56, ...month_names.map(() => (inner - 408) / 12)]
  const titles = [
    '(a) Name of covered individual(s)',
    '(b) SSN or other TIN',
    '(c) DOB (if SSN or other TIN is not available)',
    '(d) Covered all 12 months',
    ...month_names,
  ]
  const row = (cells: string[], y: number, height: number, style: Style, lines: number) => {
    let x = landscape.margin
    for (const [at, cell] of cells.entries()) {
      outline(on, x, y, widths[at]!, height)
      const box = { x: x + 3, y: y + style.size + 2, width: widths[at]! - 6 }
      if (cell) on.write('P', cell, style, box, lines)
      x += widths[at]!
    }
  }
  row(titles, top + 20, 32, styles.label, 3)
  for (const [at, { name, number, date_of_birth, months }] of covered_people
    .slice(from, from + people_per_page)
    .entries()) {
    const all = months.every(Boolean)
    const marks = [all, ...months.map((covered) => covered && !all)].map((marked) => (marked ? 'X' : ''))
    const cells = [`${18 + from + at}  ${name}`, number, number ? '' : date_of_birth, ...marks]
    row(cells, top + 52 + at * 30, 30, styles.small, 2)
  }
}
