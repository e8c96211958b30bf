import { easternDay } from '../kernel/days.ts'
import { page, type Section, styles, writeIn, writePdf } from './pdf-pages.ts'
import type { Column, Structure, TableRow } from './table.ts'
import type { Pen, Style } from './text.ts'

/** Amounts in cents. Premium = employer contribution + employee deduction, except for rounded amounts. */
type ProposalAmounts = {
  premium_in_cents: number
  employer_contribution_in_cents: number
  employee_deduction_in_cents: number
}

/** Changes in percent from the current plan year. Null if there is nothing to compare. */
type Changes = {
  premium_change_percent: number | null
  employer_change_percent: number | null
  employee_change_percent: number | null
}

/** The costs of a scenario: per year, per enrolled employee, by coverage level, and per month by plan. */
type Costs = {
  per_year: ProposalAmounts & Changes
  per_head: ProposalAmounts
  tiers: (ProposalAmounts & Changes & { coverage_tier: string; enrollment_count: number })[]
  plans: (ProposalAmounts & {
    benefit_name: string
    benefit_plan_name: string
    coverage_tier: string
    enrollment_count: number
  })[]
}

/** The content of a renewal proposal. Days are `YYYY-MM-DD`. All values are plain data. */
export type ProposalDocument = {
  organization_name: string
  employer_name: string
  proposal: {
    coverage_start: string
    coverage_end: string
    open_enrollment_start: string | null
    open_enrollment_end: string | null
    renewal: 'passive' | 'active'
    enrolled_employee_count: number
    current: Costs
    scenarios: (Costs & { name: string })[]
    created_at: string
  }
}

const width = page.width - 2 * page.margin
const gap = 8
const label_width = 150

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
const dollar = (cents: number) => money.format(cents / 100)
const number = new Intl.NumberFormat('en-US')
const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const dayName = (text: string) => day.format(new Date(text))

const preparedOn = ({ created_at }: ProposalDocument['proposal']) => easternDay(Date.parse(created_at))

const change = (percent: number | null): string =>
  percent === null ? '–' : `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${number.format(Math.abs(percent))}%`

const tier_names: Record<string, string> = {
  EE: 'Employee only',
  ES: 'Employee + spouse',
  EC: 'Employee + children',
  EF: 'Family',
}

const titleRow = (text: string, columns: Column[]): TableRow => ({
  cells: [{ text, span: columns.length }],
  style: styles.title,
  keep_with_next: true,
})

const headerOf = (columns: Column[]): TableRow => ({
  cells: columns.map(({ title }) => title),
  style: styles.label,
  header: true,
  keep_with_next: true,
})

type Named = Costs & { name: string }

/** The scenarios in columns, after the current plan year. */
function compared({ current, scenarios }: ProposalDocument['proposal']): { all: Named[]; columns: Column[] } {
  const all = [{ ...current, name: 'Current year' }, ...scenarios]
  const each = (width - label_width - gap * all.length) / all.length
  return {
    all,
    columns: [
      { title: '', width: label_width, align: 'left' },
      ...all.map(({ name }): Column => ({ title: name, width: each, align: 'right' })),
    ],
  }
}

const parts = [
  ['Total premium', 'premium_in_cents', 'premium_change_percent'],
  ['Employer pays', 'employer_contribution_in_cents', 'employer_change_percent'],
  ['Employees pay', 'employee_deduction_in_cents', 'employee_change_percent'],
] as const

/** The changes of an amount from the current plan year, which is the first column. */
const changeRow = (compared: Changes[], percent: keyof Changes, keep_with_next: boolean): TableRow => ({
  cells: ['Change', ...compared.map((costs, index) => (index === 0 ? '' : change(costs[percent])))],
  style: styles.quiet,
  keep_with_next,
})

function yearSection(proposal: ProposalDocument['proposal']): Section {
  const { all, columns } = compared(proposal)
  const rows = parts.flatMap(([label, amount, percent]): TableRow[] => [
    {
      cells: [label, ...all.map(({ per_year }) => dollar(per_year[amount]))],
      style: styles.strong,
      rule: 'thin',
      keep_with_next: true,
    },
    changeRow(
      all.map(({ per_year }) => per_year),
      percent,
      true,
    ),
    {
      cells: ['Per enrolled employee', ...all.map(({ per_head }) => dollar(per_head[amount]))],
      style: styles.body,
    },
  ])
  return { columns, rows: [titleRow('Cost per year', columns), headerOf(columns), ...rows] }
}

