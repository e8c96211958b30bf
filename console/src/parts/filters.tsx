import type { Day } from 'openbenefits'
import { useEffect, useId, useState, type ReactNode } from 'react'
import { afterPaint } from './after-paint.ts'
import { isMonth } from './words.ts'

/** Searches as one types, after a moment; what is searched for is in the URL. */
export function Search({
  label,
  least = 1,
  value = '',
  search,
}: {
  label: string
  /** fewer letters find nothing: nobody is asked */
  least?: number
  value: string | undefined
  search: (text: string | undefined) => void
}) {
  const [text, setText] = useState(value)
  const [searched, setSearched] = useState(value)
  if (searched !== value) {
    setSearched(value)
    // Somebody went back; else it is what is typed, perhaps without the space before the next word.
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
        // It finds as one types: a form around it is not sent.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {is_short && (
        <span className="quiet" role="status">
          At least {least} letters
        </span>
      )}
    </>
  )
}

/** Several of a few values. None chosen keeps all. */
export function Several({
  label,
  look = 'several',
  options,
  chosen = [],
  choose,
}: {
  label: string
  /** `ages`: each with a sum and a bar, as far apart as there is room */
  look?: 'several' | 'ages'
  options: { value: string; label: ReactNode }[]
  chosen: readonly string[] | undefined
  choose: (values: string[] | undefined) => void
}) {
  const id = useId()
  const said = String(chosen)
  const [pressed, setPressed] = useState({ said, values: chosen })
  // Somebody went back; else it is what is pressed.
  if (pressed.said !== said) setPressed({ said, values: chosen })
  const toggle = (value: string, on: boolean) => {
    const values = options
      .map((option) => option.value)
      .filter((one) => (one === value ? on : pressed.values.includes(one)))
    setPressed({ said, values })
    afterPaint(() => choose(values.length > 0 ? values : undefined))
  }
  return (
    <fieldset className={look}>
      <legend className="unseen">{label}</legend>
      {options.map(({ value, label }) => (
        <label key={value} htmlFor={id + value}>
          <input
            id={id + value}
            type="checkbox"
            checked={pressed.values.includes(value)}
            onChange={(event) => toggle(value, event.target.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

type DaysProps = {
  from: Day | undefined
  to: Day | undefined
  choose: (days: { from?: Day | undefined; to?: Day | undefined }) => void
}

/** From one day to another, both included; either may be left open. */
export const Days = ({ from, to, choose }: DaysProps) => (
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

type MonthsProps = {
  from: string | undefined
  to: string | undefined
  choose: (months: { from?: string | undefined; to?: string | undefined }) => void
}

/** From one month to another, both included; either may be left open. */
export const Months = ({ from, to, choose }: MonthsProps) => (
  <span className="days">
    <Month label="From" month={from} choose={(from) => choose({ from })} />
    <Month label="to" month={to} choose={(to) => choose({ to })} />
  </span>
)

type MonthProps = { label: string; month: string | undefined; choose: (month: string | undefined) => void }

/** Browsers that have no choice of months take it as text. */
function Month({ label, month = '', choose }: MonthProps) {
  const [typed, setTyped] = useState({ month, text: month })
  // Somebody went back; else it is what is typed.
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
