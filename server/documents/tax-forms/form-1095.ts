import { loadFaces, type Weight } from '../fonts.ts'
import { startPdf, writeIn } from '../pdf-pages.ts'
import type { Pen } from '../text.ts'
import { drawPeople, drawPeoplePages, type CoveredLine } from './covered-people.ts'
import {
  drawFoot,
  field,
  inner,
  landscape,
  latin,
  month_names,
  outline,
  drawPartTitle,
  styles,
  type Drawing,
  type FormParty,
} from './drawing.ts'

/** Form 1095-C or 1095-B of an employee. All values are texts as the form shows them; empty if a cell is empty. */
export type Form1095Document = {
  form_type: '1095-B' | '1095-C'
  tax_year: number
  /** The day on which the form was made. */
  made_on: string
  /** Whether the form corrects an earlier one. */
  is_corrected: boolean
  employee: FormParty & { date_of_birth: string }
  employer: FormParty & { phone: string }
  /** Only on Form 1095-B: a letter. */
  origin_of_coverage: string
  /** Only on Form 1095-C, for an ICHRA. */
  age_on_january_1: string
  /** Only on Form 1095-C: two digits. */
  plan_start_month: string
  /** Only on Form 1095-C: lines 14 to 17, each with twelve months. */
  lines: { number: '14' | '15' | '16' | '17'; months: string[] }[]
  /** Part III of Form 1095-C, empty if no coverage is self-insured, or Part IV of Form 1095-B. */
  covered_people: CoveredLine[]
}

const line_labels = {
  14: '14 Offer of Coverage (enter required code)',
  15: '15 Employee Required Contribution (see instructions)',
  16: '16 Section 4980H Safe Harbor and Other Relief (enter code, if applicable)',
  17: '17 ZIP Code',
}

const titles = {
  '1095-B': 'Health Coverage',
  '1095-C': 'Employer-Provided Health Insurance Offer and Coverage',
} as const

/**
 * Renders Forms 1095-C or 1095-B, each on a first page, and as many pages of covered people as needed. There is at
 * least one form.
 */
export async function renderForms1095(documents: Form1095Document[]): Promise<Buffer> {
  const { form_type, tax_year, employer, made_on } = documents[0]!
  const info = { Title: `Form ${form_type} (${tax_year})`, Author: employer.name, Subject: titles[form_type], made_on }
  const { doc, done } = startPdf({ info, lang: 'en-US' }, [landscape.width, landscape.height])
  const pen: Pen = { doc, faces: await loadFaces(textsOf(documents)) }
  const root = doc.struct('Document')
  doc.addStructure(root)
  const on = { pen, write: writeIn(pen, root) }
  for (const document of documents) (document.form_type === '1095-B' ? drawFormB : drawFormC)(on, document)
  root.end()
  doc.end()
  return done
}

const personOf = ({ employee: { name, number } }: Form1095Document): string => [name, number].filter(Boolean).join(', ')

function drawFormC(on: Drawing, document: Form1095Document): void {
  const { tax_year, covered_people } = document
  on.pen.doc.addPage()
  drawHead(on, document)
  drawMonths(on, document, drawParties(on, document, 108))
  drawFoot(on, '1095-C', tax_year)
  const note =
    'X  If Employer provided self-insured coverage, check the box and enter the information for each individual ' +
    'enrolled in coverage, including the employee.'
  const part = { form: '1095-C', tax_year, part: 'Part III', note, first_line: 18, person: personOf(document) }
  drawPeoplePages(on, part, covered_people)
}

/** The lines of covered people on the first page of Form 1095-B. The others are on continuation sheets. */
const lines_on_form_b = 6

function drawFormB(on: Drawing, document: Form1095Document): void {
  const { tax_year, covered_people } = document
  on.pen.doc.addPage()
  drawHead(on, document)
  const top = drawProvider(on, document, drawResponsible(on, document, 100))
  const own = covered_people.slice(0, lines_on_form_b)
  drawPeople(on, { part: 'Part IV', first_line: 23 }, own, top)
  drawFoot(on, '1095-B', tax_year)
  const first_line = 23 + lines_on_form_b
  const part = { form: '1095-B', tax_year, part: 'Part IV', first_line, person: personOf(document) }
  drawPeoplePages(on, part, covered_people.slice(lines_on_form_b))
}

/** Draws Part I of Form 1095-B, and returns where the next part begins. */
function drawResponsible(on: Drawing, { employee, origin_of_coverage }: Form1095Document, top: number): number {
  const y = drawPartTitle(on, 'Part I', 'Responsible Individual', top)
  const { margin } = landscape
  const [number, birth] = [margin + inner - 330, margin + inner - 180]
  field(
    on,
    '1 Name of responsible individual–First name, middle name, last name',
    employee.name,
    margin,
    y,
    inner - 330,
  )
  field(on, '2 Social security number (SSN) or other TIN', employee.number, number, y, 150)
  const date_of_birth = employee.number ? '' : employee.date_of_birth
  field(on, '3 Date of birth (if SSN or other TIN is not available)', date_of_birth, birth, y, 180)
  addressFields(on, employee, '4 Street address (including apartment no.)', 5, y + 26)
  const origin = '8 Enter letter identifying Origin of the Health Coverage (see instructions for codes):'
  field(on, origin, origin_of_coverage, margin, y + 52, inner / 2)
  field(on, '9 Reserved', '', margin + inner / 2, y + 52, inner / 2)
  return y + 78
}

