import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Day, OrganizationClock, WebhookEventsByDay } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount, addDays, formatDay, formatNumber } from '../../format.ts'
import { eventLabel } from '../../parts/benefits/labels.ts'
import { eventCountsQuery, clockQuery, organizationSearchQuery } from '../../operator-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Loaded, Page, Section, ErrorMessage } from '../../parts/page/page.tsx'
import { isRoleAllowed } from '../../session.ts'
import { OrganizationSelect } from '../partners/organization-select.tsx'

const route = getRouteApi('/clocks')

const max_days = 365

/** Days until the same day of the next month, or until its last day. */
function monthAfter(day: string): number {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return (Date.UTC(year, month, Math.min(date, last)) - Date.parse(day)) / 86_400_000
}

/** The test clocks of sandbox organizations. Moving a clock ahead runs every day in between. */
export function ClocksPage() {
  const { organization, since } = route.useSearch()
  const change = useChangeSearch()
  const newest = useQuery(organizationSearchQuery())
  return (
    <Page title="Test clocks">
      <Loaded query={newest}>
        {({ data, pagination: { total } }) => {
          const chosen = organization ?? data.find(({ sandbox }) => sandbox)?.id
          if (!chosen && total <= data.length)
            return <Empty title="No sandbox organizations.">Only sandbox organizations have a test clock.</Empty>
          return (
            <>
              <div className="filters">
                <label htmlFor="organization">Organization</label>
                <OrganizationSelect
                  id="organization"
                  value={chosen ?? ''}
                  onChange={({ target }) => void change({ organization: target.value, since: undefined })}
                  fits={({ sandbox }) => sandbox}
                />
              </div>
              {chosen && <ClockPanel key={chosen} organization_id={chosen} since={since} />}
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

/** The polling interval while work of the skipped days is pending. */
const poll_ms = 1000

function ClockPanel({ organization_id, since }: { organization_id: string; since: Day | undefined }) {
  const clock = useQuery({
    ...clockQuery(organization_id),
    refetchInterval: ({ state: { data } }) => (data?.has_pending_work ? poll_ms : false),
  })
  return (
    <Loaded query={clock}>
      {(found) => (
        <>
          <ClockSlider key={found.today} organization_id={organization_id} since={since} clock={found} />
          {since && <ClockEvents organization_id={organization_id} since={since} clock={found} />}
        </>
      )}
    </Loaded>
  )
}

type SliderProps = { organization_id: string; since: Day | undefined; clock: OrganizationClock }

function ClockSlider({ organization_id, since, clock }: SliderProps) {
  const change = useChangeSearch()
  const [days, setDays] = useState(0)
  const ahead = addDays(clock.today, days)
  const move = useAction({
    mutationFn: () => operator.sandbox.moveClock(organization_id, { today: ahead }),
    onSuccess: async () => {
      await change({ organization: organization_id, since: since ?? clock.today })
      await refetch(['organizations', organization_id])
    },
  })
  return (
    <Section title={formatDay(clock.today)}>
      <p className="quiet">
        {clock.clock_offset_days > 0
          ? `${formatCount(clock.clock_offset_days, 'day')} ahead of the calendar. A clock can’t go back.`
          : 'Equal to the calendar. A clock can’t go back.'}
      </p>
      <div className="field note">
        <label htmlFor="days">Move ahead to {formatDay(ahead)}</label>
        <input
          id="days"
          type="range"
          min={0}
          max={max_days}
          value={days}
          aria-valuetext={`${formatDay(ahead)}, ${formatCount(days, 'day')} ahead`}
          onChange={({ target }) => setDays(Number(target.value))}
        />
        <span className="quiet number">{formatCount(days, 'day')} ahead</span>
        {isRoleAllowed('administer') && <DistanceButtons today={clock.today} choose={setDays} />}
      </div>
      {move.error && <ErrorMessage error={move.error} />}
      <div className="form-end">
        <RequiresRole area="administer">
          <button
            type="button"
            className="button main"
            disabled={days === 0 || move.isPending || clock.has_pending_work}
            onClick={() => move.mutate()}
          >
            {days === 0 ? 'Move clock' : `Move clock by ${formatCount(days, 'day')}`}
          </button>
        </RequiresRole>
        <span className="quiet" role="status">
          {move.isPending
            ? 'Running each day…'
            : clock.has_pending_work && 'Work of these days is in progress. You can move the clock when it is done.'}
        </span>
      </div>
    </Section>
  )
}

/** Common distances, because the slider is too coarse for single days, especially on a phone. */
const DistanceButtons = ({ today, choose }: { today: Day; choose: (days: number) => void }) => (
  <span className="share-inputs">
    {Object.entries({ 'A week': 7, 'A month': monthAfter(today), 'A year': max_days }).map(([name, days]) => (
      <button key={name} type="button" className="button" onClick={() => choose(days)}>
        {name}
      </button>
    ))}
  </span>
)

type ClockEventsProps = { organization_id: string; since: Day; clock: OrganizationClock }

/** The events of each day since the clock was moved. Jobs of a day finish shortly after it. */
function ClockEvents({ organization_id, since, clock: { today, has_pending_work } }: ClockEventsProps) {
  const counts = eventCountsQuery(organization_id, since)
  const found = useQuery({
    ...counts,
    // Polls while events arrive, and once more at the end.
    queryKey: [...counts.queryKey, today, has_pending_work],
    placeholderData: (before) => before,
    refetchInterval: has_pending_work ? poll_ms : false,
  })
  return (
    <Section
      title={`Events after ${formatDay(since)}`}
      actions={
        <span className="quiet" role="status">
          {has_pending_work ? 'Loading more events…' : found.data && summarizeEvents(found.data)}
        </span>
      }
    >
      <Loaded query={found}>{(brought) => <EventDays of={brought} />}</Loaded>
    </Section>
  )
}

const summarizeEvents = ({ days }: WebhookEventsByDay): string =>
  formatCount(
    days.flatMap(({ event_counts }) => event_counts).reduce((sum, { event_count }) => sum + event_count, 0),
    'event',
  )

function EventDays({ of: { days, is_complete } }: { of: WebhookEventsByDay }) {
  if (days.length === 0)
    return (
      <Empty title="No events yet.">
        Opening windows, starting and ending coverage, statements and invoices appear on their days.
      </Empty>
    )
  return (
    <>
      <ul className="lines brought" aria-label="Days">
        {days.map(({ day, event_counts }) => (
          <li key={day}>
            <span className="number">{formatDay(day)}</span>
            <ul className="happened">
              {event_counts.map(({ event_name, event_count }) => (
                <li key={event_name}>
                  {eventLabel(event_name)} <strong className="number">{formatNumber(event_count)}</strong>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {!is_complete && <p className="quiet">Showing the first 20,000 events.</p>}
    </>
  )
}
