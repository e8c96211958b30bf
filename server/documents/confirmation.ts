import type { Weight } from './fonts.ts'
import { page, type Section, styles, writeIn, writePdf } from './pdf-pages.ts'
import type { Column, Structure, TableRow } from './table.ts'
import type { Pen, Style } from './text.ts'

/** An election or waiver. `covered`: the names of the covered people. Amounts in cents; null if nothing is deducted. */
export type ConfirmedChoice = {
  benefit_name: string
  answer: 'enrolled' | 'waived'
  plan_name: string | null
  covered: string[]
  effective_on: string | null
  per_month_in_cents: number | null
  per_paycheck_in_cents: number | null
  /** The maximum that the employer reimburses per month of a plan that the employee bought. Null for other plans. */
  reimbursed_in_cents: number | null
}

/** A beneficiary of a benefit. `name`: null for the estate. */
export type ConfirmedBeneficiary = {
  benefit_name: string
  level: 'primary' | 'contingent'
  type: 'person' | 'estate' | 'trust'
  name: string | null
  relationship: 'spouse' | 'domestic_partner' | 'child' | 'parent' | 'sibling' | 'other' | null
  share_percentage: number
}

/** The elections and waivers of a plan year. */
export type ConfirmedPlanYear = { start: string; end: string; answers: ConfirmedChoice[] }

/** The submissions of an employee. Days are `YYYY-MM-DD`. All values are plain data. */
export type ConfirmationDocument = {
  language: 'en' | 'es'
  organization_name: string
  employer_name: string
  employee_name: string
  today: string
  plan_years: ConfirmedPlanYear[]
  beneficiaries: ConfirmedBeneficiary[]
  /** The first paychecks with deductions for these benefits. Only those deductions are included. */
  paychecks: { period_end_date: string; total_in_cents: number; corrections_in_cents: number }[]
  /** The last signature of the employee. `signed_at` is an instant. */
  signature: { name: string; signed_at: string } | null
}

const en = {
  locale: 'en-US',
  title: 'Confirmation of your benefits',
  name: 'Name',
  employer: 'Employer',
  as_of: 'As recorded on',
  signed: 'Signed',
  signed_by: (name: string, time: string) => `${name}, ${time}, with consent to deductions before tax`,
  columns: ['Benefit', 'Plan', 'Covered', 'From', 'Per month', 'Per paycheck'],
  answers: { enrolled: '', waived: 'Waived' },
  plan_year: (span: string) => `Plan year ${span}`,
  nothing: 'Nothing has been submitted yet.',
  total: 'Total',
  your_part: 'Your share of the premium. Your employer pays the rest.',
  reimbursed: (plan: string, amount: string) =>
    `${plan}: you pay the carrier, and your employer reimburses up to ${amount} per month.`,
  beneficiaries: 'Your beneficiaries',
  beneficiary_columns: ['Benefit', 'Beneficiary', 'Level and relationship', 'Share'],
  levels: { primary: 'Primary', contingent: 'Contingent' },
  types: { person: '', estate: 'My estate', trust: 'Trust' },
  relationships: {
    spouse: 'Spouse',
    domestic_partner: 'Domestic partner',
    child: 'Child',
    parent: 'Parent',
    sibling: 'Sibling',
    other: 'Other',
  },
  paychecks: 'Your first paychecks with these deductions',
  paycheck: 'Payday',
  amount: 'For these benefits',
  corrections: (amount: string) => `includes ${amount} for earlier paychecks`,
  differ_by_a_cent: 'Paychecks can differ by a cent, so that your total for the year is exact.',
  page: (number: number, count: number) => `Page ${number} of ${count}`,
}

const es: typeof en = {
  locale: 'es-US',
  title: 'Confirmación de sus beneficios',
  name: 'Nombre',
  employer: 'Empleador',
  as_of: 'Según consta el',
  signed: 'Firma',
  signed_by: (name, time) => `${name}, ${time}, con consentimiento para descuentos antes de impuestos`,
  columns: ['Beneficio', 'Plan', 'Cubre a', 'Desde', 'Al mes', 'Por pago'],
  answers: { enrolled: '', waived: 'Renunció' },
  plan_year: (span) => `Año del plan: ${span}`,
  nothing: 'Aún no ha enviado nada.',
  total: 'En total',
  your_part: 'Su parte de la prima. Su empleador paga el resto.',
  reimbursed: (plan, amount) =>
    `${plan}: usted paga a la aseguradora y su empleador le reembolsa hasta ${amount} al mes.`,
  beneficiaries: 'Sus beneficiarios',
  beneficiary_columns: ['Beneficio', 'Beneficiario', 'Nivel y parentesco', 'Porcentaje'],
  levels: { primary: 'Principal', contingent: 'Contingente' },
  types: { person: '', estate: 'Mi patrimonio', trust: 'Fideicomiso' },
  relationships: {
    spouse: 'Cónyuge',
    domestic_partner: 'Pareja de hecho',
    child: 'Hijo o hija',
    parent: 'Padre o madre',
    sibling: 'Hermano o hermana',
    other: 'Otro',
  },
  paychecks: 'Sus primeros pagos con estos descuentos',
  paycheck: 'Día de pago',
  amount: 'Por estos beneficios',
  corrections: (amount) => `incluye ${amount} por pagos anteriores`,
  differ_by_a_cent: 'Los pagos pueden variar en un centavo para que el total del año sea exacto.',
  page: (number, count) => `Página ${number} de ${count}`,
}

