import { loadFaces } from '../fonts.ts'
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
  drawPartTitle,
  styles,
  type Drawing,
  type FormParty,
} from './drawing.ts'

/** Form 1094-C or 1094-B of an employer. Texts are as the form shows them; empty if a cell is empty. */
export type Form1094Document = {
  /** The form that the transmittal accompanies. The fields after `form_count` appear only on Form 1094-C. */
  form_type: '1095-B' | '1095-C'
  tax_year: number
  /** The day on which the form was made. */
  made_on: string
  employer: FormParty
  /** The person whom the IRS may call. */
  contact: { name: string; phone: string }
  form_count: string
  is_in_group: boolean
  /** Boxes A and D of line 22. */
  has_qualifying_offer: boolean
  uses_98_percent_method: boolean
  /** Lines 24 to 35. */
  months: { minimum_essential_coverage: boolean; full_time_count: string; total_count: string }[]
  /** Part IV: the other ALE members of the aggregated ALE group. At most 30. */
  other_members: { name: string; number: string }[]
}

const { margin } = landscape
const forms = {
  '1095-B': {
    name: '1094-B',
    omb: 'OMB No. 1545-2252',
    title: 'Transmittal of Health Coverage Information Returns',
  },
  '1095-C': {
    name: '1094-C',
    omb: 'OMB No. 1545-2251',
    title: 'Transmittal of Employer-Provided Health Insurance Offer and Coverage Information Returns',
  },
} as const

/**
 * Renders Form 1094-C: a page with Parts I and II, one with Part III, and one with Part IV for a group. Form 1094-B has
 * one page.
 */
export async function renderForm1094(document: Form1094Document): Promise<Buffer> {
  const { form_type, tax_year, employer, other_members, made_on } = document
  const { name, title } = forms[form_type]
  const info = { Title: `Form ${name} (${tax_year})`, Author: employer.name, Subject: title, made_on }
  const { doc, done } = startPdf({ info, lang: 'en-US' }, [landscape.width, landscape.height])
  const names = [...Object.values(employer), document.contact.name, ...other_members.map((member) => member.name)]
  const pen: Pen = { doc, faces: await loadFaces({ regular: [...names, latin], bold: [latin] }) }
  const root = doc.struct('Document')
  doc.addStructure(root)
  const on: Drawing = { pen, write: writeIn(pen, root) }
  const pages_of_c = [drawFirstPage, drawMonths, ...(other_members.length > 0 ? [drawMembers] : [])]
  const pages = form_type === '1095-B' ? [drawFormB] : pages_of_c
  for (const draw of pages) {
    doc.addPage()
    draw(on, document)
    drawFoot(on, name, tax_year)
  }
  root.end()
  doc.end()
  return done
}

/** Draws a checkbox with its label on the right. */
function checkBox(on: Drawing, label: string, is_checked: boolean, x: number, y: number, width: number): void {
  outline(on, x, y, 9, 9)
  if (is_checked) on.write('P', 'X', styles.strong, { x: x + 1.5, y: y + 7.5, width: 8 }, 1)
  on.write('P', label, styles.small, { x: x + 14, y: y + 7.5, width: width - 14 }, 2)
}

function drawHead(on: Drawing, { form_type, tax_year }: Form1094Document): void {
  const { width } = landscape
  const { name, omb, title } = forms[form_type]
  on.write('P', 'Form', styles.small, { x: margin, y: 54, width: 30 }, 1)
  on.write('H1', name, styles.form, { x: margin + 24, y: 58, width: 110 }, 1)
  for (const [index, office] of ['Department of the Treasury', 'Internal Revenue Service'].entries())
    on.write('P', office, styles.label, { x: margin, y: 74 + index * 9, width: 130 }, 1)
  on.write('P', title, styles.title, { x: 190, y: 50, width: 380 }, 2)
  const go = `Go to www.irs.gov/Form${name.replace('-', '')} for instructions and the latest information.`
  on.write('P', go, styles.small, { x: 190, y: 84, width: 380 }, 1)
  if (form_type === '1095-C') checkBox(on, 'CORRECTED', false, width - margin - 168, 44, 70)
  on.write('P', omb, styles.small, { x: width - margin - 84, y: 50, width: 84 }, 1)
  on.write('P', String(tax_year), styles.form, { x: width - margin - 84, y: 76, width: 84 }, 1)
}

