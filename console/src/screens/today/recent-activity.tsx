import type { UseQueryResult } from '@tanstack/react-query'
import type { Overview } from 'openbenefits/operator'
import { Facts, Loaded, Section, Status } from '../../parts/page/page.tsx'
import { formatCount, formatDay, formatNumber } from '../../format.ts'
import { eventLabel } from '../../parts/benefits/labels.ts'

/** The number of event kinds shown. The others are behind a link. */
const max_reported = 8

/** The number of seconds after which a delay counts as late. Short bursts do not count. */
const late_after_seconds = 120

const formatDelay = (seconds: number) => {
  if (seconds < late_after_seconds) return undefined
  const [minutes, hours] = [Math.round(seconds / 60), Math.round(seconds / 3600)]
  if (minutes < 120) return `${minutes} minutes`
  return hours < 48 ? `${hours} hours` : `${formatNumber(Math.round(hours / 24))} days`
}

/** The problems of the service, in a few words each. */
function listProblems(found: Overview): string[] {
  const { failed_request_count: failed, failed_job_count, organizations_late } = found
  const [jobs, webhooks] = [formatDelay(found.job_late_seconds), formatDelay(found.webhook_late_seconds)]
  const running = longRun(found.job_running_seconds)
  return [
    failed > 0 && formatCount(failed, 'failed request'),
    failed_job_count > 0 && formatCount(failed_job_count, 'failed job'),
    jobs && `jobs delayed by ${jobs}`,
    running && `a job has run for ${running}`,
    webhooks && `webhooks delayed by ${webhooks}`,
    organizations_late > 0 && `${formatCount(organizations_late, 'daily run')} late`,
  ].filter((one) => typeof one === 'string')
}

/** The largest censuses take minutes. A job that runs for an hour may never finish. */
const longRun = (seconds: number) => (seconds < 3600 ? undefined : formatDelay(seconds))

const DelayStatus = ({ seconds }: { seconds: number }) => {
  const late = formatDelay(seconds)
  return late ? <Status of={`${late} late`} tone="bad" /> : 'On time'
}
const RunningStatus = ({ seconds }: { seconds: number }) => {
  const long = longRun(seconds)
  return long ? <Status of={`Running for ${long}`} tone="bad" /> : seconds > 0 ? 'Under an hour' : 'None running'
}
const FailureCount = ({ bad }: { bad: number }) => (bad > 0 ? <Status of={formatNumber(bad)} tone="bad" /> : '0')

/** The health of the service in a word, or its problems. */
export function ServiceHealth({ of }: { of: Overview }) {
  const troubles = listProblems(of)
  return troubles.length === 0 ? <Status of="Healthy" tone="good" /> : <Status of={troubles.join(', ')} tone="bad" />
}

/** Events since yesterday, and the health of the service. */
export const RecentActivity = ({ query }: { query: UseQueryResult<Overview> }) => (
  <Loaded query={query} lines={4}>
    {(data) => (
      <>
        <EventCounts of={data} />
        <Section title="Health">
          <Facts
            of={[
              ['Failed requests since yesterday', <FailureCount bad={data.failed_request_count} />],
              ['Failed jobs', <FailureCount bad={data.failed_job_count} />],
              ['Job queue', <DelayStatus seconds={data.job_late_seconds} />],
              ['Longest running job', <RunningStatus seconds={data.job_running_seconds} />],
              ['Webhook deliveries', <DelayStatus seconds={data.webhook_late_seconds} />],
              ['Daily runs', <DailyRunStatus of={data} />],
            ]}
          />
        </Section>
      </>
    )}
  </Loaded>
)

function DailyRunStatus({ of: { organizations_late, last_day_run_on } }: { of: Overview }) {
  if (organizations_late > 0) return <Status of={`${formatNumber(organizations_late)} late`} tone="bad" />
  return last_day_run_on ? `Done, last on ${formatDay(last_day_run_on)}` : 'None so far'
}

function EventCounts({ of: { since, event_counts, is_complete } }: { of: Overview }) {
  const listed = (some: typeof event_counts) => (
    <ul className="happened">
      {some.map(({ event_name, event_count }) => (
        <li key={event_name}>
          {eventLabel(event_name)} <strong className="number">{formatNumber(event_count)}</strong>
        </li>
      ))}
    </ul>
  )
  const more = event_counts.slice(max_reported)
  return (
    <Section title="Since yesterday">
      {event_counts.length === 0 ? (
        <p className="quiet">No events in any organization since {formatDay(since)}.</p>
      ) : (
        listed(event_counts.slice(0, max_reported))
      )}
      {more.length > 0 && (
        <details>
          <summary>{formatCount(more.length, 'other kind')} of events</summary>
          {listed(more)}
        </details>
      )}
      {!is_complete && <p className="quiet">Counts only the latest 10,000 events.</p>}
    </Section>
  )
}