const words = { en, es }
type Words = typeof en

const widths = [88, 112, 104, 64, 56, 64]
const right_aligned = 4

export const columnsOf = (titles: string[], sizes: number[], from: number): Column[] =>
  sizes.map((width, index) => ({ title: titles[index]!, width, align: index < from ? 'left' : 'right' }))

export const moneyOf = ({ locale }: { locale: string }) => {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' })
  return (cents: number | null) => (cents === null ? '' : format.format(cents / 100))
}

export const dayOf = ({ locale }: { locale: string }) => {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return (day: string | null) => (day === null ? '' : format.format(new Date(day)))
}

export const headerOf = (columns: Column[]): TableRow => ({
  cells: columns.map(({ title }) => title),
  style: styles.label,
  header: true,
  keep_with_next: true,
})

/** The sum of amounts in cents. Null if all amounts are null. */
const sumOf = (amounts: (number | null)[]) =>
  amounts.reduce((sum, amount) => (amount === null ? sum : (sum ?? 0) + amount), null)

/** Whether employer and employee share the premium. */
const isShared = ({ answer, reimbursed_in_cents }: ConfirmedChoice): boolean =>
  answer === 'enrolled' && reimbursed_in_cents === null

/**
 * Whether all of these benefits are paid at the same time. If a benefit occurs twice, one of its enrollments follows
 * the other.
 */
function arePaidTogether(answers: ConfirmedChoice[]): boolean {
  const names = answers.filter(({ answer }) => answer === 'enrolled').map(({ benefit_name }) => benefit_name)
  return new Set(names).size === names.length
}

function answersOf({ start, end, answers }: ConfirmedPlanYear, w: Words): Section {
  const [money, day] = [moneyOf(w), dayOf(w)]
  const year = { text: w.plan_year(`${day(start)} – ${day(end)}`), span: widths.length }
  const title: TableRow = { cells: [year], style: styles.title, keep_with_next: true }
  const columns = columnsOf(w.columns, widths, right_aligned)
  const rows = answers.map((one): TableRow => {
    const { benefit_name, answer, plan_name, covered, effective_on, per_month_in_cents, per_paycheck_in_cents } = one
    const texts = [plan_name ?? w.answers[answer], covered.join(', '), day(effective_on)]
    const cells = [benefit_name, ...texts, money(per_month_in_cents), money(per_paycheck_in_cents)]
    return { cells, style: styles.body, rule: 'thin' }
  })
  const month = sumOf(answers.map(({ per_month_in_cents }) => per_month_in_cents))
  const paycheck = sumOf(answers.map(({ per_paycheck_in_cents }) => per_paycheck_in_cents))
  const total: TableRow = {
    cells: [{ text: w.total, span: right_aligned }, '', '', '', money(month), money(paycheck)],
    style: styles.strong,
    rule: 'strong',
  }
  const notes = [
    ...(answers.some(isShared) ? [w.your_part] : []),
    ...answers.flatMap(({ plan_name, reimbursed_in_cents }) =>
      reimbursed_in_cents === null ? [] : [w.reimbursed(plan_name ?? '', money(reimbursed_in_cents))],
    ),
  ].map((text): TableRow => ({ cells: [{ text, span: widths.length }], style: styles.quiet }))
  const sums = arePaidTogether(answers) ? [total] : []
  return { columns, rows: [title, headerOf(columns), ...rows, ...sums, ...notes] }
}

/** The section of a confirmation without benefits. */
function emptySection(w: Words): Section {
  const note = { text: w.nothing, span: widths.length }
  return { columns: columnsOf(w.columns, widths, right_aligned), rows: [{ cells: [note], style: styles.body }] }
}