function drawFirstPage(on: Drawing, document: Form1094Document): void {
  drawHead(on, document)
  drawCertifications(on, document, drawEmployer(on, document, 104))
}

function drawFormB(on: Drawing, document: Form1094Document): void {
  const { employer, contact, form_count } = document
  drawHead(on, document)
  const row = (at: number) => 104 + at * 26
  field(on, "1 Filer's name", employer.name, margin, row(0), inner - 180)
  field(on, '2 Employer identification number (EIN)', employer.number, margin + inner - 180, row(0), 180)
  field(on, '3 Name of person to contact', contact.name, margin, row(1), inner - 180)
  field(on, '4 Contact telephone number', contact.phone, margin + inner - 180, row(1), 180)
  field(on, '5 Street address (including room or suite no.)', employer.address, margin, row(2), inner / 2)
  field(on, '6 City or town', employer.city, margin + inner / 2, row(2), inner / 2)
  field(on, '7 State or province', employer.state, margin, row(3), inner / 2)
  field(on, '8 Country and ZIP or foreign postal code', employer.zipcode, margin + inner / 2, row(3), inner / 2)
  field(on, '9 Total number of Forms 1095-B submitted with this transmittal', form_count, margin, row(4), inner)
  drawSignature(on, row(5) + 16)
}

/** Draws Part I, and returns where the next part begins. */
function drawEmployer(on: Drawing, { employer, contact, form_count }: Form1094Document, top: number): number {
  const y = drawPartTitle(on, 'Part I', 'Applicable Large Employer Member (ALE Member)', top)
  const row = (at: number) => y + at * 26
  field(on, '1 Name of ALE Member (Employer)', employer.name, margin, row(0), inner - 180)
  field(on, '2 Employer identification number (EIN)', employer.number, margin + inner - 180, row(0), 180)
  field(on, '3 Street address (including room or suite no.)', employer.address, margin, row(1), inner)
  field(on, '4 City or town', employer.city, margin, row(2), inner / 3)
  field(on, '5 State or province', employer.state, margin + inner / 3, row(2), inner / 3)
  field(on, '6 Country and ZIP code', employer.zipcode, margin + (inner * 2) / 3, row(2), inner / 3)
  field(on, '7 Name of person to contact', contact.name, margin, row(3), inner - 180)
  field(on, '8 Contact telephone number', contact.phone, margin + inner - 180, row(3), 180)
  field(on, '9 Name of Designated Government Entity (only if applicable)', '', margin, row(4), inner - 180)
  field(on, '10 Employer identification number (EIN)', '', margin + inner - 180, row(4), 180)
  field(on, '11–16 Address and contact of the Designated Government Entity', '', margin, row(5), inner - 180)
  field(on, '17 Reserved', '', margin + inner - 180, row(5), 180)
  const total = '18 Total number of Forms 1095-C submitted with this transmittal'
  field(on, total, form_count, margin, row(6), inner / 2)
  outline(on, margin + inner / 2, row(6), inner / 2, 26)
  const authoritative = '19 This is the authoritative transmittal for this ALE Member.'
  checkBox(on, authoritative, true, margin + inner / 2 + 8, row(6) + 9, inner / 2 - 16)
  return row(7)
}

/** Draws Part II of Form 1094-C and the signature. */
function drawCertifications(on: Drawing, document: Form1094Document, top: number): void {
  const y = drawPartTitle(on, 'Part II', 'ALE Member Information', top)
  const total = '20 Total number of Forms 1095-C filed by and/or on behalf of ALE Member'
  field(on, total, document.form_count, margin, y, inner)
  outline(on, margin, y + 26, inner, 26)
  const group = '21 Is ALE Member a member of an Aggregated ALE Group?'
  on.write('P', group, styles.small, { x: margin + 4, y: y + 42, width: inner - 180 }, 1)
  checkBox(on, 'Yes', document.is_in_group, margin + inner - 150, y + 35, 60)
  checkBox(on, 'No', !document.is_in_group, margin + inner - 80, y + 35, 60)
  outline(on, margin, y + 52, inner, 40)
  const certified = '22 Certifications of Eligibility (select all that apply):'
  on.write('P', certified, styles.small, { x: margin + 4, y: y + 64, width: inner - 8 }, 1)
  const boxes: [label: string, is_checked: boolean][] = [
    ['A. Qualifying Offer Method', document.has_qualifying_offer],
    ['B. Reserved', false],
    ['C. Reserved', false],
    ['D. 98% Offer Method', document.uses_98_percent_method],
  ]
  for (const [index, [label, is_checked]] of boxes.entries())
    checkBox(on, label, is_checked, margin + 8 + (index * inner) / 4, y + 74, inner / 4 - 12)
  drawSignature(on, y + 108)
}

