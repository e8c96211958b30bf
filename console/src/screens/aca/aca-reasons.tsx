import type { AcaStatus, Day } from 'openbenefits'
import { formatDay } from '../../format.ts'
import { Status } from '../../parts/page/page.tsx'
import { reasonStep, ReasonSteps } from '../person/coverage-reasons.tsx'
import { aca_prefix } from './queries.ts'

type Measurement = AcaStatus['measurements'][number]

/** Whether the stability period of a measurement contains a day. */
const isDeciding = ({ stability_period }: Measurement, day: Day) =>
  stability_period.starts_on <= day && day <= stability_period.ends_on
/** Whether a measurement has begun by a day and takes effect later. */
const isPending = ({ measurement_period, stability_period }: Measurement, day: Day) =>
  measurement_period.starts_on <= day && day < stability_period.starts_on

/** Explains the full-time status of a person by the selected measurement, or else by the one that decides the day. */
export function AcaReasons({ of, why }: { of: AcaStatus; why: string }) {
  const { as_of, measurements } = of
  const measured =
    why === aca_prefix
      ? (measurements.find((one) => isDeciding(one, as_of)) ?? measurements.find((one) => isPending(one, as_of)))
      : measurements.find(({ measurement_period }) => why === `${aca_prefix}-${measurement_period.starts_on}`)
  return (
    <>
      <p>
        {of.is_full_time !== null && (
          <Status of={of.is_full_time ? 'Full-time' : 'Not full-time'} tone={of.is_full_time ? 'good' : 'over'} />
        )}{' '}
        {of.reason}
      </p>
      {measured && <ReasonSteps of={measurementSteps(measured)} />}
    </>
  )
}

function measurementSteps(of: Measurement) {
  const { kind, measurement_period, administrative_period, stability_period, has_ended, is_full_time } = of
  const hours = `${of.hours.toLocaleString('en-US')} hours, ${of.average_weekly_hours.toFixed(1)} a week on average`
  return [
    reasonStep(
      measurement_period.starts_on,
      kind === 'initial' ? 'The initial measurement begins' : 'The standard measurement begins',
      kind === 'initial' ? 'Hours of a new employee vary.' : 'The same days for all ongoing employees.',
    ),
    reasonStep(
      measurement_period.ends_on,
      has_ended ? 'The last measured day' : 'The last day to measure',
      of.is_reported ? `${hours}${has_ended ? '' : ' so far'}. Full-time is 30 or more.` : 'No hours are reported.',
    ),
    administrative_period &&
      reasonStep(
        administrative_period.starts_on,
        'The administrative period begins',
        'Time to offer coverage and enroll.',
      ),
    has_ended &&
      reasonStep(
        stability_period.starts_on,
        <strong>{is_full_time ? 'Full-time from this day' : 'Not full-time from this day'}</strong>,
        `Through ${formatDay(stability_period.ends_on)}, regardless of the hours in it.`,
      ),
  ]
}
