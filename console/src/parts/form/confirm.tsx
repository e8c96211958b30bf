import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { formatNumber } from '../../format.ts'
import { takeFocus } from '../page/interaction.ts'
import { ErrorMessage } from '../page/page.tsx'
import { useAction } from './use-action.ts'

type ConfirmProps = {
  /** the label of the button: `Revoke the key` */
  action: string
  /** the consequences, and the people they affect */
  children: ReactNode
  /** lists and other blocks below the consequences */
  details?: ReactNode
  /** how many people lose something. A large number must be typed to confirm */
  people?: number
  /** whether it is the main button of its page */
  is_main?: boolean
  act: () => Promise<unknown>
  /** whether all required input has been entered */
  is_ready?: boolean
  /** `main` for actions that take nothing away */
  variant?: 'danger' | 'main'
  /** returns to the page that opened the confirmation */
  back?: () => void
}

/**
 * Above this number of people, the user must type the number to confirm. A census is held for review above the same
 * number.
 */
const max_by_click = 5

/**
 * A button that requires a confirmation and shows the consequences first. If the user navigates away while the action
 * runs, they stay on the new page.
 */
export function Confirm({
  action,
  children,
  details,
  people = 0,
  is_main,
  act,
  is_ready = true,
  variant = 'danger',
  back,
}: ConfirmProps) {
  const [is_open, setOpen] = useState(back !== undefined)
  const [was_open, setWasOpen] = useState(false)
  const [text, setText] = useState('')
  const is_typed = people > max_by_click
  const [opener] = useState(() => document.activeElement?.closest<HTMLElement>('a, button'))
  const cancel = () => {
    setText('')
    if (!back) return (setWasOpen(true), setOpen(false))
    back()
    opener?.focus()
  }
  const router = useRouter()
  const done = useAction({
    mutationFn: async () => {
      const address = router.state.location.href
      await act()
      if (router.state.location.href === address) back?.()
    },
    onSuccess: () => setOpen(false),
  })
  const onKeyDown = ({ key }: { key: string }) => key === 'Escape' && !done.isPending && cancel()
  if (!is_open)
    return (
      <button
        type="button"
        className={is_main ? `button ${variant}` : 'button'}
        ref={was_open ? takeFocus : null}
        onClick={() => setOpen(true)}
      >
        {action}
      </button>
    )
  return (
    <div className={`confirm ${variant}`} role="group" aria-label={action}>
      <p>{children}</p>
      {details}
      {is_typed && (
        <label className="typed">
          Type {formatNumber(people)} to confirm{' '}
          <input
            inputMode="numeric"
            autoComplete="off"
            value={text}
            onChange={({ target }) => setText(target.value)}
            onKeyDown={onKeyDown}
          />
        </label>
      )}
      {done.error && <ErrorMessage error={done.error} />}
      <div className="form-end">
        <button
          type="button"
          className={`button ${variant}`}
          disabled={done.isPending || !is_ready || (is_typed && text.replaceAll(/[\s,]/g, '') !== String(people))}
          onKeyDown={onKeyDown}
          onClick={() => done.mutate()}
        >
          {action}
        </button>
        {/* Moves the focus to the Cancel button. */}
        <button type="button" className="button" ref={takeFocus} onKeyDown={onKeyDown} onClick={cancel}>
          Cancel
        </button>
      </div>
    </div>
  )
}
