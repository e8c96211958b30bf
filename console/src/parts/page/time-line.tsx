import { Link } from '@tanstack/react-router'
import { dayOf } from '../../format.ts'
import type { Lane, Span } from './spans.ts'

const day_ms = 86_400_000
const month_name = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
const at = (day: string) => Date.parse(day)

/** The range of days on the line, and the position of a day in percent. */
export type Stretch = { from: string; to: string }

const positionOn =
  ({ from, to }: Stretch) =>
  (ms: number) =>
    Math.min(100, Math.max(0, ((ms - at(from)) / (at(to) - at(from))) * 100))

const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** From 18 months before a day to six months after it. With full history, starting with the first fact. */
export function stretchAround(today: string, lanes: Lane[], whole: boolean): Stretch {
  const ends = lanes
    .flatMap(({ spans }) => spans.flatMap(({ start, end }) => [start, end]))
    .filter((day) => day !== null)
  const first = whole ? Math.min(at(today), ...ends.map(at)) - 30 * day_ms : at(today) - 550 * day_ms
  const last = Math.max(at(today) + 120 * day_ms, ...(whole ? ends.map((day) => at(day) + 30 * day_ms) : []))
  return { from: textOf(first), to: textOf(last) }
}

/** Tick marks at months, quarters or years, so that only a few are drawn. */
function ticksOf({ from, to }: Stretch): { ms: number; label: string }[] {
  const months = (at(to) - at(from)) / day_ms / 30
  const step = months > 80 ? 24 : months > 36 ? 12 : months > 14 ? 6 : 3
  const begin = new Date(at(from))
  const ticks = []
  for (let month = Math.ceil(begin.getUTCMonth() / step) * step; ; month += step) {
    const ms = Date.UTC(begin.getUTCFullYear(), month, 1)
    if (ms > at(to)) return ticks
    const date = new Date(ms)
    const name = month_name.format(date)
    // The last tick needs room for its label.
    if (ms >= at(from) && ms < at(to) - (at(to) - at(from)) * 0.06)
      ticks.push({ ms, label: step >= 12 ? `${date.getUTCFullYear()}` : `${name} ${date.getUTCFullYear()}` })
  }
}

const wordsOf = ({ label, start, end }: Span) =>
  start !== null && start === end
    ? `${label}, on ${dayOf(start)}`
    : [`${label},`, start !== null && `from ${dayOf(start)}`, end !== null && `to ${dayOf(end)}`]
        .filter(Boolean)
        .join(' ')

/** Spans outside the range are not drawn. The tables below list them. */
const isOn = ({ start, end }: Span, { from, to }: Stretch): boolean =>
  (end === null || end >= from) && (start === null || start < to)

/** Distributes spans over tracks so that none overlap. Consecutive spans share a track. */
function tracksOf(spans: Span[]): Span[][] {
  const tracks: Span[][] = []
  for (const span of spans.toSorted((a, b) => (a.start ?? '').localeCompare(b.start ?? ''))) {
    const track = tracks.find((those) => (those.at(-1)!.end ?? '9999') < (span.start ?? ''))
    if (track) track.push(span)
    else tracks.push([span])
  }
  return tracks.length > 0 ? tracks : [[]]
}

type TimeLineProps = {
  label: string
  lanes: Lane[]
  stretch: Stretch
  today: string
  /** the selected day, if it is not today */
  as_of?: string | undefined
  chosen?: string | undefined
}

/** The only timeline component: lanes of spans, with today marked. Each span links to the explanation of its dates. */
export function TimeLine({ label, lanes, stretch, today, as_of, chosen }: TimeLineProps) {
  const position = positionOn(stretch)
  return (
    <div className="time-line" role="group" aria-label={label}>
      <div className="lane ticks" aria-hidden="true">
        <span />
        <div className="track">
          {ticksOf(stretch).map(({ ms, label }) => (
            <span key={ms} className="tick" style={{ left: `${position(ms)}%` }}>
              {label}
            </span>
          ))}
        </div>
      </div>
      {lanes.map(({ name, spans }) => (
        <div className="lane" key={name} role="group" aria-label={name}>
          <span className="lane-name">{name}</span>
          <div className="tracks">
            {tracksOf(spans.filter((span) => isOn(span, stretch))).map((track, at) => (
              <div className="track" key={track[0]?.id ?? at}>
                {track.map((span) => (
                  <Bar key={span.id} span={span} position={position} stretch={stretch} chosen={span.id === chosen} />
                ))}
                <Mark day={today} position={position} kind="today" />
                {as_of && as_of !== today && <Mark day={as_of} position={position} kind="as-of" />}
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const Mark = ({ day, position, kind }: { day: string; position: (ms: number) => number; kind: string }) => (
  <span className={kind} aria-hidden="true" style={{ left: `${position(at(day))}%` }} />
)

type BarProps = { span: Span; position: (ms: number) => number; stretch: Stretch; chosen: boolean }

function Bar({ span, position, stretch, chosen }: BarProps) {
  const left = span.start === null ? 0 : position(at(span.start))
  const right = span.end === null ? 100 : position(at(span.end) + day_ms)
  const ends = [
    (span.start === null || at(span.start) < at(stretch.from)) && 'open-start',
    (span.end === null || at(span.end) > at(stretch.to)) && 'open-end',
  ].filter(Boolean)
  const common = {
    className: `bar ${span.tone} ${ends.join(' ')}`,
    style: { left: `${left}%`, width: `${Math.max(right - left, 0.6)}%` },
    title: wordsOf(span),
    children: (
      <>
        <span className="bar-label" aria-hidden="true">
          {span.label}
        </span>
        <span className="unseen">
          {wordsOf(span)}
          {span.link && '. Why these dates?'}
        </span>
      </>
    ),
  }
  return span.link ? (
    <Link {...span.link} {...common} aria-current={chosen ? 'true' : undefined} />
  ) : (
    <span {...common} />
  )
}
