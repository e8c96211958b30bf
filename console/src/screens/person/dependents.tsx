import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import type { Dependent, Employee } from 'openbenefits'
import { Empty, Loaded, Nothing, Status } from '../../parts/page.tsx'
import { allOf, type Rows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { dayOf, nameOf, sentence } from '../../parts/words.ts'
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
        <Link
          className="row-link"
          from="/people/$employee_id"
          to="."
          search={(before) => ({ ...before, why: dependent.id })}
          hash="why"
        >
          {nameOf(dependent)}
        </Link>
        {dependent.covered_until && (
          <span className="quiet only-phone">Covered until {dayOf(dependent.covered_until)}</span>
        )}
      </>
    ),
  },
  { name: 'Relationship', only: 'middle', cell: ({ relationship }) => sentence(relationship) },
  { name: 'Born', align: 'end', only: 'wide', cell: ({ date_of_birth }) => dayOf(date_of_birth) },
  { name: 'Status', width: 11, phone: 24, cell: ({ active }) => <Status of={active ? 'active' : 'ended'} /> },
  {
    name: 'Last day',
    align: 'end',
    only: 'middle',
    cell: ({ ended_on }) => (ended_on ? dayOf(ended_on) : <Nothing />),
  },
  {
    name: 'Covered until',
    align: 'end',
    only: 'middle',
    cell: ({ covered_until }) => (covered_until ? dayOf(covered_until) : <Nothing />),
  },
]

const actionOf = (today: string | undefined): Column<Dependent> => ({
  name: 'Action',
  align: 'end',
  width: 11,
  phone: 30,
  cell: ({ id, ended_on }) =>
    ended_on === null ? (
      <Link
        from="/people/$employee_id"
        to="."
        search={(before) => ({ ...before, ending: id, reinstating: undefined })}
        resetScroll={false}
      >
        End
      </Link>
    ) : today !== undefined && today <= lastToReinstate(ended_on) ? (
      <Link
        from="/people/$employee_id"
        to="."
        search={(before) => ({ ...before, reinstating: id, ending: undefined })}
        resetScroll={false}
      >
        Reinstate
      </Link>
    ) : (
      <Nothing />
    ),
})

type DependentsProps = { of: Employee; rows: Rows<Dependent> }

/** Who can be covered with somebody, and who could; each is ended, or reinstated, asked first. */
export function Dependents({ of: about, rows }: DependentsProps) {
  const { ending, reinstating } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const may_end = !isOperator() && may(session, 'people')
  const all = allOf(rows)
  const to_end = all.find(({ id, ended_on }) => id === ending && ended_on === null)
  const to_reinstate = all.find(({ id, ended_on }) => id === reinstating && ended_on !== null)
  const is_asked = may_end && (to_end !== undefined || all.some(({ ended_on }) => ended_on !== null))
  const today = useQuery({ ...todayOf(about.id), enabled: is_asked })
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
        empty={<Empty title="No dependents.">The employee or the partner adds spouses and children.</Empty>}
      />
    </>
  )
}
