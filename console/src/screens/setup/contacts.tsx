import type { EmployerAdmin } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { type Field, Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { Dash, Section, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { adminsQuery } from './queries.ts'

const fields: Field[] = [
  { name: 'name', label: 'Name' },
  { name: 'email', label: 'Email', kind: 'email', hint: 'You can search for the employer by this address.' },
  { name: 'phone', label: 'Phone', required: false },
]

const columnsOf = (remove: (admin: EmployerAdmin) => void): Column<EmployerAdmin>[] => [
  {
    name: 'Contact',
    phone: 64,
    wraps: true,
    cell: ({ name, email }) => (
      <>
        {name ?? <span className="quiet">No name yet</span>}
        <span className="quiet block">{email}</span>
      </>
    ),
  },
  { name: 'Phone', only: 'middle', cell: ({ phone }) => phone ?? <Dash /> },
  {
    name: 'Action',
    align: 'end',
    width: 20,
    phone: 36,
    cell: (admin) => (
      <button type="button" className="plain" aria-label={`Remove ${admin.email}`} onClick={() => remove(admin)}>
        Remove
      </button>
    ),
  },
]

const exported: ExportColumn<EmployerAdmin>[] = [
  { name: 'Contact', of: ({ name }) => name },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Phone', of: ({ phone }) => phone },
]

/** The contacts of an employer. They have no access to the service. */
export function EmployerContacts({ employer_id }: { employer_id: string }) {
  const list = adminsQuery(employer_id)
  const rows = useRows(list)
  const refresh = () => refetch(['employers', employer_id])
  const remove = useAction({
    mutationFn: ({ id }: EmployerAdmin) => ob.employers.removeAdmin(employer_id, id),
    onSettled: refresh,
  })
  const add = async ({ name = '', email = '', phone = '' }: Values) => {
    if (name.trim() === '') throw new FieldError('name', 'is required')
    await ob.employers.addAdmin(employer_id, { name, email, ...(phone.trim() !== '' && { phone }) })
    await refresh()
  }
  return (
    <>
      <Section title="Contacts" actions={<Export name="contacts" list={list} columns={exported} />}>
        {remove.error && <ErrorMessage error={remove.error} />}
        <Table label="Contacts" columns={columnsOf(remove.mutate)} rows={rows} empty={null} />
      </Section>
      <Section title="Add or update a contact">
        <Form fields={fields} submit={add} button="Save contact" />
      </Section>
    </>
  )
}
