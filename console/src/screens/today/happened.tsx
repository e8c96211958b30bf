import { useQuery } from '@tanstack/react-query'
import type { Overview } from 'openbenefits/operator'
import { Facts, Loaded, Section, Status } from '../parts/page.tsx'
import { dayOf, happenedOf, inWords } from '../parts/words.ts'
import { overview } from '../operator-queries.ts'

/** So many kinds of events are told at once; the others are a click away. */
const told_at_once = 8

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
  return [
    failed > 0 && `${inWords(failed)} failed ${failed === 1 ? 'request' : 'requests'}`,
    jobs_given_up > 0 && `${inWords(jobs_given_up)} given up ${jobs_given_up === 1 ? 'job' : 'jobs'}`,
    jobs && `jobs are ${jobs} late`,
    webhooks && `webhooks are ${webhooks} late`,
    organizations_late > 0 && `the day of ${inWords(organizations_late)} partners is late`,
  ].filter((one) => typeof one === 'string')
}

const Late = ({ seconds }: { seconds: number }) => {
  const late = lateOf(seconds)
  return late ? <Status of={`${late} late`} tone="bad" /> : 'In time'
}
const Counted = ({ bad }: { bad: number }) => (bad > 0 ? <Status of={inWords(bad)} tone="bad" /> : '0')

/** Whether the service keeps up, and what happened since yesterday. */
export function Happened() {
  const found = useQuery(overview())
  return (
    <Loaded query={found} lines={4}>
      {(data) => {
        const troubles = troublesOf(data)
        return (
          <>
            <Section
              title="Health"
              actions={
                <Status
                  of={troubles.length === 0 ? 'All keeps up' : troubles.join(', ')}
                  tone={troubles.length === 0 ? 'good' : 'bad'}
                />
              }
            >
              <Facts
                of={[
                  ['Failed requests since yesterday', <Counted bad={data.failed_request_count} />],
                  ['Jobs given up', <Counted bad={data.jobs_given_up} />],
                  ['Jobs', <Late seconds={data.job_late_seconds} />],
                  ['Webhooks', <Late seconds={data.webhook_late_seconds} />],
                  [
                    'Days of partners',
                    data.organizations_late > 0 ? (
                      <Status of={`${inWords(data.organizations_late)} late`} tone="bad" />
                    ) : data.last_day_run_on ? (
                      `All run, the last on ${dayOf(data.last_day_run_on)}`
                    ) : (
                      'None was run yet'
                    ),
                  ],
                ]}
              />
            </Section>
            <Since of={data} />
          </>
        )
      }}
    </Loaded>
  )
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
  const more = happened.slice(told_at_once)
  return (
    <Section title="Since yesterday">
      {happened.length === 0 ? (
        <p className="quiet">Nothing happened in any organization since {dayOf(since)}.</p>
      ) : (
        listed(happened.slice(0, told_at_once))
      )}
      {more.length > 0 && (
        <details>
          <summary>{more.length} other things</summary>
          {listed(more)}
        </details>
      )}
      {!is_whole && <p className="quiet">Of the latest 10,000 events: there were more.</p>}
    </Section>
  )
}
