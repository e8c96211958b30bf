import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { CoverageTier, Day, Dependent, Employee } from 'openbenefits'
import { ob } from '../../api.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { asItFollows } from '../../parts/follow.ts'
import { Loaded } from '../../parts/page.tsx'
import { dayAfter, dayOf, easternDayOf, endOfMonth, inDollars } from '../../parts/words.ts'
import { enrollmentsNaming, member, type Naming } from '../../queries.ts'

const route = getRouteApi('/people/$employee_id')

/** The last day on which an end is taken back. */
export const lastToReinstate = (ended_on: string): string => dayAfter(ended_on, 60)

type ActionProps = { of: Dependent; family: Dependent[]; employee: Employee; today: string }

/** Makes today the last day of a dependent; says before how each enrollment that covers them goes on. */
export function EndDependent({ of, family, employee, today }: ActionProps) {
  const last = [endOfMonth(today), of.covered_until ?? '9999'].toSorted()[0]!
  const next = dayAfter(last)
  return (
    <Action
      of={of}
      employee={employee}
      look="danger"
      action={`End ${of.first_name}`}
      act={() => ob.dependents.end(of.id)}
      day={next}
      tells={(those) => [
        `Today, ${dayOf(today)}, becomes ${of.first_name}’s last day as a dependent` +
          (last >= today ? `; coverage lasts until ${dayOf(last)}.` : '.'),
        ...those.map((one) => goesOn(one, next, tierWithout(of, family, one))),
        those.length > 0
          ? `From ${dayOf(next)} the employee can choose again for 30 days.`
          : 'No enrollment covers them after that, so nothing changes in what the employee pays.',
        `It can be taken back here until ${dayOf(lastToReinstate(today))}.`,
      ]}
    />
  )
}

/** Takes the end of a dependent back; says before what comes back with them. */
export function ReinstateDependent({ of, employee, today }: ActionProps) {
  const last = of.covered_until!
  return (
    <Action
      of={of}
      employee={employee}
      look="main"
      action={`Reinstate ${of.first_name}`}
      act={() => ob.dependents.reinstate(of.id)}
      day={last}
      tells={(those) => [
        `${of.first_name} is a dependent again, as if ${dayOf(of.ended_on!)} had not been the last day.`,
        ...those.map((one) => comesBack(one, of, today)),
        ...(those.length === 0 ? ['No enrollment covered them: they can be named when one is elected.'] : []),
        ...(last < today ? ['What is covered and paid follows within seconds.'] : []),
      ]}
    />
  )
}

/** What shows who is covered, and at what price. */
const follows = ['employees', 'enrollments']

type AskedProps = Pick<ActionProps, 'of' | 'employee'> & {
  action: string
  look: 'danger' | 'main'
  act: () => Promise<unknown>
  /** the enrollments that name them on this day are told of */
  day: Day
  tells: (those: Naming[]) => string[]
}

function Action({ of, employee, action, look, act, day, tells }: AskedProps) {
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const naming = useQuery(enrollmentsNaming(employee.id, of.id, day))
  const person = useQuery(member(employee.member_id))
  const refresh = () =>
    client.invalidateQueries({ predicate: ({ queryKey: [area] }) => follows.includes(String(area)) })
  const stay = () =>
    void navigate({
      search: (before) => ({ ...before, ending: undefined, reinstating: undefined }),
      replace: true,
      resetScroll: false,
    })
  const elsewhere =
    person.data?.employments.filter(({ employee_id, status }) => status === 'active' && employee_id !== employee.id) ??
    []
  return (
    <Loaded query={naming} lines={3}>
      {(those) => (
        <Confirm
          action={action}
          look={look}
          back={stay}
          act={async () => {
            await act()
            await refresh()
            asItFollows(refresh)
          }}
        >
          {[
            ...tells(those),
            ...(elsewhere.length > 0
              ? [`So it is at ${elsewhere.map(({ employer_name }) => employer_name).join(', ')}, too.`]
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

/** The tier that fits who is left, where the plan is offered in it. */
function tierWithout(of: Dependent, family: Dependent[], { named, tiers }: Naming): CoverageTier | null {
  const left = family.filter(({ id }) => id !== of.id && named.dependent_ids.includes(id))
  const children = left.some(({ relationship }) => relationship === 'child')
  const spouse = left.some(({ relationship }) => relationship !== 'child')
  const fitting = spouse ? (children ? 'EF' : 'ES') : children ? 'EC' : 'EE'
  return tiers.some(({ coverage_tier }) => coverage_tier === fitting) ? fitting : named.coverage_tier
}

function goesOn({ named, tiers }: Naming, next: string, tier: CoverageTier | null): string {
  const from = dayOf(named.coverage_start > next ? named.coverage_start : next)
  const { benefit, coverage_tier: former, employee_deduction_in_cents: paid } = named
  const costOf = (wanted: CoverageTier | null) =>
    tiers.find(({ coverage_tier }) => coverage_tier === wanted)?.employee_deduction_in_cents
  const cost = costOf(tier)
  // Where what is paid now is not what is listed, neither will what is paid then be.
  const is_listed = cost !== null && cost !== undefined && costOf(former) === paid
  if (tier === former)
    return `${benefit.name}: ${tier} goes on without them from ${from}${is_listed ? ', at the same price' : ''}.`
  return (
    `${benefit.name}: ${tier} in place of ${former} from ${from}.` +
    (is_listed ? ` The employee pays ${inDollars(cost)} a month in place of ${inDollars(paid)}.` : '')
  )
}

function comesBack({ named, now }: Naming, of: Dependent, today: string): string {
  const { benefit, coverage_tier: tier, employee_deduction_in_cents: paid } = named
  const last = of.covered_until!
  const is_carried = now.elected_by === 'renewal' || now.elected_by === 'return'
  if (!is_carried && now.answered_at !== null && now.answered_at > of.updated_at)
    return `${benefit.name}: elected again on ${dayOf(easternDayOf(now.answered_at))}, which stands without them.`
  if (now.coverage_end !== null && now.coverage_end <= last)
    return `${benefit.name}: ended on ${dayOf(now.coverage_end)}, and stays so.`
  if (last >= today)
    return `${benefit.name}: goes on with them after ${dayOf(last)}, and what the employee pays stays the same.`
  return (
    `${benefit.name}: covered from ${dayOf(dayAfter(last))} without a gap` +
    (now.coverage_tier === tier
      ? '.'
      : `, ${tier} again in place of ${now.coverage_tier}. The employee pays ${inDollars(paid)} a month again in ` +
        `place of ${inDollars(now.employee_deduction_in_cents)}; the next statement corrects what was not deducted.`)
  )
}
