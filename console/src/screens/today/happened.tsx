import type { UseQueryResult } from '@tanstack/react-query'
import type { Overview } from 'openbenefits/operator'
import { Facts, Loaded, Section, Status } from '../../parts/page.tsx'
import { count, dayOf, happenedOf, inWords } from '../../parts/words.ts'

/** So many kinds of events are told at once; the others are a click away. */
const reported_at_once = 8

/** Later than so many seconds is late: a busy minute is none. */
const patience = 120

const lateOf = (seconds: number) => {
  if (seconds < patience) return undefined
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`
}

/** What is wrong with the service, in a few words each. */
function troublesOf(found: Overview): string[] {
  const { failed_request_count: failed, jobs_given_up, organizations_late } = found
  const [jobs, webhooks] = [lateOf(found.job_late_seconds), lateOf(found.webhook_late_seconds)]
  const running = longOf(found.job_running_seconds)
  return [
    failed > 0 && count(failed, 'failed request'),
    jobs_given_up > 0 && count(jobs_given_up, 'failed job'),
    jobs && `jobs are ${jobs} late`,
    running && `a job has run for ${running}`,
    webhooks && `webhooks are ${webhooks} late`,
    organizations_late > 0 && `${count(organizations_late, 'daily run')} late`,
  ].filter((one) => typeof one === 'string')
}

/** A census of the largest organizations takes minutes; what runs for an hour may never end. */
const longOf = (seconds: number) => (seconds < 3600 ? undefined : lateOf(seconds))

const Late = ({ seconds }: { seconds: number }) => {
  const late = lateOf(seconds)
  return late ? <Status of={`${late} late`} tone="bad" /> : 'On time'
}
const Running = ({ seconds }: { seconds: number }) => {
  const long = longOf(seconds)
  return long ? <Status of={`Running for ${long}`} tone="bad" /> : seconds > 0 ? 'Under an hour' : 'None running'
}
const Counted = ({ bad }: { bad: number }) => (bad > 0 ? <Status of={inWords(bad)} tone="bad" /> : '0')

/** Whether the service keeps up, in a word; else what is wrong. */
export function Healthy({ of }: { of: Overview }) {
  const troubles = troublesOf(of)
  return troubles.length === 0 ? <Status of="Healthy" tone="good" /> : <Status of={troubles.join(', ')} tone="bad" />
}

/** What happened since yesterday, and whether the service keeps up. */
export const Happened = ({ query }: { query: UseQueryResult<Overview> }) => (
  <Loaded query={query} lines={4}>
    {(data) => (
      <>
        <Since of={data} />
        <Section title="Health">
          <Facts
            of={[
              ['Failed requests since yesterday', <Counted bad={data.failed_request_count} />],
              ['Failed jobs', <Counted bad={data.jobs_given_up} />],
              ['Job queue', <Late seconds={data.job_late_seconds} />],
              ['Longest running job', <Running seconds={data.job_running_seconds} />],
              ['Webhook deliveries', <Late seconds={data.webhook_late_seconds} />],
              ['Daily runs', <Runs of={data} />],
            ]}
          />
        </Section>
      </>
    )}
  </Loaded>
)

function Runs({ of: { organizations_late, last_day_run_on } }: { of: Overview }) {
  if (organizations_late > 0) return <Status of={`${inWords(organizations_late)} late`} tone="bad" />
  return last_day_run_on ? `Done, the last on ${dayOf(last_day_run_on)}` : 'None so far'
}

function Since({ of: { since, happened, is_whole } }: { of: Overview }) {
  const listed = (some: typeof happened) => (
    <ul className="happened">
      {some.map(({ event_name, event_count }) => (
        <li key={event_name}>
          <strong className="number">{inWords(event_count)}</strong> {happenedOf(event_name)}
        </li>
      ))}
    </ul>
  )
  const more = happened.slice(reported_at_once)
  return (
    <Section title="Since yesterday">
      {happened.length === 0 ? (
        <p className="quiet">Nothing happened in any organization since {dayOf(since)}.</p>
      ) : (
        listed(happened.slice(0, reported_at_once))
      )}
      {more.length > 0 && (
        <details>
          <summary>{count(more.length, 'other kind')} of events</summary>
          {listed(more)}
        </details>
      )}
      {!is_whole && <p className="quiet">Counted over the latest 10,000 events: there were more.</p>}
    </Section>
  )
}
