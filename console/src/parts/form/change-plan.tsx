import { type ReactNode, useState } from 'react'
import { formatNumber, type Tone } from '../../format.ts'
import { takeFocus } from '../page/interaction.ts'
import { ErrorMessage } from '../page/page.tsx'
import { Confirm } from './confirm.tsx'

export type PlannedChange = { name: string; count: number; tone: Tone; details?: ReactNode }

type ChangePlanProps = {
  title: string
  parts: PlannedChange[]
  /** `Apply to 12 people`. Empty if the plan changes nothing, and then there is no button. */
  button: string
  /** The reason why the plan cannot be applied. */
  unless?: string | undefined
  /** The people who lose something, and what they lose. Requires confirmation. */
  ends?: { people: number; consequence: string } | undefined
  apply: () => Promise<unknown>
  back: () => void
}

/** The only plan component. It shows the effects of a change before the user confirms it. */
export function ChangePlan({ title, parts, button, unless, ends, apply, back }: ChangePlanProps) {
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
            <strong className="number">{formatNumber(count)}</strong> {name}
          </li>
        ))}
      </ul>
      {parts.map(({ name, count, details }) => count > 0 && details && <div key={name}>{details}</div>)}
      {error && <ErrorMessage error={error} />}
      <div className="form-end">
        {ends && unless === undefined ? (
          <Confirm action={button} people={ends.people} is_main act={apply}>
            {ends.consequence}
          </Confirm>
        ) : button === '' ? null : (
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
          {busy ? 'Applying…' : (unless ?? 'Nothing has changed yet.')}
        </span>
      </div>
    </section>
  )
}
