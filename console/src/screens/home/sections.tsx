import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { PartnerTask } from 'openbenefits'
import type { ReactNode } from 'react'
import { Dash, Section, EnrolledShare } from '../../parts/page/page.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import {
  formatCount,
  formatDay,
  formatDistance,
  formatDollars,
  formatNumber,
  formatMonth,
  formatDayRange,
} from '../../format.ts'
import { memberMoney } from '../../money-queries.ts'
import { tasksQuery } from '../../queries.ts'

const route = getRouteApi('/')

/** The widths of the columns in percent, so that the columns of all sections line up. */
export const column_widths = { name: 40, fact: 18, owner: 14, amount: 14, last: 14 }

/** The width of a name in a section without the column of a fact. */
const wide_name = column_widths.name + column_widths.fact

type TaskSectionType = {
  title: string
  columns: (today: string, of_one_employer: boolean) => Column<PartnerTask>[]
  actions?: ReactNode
}

/** The name of a row: the employer, or the resource on the page of a single employer. */
const taskName = ({ employer_name }: PartnerTask, of_one_employer: boolean, resource: string) =>
  of_one_employer ? resource : employer_name

/** The member who is responsible. With one employer, all tasks have the same owner. */
const ownerColumns = (of_one_employer: boolean): Column<PartnerTask>[] =>
  of_one_employer
    ? []
    : [{ name: 'Owner', only: 'wide', width: column_widths.owner, cell: ({ owner }) => owner?.name ?? <Dash /> }]

/** A deadline with the days that are left. */
const deadlineColumn = (name: string, today: string): Column<PartnerTask> => ({
  name,
  align: 'end',
  width: column_widths.last,
  phone: 32,
  wraps: true,
  cell: ({ due_on }) =>
    due_on && (
      <>
        {formatDay(due_on)} <span className="quiet block">{formatDistance(due_on, today)}</span>
      </>
    ),
})

const openEnrollment: TaskSectionType = {
  title: 'Open enrollment',
  columns: (today, of_one_employer) => [
    {
      name: of_one_employer ? 'Plan year' : 'Employer',
      width: column_widths.name,
      phone: 38,
      cell: (task) => (
        <RowLink
          to="/employers/$employer_id/enrollment"
          params={{ employer_id: task.employer_id! }}
          search={{ year: task.resource_id }}
        >
          {taskName(task, of_one_employer, 'Open enrollment')}
        </RowLink>
      ),
    },
    {
      name: 'Responded',
      width: column_widths.fact,
      phone: 30,
      cell: ({ people_count, details: { eligible_count } }) => (
        <EnrolledShare
          of="people have responded"
          enrolled={Number(eligible_count) - (people_count ?? 0)}
          eligible={Number(eligible_count)}
        />
      ),
    },
    ...ownerColumns(of_one_employer),
    {
      name: 'No response yet',
      align: 'end',
      only: 'middle',
      width: column_widths.amount,
      cell: ({ employer_id, resource_id, people_count }) => (
        <Link
          to="/employers/$employer_id/enrollment"
          params={{ employer_id: employer_id! }}
          search={{ year: resource_id, status: ['not_started', 'in_progress'] }}
        >
          {formatCount(people_count ?? 0, 'person', 'people')}
        </Link>
      ),
    },
    deadlineColumn('Closes', today),
  ],
}

const renewals: TaskSectionType = {
  title: 'Renewals in the next 120 days',
  columns: (today, of_one_employer) => [
    {
      name: of_one_employer ? 'Plan year' : 'Employer',
      width: wide_name,
      phone: 46,
      cell: (task) => (
        <RowLink to="/employers/$employer_id/plan-years" params={{ employer_id: task.employer_id! }}>
          {taskName(task, of_one_employer, planYearOf(task))}
        </RowLink>
      ),
    },
    ...ownerColumns(of_one_employer),
    {
      name: 'Enrolled',
      align: 'end',
      width: column_widths.amount,
      phone: 22,
      cell: ({ people_count }) => formatNumber(people_count ?? 0),
    },
    deadlineColumn('Plan year ends', today),
  ],
}

const planYearOf = ({ details: { coverage_start, coverage_end } }: PartnerTask): string =>
  formatDayRange(String(coverage_start), String(coverage_end))

/** The sum of all overdue invoices. */
function OverdueTotal() {
  const { data } = useQuery(memberMoney.agingTotals())
  return (
    data && <strong className="number">{formatDollars(data.total_in_cents - data.not_due_in_cents)} overdue</strong>
  )
}

const overdueInvoices: TaskSectionType = {
  title: 'Overdue invoices',
  actions: (
    <>
      <OverdueTotal />
      <Link to="/money" search={{ status: ['overdue'] }}>
        See in Money
      </Link>
    </>
  ),
  columns: (today, of_one_employer) => [
    {
      name: of_one_employer ? 'Invoice' : 'Employer',
      width: column_widths.name,
      phone: 38,
      cell: (task) => (
        <RowLink
          to="/employers/$employer_id/invoices/$invoice_id"
          params={{ employer_id: task.employer_id!, invoice_id: task.resource_id }}
        >
          {!of_one_employer && task.employer_name} <span className="quiet under">{task.resource_id}</span>
        </RowLink>
      ),
    },
    {
      name: 'Month',
      only: 'middle',
      width: column_widths.fact,
      cell: ({ details }) => formatMonth(String(details.period)),
    },
    ...ownerColumns(of_one_employer),
    {
      name: 'Amount',
      align: 'end',
      width: column_widths.amount,
      phone: 30,
      cell: ({ details }) => formatDollars(Number(details.total_in_cents)),
    },
    deadlineColumn('Was due', today),
  ],
}

const sections = {
  open_enrollment_pending: openEnrollment,
  renewal_due: renewals,
  invoice_overdue: overdueInvoices,
} as const satisfies Partial<Record<PartnerTask['kind'], TaskSectionType>>

type Kind = keyof typeof sections

/** The kinds of tasks with a section of their own, in the order of the page. */
export const section_kinds = Object.keys(sections) as Kind[]

type SectionProps = { kind: Kind; today: string; of_one_employer: boolean }

/** The tasks of a kind by due date, each with its facts. */
export function TaskSection({ kind, today, of_one_employer }: SectionProps) {
  const { title, columns, actions }: TaskSectionType = sections[kind]
  const { owner } = route.useSearch()
  const rows = useRows(tasksQuery(kind, owner))
  return (
    <Section title={title} actions={actions}>
      <Table label={title} columns={columns(today, of_one_employer)} rows={rows} empty={null} />
    </Section>
  )
}
