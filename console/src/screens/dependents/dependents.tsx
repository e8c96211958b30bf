import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Dependent, Employee } from 'openbenefits'
import { formatDay, fullName, toSentence } from '../../format.ts'
import { LifeEventDocuments } from '../../parts/benefits/life-event-documents.tsx'
import { HereLink } from '../../parts/page/links.tsx'
import { Empty, Loaded, Dash, Status } from '../../parts/page/page.tsx'
import { loadedRows, type Rows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { organizationTodayQuery } from '../../queries.ts'
import { isOperator, isRoleAllowed } from '../../session.ts'
import { CorrectDependent } from './correct-dependent.tsx'
import {
  EndDependent,
  lastReinstatementDay,
  ReinstateDependent,
  RejectDependent,
  VerifyDependent,
} from './dependent-actions.tsx'
import { dependentDocumentsQuery, no_action } from './dependent-queries.ts'

const route = getRouteApi('/people/$employee_id')

/** The status of the verification and its reason, with links to the documents, which operators do not see. */
function Verification({ of: { id, verification } }: { of: Dependent }) {
  const has_documents = verification.status !== 'unverified' && !isOperator()
  const attachments = useQuery({ ...dependentDocumentsQuery(id), enabled: has_documents }).data
  return (
    <>
      <Status of={verification.status} />
      {verification.reason && <span className="quiet block">{verification.reason}</span>}
      {has_documents && <LifeEventDocuments of={attachments && { attachments }} />}
    </>
  )
}

/** The decisions that would change the status. Without documents, there is nothing to reject. */
const VerificationActions = ({ of: { id, verification } }: { of: Dependent }) => (
  <>
    {verification.status !== 'verified' && <HereLink change={{ ...no_action, verifying: id }}>Verify</HereLink>}
    {(verification.status === 'pending' || verification.status === 'verified') && (
      <HereLink change={{ ...no_action, rejecting: id }}>Reject</HereLink>
    )}
  </>
)

const columns: Column<Dependent>[] = [
  {
    name: 'Name',
    width: 16,
    phone: 46,
    wraps: true,
    cell: (dependent) => (
      <>
        <HereLink className="row-link" change={{ why: dependent.id }} hash="why">
          {fullName(dependent)}
        </HereLink>
        {dependent.covered_until && (
          <span className="quiet only-phone">Covered until {formatDay(dependent.covered_until)}</span>
        )}
        <span className="only-phone">
          <Verification of={dependent} />
        </span>
      </>
    ),
  },
  { name: 'Relationship', only: 'middle', cell: ({ relationship }) => toSentence(relationship) },
  dateColumn('Born', 'date_of_birth', { only: 'wide' }),
  { name: 'Status', width: 9, phone: 24, cell: ({ active }) => <Status of={active ? 'active' : 'ended'} /> },
  { name: 'Verification', only: 'middle', wraps: true, cell: (dependent) => <Verification of={dependent} /> },
  dateColumn('Last day', 'ended_on', { only: 'middle' }),
  dateColumn('Covered until', 'covered_until', { only: 'middle' }),
]

const actionOf = (today: string | undefined): Column<Dependent> => ({
  name: 'Action',
  align: 'end',
  width: 20,
  phone: 30,
  cell: (dependent) =>
    dependent.ended_on === null ? (
      <span className="actions">
        <VerificationActions of={dependent} />
        <HereLink change={{ ...no_action, correcting: dependent.id }}>Correct</HereLink>
        <HereLink change={{ ...no_action, ending: dependent.id }}>Remove</HereLink>
      </span>
    ) : today !== undefined && today <= lastReinstatementDay(dependent.ended_on) ? (
      <HereLink change={{ ...no_action, reinstating: dependent.id }}>Reinstate</HereLink>
    ) : (
      <Dash />
    ),
})

type DependentsProps = { of: Employee; rows: Rows<Dependent> }

/**
 * Current and former dependents. Each can be ended or reinstated after a confirmation, and current ones corrected,
 * verified or rejected.
 */
export function Dependents({ of: about, rows }: DependentsProps) {
  const { correcting, ending, reinstating, verifying, rejecting } = route.useSearch()
  const may_change = !isOperator() && isRoleAllowed('people')
  const all = may_change ? loadedRows(rows) : []
  const findActive = (wanted: string | undefined) => all.find(({ id, ended_on }) => id === wanted && ended_on === null)
  const to_correct = findActive(correcting)
  const to_end = findActive(ending)
  const to_reinstate = all.find(({ id, ended_on }) => id === reinstating && ended_on !== null)
  const to_verify = findActive(verifying)
  const to_reject = findActive(rejecting)
  const needs_today = to_end !== undefined || all.some(({ ended_on }) => ended_on !== null)
  const today = useQuery({ ...organizationTodayQuery(about.id), enabled: needs_today })
  const chosen = to_end ?? to_reinstate
  const Action = to_end ? EndDependent : ReinstateDependent
  return (
    <>
      {chosen && (
        <Loaded query={today} lines={3}>
          {(today) => today && <Action key={chosen.id} of={chosen} family={all} employee={about} today={today} />}
        </Loaded>
      )}
      {to_correct && <CorrectDependent key={to_correct.id} of={to_correct} />}
      {to_verify && <VerifyDependent key={to_verify.id} of={to_verify} />}
      {to_reject && <RejectDependent key={to_reject.id} of={to_reject} />}
      <Table
        label="Dependents"
        columns={may_change ? [...columns, actionOf(today.data ?? undefined)] : columns}
        rows={rows}
        isChosen={({ id }) => id === (chosen ?? to_correct ?? to_verify ?? to_reject)?.id}
        empty={<Empty title="No dependents.">Employees and partners can add spouses and children.</Empty>}
      />
    </>
  )
}
