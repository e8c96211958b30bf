import { useRouter } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useAction } from './use-action.ts'
import { Trouble } from './page.tsx'
import { takeFocus } from './take-focus.ts'
import { inWords } from './words.ts'

type ConfirmProps = {
  /** what the button says: `Revoke the key` */
  action: string
  /** what comes of it, and for whom, before it is done */
  children: ReactNode
  /** lists and other blocks below that sentence */
  details?: ReactNode
  /** how many people lose something by it: when they are many, their number is typed first */
  people?: number
  /** it is the main button of its page, and shows what it is before it is pressed */
  is_main?: boolean
  act: () => Promise<unknown>
  /** whether all required input has been entered */
  is_ready?: boolean
  /** of what takes nothing away: `main` */
  look?: 'danger' | 'main'
  /** where it was asked for elsewhere: back to there, when it is done or not to be done */
  back?: () => void
}

/** More people than these are confirmed by typing how many they are: the brake of a census holds from there on too. */
const most_by_click = 5

/**
 * An action that is not taken back with a click: first it says what comes of it. Whoever goes elsewhere while it is done, or
 * asks for another, is left there.
 */
export function Confirm({
  action,
  children,
  details,
  people = 0,
  is_main,
  act,
  is_ready = true,
  look = 'danger',
  back,
}: ConfirmProps) {
  const [asked, setAsked] = useState(back !== undefined)
  const [was_asked, setWasAsked] = useState(false)
  const [text, setText] = useState('')
  const is_typed = people > most_by_click
  const [opener] = useState(() => document.activeElement?.closest<HTMLElement>('a, button'))
  const stay = () => {
    setText('')
    if (!back) return (setWasAsked(true), setAsked(false))
    back()
    opener?.focus()
  }
  const router = useRouter()
  const done = useAction({
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
      <button
        type="button"
        className={is_main ? `button ${look}` : 'button'}
        ref={was_asked ? takeFocus : null}
        onClick={() => setAsked(true)}
      >
        {action}
      </button>
    )
  return (
    <div className={`confirm ${look}`} role="group" aria-label={action}>
      <p>{children}</p>
      {details}
      {is_typed && (
        <label className="typed">
          Type {inWords(people)} to confirm{' '}
          <input
            inputMode="numeric"
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={hear}
          />
        </label>
      )}
      {done.error && <Trouble error={done.error} />}
      <div className="form-end">
        <button
          type="button"
          className={`button ${look}`}
          disabled={done.isPending || !is_ready || (is_typed && text.replaceAll(/[\s,]/g, '') !== String(people))}
          onKeyDown={hear}
          onClick={() => done.mutate()}
        >
          {action}
        </button>
        {/* The focus follows what was pressed to where one can still turn back. */}
        <button type="button" className="button" ref={takeFocus} onKeyDown={hear} onClick={stay}>
          Cancel
        </button>
      </div>
    </div>
  )
}
