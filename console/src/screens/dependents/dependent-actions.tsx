import { useQuery } from '@tanstack/react-query'
import type { CoverageTier, Day, Dependent, Employee } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { addDays, formatDay, formatDollars, fullName } from '../../format.ts'
import { easternDayOf } from '../../zoned-days.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { Form } from '../../parts/form/form.tsx'
import { coverageLevelLabel } from '../../parts/benefits/labels.ts'
import { LifeEventDocuments } from '../../parts/benefits/life-event-documents.tsx'
import { refreshLater } from '../../parts/form/use-action.ts'
import { takeFocus } from '../../parts/page/interaction.ts'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Loaded } from '../../parts/page/page.tsx'
import { memberQuery } from '../../queries.ts'
import {
  dependentDocumentsQuery,
  coveringEnrollmentsQuery,
  type CoveringEnrollment,
  no_action,
} from './dependent-queries.ts'

/** The last day of the month of a day. */
const endOfMonth = (day: string): Day => addDays(`${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1)

/** The last day on which the end of a dependent can be reversed. */
export const lastReinstatementDay = (ended_on: string): string => addDays(ended_on, 60)

type ActionProps = { of: Dependent; family: Dependent[]; employee: Employee; today: string }

/** Ends a dependent today. Shows the effect on each enrollment first. */
export function EndDependent({ of, family, employee, today }: ActionProps) {
  const last = [endOfMonth(today), of.covered_until ?? '9999'].toSorted()[0]!
  const next = addDays(last)
  return (
    <ConfirmedAction
      of={of}
      employee={employee}
      variant="danger"
      action={`Remove ${of.first_name}`}
      act={() => ob.dependents.end(of.id)}
      day={next}
      consequencesOf={(those) => [
        `Today, ${formatDay(today)}, will be ${of.first_name}’s last day as a dependent` +
          (last >= today ? `. Coverage lasts until ${formatDay(last)}.` : '.'),
        ...those.map((one) => describeRemaining(one, next, tierWithoutDependent(of, family, one))),
        those.length > 0
          ? `From ${formatDay(next)}, the employee has a 30-day special enrollment period.`
          : 'No enrollment covers them after that, so the employee’s cost stays the same.',
        `You can reverse this until ${formatDay(lastReinstatementDay(today))}.`,
      ]}
    />
  )
}

/** Reinstates a dependent. Shows the effect on each enrollment first. */
export function ReinstateDependent({ of, employee, today }: ActionProps) {
  const last = of.covered_until!
  return (
    <ConfirmedAction
      of={of}
      employee={employee}
      variant="main"
      action={`Reinstate ${of.first_name}`}
      act={() => ob.dependents.reinstate(of.id)}
      day={last}
      consequencesOf={(those) => [
        `${of.first_name} is a dependent again, as if the end on ${formatDay(of.ended_on!)} had not happened.`,
        ...those.map((one) => describeReturn(one, of, today)),
        ...(those.length === 0 ? ['No enrollment covered them. They can be added at the next election.'] : []),
        ...(last < today ? ['Coverage and deductions update within seconds.'] : []),
      ]}
    />
  )
}

type ConfirmedActionProps = Pick<ActionProps, 'of' | 'employee'> & {
  action: string
  variant: 'danger' | 'main'
  act: () => Promise<unknown>
  /** the day whose enrollments are described */
  day: Day
  consequencesOf: (those: CoveringEnrollment[]) => string[]
}

function ConfirmedAction({ of, employee, action, variant, act, day, consequencesOf }: ConfirmedActionProps) {
  const change = useChangeSearch()
  const naming = useQuery(coveringEnrollmentsQuery(employee.id, of.id, day))
  const person = useQuery(memberQuery(employee.member_id))
  const refresh = () => refetch(['employees'], ['enrollments'])
  const stay = () => void change(no_action)
  const elsewhere =
    person.data?.employments.filter(({ employee_id, status }) => status === 'active' && employee_id !== employee.id) ??
    []
  return (
    <Loaded query={naming} lines={3}>
      {(those) => (
        <Confirm
          action={action}
          variant={variant}
          back={stay}
          act={async () => {
            await act()
            await refresh()
            refreshLater(refresh)
          }}
        >
          {[
            ...consequencesOf(those),
            ...(elsewhere.length > 0
              ? [`The same applies at ${elsewhere.map(({ employer_name }) => employer_name).join(', ')}.`]
              : []),
          ].map((line) => (
            <span key={line} className="block">
              {line}
            </span>
          ))}
        </Confirm>
      )}
    </Loaded>
  )
}

/** The tier for the remaining dependents, if the plan offers it. */
function tierWithoutDependent(
  of: Dependent,
  family: Dependent[],
  { named, tiers }: CoveringEnrollment,
): CoverageTier | null {
  const left = family.filter(({ id }) => id !== of.id && named.dependent_ids.includes(id))
  const children = left.some(({ relationship }) => relationship === 'child')
  const spouse = left.some(({ relationship }) => relationship !== 'child')
  const fitting = spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
  return tiers.some(({ coverage_tier }) => coverage_tier === fitting) ? fitting : named.coverage_tier
}

function describeRemaining({ named, tiers }: CoveringEnrollment, next: string, tier: CoverageTier | null): string {
  const from = formatDay(named.coverage_start > next ? named.coverage_start : next)
  const { benefit, coverage_tier: former, employee_deduction_in_cents: paid } = named
  const costOf = (wanted: CoverageTier | null) =>
    tiers.find(({ coverage_tier }) => coverage_tier === wanted)?.employee_deduction_in_cents
  const cost = costOf(tier)
  // If the current deduction differs from the listed price, the future one will too, so it is not shown.
  const is_listed = cost !== null && cost !== undefined && costOf(former) === paid
  if (tier === former)
    return (
      `${benefit.name}: ${coverageLevelLabel(tier) ?? 'the'} coverage continues without them from ${from}` +
      `${is_listed ? ', at the same price' : ''}.`
    )
  return (
    `${benefit.name}: changes from ${coverageLevelLabel(former)} to ${coverageLevelLabel(tier)} on ${from}.` +
    (is_listed ? ` The employee pays ${formatDollars(cost)} instead of ${formatDollars(paid)} per month.` : '')
  )
}

function describeReturn({ named, now }: CoveringEnrollment, of: Dependent, today: string): string {
  const { benefit, coverage_tier: tier, employee_deduction_in_cents: paid } = named
  const last = of.covered_until!
  const is_carried = now.elected_by === 'renewal' || now.elected_by === 'return'
  if (!is_carried && now.answered_at !== null && now.answered_at > of.updated_at)
    return `${benefit.name}: elected without them on ${formatDay(easternDayOf(now.answered_at))}. This election stays.`
  if (now.coverage_end !== null && now.coverage_end <= last)
    return `${benefit.name}: ended on ${formatDay(now.coverage_end)} and stays ended.`
  if (last >= today)
    return `${benefit.name}: continues with them after ${formatDay(last)}. The employee’s cost stays the same.`
  const covered = `${benefit.name}: covered from ${formatDay(addDays(last))} without a gap`
  if (now.coverage_tier === tier) return `${covered}.`
  return (
    `${covered}, ${coverageLevelLabel(tier)} again instead of ${coverageLevelLabel(now.coverage_tier)}. ` +
    `The employee pays ${formatDollars(paid)} per month again ` +
    `instead of ${formatDollars(now.employee_deduction_in_cents)}. ` +
    'The next statement deducts the difference.'
  )
}

/** Verifies a dependent after a confirmation. */
export function VerifyDependent({ of }: Pick<ActionProps, 'of'>) {
  const change = useChangeSearch()
  const attachments = useQuery(dependentDocumentsQuery(of.id)).data
  return (
    <Confirm
      details={<LifeEventDocuments of={attachments && { attachments }} />}
      action={`Verify ${of.first_name}`}
      variant="main"
      back={() => void change(no_action)}
      act={async () => {
        await ob.dependents.decideVerification(of.id, { status: 'verified' })
        await refetch(['employees'])
      }}
    >
      You confirm that {fullName(of)} is a dependent of the employee, who sees the decision and can no longer add or
      remove documents. You can change the decision later.
    </Confirm>
  )
}

const rejection_hint = 'Shown to the employee, who can attach other documents. Coverage does not end.'

/** Rejects the documents of a dependent with a reason. */
export function RejectDependent({ of }: Pick<ActionProps, 'of'>) {
  const change = useChangeSearch()
  const close = () => void change(no_action)
  return (
    <div className="note">
      <div className="section-head">
        <h3 tabIndex={-1} ref={takeFocus}>
          Reject the documents of {fullName(of)}
        </h3>
        <button type="button" className="plain" onClick={close}>
          Close
        </button>
      </div>
      <Form
        fields={[{ name: 'reason', label: 'Reason', kind: 'long', hint: rejection_hint }]}
        submit={async ({ reason = '' }) => {
          await ob.dependents.decideVerification(of.id, { status: 'rejected', reason })
          close()
          await refetch(['employees'])
        }}
        button="Reject"
      />
    </div>
  )
}
