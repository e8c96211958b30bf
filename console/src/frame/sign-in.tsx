import { base_url, console_path, NotSignedIn } from '../session.ts'

/** Links to the sign-in page, which returns to this page with its filters. */
export function signInHref(): string {
  const { pathname, search } = location
  // The service puts the path prefix of a proxy before the path.
  const path = (pathname.replace(/\/$/, '') || console_path).slice(new URL(base_url).pathname.replace(/\/$/, '').length)
  return `${base_url}/sign-in?to=${encodeURIComponent(path + search)}`
}

/** Replaces the console for users who are signed out or belong to no organization. */
export function SignIn({ error }: { error: Error }) {
  const is_signed_out = error instanceof NotSignedIn
  return (
    <main className="sign-in">
      <h1>OpenBenefits</h1>
      <p>{is_signed_out ? 'Benefits administration for brokers, payroll companies and platforms.' : error.message}</p>
      <p>
        <a className="button main" href={signInHref()}>
          {is_signed_out ? 'Sign in' : 'Sign in as someone else'}
        </a>
      </p>
    </main>
  )
}

/** A banner above the page after the session has ended. */
export const SessionEnded = () => (
  <div className="session-ended" role="alert">
    Your session has ended. Your entries stay here, but you can’t save them.{' '}
    <a href={signInHref()} target="_blank" rel="noreferrer">
      Sign in again
    </a>{' '}
    in a new tab, then continue here.
  </div>
)
