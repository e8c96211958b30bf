import type { Day } from 'openbenefits'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { isMonth, toSentence } from '../../format.ts'
import { afterPaint } from '../page/interaction.ts'

/** Searches shortly after the user stops typing. The search text is in the URL. */
export function SearchField({
  label,
  least = 1,
  value = '',
  search,
}: {
  label: string
  /** the minimum length of a search; shorter texts send no request */
  least?: number
  value: string | undefined
  search: (text: string | undefined) => void
}) {
  const [text, setText] = useState(value)
  const [searched, setSearched] = useState(value)
  if (searched !== value) {
    setSearched(value)
    // After back navigation, show the text of the URL. While the user types, keep the input, because the URL omits
    // trailing spaces.
    if (text.trim() !== value) setText(value)
  }
  const is_short = text.trim() !== '' && text.trim().length < least
  useEffect(() => {
    if (text.trim() === value || is_short) return undefined
    const wait = setTimeout(() => search(text.trim() || undefined), 200)
    return () => clearTimeout(wait)
  }, [text, value, search, is_short])
  return (
    <>
      <input
        type="search"
        className="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        // The search runs while typing, so Enter must not submit a surrounding form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {is_short && (
        <span className="quiet" role="status">
          Type at least {least} letters
        </span>
      )}
    </>
  )
}

/** Filters by several values. No selection keeps all rows. */
export function ToggleFilter<Value extends string>({
  label,
  variant = 'several',
  values,
  labelOf = toSentence,
  chosen = [],
  choose,
}: {
  label: string
  /** `ages`: each with its total and a bar, spread over the available width */
  variant?: 'several' | 'ages'
  values: readonly Value[]
  labelOf?: (value: Value) => ReactNode
  chosen: readonly Value[] | undefined
  choose: (values: Value[] | undefined) => void
}) {
  const id = useId()
  const chosen_key = String(chosen)
  const [pressed, setPressed] = useState({ chosen_key, values: chosen })
  // After back navigation, show the value of the URL.
  if (pressed.chosen_key !== chosen_key) setPressed({ chosen_key, values: chosen })
  const toggle = (value: Value, on: boolean) => {
    const now = values.filter((one) => (one === value ? on : pressed.values.includes(one)))
    setPressed({ chosen_key, values: now })
    afterPaint(() => choose(now.length > 0 ? now : undefined))
  }
  return (
    <fieldset className={variant}>
      <legend className="unseen">{label}</legend>
      {values.map((value) => (
        <label key={value} htmlFor={id + value}>
          <input
            id={id + value}
            type="checkbox"
            checked={pressed.values.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
          />
          <span>{labelOf(value)}</span>
        </label>
      ))}
    </fieldset>
  )
}

type DayRangeFilterProps = {
  from: Day | undefined
  to: Day | undefined
  choose: (days: { from?: Day | undefined; to?: Day | undefined }) => void
}

/** A range of days, both ends included. Either end may be open. */
export const DayRangeFilter = ({ from, to, choose }: DayRangeFilterProps) => (
  <span className="days">
    <label>
      From{' '}
      <input
        type="date"
        value={from ?? ''}
        max={to}
        onChange={({ target }) => choose({ from: (target.value as Day) || undefined })}
      />
    </label>
    <label>
      to{' '}
      <input
        type="date"
        value={to ?? ''}
        min={from}
        onChange={({ target }) => choose({ to: (target.value as Day) || undefined })}
      />
    </label>
  </span>
)

type MonthRangeFilterProps = {
  from: string | undefined
  to: string | undefined
  choose: (months: { from?: string | undefined; to?: string | undefined }) => void
}

/** A range of months, both ends included. Either end may be open. */
export const MonthRangeFilter = ({ from, to, choose }: MonthRangeFilterProps) => (
  <span className="days">
    <MonthInput label="From" month={from} choose={(from) => choose({ from })} />
    <MonthInput label="to" month={to} choose={(to) => choose({ to })} />
  </span>
)

type MonthInputProps = { label: string; month: string | undefined; choose: (month: string | undefined) => void }

/** Browsers without a month picker show a text field. */
function MonthInput({ label, month = '', choose }: MonthInputProps) {
  const [typed, setTyped] = useState({ month, text: month })
  // After back navigation, show the value of the URL.
  if (typed.month !== month) setTyped({ month, text: month })
  const take = (text: string) => {
    setTyped({ month, text })
    if (isMonth(text) || text === '') choose(text || undefined)
  }
  return (
    <label>
      {label}{' '}
      <input
        type="month"
        placeholder="YYYY-MM"
        size={8}
        value={typed.text}
        onChange={({ target }) => take(target.value)}
      />
    </label>
  )
}
