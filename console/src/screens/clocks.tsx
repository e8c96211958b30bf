import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useRouteContext } from '@tanstack/react-router'
import { useState } from 'react'
import type { Day, OrganizationClock, WebhookEventsByDay } from 'openbenefits/operator'
import { useAction } from '../parts/use-action.ts'
import { operator } from '../api.ts'
import { Empty, Loaded, Page, Section, Trouble } from '../parts/page.tsx'
import { UpTo } from '../parts/up-to.tsx'
import { count, dayAfter, dayOf, happenedOf, inWords } from '../parts/words.ts'
import { broughtAfter, clockOf, organizationsCalled } from '../operator-queries.ts'
import { may } from '../session.ts'
import { OrganizationSelect } from './operator/organization-select.tsx'

const route = getRouteApi('/clocks')

const most_days = 365

/** How far it is to the same day of the next month, or its last where there is none. */
function monthAfter(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return (Date.UTC(year, month, Math.min(date, last)) - Date.parse(day)) / 86_400_000
}

/** The test clocks of sandbox organizations: time moves ahead, and each day on the way is run. */
export function Clocks() {
  const { organization, since } = route.useSearch()
  const navigate = route.useNavigate()
  const newest = useQuery(organizationsCalled())
  return (
    <Page title="Test clocks">
      <Loaded query={newest}>
        {({ data, pagination: { total } }) => {
          const chosen = organization ?? data.find(({ sandbox }) => sandbox)?.id
          if (!chosen && total <= data.length)
            return <Empty title="No sandbox here.">Only organizations of a sandbox have a test clock.</Empty>
          return (
            <>
              <div className="filters">
                <label htmlFor="organization">Organization</label>
                <OrganizationSelect
                  id="organization"
                  value={chosen ?? ''}
                  onChange={({ target }) =>
                    void navigate({
                      search: (before) => ({ ...before, organization: target.value, since: undefined }),
                    })
                  }
                  fits={({ sandbox }) => sandbox}
                />
              </div>
              {chosen && <Clock key={chosen} organization_id={chosen} since={since} />}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** How soon it is asked again what is done, while work of the days waits. */
const live_ms = 1000

function Clock({ organization_id, since }: { organization_id: string; since: Day | undefined }) {
  const clock = useQuery({
    ...clockOf(organization_id),
    refetchInterval: ({ state: { data } }) => (data?.has_work ? live_ms : false),
  })
  return (
    <Loaded query={clock}>
      {(found) => (
        <>
          <Slider key={found.today} organization_id={organization_id} clock={found} />
          {since && <Brought organization_id={organization_id} since={since} clock={found} />}
        </>
      )}
    </Loaded>
  )
}

function Slider({ organization_id, clock }: { organization_id: string; clock: OrganizationClock }) {
  const client = useQueryClient()
  const { session } = useRouteContext({ from: '__root__' })
  const navigate = route.useNavigate()
  const [days, setDays] = useState(0)
  const ahead = dayAfter(clock.today, days)
  const move = useAction({
    mutationFn: () => operator.sandbox.moveClock(organization_id, { today: ahead }),
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
        <label htmlFor="days">Move ahead to {dayOf(ahead)}</label>
        <input
          id="days"
          type="range"
          min={0}
          max={most_days}
          value={days}
          aria-valuetext={`${dayOf(ahead)}, ${count(days, 'day')} ahead`}
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
            disabled={days === 0 || move.isPending || clock.has_work}
            onClick={() => move.mutate()}
          >
            {days === 0 ? 'Move the clock' : `Move the clock by ${count(days, 'day')}`}
          </button>
        </UpTo>
        <span className="quiet" role="status">
          {move.isPending
            ? 'Each day on the way is run…'
            : clock.has_work && 'Work of these days is under way: the clock can be moved when it is done.'}
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

type BroughtProps = { organization_id: string; since: Day; clock: OrganizationClock }

/** What each day brought since the clock was moved: jobs that follow from a day are done a moment after it. */
function Brought({ organization_id, since, clock: { today, has_work } }: BroughtProps) {
  const asked = broughtAfter(organization_id, since)
  const found = useQuery({
    ...asked,
    // Told anew as long as anything comes, and once more when all has come.
    queryKey: [...asked.queryKey, today, has_work],
    placeholderData: (before) => before,
    refetchInterval: has_work ? live_ms : false,
  })
  return (
    <Section
      title={`What the days after ${dayOf(since)} brought`}
      actions={
        <span className="quiet" role="status">
          {has_work ? 'More is on its way…' : found.data && summed(found.data)}
        </span>
      }
    >
      <Loaded query={found}>{(brought) => <Days of={brought} />}</Loaded>
    </Section>
  )
}

const summed = ({ days }: WebhookEventsByDay): string =>
  count(
    days.flatMap(({ happened }) => happened).reduce((sum, { event_count }) => sum + event_count, 0),
    'event',
  )

function Days({ of: { days, is_whole } }: { of: WebhookEventsByDay }) {
  if (days.length === 0)
    return (
      <Empty title="Nothing so far.">
        Windows that open, coverage that starts and ends, statements and invoices come with their days.
      </Empty>
    )
  return (
    <>
      <ul className="lines brought" aria-label="Days">
        {days.map(({ day, happened }) => (
          <li key={day}>
            <span className="number">{dayOf(day)}</span>
            <ul className="happened">
              {happened.map(({ event_name, event_count }) => (
                <li key={event_name}>
                  <strong className="number">{inWords(event_count)}</strong> {happenedOf(event_name)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {!is_whole && <p className="quiet">These are the first 20,000 events: there were more.</p>}
    </>
  )
}
