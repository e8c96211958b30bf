import { type ReactNode, useState } from 'react'
import { Confirm } from './confirm.tsx'

type BulkActionProps = {
  /** `Approve`, to which the number of selected resources is added */
  action: string
  /** the resources, all selected at first */
  of: { id: string; label: string }[]
  act: (ids: string[]) => void
  back: () => void
  /** the consequences */
  children: ReactNode
}

/** Runs an action on the selected resources. */
export function BulkAction({ action, of, act, back, children }: BulkActionProps) {
  const [omitted, setOmitted] = useState<string[]>([])
  const chosen = of.map(({ id }) => id).filter((id) => !omitted.includes(id))
  const toggle = (id: string, is_chosen: boolean) =>
    setOmitted((before) => (is_chosen ? before.filter((one) => one !== id) : [...before, id]))
  return (
    <Confirm
      action={`${action} ${chosen.length}`}
      variant="main"
      is_ready={chosen.length > 0}
      act={async () => act(chosen)}
      back={back}
      details={
        <ul className="lines">
          {of.map(({ id, label }) => (
            <li key={id}>
              <label>
                <input
                  type="checkbox"
                  checked={!omitted.includes(id)}
                  onChange={({ target }) => toggle(id, target.checked)}
                />{' '}
                {label}
              </label>
            </li>
          ))}
        </ul>
      }
    >
      {children}
    </Confirm>
  )
}