/** Draws four boxes with an address. `city`: the number of the second box. */
function addressFields(on: Drawing, party: FormParty, street: string, city: number, y: number): void {
  const { margin } = landscape
  const third = inner * 0.4
  const width = (inner - third) / 3
  field(on, street, party.address, margin, y, third)
  field(on, `${city} City or town`, party.city, margin + third, y, width)
  field(on, `${city + 1} State or province`, party.state, margin + third + width, y, width)
  const country = `${city + 2} Country and ZIP or foreign postal code`
  field(on, country, party.zipcode, margin + third + 2 * width, y, width)
}

const empty_party: FormParty = { name: '', number: '', address: '', city: '', state: '', zipcode: '' }

/**
 * Draws Parts II and III of Form 1095-B, and returns where the next part begins. Part II stays empty, because only
 * insurers complete it.
 */
function drawProvider(on: Drawing, { employer }: Form1095Document, top: number): number {
  const { margin } = landscape
  const y = drawPartTitle(
    on,
    'Part II',
    'Information About Certain Employer-Sponsored Coverage (see instructions)',
    top,
  )
  field(on, '10 Employer name', '', margin, y, inner - 180)
  field(on, '11 Employer identification number (EIN)', '', margin + inner - 180, y, 180)
  addressFields(on, empty_party, '12 Street address (including room or suite no.)', 13, y + 26)
  const next = drawPartTitle(on, 'Part III', 'Issuer or Other Coverage Provider (see instructions)', y + 52)
  field(on, '16 Name', employer.name, margin, next, inner - 330)
  field(on, '17 Employer identification number (EIN)', employer.number, margin + inner - 330, next, 180)
  field(on, '18 Contact telephone number', employer.phone, margin + inner - 150, next, 150)
  addressFields(on, employer, '19 Street address (including room or suite no.)', 20, next + 26)
  return next + 52
}

/** All text of the forms, so that their fonts can be loaded. */
function textsOf(documents: Form1095Document[]): Record<Weight, string[]> {
  const names = documents.flatMap(({ employee, employer, covered_people }) => [
    ...Object.values(employee),
    ...Object.values(employer),
    ...covered_people.map(({ name }) => name),
  ])
  return { regular: [...names, latin], bold: [latin] }
}

function drawHead(on: Drawing, { form_type, tax_year, is_corrected }: Form1095Document): void {
  const { margin, width } = landscape
  on.write('P', 'Form', styles.small, { x: margin, y: 54, width: 30 }, 1)
  on.write('H1', form_type, styles.form, { x: margin + 24, y: 58, width: 110 }, 1)
  for (const [index, name] of ['Department of the Treasury', 'Internal Revenue Service'].entries())
    on.write('P', name, styles.label, { x: margin, y: 74 + index * 9, width: 130 }, 1)
  on.write('P', titles[form_type], styles.title, { x: 200, y: 56, width: 400 }, 1)
  const notes = [
    'Do not attach to your tax return. Keep for your records.',
    `Go to www.irs.gov/Form${form_type.replace('-', '')} for details.`,
  ]
  notes.forEach((note, index) => on.write('P', note, styles.small, { x: 200, y: 72 + index * 11, width: 400 }, 1))
  for (const [index, mark] of ['VOID', 'CORRECTED'].entries()) {
    outline(on, width - margin - 168, 44 + index * 16, 8, 8)
    on.write('P', mark, styles.small, { x: width - margin - 156, y: 51 + index * 16, width: 60 }, 1)
    if (mark === 'CORRECTED' && is_corrected)
      on.write('P', 'X', styles.strong, { x: width - margin - 167, y: 51 + index * 16, width: 8 }, 1)
  }
  const omb = form_type === '1095-B' ? 'OMB No. 1545-2252' : 'OMB No. 1545-2251'
  on.write('P', omb, styles.small, { x: width - margin - 84, y: 50, width: 84 }, 1)
  on.write('P', String(tax_year), styles.form, { x: width - margin - 84, y: 76, width: 84 }, 1)
}

/** Draws Part I of Form 1095-C, and returns where the next part begins. */
function drawParties(on: Drawing, { employee, employer }: Form1095Document, top: number): number {
  const y = drawPartTitle(on, 'Part I', 'Employee and Applicable Large Employer Member (Employer)', top)
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

/** Draws Part II of Form 1095-C. */
function drawMonths(on: Drawing, document: Form1095Document, top: number): void {
  const bar = drawPartTitle(on, 'Part II', 'Employee Offer of Coverage', top)
  const half = inner / 2
  field(on, "Employee's Age on January 1", document.age_on_january_1, landscape.margin, bar, half)
  const start = 'Plan Start Month (enter 2-digit number)'
  field(on, start, document.plan_start_month, landscape.margin + half, bar, half)
  const y = bar + 26
  const label_width = 132
  const width = (inner - label_width) / 13
  const x = (at: number) => landscape.margin + label_width + at * width
  outline(on, landscape.margin, y, label_width, 20)
  for (const [index, name] of ['All 12 Months', ...month_names].entries()) {
    outline(on, x(index), y, width, 20)
    on.write('P', name, styles.label, { x: x(index) + 2, y: y + 9, width: width - 4 }, 2)
  }
  for (const [row, { number, months }] of document.lines.entries()) {
    const from = y + 20 + row * 36
    outline(on, landscape.margin, from, label_width, 36)
    const label = { x: landscape.margin + 3, y: from + 10, width: label_width - 6 }
    on.write('P', line_labels[number], styles.label, label, 3)
    const whole = valueOfYear(months)
    for (const [index, value] of [whole, ...months.map((month) => (whole ? '' : month))].entries()) {
      outline(on, x(index), from, width, 36)
      if (value) on.write('P', value, styles.small, { x: x(index) + 2, y: from + 22, width: width - 4 }, 1)
    }
  }
}
