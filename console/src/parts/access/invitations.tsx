import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { MembershipRole } from 'openbenefits'
import { toSentence } from '../../format.ts'
import type { PagedList } from '../../queries.ts'
import { type Area, isRoleAllowed } from '../../session.ts'
import { Confirm } from '../form/confirm.tsx'
import { type Field, Form, type Values } from '../form/form.tsx'
import { HereLink, useChangeSearch } from '../page/links.tsx'
import { AddSection, Empty, Dash, Section, Status } from '../page/page.tsx'
import { Export, type ExportColumn } from '../table/export.tsx'
import { loadedRows, useRows } from '../table/rows.ts'
import { type Column, dateColumn, Table } from '../table/table.tsx'
import { RequiresRecentSignIn, Secret } from './credentials.tsx'

type Invitation = { id: string; name: string; email: string; role: string; status: string; expires_at: string }

const columns: Column<Invitation>[] = [
  { name: 'Name', width: 26, cell: ({ name }) => name },
  { name: 'Role', only: 'middle', cell: ({ role }) => toSentence(role.toLowerCase()) },
  { name: 'Email', only: 'middle', width: 26, cell: ({ email }) => email },
  { name: 'Status', cell: ({ status }) => <Status of={status} /> },
  dateColumn('Expires', 'expires_at', { phone: 34 }),
]

const action: Column<Invitation> = {
  name: 'Action',
  align: 'end',
  width: 14,
  phone: 24,
  cell: ({ id, status }) =>
    status === 'pending' ? <HereLink change={{ withdrawing: id }}>Withdraw</HereLink> : <Dash />,
}

const exported: ExportColumn<Invitation>[] = [
  { name: 'Name', of: ({ name }) => name },
  { name: 'Role', of: ({ role }) => toSentence(role.toLowerCase()) },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Status', of: ({ status }) => toSentence(status) },
  { name: 'Expires', of: ({ expires_at }) => expires_at },
]

type InvitationsProps = {
  list: PagedList<Invitation>
  /** the area that includes withdrawing invitations */
  area: Area
  withdraw: (id: string) => Promise<unknown>
}

/** Lists invitations. A pending one can be withdrawn after a confirmation (`?withdrawing=`). */
export function Invitations({ list, area, withdraw }: InvitationsProps) {
  const rows = useRows(list)
  const { withdrawing } = useSearch({ strict: false })
  const change = useChangeSearch()
  if (rows.total === 0) return null
  const may_withdraw = isRoleAllowed(area)
  const chosen = loadedRows(rows).find(({ id, status }) => id === withdrawing && status === 'pending')
  return (
    <Section title="Invitations" actions={<Export name="invitations" list={list} columns={exported} />}>
      {chosen && may_withdraw && (
        <Confirm
          key={chosen.id}
          action="Withdraw the invitation"
          act={() => withdraw(chosen.id)}
          back={() => void change({ withdrawing: undefined })}
        >
          The link sent to {chosen.name} stops working.
        </Confirm>
      )}
      <Table
        label="Invitations"
        columns={may_withdraw ? [...columns, action] : columns}
        rows={rows}
        isChosen={({ id }) => id === chosen?.id}
        empty={<Empty title="No invitations yet." />}
      />
    </Section>
  )
}

type InviteFormProps = {
  roles: NonNullable<Field['options']>
  /** the preselected role */
  first_role: string
  /** sends the invitation and returns its link */
  invite: (values: Values) => Promise<string>
  /** how long the link works */
  children: ReactNode
}

/** The form of a new invitation, then the created link. */
export function InviteForm({ roles, first_role, invite, children }: InviteFormProps) {
  const [link, setLink] = useState<string>()
  return (
    <AddSection title="New invitation">
      {link && <Secret of={link}>{children}</Secret>}
      <RequiresRecentSignIn>
        <Form
          fields={[
            { name: 'name', label: 'Name' },
            { name: 'email', label: 'Email', kind: 'email', hint: 'The email address they sign in with.' },
            { name: 'role', label: 'Role', options: roles },
          ]}
          initial={{ role: first_role }}
          submit={async (values) => setLink(await invite(values))}
          button="Create invitation"
          success="The link is shown above."
        />
      </RequiresRecentSignIn>
    </AddSection>
  )
}

/** The roles of members of an organization. */
export const member_roles: [role: MembershipRole, label: string][] = [
  ['ADMIN', 'Admin: full access'],
  ['OPERATIONS', 'Operations: everything except members, keys and webhooks'],
  ['ENROLLMENT_AGENT', 'Enrollment agent: people and their enrollments'],
  ['SALES', 'Sales: employers and plan years, without personal data'],
]
