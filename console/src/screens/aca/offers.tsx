import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { AcaOverview, EmployerAffordability, OfferTest } from 'openbenefits'
import { parseDollars, formatCount, formatDollars, formatNumber, fullName } from '../../format.ts'
import { useDebounced } from '../../parts/form/use-debounced.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Loaded, Section, Status } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, moneyColumn, numberColumn, Table } from '../../parts/table/table.tsx'
import { monthName } from './form/lines.ts'
import { Derivation } from './derivation.tsx'
import { affordabilityQuery, defaultYear, offerTestQuery } from './queries.ts'

const route = getRouteApi('/employers/$employer_id/aca')

type Month = OfferTest['months'][number]

const long_month = new Intl.DateTimeFormat('en-US', { month: 'long', timeZone: 'UTC' })
const longMonthName = (month: number): string => long_month.format(Date.UTC(2026, month - 1, 1))

const formatExposure = ({ exposure_kind, exposure_in_cents }: Month) =>
  exposure_in_cents === null ? 'Amounts unknown' : exposure_kind === 'none' ? 'None' : formatDollars(exposure_in_cents)

const columns: Column<Month>[] = [
  { name: 'Month', cell: ({ month }) => longMonthName(month), phone: 30 },
  { name: 'Test', cell: ({ passes }) => <Status of={passes ? 'Passes' : 'Fails'} tone={passes ? 'good' : 'bad'} /> },
  numberColumn('Full-time', 'full_time_count', { only: 'middle' }),
  numberColumn('With an offer', 'offered_count', { only: 'middle' }),
  numberColumn('Not protected', 'unprotected_count', { only: 'wide' }),
  { name: 'Exposure', align: 'end', cell: formatExposure, phone: 38 },
]

const exported_months: ExportColumn<Month>[] = [
  { name: 'Month', of: ({ month }) => longMonthName(month) },
  { name: 'Test', of: ({ passes }) => (passes ? 'Passes' : 'Fails') },
  { name: 'Full-time', of: ({ full_time_count }) => full_time_count },
  { name: 'With an offer', of: ({ offered_count }) => offered_count },
  { name: 'Not protected', of: ({ unprotected_count }) => unprotected_count },
  { name: 'Exposure', kind: 'cents', of: ({ exposure_in_cents }) => exposure_in_cents },
]

/** The first and the last year with figures of assessable payments. */
const first_year = 2020