function tierSection(proposal: ProposalDocument['proposal']): Section {
  const { all, columns } = compared(proposal)
  const rows = proposal.current.tiers.flatMap(({ coverage_tier, enrollment_count }): TableRow[] => {
    const tiers = all.map((costs) => costs.tiers.find((tier) => tier.coverage_tier === coverage_tier)!)
    const count = `${enrollment_count} ${enrollment_count === 1 ? 'enrollment' : 'enrollments'}`
    const level = `${tier_names[coverage_tier] ?? coverage_tier}, ${count}`
    return [
      { cells: [{ text: level, span: columns.length }], style: styles.strong, rule: 'thin', keep_with_next: true },
      ...parts
        .slice(1)
        .flatMap(([label, amount, percent], index): TableRow[] => [
          { cells: [label, ...tiers.map((tier) => dollar(tier[amount]))], style: styles.body, keep_with_next: true },
          changeRow(tiers, percent, index === 0),
        ]),
    ]
  })
  return { columns, rows: [titleRow('Cost per year by coverage level', columns), headerOf(columns), ...rows] }
}

const plan_columns: Column[] = [
  { title: 'Plan', width: 190, align: 'left' },
  { title: 'Coverage level', width: 90, align: 'left' },
  { title: 'Enrolled', width: 44, align: 'right' },
  { title: 'Premium', width: 56, align: 'right' },
  { title: 'Employer', width: 56, align: 'right' },
  { title: 'Employee', width: 52, align: 'right' },
]

/** A list of at most this many plans stays on one page. */
const max_on_one_page = 12

const planSection = ({ name, plans }: Named): Section => ({
  columns: plan_columns,
  rows: [
    titleRow(`${name}: cost per month`, plan_columns),
    headerOf(plan_columns),
    ...plans.map((plan, index): TableRow => ({
      cells: [
        plan.benefit_plan_name.startsWith(plan.benefit_name)
          ? plan.benefit_plan_name
          : `${plan.benefit_name}: ${plan.benefit_plan_name}`,
        tier_names[plan.coverage_tier] ?? plan.coverage_tier,
        String(plan.enrollment_count),
        dollar(plan.premium_in_cents),
        dollar(plan.employer_contribution_in_cents),
        dollar(plan.employee_deduction_in_cents),
      ],
      style: styles.body,
      rule: 'thin',
      keep_with_next: plans.length <= max_on_one_page && index < plans.length - 1,
    })),
  ],
})

const large: Style = { weight: 'bold', size: 20, color: '#1b2430' }
const fact: Style = { weight: 'regular', size: 10, color: '#1b2430' }
const title = 'Renewal proposal'

const renewals = {
  passive: 'Passive: employees who do not respond keep their plans',
  active: 'Active: each employee must elect',
}

function factsOf({ employer_name, proposal }: ProposalDocument): [string, string][] {
  const { open_enrollment_start: opens, open_enrollment_end: closes } = proposal
  return [
    ['Employer', employer_name],
    ['Plan year', `${dayName(proposal.coverage_start)} – ${dayName(proposal.coverage_end)}`],
    ['Renewal', renewals[proposal.renewal]],
    ['Open enrollment', opens && closes ? `${dayName(opens)} – ${dayName(closes)}` : 'None'],
    ['Enrolled employees', String(proposal.enrolled_employee_count)],
    ['Prepared on', dayName(preparedOn(proposal))],
  ]
}

const note =
  'The costs assume that all employees who are enrolled at the end of the current plan year keep their plan and ' +
  'coverage level. Amounts per year are twelve months.'

function drawHead(pen: Pen, document: ProposalDocument, root: Structure): number {
  const write = writeIn(pen, root)
  const at = (y: number, x = page.margin) => ({ x, y, width: width - (x - page.margin) })
  let y = write('P', document.organization_name, styles.title, at(page.margin + 12)) + 14
  y = write('H1', title, large, at(y)) + 6
  for (const [label, value] of factsOf(document)) {
    write('P', label, styles.label, at(y))
    y = write('P', value, fact, at(y, page.margin + 110)) + 3
  }
  return write('P', note, styles.quiet, at(y + 8), 3) + 12
}

export function renderProposal(document: ProposalDocument): Promise<Buffer> {
  const { organization_name, employer_name, proposal } = document
  return writePdf({
    info: {
      Title: `${title}, ${employer_name}`,
      Author: organization_name,
      Subject: title,
      made_on: preparedOn(proposal),
    },
    lang: 'en-US',
    sections: [yearSection(proposal), tierSection(proposal), ...compared(proposal).all.map(planSection)],
    texts: { regular: [...factsOf(document).flat(), note], bold: [organization_name, title] },
    drawHead: (pen, root) => drawHead(pen, document, root),
    foot: `${title}  ·  ${employer_name}`,
    pageOf: (number, count) => `Page ${number} of ${count}`,
  })
}
