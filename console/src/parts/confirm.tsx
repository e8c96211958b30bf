import { useRouter } from '@tanstack/react-router'
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
  /** whether all that the deed needs has been entered */
  is_ready?: boolean
  /** of what takes nothing away: `main` */
  look?: 'danger' | 'main'
  /** where it was asked for elsewhere: back to there, when it is done or not to be done */
  back?: () => void
}

/**
 * A deed that is not taken back with a click: first it says what comes of it. Whoever goes elsewhere while it is done, or
 * asks for another, is left there.
 */
export function Confirm({ deed, children, act, is_ready = true, look = 'danger', back }: ConfirmProps) {
  const [asked, setAsked] = useState(back !== undefined)
  const [was_asked, setWasAsked] = useState(false)
  const [opener] = useState(() => document.activeElement?.closest<HTMLElement>('a, button'))
  const stay = () => {
    if (!back) return (setWasAsked(true), setAsked(false))
    back()
    opener?.focus()
  }
  const router = useRouter()
  const done = useDeed({
    mutationFn: async () => {
      const asked_at = router.state.location.href
      await act()
      if (router.state.location.href === asked_at) back?.()
    },
    onSuccess: () => setAsked(false),
  })
  const hear = ({ key }: { key: string }) => key === 'Escape' && !done.isPending && stay()
  if (!asked)
    return (
      <button type="button" className="button" ref={was_asked ? takeFocus : null} onClick={() => setAsked(true)}>
        {deed}
      </button>
    )
  return (
    <div className={`confirm ${look}`} role="group" aria-label={deed}>
      <p>{children}</p>
      {done.error && <Trouble error={done.error} />}
      <div className="form-end">
        <button
          type="button"
          className={`button ${look}`}
          disabled={done.isPending || !is_ready}
          onKeyDown={hear}
          onClick={() => done.mutate()}
        >
          {deed}
        </button>
        {/* The focus follows what was pressed to where one can still turn back. */}
        <button type="button" className="button" ref={takeFocus} onKeyDown={hear} onClick={stay}>
          Cancel
        </button>
      </div>
    </div>
  )
}
