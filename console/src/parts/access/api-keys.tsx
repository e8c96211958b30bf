import type { ApiKey } from 'openbenefits'
import type { Field, Values } from '../form/form.tsx'
import { At, Nothing, orNothing, Status } from '../page/page.tsx'
import type { Column } from '../table/table.tsx'
import { dayOf } from '../../format.ts'

export const keyName = ({ name, last_four }: Pick<ApiKey, 'name' | 'last_four'>): string =>
  name ?? `…${last_four ?? ''}`

/** The columns of a key besides its name. */
export const key_columns: Column<ApiKey>[] = [
  { name: 'Status', width: 10, cell: ({ status }) => <Status of={status} /> },
  { name: 'Ends with', only: 'middle', cell: ({ last_four }) => (last_four ? <code>…{last_four}</code> : <Nothing />) },
  { name: 'Scopes', only: 'wide', width: 22, cell: ({ scopes }) => scopes.join(', ') },
  {
    name: 'Expires',
    align: 'end',
    only: 'middle',
    cell: ({ expires_at }) => orNothing(expires_at, dayOf),
  },
  {
    name: 'Last used',
    align: 'end',
    width: 24,
    phone: 38,
    cell: ({ last_used_at }) => orNothing(last_used_at, (at) => <At of={at} />),
  },
]

const scopes = [
  { value: 'read', label: 'Read' },
  { value: 'write', label: 'Write' },
  { value: 'people', label: 'People: names, dates of birth, enrollments' },
  { value: 'money', label: 'Money: deductions, invoices' },
  { value: 'webhooks', label: 'Webhooks' },
  { value: 'keys', label: 'Keys and the audit log' },
]

/** The fields of a new key. `defaults` describes the default expiry and the default allowed origins. */
export const keyFields = (defaults: { end: string; origins: string }): Field[] => [
  { name: 'name', label: 'Name', hint: 'The system that uses the key, such as Payroll export.' },
  {
    name: 'scopes',
    label: 'Scopes',
    kind: 'several',
    options: scopes,
    hint: 'Grant only the scopes the key needs.',
  },
  { name: 'expires_at', label: 'Expires', kind: 'date', required: false, hint: `Leave empty for ${defaults.end}.` },
  {
    name: 'allowed_origins',
    label: 'Allowed origins',
    required: false,
    hint: `Websites that may use the key, such as https://app.example.com. Leave empty for ${defaults.origins}.`,
  },
]

const wordsIn = (text = '') => text.split(/[\s,]+/).filter(Boolean)

/** The fields as a request body. Empty fields get the service's defaults. */
export const keyBody = ({ name = '', scopes, expires_at, allowed_origins }: Values) => ({
  name,
  scopes: wordsIn(scopes) as ApiKey['scopes'],
  ...(expires_at && { expires_at: new Date(`${expires_at}T23:59:59`).toISOString() }),
  ...(allowed_origins && { allowed_origins: wordsIn(allowed_origins) }),
})