function drawSignature(on: Drawing, y: number): void {
  const oath =
    'Under penalties of perjury, I declare that I have examined this return and accompanying documents, and to the ' +
    'best of my knowledge and belief, they are true, correct, and complete.'
  on.write('P', oath, styles.small, { x: margin, y, width: inner }, 2)
  const signed: [label: string, part: number][] = [
    ['Signature', 0.5],
    ['Title', 0.3],
    ['Date', 0.2],
  ]
  let x = margin
  for (const [label, part] of signed) {
    field(on, label, '', x, y + 20, inner * part)
    x += inner * part
  }
}

function drawRow(on: Drawing, cells: string[], widths: number[], y: number, height: number, style: Style): void {
  let x = margin
  for (const [index, cell] of cells.entries()) {
    outline(on, x, y, widths[index]!, height)
    if (cell) on.write('P', cell, style, { x: x + 4, y: y + style.size + 4, width: widths[index]! - 8 }, 3)
    x += widths[index]!
  }
}

/** Draws Part III. The columns (a) and (d) are marked once if all months are equal. */
function drawMonths(on: Drawing, { months, is_in_group }: Form1094Document): void {
  const top = drawPartTitle(on, 'Part III', 'ALE Member Information—Monthly', margin)
  const widths = [110, 100, 100, 140, 130, 80, inner - 660]
  const titles = [
    '',
    '(a) Minimum Essential Coverage Offer Indicator: Yes',
    'No',
    '(b) Section 4980H Full-Time Employee Count for ALE Member',
    '(c) Total Employee Count for ALE Member',
    '(d) Aggregated Group Indicator',
    '(e) Reserved',
  ]
  drawRow(on, titles, widths, top, 34, styles.label)
  const offers = months.map((month) => month.minimum_essential_coverage)
  const [offers_all, offers_none] = [offers.every(Boolean), !offers.some(Boolean)]
  const mark = (is_marked: boolean) => (is_marked ? 'X' : '')
  const year = ['23  All 12 Months', mark(offers_all), mark(offers_none), '', '', mark(is_in_group), '']
  drawRow(on, year, widths, top + 34, 30, styles.small)
  for (const [index, { minimum_essential_coverage: offer, full_time_count, total_count }] of months.entries()) {
    const is_single = !offers_all && !offers_none
    const marks = [mark(is_single && offer), mark(is_single && !offer)]
    const cells = [`${24 + index}  ${month_names[index]}`, ...marks, full_time_count, total_count, '', '']
    drawRow(on, cells, widths, top + 64 + index * 30, 30, styles.small)
  }
}

/** Draws Part IV in two columns of 15 members. */
function drawMembers(on: Drawing, { other_members }: Form1094Document): void {
  const top = drawPartTitle(on, 'Part IV', 'Other ALE Members of Aggregated ALE Group', margin)
  const note =
    'Enter the names and EINs of other ALE Members of the Aggregated ALE Group (who were members at any time during ' +
    'the calendar year).'
  on.write('P', note, styles.small, { x: margin + 4, y: top + 12, width: inner - 8 }, 1)
  const widths = [inner / 2 - 110, 110, inner / 2 - 110, 110]
  drawRow(on, ['Name', 'EIN', 'Name', 'EIN'], widths, top + 20, 20, styles.label)
  for (let at = 0; at < 15; at += 1) {
    const cellsOf = (index: number) => {
      const member = other_members[index]
      return [`${36 + index}  ${member?.name ?? ''}`, member?.number ?? '']
    }
    drawRow(on, [...cellsOf(at), ...cellsOf(at + 15)], widths, top + 40 + at * 30, 30, styles.small)
  }
}
