import { columnsOf, dayOf, fact, headerOf, large, moneyOf } from './confirmation.ts'
import { page, styles, writeIn, writePdf } from './pdf-pages.ts'
import type { Structure, TableRow } from './table.ts'
import type { Pen } from './text.ts'

type StatementAmounts = { employee_in_cents: number; employer_in_cents: number; total_in_cents: number }

/** The cost of the benefits of an employee in a year. All values are plain data. */
export type BenefitsStatementDocument = StatementAmounts & {
  language: 'en' | 'es'
  organization_name: string
  employer_name: string
  employee_name: string
  today: string
  year: number
  benefits: (StatementAmounts & { benefit_name: string; months: number })[]
  deducted_in_cents: number
  through: string | null
}

const en = {
  locale: 'en-US',
  title: (year: number) => `Benefits statement ${year}`,
  name: 'Name',
  employer: 'Employer',
  as_of: 'As recorded on',
  columns: ['Benefit', 'Months', 'You pay', 'Your employer pays', 'Total'],
  total: 'Total',
  nothing: 'Your benefits had no cost in this year.',
  deducted: (money: string, day: string) => `Deducted from your paychecks through ${day}: ${money}.`,
  not_deducted: 'Nothing has been deducted from your paychecks yet.',
  note: 'Future months are included based on your current choices. They change if your choices or prices change.',
  page: (number: number, count: number) => `Page ${number} of ${count}`,
}

const es: typeof en = {
  locale: 'es-US',
  title: (year) => `Resumen de beneficios ${year}`,
  name: 'Nombre',
  employer: 'Empleador',
  as_of: 'Según consta el',
  columns: ['Beneficio', 'Meses', 'Usted paga', 'Su empleador paga', 'Total'],
  total: 'Total',
  nothing: 'Sus beneficios no tuvieron costo en este año.',
  deducted: (money, day) => `Descontado de sus cheques de pago hasta el ${day}: ${money}.`,
  not_deducted: 'Aún no se ha descontado nada de sus cheques de pago.',
  note: 'Los meses futuros se incluyen según sus elecciones actuales. Cambian si cambian sus elecciones o los precios.',
  page: (number, count) => `Página ${number} de ${count}`,
}

const words = { en, es }
const widths = [176, 56, 84, 100, 80]

type StatementLine = BenefitsStatementDocument['benefits'][number]

/** One line for each benefit. A benefit has several enrollments if a plan year begins within the year. */
function linesOf({ benefits }: BenefitsStatementDocument): StatementLine[] {
  const lines = new Map<string, StatementLine>()
  for (const benefit of benefits) {
    const before = lines.get(benefit.benefit_name)
    lines.set(benefit.benefit_name, before ? sumOf(before, benefit) : benefit)
  }
  return [...lines.values()]
}

const sumOf = (a: StatementLine, b: StatementLine): StatementLine => ({
  benefit_name: a.benefit_name,
  months: a.months + b.months,
  employee_in_cents: a.employee_in_cents + b.employee_in_cents,
  employer_in_cents: a.employer_in_cents + b.employer_in_cents,
  total_in_cents: a.total_in_cents + b.total_in_cents,
})

function rowsOf(document: BenefitsStatementDocument): TableRow[] {
  const w = words[document.language]
  const [money, day] = [moneyOf(w), dayOf(w)]
  const amounts = (amounts_of_line: StatementAmounts) => [
    money(amounts_of_line.employee_in_cents),
    money(amounts_of_line.employer_in_cents),
    money(amounts_of_line.total_in_cents),
  ]
  const note = (text: string): TableRow => ({ cells: [{ text, span: widths.length }], style: styles.quiet })
  const { benefits, through, deducted_in_cents } = document
  if (benefits.length === 0) return [note(w.nothing)]
  return [
    headerOf(columnsOf(w.columns, widths, 1)),
    ...linesOf(document).map((line): TableRow => ({
      cells: [line.benefit_name, String(line.months), ...amounts(line)],
      style: styles.body,
      rule: 'thin',
    })),
    { cells: [w.total, '', ...amounts(document)], style: styles.strong, rule: 'strong' },
    note(through ? w.deducted(money(deducted_in_cents), day(through)) : w.not_deducted),
    note(w.note),
  ]
}

const width = page.width - 2 * page.margin

export function renderBenefitsStatement(document: BenefitsStatementDocument): Promise<Buffer> {
  const w = words[document.language]
  const title = w.title(document.year)
  const facts = [
    [w.name, document.employee_name],
    [w.employer, document.employer_name],
    [w.as_of, dayOf(w)(document.today)],
  ] as const
  const drawHead = (pen: Pen, root: Structure): number => {
    const write = writeIn(pen, root)
    const at = (y: number, x = page.margin) => ({ x, y, width: width - (x - page.margin) })
    let y = write('P', document.organization_name, styles.title, at(page.margin + 12)) + 14
    y = write('H1', title, large, at(y)) + 6
    for (const [label, value] of facts) {
      write('P', label, styles.label, at(y))
      y = write('P', value, fact, at(y, page.margin + 96)) + 3
    }
    return y + 16
  }
  return writePdf({
    info: {
      Title: `${title}, ${document.employee_name}`,
      Author: document.organization_name,
      Subject: title,
      made_on: document.today,
    },
    lang: w.locale,
    sections: [{ columns: columnsOf(w.columns, widths, 1), rows: rowsOf(document) }],
    texts: { regular: facts.flat(), bold: [document.organization_name, title] },
    drawHead,
    foot: `${title}  ·  ${document.employee_name}`,
    pageOf: w.page,
  })
}
