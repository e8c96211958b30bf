import { type PointerEvent, useRef } from 'react'
import { count, dayAfter, dayOf, daysBetween } from '../../format.ts'

export type Days = {
  /** the first and the last day that can be chosen */
  first: string
  last: string
  /** a labeled span of these days, drawn on the line */
  known?: { from: string; to: string; label: string } | undefined
}

type DaysProps = Days & {
  id: string
  label: string
  described: string | undefined
  /** the days chosen, as `2026-03-01/2026-03-05` */
  value: string
  change: (value: string) => void
}

/**
 * Selects a span of days by dragging along the line, dragging the span or one of its ends, or with the arrow keys.
 */
export function DaysInput({ id, label, described, first, last, known, value, change }: DaysProps) {
  const track = useRef<HTMLDivElement>(null)
  const most = daysBetween(first, last)
  const [from = 0, to = most] = value.split('/').map((day) => daysBetween(first, day))
  const drag = useRef<{ at: number; from: number; to: number; moves: boolean }>(undefined)
  const choose = (one: number, other: number) => {
    const [start, end] = [Math.max(0, Math.min(one, other)), Math.min(most, Math.max(one, other))]
    change(`${dayAfter(first, start)}/${dayAfter(first, end)}`)
  }
  const at = ({ clientX }: PointerEvent) => {
    const { left, width } = track.current!.getBoundingClientRect()
    return Math.round(((clientX - left - handle / 2) / (width - handle)) * most)
  }
  const begin = (event: PointerEvent<HTMLDivElement>) => {
    // The ends handle their own drags.
    if (event.button !== 0 || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    const began = at(event)
    const moves = began > from && began < to && to - from < most
    drag.current = { at: began, from, to, moves }
    event.currentTarget.setPointerCapture(event.pointerId)
    if (!moves) choose(began, began)
  }
  const go = (event: PointerEvent) => {
    if (!drag.current) return
    const { at: began, from, to, moves } = drag.current
    const by = Math.max(-from, Math.min(most - to, at(event) - began))
    if (moves) choose(from + by, to + by)
    else choose(began, at(event))
  }
  const end = () => (drag.current = undefined)
  const range = `${dayOf(dayAfter(first, from))} – ${dayOf(dayAfter(first, to))}`
  const handleOf = (which: string, value: number, move: (value: number) => void) => (
    <input
      id={which === 'From' ? id : undefined}
      type="range"
      min={0}
      max={most}
      value={value}
      aria-label={`${label}: ${which.toLowerCase()}`}
      aria-valuetext={dayOf(dayAfter(first, value))}
      aria-describedby={described}
      onChange={({ target }) => move(Number(target.value))}
    />
  )
  return (
    <div className="days-input" role="group" aria-label={label}>
      <div
        className="days-track"
        ref={track}
        onPointerDown={begin}
        onPointerMove={go}
        onPointerUp={end}
        onPointerCancel={end}
      >
        {known && (
          <span
            className="days-known"
            title={known.label}
            style={placed(daysBetween(first, known.from), daysBetween(first, known.to), most)}
          />
        )}
        <span className="days-chosen" style={placed(from, to, most)} />
        {handleOf('From', from, (value) => choose(Math.min(value, to), to))}
        {handleOf('To', to, (value) => choose(from, Math.max(value, from)))}
      </div>
      <div className="days-ends quiet" aria-hidden="true">
        <span>{dayOf(first)}</span>
        <span>{dayOf(last)}</span>
      </div>
      <output>
        {range} <span className="quiet">{count(to - from + 1, 'day')}</span>
      </output>
    </div>
  )
}

/** The width of a handle. Its center marks the day. */
const handle = 16

/** The position of days on the line, between the centers of the outermost handles. */
const placed = (from: number, to: number, most: number) => {
  const shareOf = (days: number) => Math.min(1, Math.max(0, days / most))
  return {
    left: `calc(${handle / 2}px + (100% - ${handle}px) * ${shareOf(from)})`,
    width: `calc((100% - ${handle}px) * ${shareOf(to) - shareOf(from)})`,
  }
}
