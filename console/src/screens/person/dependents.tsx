import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Dependent, Employee } from 'openbenefits'
import { dayOf, nameOf, sentence } from '../../format.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Empty, Loaded, Nothing, Status } from '../../parts/page/page.tsx'
import { allOf, type Rows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { todayOf } from '../../queries.ts'
import { isOperator, may } from '../../session.ts'
import { EndDependent, lastToReinstate, ReinstateDependent } from './dependent-actions.tsx'

const route = getRouteApi('/people/$employee_id')

const columns: Column<Dependent>[] = [
  {
    name: 'Name',
    width: 22,
    phone: 46,
    wraps: true,
    cell: (dependent) => (
      <>
        <HereLink className="row-link" change={{ why: dependent.id }} hash="why">
          {nameOf(dependent)}
        </HereLink>
        {dependent.covered_until && (
          <span className="quiet only-phone">Covered until {dayOf(dependent.covered_until)}</span>
        )}
      </>
    ),
  },
  { name: 'Relationship', only: 'middle', cell: ({ relationship }) => sentence(relationship) },
  dateColumn('Born', 'date_of_birth', { only: 'wide' }),
  { name: 'Status', width: 11, phone: 24, cell: ({ active }) => <Status of={active ? 'active' : 'ended'} /> },
  dateColumn('Last day', 'ended_on', { only: 'middle' }),
  dateColumn('Covered until', 'covered_until', { only: 'middle' }),
]

const actionOf = (today: string | undefined): Column<Dependent> => ({
  name: 'Action',
  align: 'end',
  width: 11,
  phone: 30,
  cell: ({ id, ended_on }) =>
    ended_on === null ? (
      <HereLink change={{ ending: id, reinstating: undefined }}>Remove</HereLink>
    ) : today !== undefined && today <= lastToReinstate(ended_on) ? (
      <HereLink change={{ reinstating: id, ending: undefined }}>Reinstate</HereLink>
    ) : (
      <Nothing />
    ),
})

type DependentsProps = { of: Employee; rows: Rows<Dependent> }

/** Current and former dependents. Each can be ended or reinstated after a confirmation. */
export function Dependents({ of: about, rows }: DependentsProps) {
  const { ending, reinstating } = route.useSearch()
  const may_end = !isOperator() && may('people')
  const all = allOf(rows)
  const to_end = all.find(({ id, ended_on }) => id === ending && ended_on === null)
  const to_reinstate = all.find(({ id, ended_on }) => id === reinstating && ended_on !== null)
  const needs_today = may_end && (to_end !== undefined || all.some(({ ended_on }) => ended_on !== null))
  const today = useQuery({ ...todayOf(about.id), enabled: needs_today })
  const chosen = may_end ? (to_end ?? to_reinstate) : undefined
  const Action = to_end ? EndDependent : ReinstateDependent
  return (
    <>
      {chosen && (
        <Loaded query={today} lines={3}>
          {(today) => today && <Action key={chosen.id} of={chosen} family={all} employee={about} today={today} />}
        </Loaded>
      )}
      <Table
        label="Dependents"
        columns={may_end ? [...columns, actionOf(today.data ?? undefined)] : columns}
        rows={rows}
        isChosen={({ id }) => id === chosen?.id}
        empty={<Empty title="No dependents.">Employees and partners can add spouses and children.</Empty>}
      />
    </>
  )
}
