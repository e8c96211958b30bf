import type { ApiKey } from 'openbenefits'
import type { Field, Values } from './form.tsx'
import { At, Nothing, Status } from './page.tsx'
import type { Column } from './table.tsx'
import { dayOf } from './words.ts'

export const keyName = ({ name, last_four }: Pick<ApiKey, 'name' | 'last_four'>): string =>
  name ?? `…${last_four ?? ''}`

/** What is said of a key beside its name. */
export const key_columns: Column<ApiKey>[] = [
  { name: 'Status', width: 10, cell: ({ status }) => <Status of={status} /> },
  { name: 'Ends with', only: 'middle', cell: ({ last_four }) => (last_four ? <code>…{last_four}</code> : <Nothing />) },
  { name: 'Scopes', only: 'wide', width: 22, cell: ({ scopes }) => scopes.join(', ') },
  {
    name: 'Expires',
    align: 'end',
    only: 'middle',
    cell: ({ expires_at }) => (expires_at ? dayOf(expires_at) : <Nothing />),
  },
  {
    name: 'Last used',
    align: 'end',
    width: 24,
    phone: 38,
    cell: ({ last_used_at }) => (last_used_at ? <At of={last_used_at} /> : <Nothing />),
  },
]

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'people', label: 'People: names, birthdays, enrollments' },
  { value: 'money', label: 'Money: deductions, invoices' },
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'keys', label: 'Keys and the audit trail' },
]

/** What is asked of whoever makes a key. `unless_said`: when it ends, and from where it may be used, by itself. */
export const keyFields = (unless_said: { end: string; origins: string }): Field[] => [
  { name: 'name', label: 'Name', hint: 'What uses it, such as Payroll export.' },
  {
    name: 'scopes',
    label: 'Scopes',
    kind: 'several',
    options: scopes,
    hint: 'Grant as little as possible.',
  },
  { name: 'expires_at', label: 'Expires', kind: 'date', required: false, hint: `Leave empty for ${unless_said.end}.` },
  {
    name: 'allowed_origins',
    label: 'Allowed origins',
    required: false,
    hint: `Web pages that may use it, such as https://app.example.com. Leave empty for ${unless_said.origins}.`,
  },
]

const wordsIn = (text = '') => text.split(/[\s,]+/).filter(Boolean)

/** The same as the interfaces take it. What is empty is the service's to decide. */
export const keyBody = ({ name = '', scopes, expires_at, allowed_origins }: Values) => ({
  name,
  scopes: wordsIn(scopes) as ApiKey['scopes'],
  ...(expires_at && { expires_at: new Date(`${expires_at}T23:59:59`).toISOString() }),
  ...(allowed_origins && { allowed_origins: wordsIn(allowed_origins) }),
})
