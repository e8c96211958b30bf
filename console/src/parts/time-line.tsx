import { Link, type LinkProps } from '@tanstack/react-router'
import { dayOf, type Tone } from './words.ts'

export type Span = {
  id: string
  label: string
  /** a day; null: since ever */
  start: string | null
  /** the last day; null: without an end */
  end: string | null
  tone: Tone
  link?: LinkProps
}

export type Lane = { name: string; spans: Span[] }

const day_ms = 86_400_000
const at = (day: string) => Date.parse(day)

/** The line from one day to another, and where on it a day is, in percent. */
export type Stretch = { from: string; to: string }

const placeOn =
  ({ from, to }: Stretch) =>
  (ms: number) =>
    Math.min(100, Math.max(0, ((ms - at(from)) / (at(to) - at(from))) * 100))

const textOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** From a year and a half before a day to half a year after it; of all that there is, from the first fact on. */
export function stretchAround(today: string, lanes: Lane[], whole: boolean): Stretch {
  const ends = lanes
    .flatMap(({ spans }) => spans.flatMap(({ start, end }) => [start, end]))
    .filter((day) => day !== null)
  const first = whole ? Math.min(at(today), ...ends.map(at)) - 30 * day_ms : at(today) - 550 * day_ms
  const last = Math.max(at(today) + 120 * day_ms, ...(whole ? ends.map((day) => at(day) + 30 * day_ms) : []))
  return { from: textOf(first), to: textOf(last) }
}

/** First days of months, quarters or years, so that there are a handful of them. */
function ticksOf({ from, to }: Stretch): { ms: number; label: string }[] {
  const months = (at(to) - at(from)) / day_ms / 30
  const step = months > 80 ? 24 : months > 36 ? 12 : months > 14 ? 6 : 3
  const begin = new Date(at(from))
  const ticks = []
  for (let month = Math.ceil(begin.getUTCMonth() / step) * step; ; month += step) {
    const ms = Date.UTC(begin.getUTCFullYear(), month, 1)
    if (ms > at(to)) return ticks
    const date = new Date(ms)
    const name = date.toLocaleDateString('en-US', { month: 'short', timeZone: 'UTC' })
    // The last one needs room for its words.
    if (ms >= at(from) && ms < at(to) - (at(to) - at(from)) * 0.06)
      ticks.push({ ms, label: step >= 12 ? `${date.getUTCFullYear()}` : `${name} ${date.getUTCFullYear()}` })
  }
}

const wordsOf = ({ label, start, end }: Span) =>
  start !== null && start === end
    ? `${label}, on ${dayOf(start)}`
    : `${label}, ${start === null ? 'since ever' : `from ${dayOf(start)}`} ${end === null ? 'on' : `to ${dayOf(end)}`}`

/** What lies wholly outside is not drawn; the tables below have it. */
const isOn = ({ start, end }: Span, { from, to }: Stretch): boolean =>
  (end === null || end >= from) && (start === null || start < to)

/** Spans in tracks, so that none is drawn over another: those that follow one another share one. */
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
  /** the day looked at, where it is another */
  as_of?: string | undefined
  chosen?: string | undefined
}

/** The one time line: lanes of spans, with today marked. A span leads to why it begins and ends when it does. */
export function TimeLine({ label, lanes, stretch, today, as_of, chosen }: TimeLineProps) {
  const place = placeOn(stretch)
  return (
    <div className="time-line" role="group" aria-label={label}>
      <div className="lane ticks" aria-hidden="true">
        <span />
        <div className="track">
          {ticksOf(stretch).map(({ ms, label }) => (
            <span key={ms} className="tick" style={{ left: `${place(ms)}%` }}>
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
                  <Bar key={span.id} span={span} place={place} stretch={stretch} chosen={span.id === chosen} />
                ))}
                <Mark day={today} place={place} kind="today" />
                {as_of && as_of !== today && <Mark day={as_of} place={place} kind="as-of" />}
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

const Mark = ({ day, place, kind }: { day: string; place: (ms: number) => number; kind: string }) => (
  <span className={kind} aria-hidden="true" style={{ left: `${place(at(day))}%` }} />
)

type BarProps = { span: Span; place: (ms: number) => number; stretch: Stretch; chosen: boolean }

function Bar({ span, place, stretch, chosen }: BarProps) {
  const left = span.start === null ? 0 : place(at(span.start))
  const right = span.end === null ? 100 : place(at(span.end) + day_ms)
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
          {span.link && '. Why these days?'}
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
