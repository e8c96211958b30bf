import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiKey } from 'openbenefits'
import { ob, operator } from '../../api.ts'
import { signInHref } from '../../frame/sign-in.tsx'
import { isOperator } from '../../session.ts'
import type { Field, Values } from '../form/form.tsx'
import { Loaded, Dash, Status } from '../page/page.tsx'
import { type Column, dateColumn, timeColumn } from '../table/table.tsx'

/** A session can create long-lived credentials for this long after a sign-in. The service enforces the same limit. */
const recent_ms = 60 * 60_000

/** Shows an action that creates long-lived credentials. Users who signed in long ago must sign in again first. */
export function RequiresRecentSignIn({ children }: { children: ReactNode }) {
  const fresh = useQuery({
    queryKey: ['fresh'],
    queryFn: async ({ signal }) => {
      const { expires_at, ...credential } = await (isOperator() ? operator : ob).authentication.getToken({ signal })
      const signed_in_at = 'signed_in_at' in credential ? credential.signed_in_at : null
      // Uses the service's clock: the expiry of the current token must be within the hour.
      return (
        signed_in_at === null || expires_at === null || Date.parse(expires_at) - Date.parse(signed_in_at) < recent_ms
      )
    },
  })
  return (
    <Loaded query={fresh} lines={1}>
      {(is_fresh) =>
        is_fresh ? (
          children
        ) : (
          <p className="note">
            This creates a long-lived credential, and you signed in more than an hour ago.{' '}
            <a className="button" href={signInHref()}>
              Sign in again
            </a>
          </p>
        )
      }
    </Loaded>
  )
}

/** A secret that is shown only once, with a copy button. */
export function Secret({ of, children }: { of: string; children: ReactNode }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(of)
    setCopied(true)
  }
  return (
    <div className="secret">
      <p role="status">{children}</p>
      <code>{of}</code>
      <button type="button" className="button" onClick={() => void copy()}>
        {copied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

export const keyName = ({ name, last_four }: Pick<ApiKey, 'name' | 'last_four'>): string =>
  name ?? `…${last_four ?? ''}`

/** The columns of a key besides its name. */
export const key_columns: Column<ApiKey>[] = [
  { name: 'Status', width: 10, cell: ({ status }) => <Status of={status} /> },
  {
    name: 'Ends with',
    only: 'middle',
    width: 9,
    cell: ({ last_four }) => (last_four ? <code>…{last_four}</code> : <Dash />),
  },
  { name: 'Scopes', only: 'wide', width: 24, wraps: true, cell: ({ scopes }) => scopes.join(', ') },
  dateColumn('Expires', 'expires_at', { only: 'middle' }),
  timeColumn('Last used', 'last_used_at', { width: 18, phone: 38 }),
]

const scopes: [string, string][] = [
  ['read', 'Read'],
  ['write', 'Write'],
  ['people', 'People: names, dates of birth, enrollments'],
  ['money', 'Money: deductions, invoices'],
  ['webhooks', 'Webhooks'],
  ['keys', 'Keys and the audit log'],
  ['tax', 'Tax: tax identifiers and tax forms'],
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

const splitWords = (text = '') => text.split(/[\s,]+/).filter(Boolean)

/** The fields as a request body. Empty fields get the service's defaults. */
export const keyRequest = ({ name = '', scopes, expires_at, allowed_origins }: Values) => ({
  name,
  scopes: splitWords(scopes) as ApiKey['scopes'],
  ...(expires_at && { expires_at: new Date(`${expires_at}T23:59:59`).toISOString() }),
  ...(allowed_origins && { allowed_origins: splitWords(allowed_origins) }),
})