const beneficiary_widths = [120, 168, 136, 80]

function beneficiariesOf({ beneficiaries }: ConfirmationDocument, w: Words): Section[] {
  if (beneficiaries.length === 0) return []
  const rows = beneficiaries.map(({ benefit_name, level, type, name, relationship, share_percentage }): TableRow => {
    const role = relationship ? w.relationships[relationship] : name === null ? '' : w.types[type]
    const about = [w.levels[level], role.toLowerCase()].filter((text) => text !== '').join(', ')
    return {
      cells: [benefit_name, name ?? w.types[type], about, `${share_percentage}%`],
      style: styles.body,
      rule: 'thin',
    }
  })
  const columns = columnsOf(w.beneficiary_columns, beneficiary_widths, 3)
  const text = { text: w.beneficiaries, span: beneficiary_widths.length }
  return [{ columns, rows: [{ cells: [text], style: styles.title, keep_with_next: true }, headerOf(columns), ...rows] }]
}

function paychecksOf({ paychecks, plan_years }: ConfirmationDocument, w: Words): Section[] {
  if (paychecks.length === 0) return []
  const [money, day] = [moneyOf(w), dayOf(w)]
  const columns = columnsOf([w.paycheck, w.amount], [240, 80], 1)
  const rows = paychecks.map(({ period_end_date, total_in_cents, corrections_in_cents }): TableRow => {
    const about = corrections_in_cents === 0 ? '' : `, ${w.corrections(money(corrections_in_cents))}`
    return { cells: [day(period_end_date) + about, money(total_in_cents)], style: styles.body, rule: 'thin' }
  })
  const [first, second] = paychecks.map((paycheck) => paycheck.total_in_cents - paycheck.corrections_in_cents)
  const note = { text: w.differ_by_a_cent, span: 2 }
  // Rounding can change each benefit by a cent.
  const benefits = plan_years.reduce((count, { answers }) => count + answers.length, 0)
  const is_rounded = second !== undefined && first !== second && Math.abs(first! - second) <= benefits
  const notes: TableRow[] = is_rounded ? [{ cells: [note], style: styles.quiet }] : []
  const title: TableRow = { cells: [{ text: w.paychecks, span: 2 }], style: styles.title, keep_with_next: true }
  return [{ columns, rows: [title, headerOf(columns), ...rows, ...notes] }]
}

export const large: Style = { weight: 'bold', size: 20, color: '#1b2430' }
export const fact: Style = { weight: 'regular', size: 10, color: '#1b2430' }

const instantOf = ({ locale }: Words, instant: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/New_York' }).format(
    new Date(instant),
  )

function factsOf({ employee_name, employer_name, today, signature }: ConfirmationDocument, w: Words) {
  const facts: [string, string][] = [
    [w.name, employee_name],
    [w.employer, employer_name],
    [w.as_of, dayOf(w)(today)],
  ]
  if (signature) facts.push([w.signed, w.signed_by(signature.name, instantOf(w, signature.signed_at))])
  return facts
}

const width = page.width - 2 * page.margin

function drawHead(pen: Pen, document: ConfirmationDocument, w: Words, root: Structure): number {
  const write = writeIn(pen, root)
  const at = (y: number, x = page.margin) => ({ x, y, width: width - (x - page.margin) })
  let y = write('P', document.organization_name, styles.title, at(page.margin + 12)) + 14
  y = write('H1', w.title, large, at(y)) + 6
  for (const [label, value] of factsOf(document, w)) {
    write('P', label, styles.label, at(y))
    y = write('P', value, fact, at(y, page.margin + 96)) + 3
  }
  return y + 16
}

/** Renders a confirmation of an employee's submissions as a PDF. */
export function renderConfirmation(document: ConfirmationDocument): Promise<Buffer> {
  const w = words[document.language]
  const { plan_years: years } = document
  const facts = factsOf(document, w)
  const texts: Record<Weight, string[]> = { regular: facts.flat(), bold: [document.organization_name, w.title] }
  return writePdf({
    info: {
      Title: `${w.title}, ${document.employee_name}`,
      Author: document.organization_name,
      Subject: w.title,
      made_on: document.today,
    },
    lang: w.locale,
    sections: [
      ...(years.length > 0 ? years.map((year) => answersOf(year, w)) : [emptySection(w)]),
      ...beneficiariesOf(document, w),
      ...paychecksOf(document, w),
    ],
    texts,
    drawHead: (pen, root) => drawHead(pen, document, w, root),
    foot: `${w.title}  ·  ${document.employee_name}`,
    pageOf: w.page,
  })
}
