import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ob, operator } from '../../api.ts'
import { signInHref } from '../../frame/sign-in.tsx'
import { Loaded } from '../page/page.tsx'
import { isOperator } from '../../session.ts'

/** A session can create long-lived credentials for this long after a sign-in. The service enforces the same limit. */
const fresh_ms = 60 * 60_000

/** Shows an action that creates long-lived credentials. Users who signed in long ago must sign in again first. */
export function Fresh({ children }: { children: ReactNode }) {
  const fresh = useQuery({
    queryKey: ['fresh'],
    queryFn: async ({ signal }) => {
      const { expires_at, ...credential } = await (isOperator() ? operator : ob).authentication.getToken({ signal })
      const signed_in_at = 'signed_in_at' in credential ? credential.signed_in_at : null
      // Uses the service's clock: the expiry of the current token must be within the hour.
      return (
        signed_in_at === null || expires_at === null || Date.parse(expires_at) - Date.parse(signed_in_at) < fresh_ms
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
