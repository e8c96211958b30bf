import { useEffect, useState } from 'react'
import { ErrorMessage } from '../page/page.tsx'
import { closeError, runDelayed, undo, useDelayed } from './delayed.ts'

const undo_ms = 10_000

/** The user has decided, so the actions run when the page closes or another tab covers it. */
const runHidden = () => document.hidden && void runDelayed()

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** States the pending actions, with buttons to undo or run them. The delay stops while the pointer or focus is here. */
export function DelayedToast() {
  const delayed = useDelayed()
  const [is_held, setHeld] = useState(false)
  const ids = delayed?.ids
  const has_ids = ids !== undefined && ids.length > 0
  const is_running = delayed?.is_running ?? false
  const is_waiting = has_ids && !is_running
  useEffect(() => {
    if (!ids || !is_waiting || is_held) return undefined
    const wait = setTimeout(() => void runDelayed(), undo_ms)
    return () => clearTimeout(wait)
  }, [ids, is_waiting, is_held])
  useEffect(() => {
    document.addEventListener('visibilitychange', runHidden)
    return () => document.removeEventListener('visibilitychange', runHidden)
  }, [])
  useEffect(() => {
    // A page that closes does not send the requests of actions that wait for others.
    if (is_running) addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [is_running])
  if (!delayed) return null
  const { words, now, error } = delayed
  return (
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {error && <ErrorMessage error={error} />}
      {has_ids && <p>{words(delayed.ids.length)}</p>}
      <div className="form-end">
        {is_waiting && (
          <>
            <button type="button" className="button main" onClick={() => undo()}>
              Undo
            </button>
            <button type="button" className="button" onClick={() => void runDelayed()}>
              {now}
            </button>
          </>
        )}
        {error && (
          <button type="button" className="button" onClick={closeError}>
            Close
          </button>
        )}
      </div>
    </div>
  )
}
