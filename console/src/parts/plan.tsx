import { useState, type ReactNode } from 'react'
import { Confirm } from './confirm.tsx'
import { Trouble } from './page.tsx'
import { takeFocus } from './take-focus.ts'
import { inWords, type Tone } from './words.ts'

export type Part = { name: string; count: number; tone: Tone; details?: ReactNode }

type PlanProps = {
  title: string
  parts: Part[]
  /** `Apply to 12 people` */
  button: string
  /** Why it can't be applied as it is. */
  unless?: string | undefined
  /** Requires confirmation: how many people lose something by it, and what they lose. */
  ends?: { people: number; says: string } | undefined
  apply: () => Promise<unknown>
  back: () => void
}

/** The one plan: what would happen to whom, before it is confirmed. Nothing is changed until then. */
export function Plan({ title, parts, button, unless, ends, apply, back }: PlanProps) {
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const confirm = async () => {
    setBusy(true)
    setError(undefined)
    try {
      await apply()
    } catch (thrown) {
      setError(thrown as Error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section className="plan" aria-label={title}>
      <h2 tabIndex={-1} ref={takeFocus}>
        {title}
      </h2>
      <ul className="counts">
        {parts.map(({ name, count, tone }) => (
          <li key={name} className={count > 0 ? tone : 'none'}>
            <strong className="number">{inWords(count)}</strong> {name}
          </li>
        ))}
      </ul>
      {parts.map(({ name, count, details }) => count > 0 && details && <div key={name}>{details}</div>)}
      {error && <Trouble error={error} />}
      <div className="form-end">
        {ends && unless === undefined ? (
          <Confirm action={button} people={ends.people} is_main act={apply}>
            {ends.says}
          </Confirm>
        ) : (
          <button
            type="button"
            className={ends ? 'button danger' : 'button main'}
            disabled={busy || unless !== undefined}
            onClick={() => void confirm()}
          >
            {button}
          </button>
        )}
        <button type="button" className="button" onClick={back}>
          Back
        </button>
        <span className="quiet" role="status">
          {busy ? 'Being applied…' : (unless ?? 'Nothing has been changed so far.')}
        </span>
      </div>
    </section>
  )
}
