import type { EmployerChanges, Employer, NewEmployer } from 'openbenefits'
import type { Field, Values } from '../form/form.tsx'

/** The form fields of an employer. */
export const employer_fields: Field[] = [
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
export function employerOf(values: Values): NewEmployer {
  const body: Record<string, unknown> = {}
  const address: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue
    if (name.startsWith(of_address)) address[name.slice(of_address.length)] = value
    else body[name] = value
  }
  // The service reports missing fields.
  return { ...body, ...(Object.keys(address).length > 0 && { address }) } as NewEmployer
}

/** An employer as form values. */
export const typedOf = (employer: Employer): Values =>
  Object.fromEntries(
    employer_fields.map(({ name }) => {
      const [first, second] = name.split('.') as [keyof Employer, string | undefined]
      const value = second ? (employer.address as Record<string, unknown>)[second] : employer[first]
      return [name, String(value ?? '')]
    }),
  )

/** Only the changed fields, because another user may have changed the rest. An address is sent as a whole. */
export function changesOfEmployer(before: Values, after: Values): EmployerChanges {
  const changed = Object.entries(after).filter(([name, value]) => value.trim() !== before[name])
  const own = changed.filter(([name]) => !name.startsWith(of_address))
  const { address } = employerOf(after)
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, value.trim() === '' ? null : value.trim()])),
    ...(own.length < changed.length && { address }),
  } as EmployerChanges
}
