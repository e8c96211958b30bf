import { useQuery } from '@tanstack/react-query'
import type { BenefitExplanation, Enrollment, EnrollmentEvidence } from 'openbenefits'
import type { ReactNode } from 'react'
import { formatDay, formatDollars, formatInstant, toSentence } from '../../format.ts'
import { coverageLevelLabel } from '../../parts/benefits/labels.ts'
import { Empty, Loaded, Status } from '../../parts/page/page.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { eligibilityQuery, enrollmentQuery, enrollmentHistoryQuery } from '../../queries.ts'
import { answerOf, lastCoveredDayBefore, neverStarted, statusOnDay } from './coverage-status.ts'

/** States whether an enrollment covers the person on a day, explains its dates, and lists its history. */
export function CoverageReasons({ enrollment, day }: { enrollment: Enrollment; day: string }) {
  const [status, because] = statusOnDay(day, enrollment)
  const explained = useQuery(eligibilityQuery(enrollment.employee_id, enrollment.coverage_start))
  const of = explained.data?.benefits.find(({ enrollment: other }) => other?.id === enrollment.id)
  return (
    <>
      <p className="verdict">
        <Status of={status} /> {because}
      </p>
      <Loaded query={explained} lines={4}>
        {() =>
          of ? (
            <ReasonSteps of={benefitSteps(of, enrollment, day)} />
          ) : (
            <p className="quiet">Its eligibility policy was deleted. See the history below.</p>
          )
        }
      </Loaded>
      {of?.warnings.map(({ code, message }) => (
        <p key={code} className="quiet">
          {message}
        </p>
      ))}
      <h3>History</h3>
      <EnrollmentHistory of={enrollment} />
    </>
  )
}

function benefitSteps(of: BenefitExplanation, enrollment: Enrollment, day: string): (ReasonStep | false | null)[] {
  const { coverage_start, plan_year_end, elected_by, terminated_at, window } = enrollment
  const coverage_end = enrollment.coverage_end ?? lastCoveredDayBefore(day, enrollment)
  const is_covered = answerOf(enrollment) === 'elected' && !neverStarted(enrollment)
  return [
    reasonStep(
      of.anchor,
      'Service starts',
      of.service_from
        ? `Earlier service counts, since ${formatDay(of.service_from)}.`
        : 'Hired or moved into this class.',
    ),
    reasonStep(of.raw_day, 'Earliest day by the waiting period', `Waiting period: ${toWords(of.rule)}.`),
    of.aligned_day !== of.raw_day &&
      reasonStep(of.aligned_day, 'Coverage may start', 'Coverage starts on the first of a month.'),
    of.cap !== null &&
      of.cap < of.aligned_day &&
      reasonStep(of.cap, 'Latest start', 'The 91st day. The law does not allow a longer waiting period.'),
    of.floor > of.aligned_day &&
      reasonStep(of.floor, 'Earliest start', 'The start of the plan year, or the end of an earlier enrollment.'),
    window &&
      reasonStep(
        window.start,
        'First day to enroll',
        'Opened by a grant, an open enrollment or a life event. See the history below.',
      ),
    window &&
      reasonStep(
        window.end,
        'Last day to enroll',
        'After this day, the person has to wait for the next open enrollment or life event.',
      ),
    is_covered
      ? reasonStep(
          coverage_start,
          <strong>Coverage starts</strong>,
          elected_by ? `Elected by ${toWords(elected_by)}.` : 'As granted.',
        )
      : reasonStep(coverage_start, <strong>Coverage would start</strong>, whyNotCovered(enrollment)),
    is_covered &&
      reasonStep(
        coverage_end,
        coverage_end ? <strong>The last day of coverage</strong> : 'No end yet',
        terminated_at
          ? `Ended on ${formatInstant(terminated_at)}.`
          : coverage_end
            ? 'The plan year or eligibility ends.'
            : `Ends with the plan year on ${formatDay(plan_year_end)}, or earlier with eligibility.`,
      ),
  ]
}

/** The reason why an enrollment provides no coverage. */
function whyNotCovered(of: Enrollment): string {
  if (answerOf(of) === 'elected') return `The enrollment ended earlier, on ${formatDay(of.coverage_end!)}.`
  if (answerOf(of) === 'waived') return 'Waived.'
  return of.window
    ? `No election yet. The last day to enroll is ${formatDay(of.window.end)}.`
    : 'No election, and no enrollment window is open.'
}

function EnrollmentHistory({ of: enrollment }: { of: Enrollment }) {
  const rows = useRows(enrollmentHistoryQuery(enrollment.id))
  // The history contains plan ids without names.
  const detail = useQuery(enrollmentQuery(enrollment.id))
  const known = [enrollment.plan, enrollment.upcoming_election?.plan, ...(detail.data?.plans ?? [])]
  const names = new Map(known.flatMap((plan) => (plan ? [[plan.id, plan.name]] : [])))
  if (rows.total === 0) return <Empty title="No history yet." />
  const entries = loadedRows(rows)
  return (
    <ol className="steps">
      {entries.map((entry) => (
        <li key={`${entry.recorded_at}${entry.action}`}>
          <span className="number">{formatDay(entry.recorded_at)}</span>
          <span>
            {toSentence(entry.action)}
            {entry.actor && <span className="quiet"> by {actorName(entry.actor)}</span>}
            <span className="quiet block">{evidenceDetails(entry, names)}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}

const actorName = ({ kind }: NonNullable<EnrollmentEvidence['actor']>) => (kind === 'rule' ? 'a rule' : `the ${kind}`)

function evidenceDetails(
  { reason, window, coverage_start, coverage_end, elections }: EnrollmentEvidence,
  names: Map<string, string>,
): string {
  const last = elections?.at(-1)
  const paid = last?.employee_deduction_in_cents
  const elected = last && [names.get(last.plan_id), coverageLevelLabel(last.coverage_tier)].filter(Boolean).join(', ')
  return [
    elected && (last.effective_on ? `${elected} from ${formatDay(last.effective_on)}.` : `${elected}.`),
    reason,
    window && `${toSentence(window.kind)} window, ${formatDay(window.start)} – ${formatDay(window.end)}.`,
    `Coverage from ${formatDay(coverage_start)}${coverage_end ? ` to ${formatDay(coverage_end)}` : ''}.`,
    paid !== undefined && paid !== null && `The employee pays ${formatDollars(paid)} per month.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** A day that explains a date, with what happened on it and why. */
export type ReasonStep = { day: string | null; what: ReactNode; because: ReactNode }

export const reasonStep = (day: string | null, what: ReactNode, because: ReactNode): ReasonStep => ({
  day,
  what,
  because,
})

/** The days that explain a date, in order. */
export const ReasonSteps = ({ of }: { of: (ReasonStep | false | null)[] }) => (
  <ol className="steps">
    {of.map(
      (each, at) =>
        each && (
          <li key={at}>
            <span className="number">{each.day ? formatDay(each.day) : '–'}</span>
            <span>
              {each.what}
              <span className="quiet block">{each.because}</span>
            </span>
          </li>
        ),
    )}
  </ol>
)

/** A rule or role of the API as words within a sentence. */
export const toWords = (rule: string) => toSentence(rule).toLowerCase()
