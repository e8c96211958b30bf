import { useEffect, useState } from 'react'
import { Trouble } from '../page/page.tsx'
import { runDelayed, undo, useDelayed } from './delayed.ts'

const undo_ms = 10_000

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** States the pending actions, with buttons to undo or run them. The delay stops while the pointer or focus is here. */
export function DelayedToast() {
  const delayed = useDelayed()
  const [is_held, setHeld] = useState(false)
  const is_waiting = delayed !== undefined && !delayed.is_running && !delayed.error
  const ids = delayed?.ids
  useEffect(() => {
    if (!is_waiting || is_held || !ids) return undefined
    const wait = setTimeout(() => void runDelayed(), undo_ms)
    return () => clearTimeout(wait)
  }, [ids, is_waiting, is_held])
  useEffect(() => {
    // A page that closes sends nothing.
    if (delayed && !delayed.error) addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [delayed])
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
      {error ? <Trouble error={error} /> : <p>{words(delayed.ids.length)}</p>}
      <div className="form-end">
        {is_waiting && (
          <button type="button" className="button main" onClick={() => undo()}>
            Undo
          </button>
        )}
        {!delayed.is_running && (
          <button type="button" className="button" onClick={() => (error ? undo() : void runDelayed())}>
            {error ? 'Close' : now}
          </button>
        )}
      </div>
    </div>
  )
}
