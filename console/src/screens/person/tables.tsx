import type { DeductionProof, Enrollment, LifeEvent } from 'openbenefits'
import { Documents } from '../../parts/benefits/life-event-documents.tsx'
import { Empty, Nothing, orNothing, Status } from '../../parts/page/page.tsx'
import { rowsOf, type Rows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { dayOf, inDollars, sentence } from '../../format.ts'
import { answerTo, neverBegan, planOf } from './elections.ts'
import { HereLink } from '../../parts/page/here-link.tsx'

/** The tables of a person's page. */

const enrollment_columns: Column<Enrollment>[] = [
  {
    name: 'Benefit',
    width: 22,
    cell: ({ id, benefit }) => (
      <HereLink className="row-link" change={{ why: id }} hash="why">
        {benefit.name}
      </HereLink>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Plan',
    only: 'middle',
    cell: (one) =>
      one.plan ? planOf(one) : answerTo(one) === 'waived' ? <span className="quiet">Waived</span> : <Nothing />,
  },
  { name: 'From', align: 'end', cell: ({ coverage_start }) => dayOf(coverage_start) },
  {
    name: 'To',
    align: 'end',
    only: 'middle',
    cell: (one) =>
      neverBegan(one) ? (
        <span className="quiet">Never started</span>
      ) : one.coverage_end ? (
        dayOf(one.coverage_end)
      ) : (
        <Nothing />
      ),
  },
  {
    name: 'Employee pays',
    align: 'end',
    only: 'middle',
    cell: ({ status, employee_deduction_in_cents }) =>
      status === 'enrolled' ? inDollars(employee_deduction_in_cents) : <Nothing />,
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
        {sentence(event.type)} <Documents of={event} />
      </>
    ),
  },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Happened', align: 'end', cell: ({ occurred_on }) => dayOf(occurred_on) },
  {
    name: 'Window',
    align: 'end',
    only: 'middle',
    cell: ({ window_start, window_end }) =>
      window_start && window_end ? `${dayOf(window_start)} – ${dayOf(window_end)}` : <Nothing />,
  },
]
const no_life_events = (
  <Empty title="No life events.">A marriage, a birth or a loss of coverage opens a special enrollment period.</Empty>
)

/** The deductions of a year: due, requested, collected and outstanding. */
export const Deductions = ({ of }: { of: DeductionProof }) => (
  <Table
    label="Deductions"
    rows={rowsOf(of.enrollments)}
    columns={[
      { name: 'Benefit', width: 26, cell: ({ benefit_name }) => benefit_name },
      { name: 'Due', align: 'end', cell: ({ due_in_cents }) => orNothing(due_in_cents, inDollars) },
      { name: 'Requested', align: 'end', only: 'middle', cell: (one) => orNothing(one.requested_in_cents, inDollars) },
      { name: 'Taken', align: 'end', only: 'middle', cell: (one) => orNothing(one.taken_in_cents, inDollars) },
      { name: 'Collected', align: 'end', cell: (one) => orNothing(one.collected_in_cents, inDollars) },
      { name: 'Difference', align: 'end', only: 'wide', cell: (one) => orNothing(one.difference_in_cents, inDollars) },
    ]}
    empty={<Empty title="No deductions in this year." />}
  />
)

export const Enrollments = ({ rows }: { rows: Rows<Enrollment> }) => (
  <Table label="Enrollments" columns={enrollment_columns} rows={rows} empty={no_enrollments} />
)
export const LifeEvents = ({ rows }: { rows: Rows<LifeEvent> }) => (
  <Table label="Life events" columns={life_event_columns} rows={rows} empty={no_life_events} />
)
