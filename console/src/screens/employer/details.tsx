import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Employer, EmployerChanges, NewEmployer, OrganizationMember } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { Loaded, Page, Section } from '../../parts/page/page.tsx'
import { colleaguesQuery, employerQuery } from '../../queries.ts'

/** The form fields of an employer. */
const employer_fields: Field[] = [
  { name: 'name', label: 'Name', hint: 'The name employees know.' },
  { name: 'legal_name', label: 'Legal name' },
  { name: 'ein', label: 'EIN', hint: 'Nine digits, with or without the dash. Stored encrypted.' },
  { name: 'email', label: 'Email', kind: 'email', hint: 'Invoices are sent to this address.' },
  { name: 'phone_number', label: 'Phone', required: false },
  { name: 'reference_id', label: 'Your reference', required: false, hint: 'The employer’s id in your own systems.' },
  { name: 'address.address_line_1', label: 'Street address' },
  { name: 'address.address_line_2', label: 'Suite or floor', required: false },
  { name: 'address.city', label: 'City' },
  { name: 'address.state', label: 'State', hint: 'The name or the two-letter code, such as NY.' },
  { name: 'address.zipcode', label: 'ZIP code' },
]

const of_address = 'address.'

/** Moves `address.city` into `address`. Empty fields are omitted. */
function parseEmployer(values: Values): NewEmployer {
  const body: Record<string, unknown> = {}
  const address: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue
    if (name.startsWith(of_address)) address[name.slice(of_address.length)] = value
    else body[name] = value
  }
  // The service reports missing fields, also those of an empty address.
  return { ...body, address } as NewEmployer
}

/** An employer as form values. */
const employerValues = (employer: Employer): Values =>
  Object.fromEntries(
    employer_fields.map(({ name }) => {
      const [first, second] = name.split('.') as [keyof Employer, string | undefined]
      const value = second ? (employer.address as Record<string, unknown>)[second] : employer[first]
      return [name, String(value ?? '')]
    }),
  )

/** Only the changed fields, because another user may have changed the rest. An address is sent as a whole. */
function employerChanges(before: Values, after: Values): EmployerChanges {
  const changed = Object.entries(after).filter(([name, value]) => value.trim() !== before[name])
  const own = changed.filter(([name]) => !name.startsWith(of_address))
  const { address } = parseEmployer(after)
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, value.trim() === '' ? null : value.trim()])),
    ...(own.length < changed.length && { address }),
  } as EmployerChanges
}

/** The page that adds an employer. */
export function AddEmployer() {
  const navigate = useNavigate()
  const add = async (values: Values) => {
    const { id } = await ob.employers.create(parseEmployer(values))
    await refetch(['employers'])
    await navigate({ to: '/employers/$employer_id', params: { employer_id: id } })
  }
  return (
    <Page title="Add employer" breadcrumbs={[{ label: 'Employers', link: { to: '/employers' } }]}>
      <RequiresRole area="settings">
        <Form fields={employer_fields} submit={add} button="Add employer" />
      </RequiresRole>
    </Page>
  )
}

// An EIN cannot change. To correct it, add the employer again.
const fields = employer_fields.filter(({ name }) => name !== 'ein')

/** The field that names the member who is responsible for an employer. */
const ownerField = (members: OrganizationMember[]): Field => ({
  name: 'owner_user_id',
  label: 'Owner',
  required: false,
  hint: 'The colleague responsible for the employer. Today can show only the tasks of your own employers.',
  options: [['', 'No owner'], ...members.map(({ user_id, name }) => [user_id, name] as const)],
})

/** The form to edit an employer's details. */
export function EmployerDetails({ employer_id }: { employer_id: string }) {
  const about = useQuery(employerQuery(employer_id))
  const members = useQuery(colleaguesQuery())
  return (
    <Section title="Details">
      <Loaded query={members} lines={10}>
        {(owners) => (
          <Loaded query={about} lines={10}>
            {(found) => {
              const initial = { ...employerValues(found), owner_user_id: found.owner?.user_id ?? '' }
              const save = async (values: Values) => {
                await ob.employers.update(employer_id, employerChanges(initial, values))
                await refetch(['employers'])
              }
              const shown = [...fields, ownerField(owners)]
              return <Form fields={shown} initial={initial} submit={save} button="Save details" />
            }}
          </Loaded>
        )}
      </Loaded>
    </Section>
  )
}
