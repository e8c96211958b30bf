import { Link, useRouteContext, type LinkProps } from '@tanstack/react-router'
import { may, type Area } from '../session.ts'
import { Confirm } from './confirm.tsx'
import { Empty, Nothing, Section, Status } from './page.tsx'
import { allOf, type Rows } from './rows.ts'
import { Table, type Column } from './table.tsx'
import { dayOf, sentence } from './words.ts'

type Invitation = { id: string; name: string; email: string; role: string; status: string; expires_at: string }

const columns: Column<Invitation>[] = [
  { name: 'Name', width: 26, cell: ({ name }) => name },
  { name: 'Role', only: 'middle', cell: ({ role }) => sentence(role.toLowerCase()) },
  { name: 'E-mail', only: 'middle', width: 26, cell: ({ email }) => email },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  { name: 'Expires', align: 'end', phone: 34, cell: ({ expires_at }) => dayOf(expires_at) },
]

type InvitationsProps = {
  rows: Rows<Invitation>
  /** whose it is to withdraw one */
  area: Area
  /** the one that is to be withdrawn, and the way to where that is asked */
  withdrawing: string | undefined
  wayTo: (id: string) => LinkProps
  stay: () => void
  withdraw: (id: string) => Promise<unknown>
}

/** Who is invited to where, and what became of it; one that nobody has opened is withdrawn. */
export function Invitations({ rows, area, withdrawing, wayTo, stay, withdraw }: InvitationsProps) {
  const { session } = useRouteContext({ from: '__root__' })
  const may_withdraw = may(session, area)
  const chosen = allOf(rows).find(({ id, status }) => id === withdrawing && status === 'pending')
  const action: Column<Invitation> = {
    name: 'Action',
    align: 'end',
    width: 14,
    phone: 24,
    cell: ({ id, status }) =>
      status === 'pending' ? (
        <Link {...wayTo(id)} resetScroll={false}>
          Withdraw
        </Link>
      ) : (
        <Nothing />
      ),
  }
  return (
    <Section title="Invitations">
      {chosen && may_withdraw && (
        <Confirm key={chosen.id} action="Withdraw the invitation" act={() => withdraw(chosen.id)} back={stay}>
          The link sent to {chosen.name} stops working.
        </Confirm>
      )}
      <Table
        label="Invitations"
        columns={may_withdraw ? [...columns, action] : columns}
        rows={rows}
        isChosen={({ id }) => id === chosen?.id}
        empty={<Empty title="No invitations." />}
      />
    </Section>
  )
}
