import { base_url, console_path, NotSignedIn } from '../session.ts'

/** To where one signs in, and back to this page with its filters after that. */
export function signInHref(): string {
  const { pathname, search } = location
  return `${base_url}/sign-in?to=${encodeURIComponent((pathname.replace(/\/$/, '') || console_path) + search)}`
}

/** Instead of the console, to whom is not signed in or belongs nowhere. */
export function SignIn({ error }: { error: Error }) {
  const is_stranger = error instanceof NotSignedIn
  return (
    <main className="sign-in">
      <h1>OpenBenefits</h1>
      <p>{is_stranger ? 'Benefits administration for brokers, payroll companies and platforms.' : error.message}</p>
      <p>
        <a className="button main" href={signInHref()}>
          {is_stranger ? 'Sign in' : 'Sign in as someone else'}
        </a>
      </p>
    </main>
  )
}

/** Above the page, when the session has ended while one worked. */
export const SessionEnded = () => (
  <div className="session-ended" role="alert">
    Your session has ended. What you typed stays, but nothing more is saved.{' '}
    <a href={signInHref()} target="_blank" rel="noreferrer">
      Sign in again
    </a>{' '}
    in a new tab, then continue here.
  </div>
)
