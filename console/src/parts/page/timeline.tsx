import { Link } from '@tanstack/react-router'
import { formatDay } from '../../format.ts'
import type { Lane, Span } from './spans.ts'

const day_ms = 86_400_000
const month_name = new Intl.DateTimeFormat('en-US', { month: 'short', timeZone: 'UTC' })
const toMs = (day: string) => Date.parse(day)

/** The range of days on the line, and the position of a day in percent. */
export type DayRange = { from: string; to: string }

const makePosition =
  ({ from, to }: DayRange) =>
  (ms: number) =>
    Math.min(100, Math.max(0, ((ms - toMs(from)) / (toMs(to) - toMs(from))) * 100))

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** From 18 months before a day to six months after it. With full history, starting with the first fact. */
export function timelineRange(today: string, lanes: Lane[], whole: boolean): DayRange {
  const ends = lanes
    .flatMap(({ spans }) => spans.flatMap(({ start, end }) => [start, end]))
    .filter((day) => day !== null)
  const first = whole ? Math.min(toMs(today), ...ends.map(toMs)) - 30 * day_ms : toMs(today) - 550 * day_ms
  const last = Math.max(toMs(today) + 120 * day_ms, ...(whole ? ends.map((day) => toMs(day) + 30 * day_ms) : []))
  return { from: toDay(first), to: toDay(last) }
}

/** Tick marks at months, quarters or years, so that only a few are drawn. */
function makeTicks({ from, to }: DayRange): { ms: number; label: string }[] {
  const months = (toMs(to) - toMs(from)) / day_ms / 30
  const step = months > 80 ? 24 : months > 36 ? 12 : months > 14 ? 6 : 3
  const begin = new Date(toMs(from))
  const ticks = []
  for (let month = Math.ceil(begin.getUTCMonth() / step) * step; ; month += step) {
    const ms = Date.UTC(begin.getUTCFullYear(), month, 1)
    if (ms > toMs(to)) return ticks
    const date = new Date(ms)
    const name = month_name.format(date)
    // The last tick needs room for its label.
    if (ms >= toMs(from) && ms < toMs(to) - (toMs(to) - toMs(from)) * 0.06)
      ticks.push({ ms, label: step >= 12 ? `${date.getUTCFullYear()}` : `${name} ${date.getUTCFullYear()}` })
  }
}

const describeSpan = ({ label, start, end }: Span) =>
  start !== null && start === end
    ? `${label}, on ${formatDay(start)}`
    : [`${label},`, start !== null && `from ${formatDay(start)}`, end !== null && `to ${formatDay(end)}`]
        .filter(Boolean)
        .join(' ')

/** Spans outside the range are not drawn. The tables below list them. */
const isVisible = ({ start, end }: Span, { from, to }: DayRange): boolean =>
  (end === null || end >= from) && (start === null || start < to)

/** Distributes spans over tracks so that none overlap. Consecutive spans share a track. */
function layOutTracks(spans: Span[]): Span[][] {
  const tracks: Span[][] = []
  for (const span of spans.toSorted((a, b) => (a.start ?? '').localeCompare(b.start ?? ''))) {
    const track = tracks.find((those) => (those.at(-1)!.end ?? '9999') < (span.start ?? ''))
    if (track) track.push(span)
    else tracks.push([span])
  }
  return tracks.length > 0 ? tracks : [[]]
}

type TimelineProps = {
  label: string
  lanes: Lane[]
  stretch: DayRange
  today: string
  /** the selected day, if it is not today */
  as_of?: string | undefined
  chosen?: string | undefined
}

/** The only timeline component: lanes of spans, with today marked. Each span links to the explanation of its dates. */
export function Timeline({ label, lanes, stretch, today, as_of, chosen }: TimelineProps) {
  const position = makePosition(stretch)
  return (
    <div className="timeline" role="group" aria-label={label}>
      <div className="lane ticks" aria-hidden="true">
        <span />
        <div className="track">
          {makeTicks(stretch).map(({ ms, label }) => (
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
            {layOutTracks(spans.filter((span) => isVisible(span, stretch))).map((track, at) => (
              <div className="track" key={track[0]?.id ?? at}>
                {track.map((span) => (
                  <Bar key={span.id} span={span} position={position} stretch={stretch} chosen={span.id === chosen} />
                ))}
                <DayMarker day={today} position={position} kind="today" />
                {as_of && as_of !== today && <DayMarker day={as_of} position={position} kind="as-of" />}
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const DayMarker = ({ day, position, kind }: { day: string; position: (ms: number) => number; kind: string }) => (
  <span className={kind} aria-hidden="true" style={{ left: `${position(toMs(day))}%` }} />
)

type BarProps = { span: Span; position: (ms: number) => number; stretch: DayRange; chosen: boolean }

function Bar({ span, position, stretch, chosen }: BarProps) {
  const left = span.start === null ? 0 : position(toMs(span.start))
  const right = span.end === null ? 100 : position(toMs(span.end) + day_ms)
  const ends = [
    (span.start === null || toMs(span.start) < toMs(stretch.from)) && 'open-start',
    (span.end === null || toMs(span.end) > toMs(stretch.to)) && 'open-end',
  ].filter(Boolean)
  const common = {
    className: `bar ${span.tone} ${ends.join(' ')}`,
    style: { left: `${left}%`, width: `${Math.max(right - left, 0.6)}%` },
    title: describeSpan(span),
    children: (
      <>
        <span className="bar-label" aria-hidden="true">
          {span.label}
        </span>
        <span className="unseen">
          {describeSpan(span)}
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
