import type { EmployerChanges, Employer, NewEmployer } from 'openbenefits'
import type { Field, Values } from './form.tsx'

/** What is known of an employer, as one types it. */
export const employer_fields: Field[] = [
  { name: 'name', label: 'Name', hint: 'The name people know.' },
  { name: 'legal_name', label: 'Legal name' },
  { name: 'ein', label: 'EIN', hint: 'Nine digits, with or without the dash. Stored encrypted.' },
  { name: 'email', label: 'E-mail', kind: 'email', hint: 'Where invoices are sent.' },
  { name: 'phone_number', label: 'Phone', required: false },
  { name: 'reference_id', label: 'Your reference', required: false, hint: 'Its id in your own systems.' },
  { name: 'address.address_line_1', label: 'Street' },
  { name: 'address.address_line_2', label: 'Suite, floor', required: false },
  { name: 'address.city', label: 'City' },
  { name: 'address.state', label: 'State', hint: 'The name or the two-letter code, such as NY.' },
  { name: 'address.zipcode', label: 'ZIP code' },
]

const of_address = 'address.'

/** `address.city` becomes a field of `address`; what was left empty is not sent. */
export function employerOf(values: Values): NewEmployer {
  const body: Record<string, unknown> = {}
  const address: Record<string, string> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === '') continue
    if (name.startsWith(of_address)) address[name.slice(of_address.length)] = value
    else body[name] = value
  }
  // What is missing is the service's to say.
  return { ...body, ...(Object.keys(address).length > 0 && { address }) } as NewEmployer
}

/** An employer as one types it. */
export const typedOf = (employer: Employer): Values =>
  Object.fromEntries(
    employer_fields.map(({ name }) => {
      const [first, second] = name.split('.') as [keyof Employer, string | undefined]
      const value = second ? (employer.address as Record<string, unknown>)[second] : employer[first]
      return [name, String(value ?? '')]
    }),
  )

/** What was changed of it, and no more: another may have changed the rest meanwhile. An address goes as a whole. */
export function changesOfEmployer(before: Values, after: Values): EmployerChanges {
  const changed = Object.entries(after).filter(([name, value]) => value.trim() !== before[name])
  const own = changed.filter(([name]) => !name.startsWith(of_address))
  const { address } = employerOf(after)
  return {
    ...Object.fromEntries(own.map(([name, value]) => [name, value.trim() === '' ? null : value.trim()])),
    ...(own.length < changed.length && { address }),
  } as EmployerChanges
}