/** The 95 percent offer test, the affordability of offers, and the exposure to assessable payments. */
export function Offers({ employer_id, overview }: { employer_id: string; overview: AcaOverview }) {
  const { year: chosen } = route.useSearch()
  const change = useChangeSearch()
  const this_year = Number(overview.as_of.slice(0, 4))
  const year = Number(chosen ?? defaultYear(overview.as_of))
  const tested = useQuery(offerTestQuery(employer_id, year))
  return (
    <>
      <Section
        title="Offer test"
        actions={
          <label>
            Year{' '}
            <select value={year} onChange={({ target }) => void change({ year: target.value })}>
              {Array.from({ length: this_year - first_year + 2 }, (_, at) => this_year + 1 - at).map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        }
      >
        <Loaded query={tested} lines={10}>
          {(found) =>
            found.form_type === '1095-B' ? (
              <Empty title="No offer test applies.">
                The employer files Forms 1095-B for {year}, because it is not an applicable large employer. It owes no
                assessable payments.
              </Empty>
            ) : (
              <>
                {found.derived_at !== null && <OfferTestResult of={found} />}
                <Derivation employer_id={employer_id} year={year} derived_at={found.derived_at} />
              </>
            )
          }
        </Loaded>
      </Section>
      <AffordableContributions employer_id={employer_id} />
    </>
  )
}

function OfferTestResult({ of: { months, exposure_in_cents, form_count } }: { of: OfferTest }) {
  if (months.every(({ total_count }) => total_count === 0)) return <Empty title="No employees in this year." />
  const failing = months.filter(({ passes }) => !passes).length
  return (
    <>
      <p className="aca-summary">
        <strong className="figure number">{exposure_in_cents === null ? '–' : formatDollars(exposure_in_cents)}</strong>
        <span>
          {exposure_in_cents === null
            ? 'The assessable payments of this year are unknown.'
            : 'is the highest payment that the IRS can assess, if a full-time employee receives a premium tax credit.'}
          <br />
          <span className="quiet">
            {failing === 0
              ? 'Every month passes the offer test.'
              : `${formatCount(failing, 'month')} of 12 fail the offer test.`}{' '}
            {formatCount(form_count, 'Form 1095-C is', 'Forms 1095-C are')} due.
          </span>
        </span>
      </p>
      <p className="quiet">
        Full-time employees with an offer of minimum essential coverage. The line marks 95 percent.
      </p>
      <div className="offer-bars" aria-hidden="true">
        {months.map((month) => (
          <OfferMonth key={month.month} of={month} />
        ))}
      </div>
      <div className="filters">
        <Export name="offer-test" list={months} columns={exported_months} />
      </div>
      <Table label="Offer test by month" columns={columns} rows={fixedRows(months)} empty={null} />
    </>
  )
}

/** The offered share of a month. The line at 95 percent is the test. */
function OfferMonth({ of: { month, offered_percent, passes, exposure_in_cents } }: { of: Month }) {
  return (
    <span className="offer-bar">
      <span className="offer-share">
        {offered_percent === null ? '–' : Math.floor(offered_percent)}
        {offered_percent !== null && <span className="offer-unit">%</span>}
      </span>
      <span className="offer-column">
        <span className={passes ? 'good' : 'bad'} style={{ height: `${offered_percent ?? 0}%` }} />
      </span>
      <span className="offer-month">{monthName(month)}</span>
      <span className="offer-exposure">
        {exposure_in_cents ? `$${formatNumber(Math.round(exposure_in_cents / 100))}` : '\u00a0'}
      </span>
    </span>
  )
}

type AffordabilityRow = EmployerAffordability['employees'][number]

const safeHarborLabel = ({ safe_harbor }: AffordabilityRow) =>
  safe_harbor === 'rate_of_pay' ? 'Rate of pay' : 'Poverty line'

const limit_columns: Column<AffordabilityRow>[] = [
  linkColumn(
    'Name',
    (one) => [fullName(one), { to: '/people/$employee_id', params: { employee_id: one.employee_id } }],
    {
      width: 30,
      phone: 48,
    },
  ),
  moneyColumn('Monthly wage', 'monthly_wage_in_cents', { only: 'middle' }),
  moneyColumn('Affordable cost', 'affordable_cost_in_cents'),
  {
    name: 'By',
    only: 'middle',
    cell: safeHarborLabel,
  },
]

const exported_limits: ExportColumn<AffordabilityRow>[] = [
  { name: 'Name', of: fullName },
  { name: 'Monthly wage', kind: 'cents', of: ({ monthly_wage_in_cents }) => monthly_wage_in_cents },
  { name: 'Affordable cost', kind: 'cents', of: ({ affordable_cost_in_cents }) => affordable_cost_in_cents },
  { name: 'By', of: safeHarborLabel },
]

/** The number of limits that are listed without a cost. */
const max_shown = 10

/** The highest cost that is affordable for everyone, and the people for whom a cost is not affordable. */
function AffordableContributions({ employer_id }: { employer_id: string }) {
  const [text, setText] = useState('')
  const cost_in_cents = useDebounced(parseDollars(text))
  const found = useQuery({
    ...affordabilityQuery(employer_id, cost_in_cents === undefined ? {} : { cost_in_cents }),
    placeholderData: (before) => before,
  })
  return (
    <Section
      title="Affordability"
      actions={found.data && <Export name="affordable-costs" list={found.data.employees} columns={exported_limits} />}
    >
      <Loaded query={found} lines={5}>
        {(shown) =>
          shown.affordable_cost_in_cents === null ? (
            <Empty title="The affordability figures of this year are unknown." />
          ) : (
            <>
              <p>
                A plan of minimum value that costs an employee at most{' '}
                <strong>{formatDollars(shown.affordable_cost_in_cents)}</strong> a month for self-only coverage is
                affordable for{' '}
                {shown.full_time_count === 0
                  ? 'everyone. No employee is full-time'
                  : `all ${formatCount(shown.full_time_count, 'employee')} who are or will be full-time`}
                . The limit is {shown.required_contribution_percentage}% of the federal poverty line or of the rate of
                pay.
                {shown.poverty_line_cost_in_cents !== null && (
                  <>
                    {' '}
                    A cost of at most {formatDollars(shown.poverty_line_cost_in_cents)} is affordable by the federal
                    poverty line alone, regardless of wages.
                  </>
                )}
              </p>
              <p className="aca-line">
                <label>
                  Monthly cost to check{' '}
                  <input
                    inputMode="decimal"
                    size={9}
                    value={text}
                    placeholder="189.00"
                    onChange={({ target }) => setText(target.value)}
                  />
                </label>{' '}
                <span role="status">
                  {shown.unaffordable_count !== null &&
                    (shown.unaffordable_count === 0
                      ? 'This cost is affordable for everyone.'
                      : `This cost is not affordable for ${formatCount(shown.unaffordable_count, 'employee')}.`)}
                </span>
              </p>
              {shown.full_time_count > 0 && (
                <Table
                  label="Affordable cost by employee"
                  columns={limit_columns}
                  rows={fixedRows(shown.employees.slice(0, cost_in_cents === undefined ? max_shown : undefined))}
                  empty={<Empty title="This cost is affordable for everyone." />}
                />
              )}
              {cost_in_cents === undefined && shown.employees.length > max_shown && (
                <p className="quiet">
                  The {max_shown} lowest limits. Enter a cost to list all employees whose limit is lower.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}
