import { base_url, console_path, NotSignedIn } from '../session.ts'

/** Back to this page after one signed in. */
const href = () => `${base_url}/sign-in?to=${encodeURIComponent(location.pathname.replace(/\/$/, '') || console_path)}`

/** Instead of the console, to whom is not signed in or belongs nowhere. */
export function SignIn({ error }: { error: Error }) {
  const is_stranger = error instanceof NotSignedIn
  return (
    <main className="sign-in">
      <h1>OpenBenefits</h1>
      <p>{is_stranger ? 'Benefits administration for brokers, payroll companies and platforms.' : error.message}</p>
      <p>
        <a className="button main" href={href()}>
          {is_stranger ? 'Sign in' : 'Sign in as somebody else'}
        </a>
      </p>
    </main>
  )
}

/** Above the page, when the session has ended while one worked. */
export const SessionEnded = () => (
  <div className="session-ended" role="alert">
    Your session has ended. What you see stays, and nothing more is saved. <a href={href()}>Sign in again</a>
  </div>
)
