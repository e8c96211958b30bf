import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { formatCount } from '../../format.ts'
import type { InputProps } from '../form/form.tsx'
import type { Colleague } from './mentions.ts'

const max_shown = 6

/** The `@` before the cursor with the letters after it, if they begin a mention. */
const unfinishedMention = (before: string) => /(?:^|\s)@([^@\n]{0,40})$/.exec(before)?.[1]

/** A text in which `@` opens a list of members. The arrow keys choose one, Enter or Tab inserts the name. */
export function MentionText({ members, ...field }: InputProps & { members: readonly Colleague[] }) {
  const list_id = useId()
  const text = useRef<HTMLTextAreaElement>(null)
  const [cursor, setCursor] = useState<number>()
  const [at, setAt] = useState(0)
  const begun = cursor === undefined ? undefined : unfinishedMention(field.value.slice(0, cursor))
  const found =
    begun === undefined
      ? []
      : members.filter(({ name }) => name.toLowerCase().includes(begun.toLowerCase())).slice(0, max_shown)
  const chosen = found[Math.min(at, found.length - 1)]
  const insert = ({ name }: Colleague) => {
    const begin = cursor! - begun!.length
    const after = field.value.slice(cursor)
    const end = begin + name.length + 1
    field.onChange({ target: { value: `${field.value.slice(0, begin)}${name} ${after.replace(/^ /, '')}` } })
    setCursor(undefined)
    // After React has rendered the new text.
    requestAnimationFrame(() => text.current?.setSelectionRange(end, end))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Shift+Tab moves the focus back, and Enter may end the composition of a letter.
    if (!chosen || event.shiftKey || event.nativeEvent.isComposing) return
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) setAt((found.indexOf(chosen) + step + found.length) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') insert(chosen)
    else if (event.key === 'Escape') setCursor(undefined)
    else return
    event.preventDefault()
  }
  const follow = () => {
    setCursor(text.current?.selectionStart)
    setAt(0)
  }
  return (
    <div className="mention-text">
      <textarea
        rows={3}
        {...field}
        ref={text}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={chosen && list_id}
        aria-activedescendant={chosen && list_id + chosen.user_id}
        onChange={(event) => {
          field.onChange(event)
          follow()
        }}
        onKeyDown={onKeyDown}
        onClick={follow}
        onBlur={() => setCursor(undefined)}
      />
      <span role="status" className="unseen">
        {chosen && `${formatCount(found.length, 'member')} found. Choose with the arrow keys and Enter.`}
      </span>
      {chosen && (
        <div id={list_id} role="listbox" aria-label="Members">
          {found.map((member) => (
            <div
              key={member.user_id}
              id={list_id + member.user_id}
              role="option"
              aria-selected={member === chosen}
              // Before the text loses the focus.
              onPointerDown={(event) => {
                event.preventDefault()
                insert(member)
              }}
            >
              {member.name}
            </div>
          ))}
        </div>
      )}
    </div>
  )
}
