import { useState, type ReactNode } from 'react'
import { useDeed } from './deed.ts'
import { Trouble } from './page.tsx'
import { takeFocus } from './take-focus.ts'

type ConfirmProps = {
  /** what the button says: `Revoke the key` */
  deed: string
  /** what comes of it, and for whom, before it is done */
  children: ReactNode
  act: () => Promise<unknown>
  /** where it was asked for elsewhere: back to there */
  back?: () => void
}

/** A deed that is not taken back with a click: first it says what comes of it. */
export function Confirm({ deed, children, act, back }: ConfirmProps) {
  const [asked, setAsked] = useState(back !== undefined)
  const done = useDeed({ mutationFn: act, onSuccess: () => setAsked(false) })
  if (!asked)
    return (
      <button type="button" className="button" onClick={() => setAsked(true)}>
        {deed}
      </button>
    )
  return (
    <div className="confirm" role="group" aria-label={deed}>
      <p>{children}</p>
      {done.error && <Trouble error={done.error} />}
      <div className="form-end">
        <button type="button" className="button danger" disabled={done.isPending} onClick={() => done.mutate()}>
          {deed}
        </button>
        {/* The focus follows what was pressed to where one can still turn back. */}
        <button type="button" className="button" ref={takeFocus} onClick={back ?? (() => setAsked(false))}>
          Not now
        </button>
      </div>
    </div>
  )
}
