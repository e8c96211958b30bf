import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { NewEmployer } from 'openbenefits'
import { ob } from '../api.ts'
import { Form, type Field, type Values } from '../parts/form.tsx'
import { Page } from '../parts/page.tsx'
import { UpTo } from '../parts/up-to.tsx'

const fields: Field[] = [
  { name: 'name', label: 'Name', hint: 'The name people know.' },
  { name: 'legal_name', label: 'Legal name' },
  { name: 'ein', label: 'EIN', hint: 'Nine digits, with or without the dash. Stored encrypted.' },
  { name: 'email', label: 'E-mail', kind: 'email', hint: 'Where invoices are sent.' },
  { name: 'phone_number', label: 'Phone', required: false },
  { name: 'reference_id', label: 'Your reference', required: false, hint: 'Its id in your own systems.' },
  { name: 'address.address_line_1', label: 'Street' },
  { name: 'address.address_line_2', label: 'Suite, floor', required: false },
  { name: 'address.city', label: 'City' },
  { name: 'address.state', label: 'State', hint: 'Two letters, such as NY.' },
  { name: 'address.zipcode', label: 'ZIP code' },
]

/** `address.city` becomes a field of `address`; what was left empty is not sent. */
function bodyOf(values: Values): NewEmployer {
  const body: Record<string, unknown> = {}
  const address: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue
    if (name.startsWith('address.')) address[name.slice('address.'.length)] = value
    else body[name] = value
  }
  // What is missing is the service's to say.
  return { ...body, ...(Object.keys(address).length > 0 && { address }) } as NewEmployer
}

export function AddEmployer() {
  const navigate = useNavigate()
  const client = useQueryClient()
  const add = async (values: Values) => {
    const { id } = await ob.employers.create(bodyOf(values))
    await client.invalidateQueries({ queryKey: ['employers'] })
    await navigate({ to: '/employers/$employer_id', params: { employer_id: id } })
  }
  return (
    <Page title="Add an employer" above={[{ label: 'Employers', link: { to: '/employers' } }]}>
      <UpTo area="settings">
        <Form fields={fields} submit={add} button="Add the employer" />
      </UpTo>
    </Page>
  )
}
