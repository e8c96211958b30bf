import type { DeductionProof, Enrollment, LifeEvent } from 'openbenefits'
import { formatDay, formatDollars, toSentence, formatDayRange } from '../../format.ts'
import { LifeEventDocuments } from '../../parts/benefits/life-event-documents.tsx'
import { HereLink } from '../../parts/page/links.tsx'
import { Empty, Dash, Status } from '../../parts/page/page.tsx'
import { type Rows, fixedRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, moneyColumn, Table } from '../../parts/table/table.tsx'
import { answerOf, neverStarted, planAndLevel, enrollmentStatus } from './coverage-status.ts'

/** The tables of a person's page. */

const enrollment_columns: Column<Enrollment>[] = [
  {
    name: 'Benefit',
    width: 19,
    cell: ({ id, benefit }) => (
      <HereLink className="row-link" change={{ why: id }} hash="why">
        {benefit.name}
      </HereLink>
    ),
  },
  { name: 'Status', cell: (one) => <Status of={enrollmentStatus(one)} /> },
  {
    name: 'Plan',
    width: 29,
    only: 'middle',
    cell: (one) =>
      one.plan ? planAndLevel(one) : answerOf(one) === 'waived' ? <span className="quiet">Waived</span> : <Dash />,
  },
  dateColumn('From', 'coverage_start'),
  {
    name: 'To',
    align: 'end',
    only: 'middle',
    cell: (one) =>
      neverStarted(one) ? (
        <span className="quiet">Never started</span>
      ) : one.coverage_end ? (
        formatDay(one.coverage_end)
      ) : (
        <Dash />
      ),
  },
  {
    name: 'Employee pays per month',
    align: 'end',
    only: 'middle',
    cell: (one) =>
      answerOf(one) === 'elected' && !neverStarted(one) ? formatDollars(one.employee_deduction_in_cents) : <Dash />,
  },
]
const no_enrollments = <Empty title="No enrollments.">Eligible people get one for each benefit of a plan year.</Empty>

const life_event_columns: Column<LifeEvent>[] = [
  {
    name: 'Event',
    width: 30,
    wraps: true,
    cell: (event) => (
      <>
        <HereLink className="row-link" change={{ why: event.id }} hash="why">
          {toSentence(event.type)}
        </HereLink>{' '}
        <LifeEventDocuments of={event} />
      </>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  dateColumn('Happened', 'occurred_on'),
  {
    name: 'Window',
    align: 'end',
    only: 'middle',
    cell: ({ window_start, window_end }) =>
      window_start && window_end ? formatDayRange(window_start, window_end) : <Dash />,
  },
]
const no_life_events = (
  <Empty title="No life events.">A marriage, a birth or a loss of coverage opens a special enrollment period.</Empty>
)

/** The deductions of a year: due, on statements, requested with arrears, taken by payroll, and outstanding. */
export const Deductions = ({ of, enrollments }: { of: DeductionProof; enrollments: Enrollment[] }) => (
  <>
    <Table
      label="Deductions"
      rows={fixedRows(of.enrollments)}
      columns={[
        {
          name: 'Benefit',
          width: 26,
          cell: ({ benefit_name, enrollment_id }) => {
            // A benefit has an enrollment for each plan year, and two plan years can share a calendar year.
            const start = enrollments.find(({ id }) => id === enrollment_id)?.coverage_start
            return (
              <>
                {benefit_name} {start && <span className="quiet under">from {formatDay(start)}</span>}
              </>
            )
          },
        },
        moneyColumn('Due', 'due_in_cents'),
        moneyColumn('On statements', 'collected_in_cents'),
        moneyColumn('Requested', 'requested_in_cents', { only: 'middle' }),
        moneyColumn('Deducted by payroll', 'taken_in_cents', { only: 'middle' }),
        moneyColumn('Outstanding', 'outstanding_in_cents', { only: 'wide' }),
        moneyColumn('Difference', 'difference_in_cents', { only: 'wide' }),
      ]}
      empty={<Empty title="No deductions in this year." />}
    />
    {of.taken_in_cents !== null && (
      <p className="quiet only-middle">Deducted by payroll covers only the pay periods that payroll has reported.</p>
    )}
  </>
)

export const Enrollments = ({ rows }: { rows: Rows<Enrollment> }) => (
  <Table label="Enrollments" columns={enrollment_columns} rows={rows} empty={no_enrollments} />
)
export const LifeEvents = ({ rows }: { rows: Rows<LifeEvent> }) => (
  <Table label="Life events" columns={life_event_columns} rows={rows} empty={no_life_events} />
)
