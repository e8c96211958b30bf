import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { Day, OrganizationClock } from 'openbenefits/operator'
import { useDeed } from '../parts/deed.ts'
import { operator } from '../api.ts'
import { Empty, Loaded, Page, Section, Trouble } from '../parts/page.tsx'
import { UpTo } from '../parts/up-to.tsx'
import { count, dayOf, easternDayOf, happenedOf, inWords } from '../parts/words.ts'
import { broughtAfter, clockOf, organizations } from '../operator-queries.ts'
import { may } from '../session.ts'

const route = getRouteApi('/clocks')

const day_ms = 86_400_000
const most_days = 365

/** How far it is to the same day of the next month, or its last where there is none. */
function monthAfter(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return (Date.UTC(year, month, Math.min(date, last)) - Date.parse(day)) / day_ms
}

/** The test clocks of sandbox organizations: time moves ahead, and each day on the way is run. */
export function Clocks() {
  const { organization, since } = route.useSearch()
  const navigate = route.useNavigate()
  const all = useQuery(organizations())
  return (
    <Page title="Test clocks">
      <Loaded query={all}>
        {({ data }) => {
          const sandboxes = data.filter(({ sandbox }) => sandbox)
          const chosen = organization ?? sandboxes[0]?.id
          if (!chosen) return <Empty title="No sandbox here.">Only organizations of a sandbox have a test clock.</Empty>
          return (
            <>
              <div className="filters">
                <label>
                  Organization{' '}
                  <select
                    value={chosen}
                    onChange={({ target }) =>
                      void navigate({
                        search: (before) => ({ ...before, organization: target.value, since: undefined }),
                      })
                    }
                  >
                    {sandboxes.map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <Clock key={chosen} organization_id={chosen} />
              {since && <Brought organization_id={chosen} since={since} />}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function Clock({ organization_id }: { organization_id: string }) {
  const clock = useQuery(clockOf(organization_id))
  return (
    <Loaded query={clock}>
      {(found) => <Slider key={found.today} organization_id={organization_id} clock={found} />}
    </Loaded>
  )
}

function Slider({ organization_id, clock }: { organization_id: string; clock: OrganizationClock }) {
  const client = useQueryClient()
  const { session } = useRouteContext({ from: '__root__' })
  const navigate = route.useNavigate()
  const [days, setDays] = useState(0)
  const dayAfter = (days: number) => new Date(Date.parse(clock.today) + days * day_ms).toISOString().slice(0, 10) as Day
  const move = useDeed({
    mutationFn: () => operator.sandbox.moveClock(organization_id, { today: dayAfter(days) }),
    onSuccess: async () => {
      await navigate({
        search: (before) => ({ ...before, organization: organization_id, since: before.since ?? clock.today }),
        replace: true,
        resetScroll: false,
      })
      await client.invalidateQueries({ queryKey: ['organizations', organization_id] })
    },
  })
  return (
    <Section title={dayOf(clock.today)}>
      <p className="quiet">
        {clock.clock_offset_days > 0
          ? `${count(clock.clock_offset_days, 'day')} ahead of the calendar. A clock never goes back.`
          : 'As on the calendar. A clock never goes back.'}
      </p>
      <div className="field note">
        <label htmlFor="days">Move ahead to {dayOf(dayAfter(days))}</label>
        <input
          id="days"
          type="range"
          min={0}
          max={most_days}
          value={days}
          aria-valuetext={`${dayOf(dayAfter(days))}, ${count(days, 'day')} ahead`}
          onChange={({ target }) => setDays(Number(target.value))}
        />
        <span className="quiet number">{count(days, 'day')} ahead</span>
        {may(session, 'administer') && <Usual today={clock.today} choose={setDays} />}
      </div>
      {move.error && <Trouble error={move.error} />}
      <div className="form-end">
        <UpTo area="administer">
          <button
            type="button"
            className="button main"
            disabled={days === 0 || move.isPending}
            onClick={() => move.mutate()}
          >
            {days === 0 ? 'Move the clock' : `Move the clock by ${count(days, 'day')}`}
          </button>
        </UpTo>
        <span className="quiet" role="status">
          {move.isPending ? 'Each day on the way is run…' : ''}
        </span>
      </div>
    </Section>
  )
}

/** How far one mostly goes: a step of the slider is a few pixels, and none on a phone. */
const Usual = ({ today, choose }: { today: Day; choose: (days: number) => void }) => (
  <span className="share-inputs">
    {Object.entries({ 'A week': 7, 'A month': monthAfter(today), 'A year': most_days }).map(([name, days]) => (
      <button key={name} type="button" className="button" onClick={() => choose(days)}>
        {name}
      </button>
    ))}
  </span>
)

/** What each day brought since the clock was moved. */
function Brought({ organization_id, since }: { organization_id: string; since: Day }) {
  const found = useQuery(broughtAfter(organization_id, since))
  return (
    <Section title={`What the days after ${dayOf(since)} brought`}>
      <Loaded query={found}>
        {(events) => {
          const days = [...Map.groupBy(events, ({ created_at }) => easternDayOf(created_at))]
          if (days.length === 0)
            return (
              <Empty title="Nothing so far.">
                Windows that open, coverage that starts and ends, statements and invoices come with their days.
              </Empty>
            )
          return (
            <ul className="lines brought" aria-label="Days">
              {days.map(([day, those]) => (
                <li key={day}>
                  <span className="number">{dayOf(day)}</span>
                  <ul className="happened">
                    {[...Map.groupBy(those, ({ event_name }) => event_name)].map(([name, some]) => (
                      <li key={name}>
                        <strong className="number">{inWords(some.length)}</strong> {happenedOf(name)}
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </Section>
  )
}
