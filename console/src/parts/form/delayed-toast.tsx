import { useEffect, useState } from 'react'
import { Trouble } from '../page/page.tsx'
import { closeError, runDelayed, undo, useDelayed } from './delayed.ts'

const undo_ms = 10_000

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** States the pending actions, with buttons to undo or run them. The delay stops while the pointer or focus is here. */
export function DelayedToast() {
  const delayed = useDelayed()
  const [is_held, setHeld] = useState(false)
  const ids = delayed?.ids
  const has_ids = ids !== undefined && ids.length > 0
  const is_waiting = has_ids && !delayed?.is_running
  useEffect(() => {
    if (!ids || !is_waiting || is_held) return undefined
    const wait = setTimeout(() => void runDelayed(), undo_ms)
    return () => clearTimeout(wait)
  }, [ids, is_waiting, is_held])
  useEffect(() => {
    // A page that closes sends nothing.
    if (has_ids) addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [has_ids])
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
      {error && <Trouble error={error} />}
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
