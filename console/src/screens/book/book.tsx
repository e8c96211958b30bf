import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { EmployerCounts, EmployerRow, EmployersListQuery } from 'openbenefits'
import { Fragment } from 'react'
import { formatCount, formatDay, formatDollars, toSentence } from '../../format.ts'
import { enrolled_column, payroll_column, stage_column } from '../../parts/benefits/employer-stage.tsx'
import { useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { Empty, Dash, orDash, Page, Status } from '../../parts/page/page.tsx'
import { useColumns } from '../../parts/table/columns.tsx'
import { Export } from '../../parts/table/export.tsx'
import { SearchField } from '../../parts/table/filters.tsx'
import { MenuFilter } from '../../parts/table/menu.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { SavedViews } from '../../parts/table/saved-views.tsx'
import { type Column, numberColumn, Table } from '../../parts/table/table.tsx'
import {
  type BookFilter,
  colleaguesQuery,
  employerCountsQuery,
  employersList,
  payrollSystemsQuery,
} from '../../queries.ts'
import { book_orders, families, hris_states, stages } from '../../routes/filter-values.ts'
import { isRoleAllowed } from '../../session.ts'

const route = getRouteApi('/employers')

const family_names: Record<string, string> = {
  MEC: 'Minimum essential coverage',
  MVP: 'Minimum value plan',
  ICHRA: 'Individual coverage HRA',
  VPC: 'Virtual primary care',
}

/** A benefit family by its initials, or by its name if it has no initials. */
const familyLabel = (family: string): string =>
  /^(dental|vision)$/i.test(family) ? toSentence(family.toLowerCase()) : family.toUpperCase()

/** The initials of a benefit family with their meaning beside them. */
const FamilyOption = ({ of }: { of: string }) => (
  <>
    {familyLabel(of)} {family_names[familyLabel(of)] && <span className="quiet">{family_names[familyLabel(of)]}</span>}
  </>
)

/** The benefit families of an employer. A pointer over the initials shows their meaning, as the filter does. */
const BenefitFamilies = ({ of }: { of: string[] }) =>
  of.map((family, at) => (
    <Fragment key={family}>
      {at > 0 && ', '}
      {family_names[familyLabel(family)] ? (
        <abbr title={family_names[familyLabel(family)]}>{familyLabel(family)}</abbr>
      ) : (
        familyLabel(family)
      )}
    </Fragment>
  ))

const descending = (by: (typeof book_orders)[number]) => ({ sort: { by, first: 'desc' as const } })

/** The verb for each kind of date. */
const reasons: Record<NonNullable<EmployerRow['next_date']>['kind'], string> = {
  enrollment_closes: 'closes',
  coverage_starts: 'starts',
  goes_live: 'goes live',
  renews: 'renews',
}

const columns: Column<EmployerRow>[] = [
  {
    ...linkColumn<EmployerRow>(
      'Employer',
      ({ id, name }) => [name, { to: '/employers/$employer_id', params: { employer_id: id } }],
      { width: 14, phone: 34 },
    ),
    sort: { by: 'name', first: 'asc' },
  },
  {
    ...stage_column,
    width: 15,
    phone: 34,
    wraps: true,
    cell: ({ benefit_lifecycle_stage: { stage } }) => <Status of={stage} />,
  },
  {
    ...numberColumn<EmployerRow>('Employees', 'employee_count', { only: 'middle', width: 9.5 }),
    ...descending('employee_count'),
  },
  { ...enrolled_column, only: 'middle', width: 12, ...descending('enrollment') },
  {
    name: 'Premium',
    align: 'end',
    only: 'middle',
    width: 10,
    ...descending('monthly_premium'),
    cell: ({ monthly_premium_in_cents }) => orDash(monthly_premium_in_cents, formatDollars),
  },
  {
    name: 'Next date',
    align: 'end',
    width: 12,
    phone: 32,
    sort: { by: 'next_date', first: 'asc' },
    cell: ({ next_date }) =>
      orDash(next_date, ({ kind, date }) => (
        <>
          <span className="quiet only-wide">{reasons[kind]}</span> {formatDay(date)}
        </>
      )),
  },
  {
    name: 'Benefits',
    only: 'wide',
    width: 11,
    cell: ({ benefit_families }) =>
      benefit_families.length > 0 ? <BenefitFamilies of={benefit_families} /> : <Dash />,
  },
  payroll_column,
  { name: 'Owner', only: 'wide', width: 8, cell: ({ owner }) => owner?.name ?? <Dash /> },
]

/** The columns that the role may see. */
const seen = <Column extends { name: string }>(columns: Column[]) =>
  columns.filter(({ name }) => name !== 'Premium' || isRoleAllowed('money'))

const filterCounts = (
  counts: EmployerCounts | undefined,
  field: keyof EmployerCounts,
  valueOf = (value: string) => value,
) => counts && new Map(counts[field].map(({ value, employer_count }) => [valueOf(value), employer_count]))

type FiltersProps = { filter: BookFilter }

/** The API's filters as menus. Each value shows the number of matching employers. */
function BookFilters({ filter }: FiltersProps) {
  const { search, stage, family, hris, payroll, owner } = route.useSearch()
  const change = useChangeSearch()
  const members = useQuery(colleaguesQuery()).data ?? []
  const counts = useQuery(employerCountsQuery(filter)).data
  const systems = useQuery(payrollSystemsQuery()).data ?? []
  return (
    <div className="filters">
      <SearchField label="Name, EIN, id or admin email" value={search} search={(search) => void change({ search })} />
      <MenuFilter
        label="Stage"
        values={stages}
        labelOf={toSentence}
        counts={filterCounts(counts, 'benefit_lifecycle_stage')}
        chosen={stage}
        choose={(stage) => void change({ stage })}
      />
      <MenuFilter
        label="Benefits"
        values={families}
        labelOf={(family) => <FamilyOption of={family} />}
        counts={filterCounts(counts, 'benefit_family', (value) => value.toLowerCase())}
        chosen={family}
        choose={(family) => void change({ family })}
      />
      <MenuFilter
        label="Owner"
        values={members.map(({ user_id }) => user_id)}
        labelOf={(id) => members.find(({ user_id }) => user_id === id)!.name}
        counts={filterCounts(counts, 'owner')}
        chosen={owner}
        choose={(owner) => void change({ owner })}
      />
      <MenuFilter
        label="Payroll connection"
        values={hris_states}
        labelOf={toSentence}
        counts={filterCounts(counts, 'hris_status')}
        chosen={hris}
        choose={(hris) => void change({ hris })}
      />
      <MenuFilter
        label="Payroll system"
        values={systems.map(({ provider }) => provider)}
        labelOf={(value) => systems.find(({ provider }) => provider === value)!.provider_label}
        counts={filterCounts(counts, 'hris_provider')}
        chosen={payroll}
        choose={(payroll) => void change({ payroll })}
      />
    </div>
  )
}

/** All employers, with the API's filters and sort orders. */
export function Book() {
  const current = route.useSearch()
  const { search, stage, family, hris, payroll, owner, sort, order = 'asc' } = current
  const change = useChangeSearch()
  const filter = {
    search,
    benefit_lifecycle_stage: stage,
    benefit_family: family,
    hris_status: hris,
    hris_provider: payroll,
    owner_user_id: owner as EmployersListQuery['owner_user_id'],
  }
  const list = employersList({ ...filter, ...(sort && { sort, order }) })
  const rows = useRows(list)
  const { shown, menu } = useColumns('employers', seen(columns))
  const is_filtered = search ?? stage ?? family ?? hris ?? payroll ?? owner
  return (
    <Page
      title="Employers"
      badge={rows.total !== undefined && <span className="quiet">{formatCount(rows.total, 'employer')}</span>}
      actions={
        <>
          <Link className="button" to="/employers/ahead">
            Upcoming dates
          </Link>
          {/* A phone shows only a few columns. */}
          <span className="only-middle">{menu}</span>
          <Export
            name="employers"
            list={list}
            scheduled={{
              list: 'employers',
              parameters: { ...filter, sort, order: sort && order },
              ...(!isRoleAllowed('money') && { hides: 'Premium' }),
            }}
          />
          {isRoleAllowed('settings') && (
            <Link className="button main" to="/employers/add">
              Add employer
            </Link>
          )}
        </>
      }
    >
      <BookFilters filter={filter} />
      <SavedViews kind="employers" current={current} />
      <Table
        label="Employers"
        columns={shown}
        rows={rows}
        sorting={{
          by: sort,
          order,
          change: (by, order) =>
            void change({
              sort: book_orders.find((one) => one === by),
              order: order === 'desc' ? order : undefined,
            }),
        }}
        empty={
          is_filtered ? (
            <NoMatches rows="employers">To include employers that left, select the stage Cancelled.</NoMatches>
          ) : (
            <Empty title="No employers yet.">
              Add one here, or create it with <code>POST /v1/employers</code>.
            </Empty>
          )
        }
      />
    </Page>
  )
}
