import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Day, OrganizationClock } from 'openbenefits/operator'
import { operator } from '../api.ts'
import { Empty, Loaded, Page, Section, Trouble } from '../parts/page.tsx'
import { count, dayOf } from '../parts/words.ts'
import { clockOf, organizations } from '../operator-queries.ts'

const route = getRouteApi('/clocks')

const day_ms = 86_400_000
const most_days = 365

/** The test clocks of sandbox organizations: time moves ahead, and each day on the way is run. */
export function Clocks() {
  const { organization } = route.useSearch()
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
                      void navigate({ search: (before) => ({ ...before, organization: target.value }) })
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
  const [days, setDays] = useState(0)
  const dayAfter = (days: number) => new Date(Date.parse(clock.today) + days * day_ms).toISOString().slice(0, 10) as Day
  const move = useMutation({
    mutationFn: () => operator.sandbox.moveClock(organization_id, { today: dayAfter(days) }),
    onSuccess: () => client.invalidateQueries({ queryKey: clockOf(organization_id).queryKey }),
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
      </div>
      {move.error && <Trouble error={move.error} />}
      <div className="form-end">
        <button
          type="button"
          className="button main"
          disabled={days === 0 || move.isPending}
          onClick={() => move.mutate()}
        >
          Move the clock by {count(days, 'day')}
        </button>
        <span className="quiet" role="status">
          {move.isPending ? 'Each day on the way is run…' : ''}
        </span>
      </div>
    </Section>
  )
}
