import { useQuery } from '@tanstack/react-query'
import { getRouteApi, type LinkProps } from '@tanstack/react-router'
import type { AcaOverview, ReviewedForm1095c } from 'openbenefits'
import { formatCount, fullName, toSentence } from '../../format.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Loaded, Dash, Section } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { Derivation } from './derivation.tsx'
import { Form1095cPage } from './form/form.tsx'
import { defaultYear, type FormFilter, formsList, offerTestQuery } from './queries.ts'

const route = getRouteApi('/employers/$employer_id/aca')

/** The link to this page with the form of an employee. */
type FormLink = (employee: string) => LinkProps

type Exception = ReviewedForm1095c['exceptions'][number]

const exceptions = [
  'no_offer',
  'unaffordable_offer',
  'cost_unknown',
  'hours_not_reported',
  'tax_identifier_missing',
  'address_missing',
  'name_not_accepted',
  'overridden',
] as const satisfies readonly Exception[]

/** The filter of released forms whose notice failed. It is not an exception, because it depends on the release. */
const not_notified = 'not_notified' as const

/** The different codes of a year in the order of its months. */
const codesOf = (codes: readonly (string | null)[]) =>
  codes.some(Boolean) ? [...new Set(codes.map((code) => code ?? 'blank'))].join(', ') : null

const exported: ExportColumn<ReviewedForm1095c>[] = [
  { name: 'Name', of: fullName },
  { name: 'To check', of: ({ exceptions: found }) => found.map(toSentence).join(', ') },
  { name: 'Line 14', of: ({ line_14 }) => codesOf(line_14) },
  { name: 'Line 16', of: ({ line_16 }) => codesOf(line_16) },
  { name: 'Employee', of: ({ employee_id }) => employee_id },
]

const line_columns: Column<ReviewedForm1095c>[] = [
  { name: 'Line 14', only: 'middle', cell: ({ line_14 }) => codesOf(line_14) ?? <Dash /> },
  { name: 'Line 16', only: 'middle', cell: ({ line_16 }) => codesOf(line_16) ?? <Dash /> },
]

/** Form 1095-B has no lines by month. */
const columns = (here: FormLink, has_lines: boolean): Column<ReviewedForm1095c>[] => [
  linkColumn('Name', (form) => [fullName(form), here(form.employee_id)], { width: 24, phone: 44 }),
  {
    name: 'To check',
    width: 34,
    cell: ({ exceptions: found }) =>
      found.length === 0 ? (
        <span className="quiet">Nothing</span>
      ) : (
        <span className={found[0] === 'overridden' ? undefined : 'wrong'}>{found.map(toSentence).join(', ')}</span>
      ),
  },
  ...(has_lines ? line_columns : []),
]

/** Without forms, either none is due, or they are not derived yet. */
function NoForms({ employer_id, year }: { employer_id: string; year: number }) {
  const tested = useQuery(offerTestQuery(employer_id, year))
  return (
    <Loaded query={tested} lines={3}>
      {({ derived_at }) => (
        <>
          {derived_at !== null && <Empty title="No forms are due for this year." />}
          <Derivation employer_id={employer_id} year={year} derived_at={derived_at} />
        </>
      )}
    </Loaded>
  )
}

/** The tax forms of a year that are due, those with exceptions first. */
export function Forms({ employer_id, overview }: { employer_id: string; overview: AcaOverview }) {
  const search = route.useSearch()
  const { year: chosen, exception, employee } = search
  const change = useChangeSearch()
  const this_year = Number(overview.as_of.slice(0, 4))
  const year = Number(chosen ?? defaultYear(overview.as_of))
  const only = [...exceptions, not_notified].find((one) => one === exception)
  const filter: FormFilter = only === not_notified ? { has_failed_notice: true } : only ? { exception: only } : {}
  const list = formsList(employer_id, { tax_year: year, ...filter })
  const rows = useRows(list)
  return (
    <>
      {employee && (
        <Form1095cPage key={`${employee} ${year}`} employer_id={employer_id} employee_id={employee} tax_year={year} />
      )}
      <Section title={`Tax forms for ${year}`}>
        <div className="filters">
          <label>
            Year{' '}
            <select value={year} onChange={({ target }) => void change({ year: target.value })}>
              {[...new Set([this_year, this_year - 1, year])].map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label>
            To check{' '}
            <select value={only ?? ''} onChange={({ target }) => void change({ exception: target.value || undefined })}>
              <option value="">All forms</option>
              {[...exceptions, not_notified].map((one) => (
                <option key={one} value={one}>
                  {toSentence(one)}
                </option>
              ))}
            </select>
          </label>
          <span className="quiet" role="status">
            {rows.total !== undefined && formatCount(rows.total, 'form')}
          </span>
          <Export name={`tax-forms-${year}`} list={list} columns={exported} />
        </div>
        <Table
          label="Tax forms"
          columns={columns(
            (employee) => ({
              to: '/employers/$employer_id/aca',
              params: { employer_id },
              search: { ...search, employee },
              resetScroll: false,
            }),
            rows.rowAt(0)?.line_14.length !== 0,
          )}
          rows={rows}
          isChosen={({ employee_id }) => employee_id === employee}
          empty={only ? <Empty title="No forms match." /> : <NoForms employer_id={employer_id} year={year} />}
        />
      </Section>
    </>
  )
}
