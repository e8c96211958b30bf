import { addDays, ageOn, monthEnd, type Day } from '../../../kernel/days.ts'
import type { CoverageTier } from '../../directory/catalog/schemas.ts'
import { agesOn, premiumOf, type AreaRate, type FamilyMember } from '../../directory/ichra/rules.ts'
import { allowanceOf, costOf, type Person, type Pricing } from '../plan-years/contribution-rules.ts'
import type { ContributionStrategy } from '../plan-years/contribution-schemas.ts'

type Coverable = FamilyMember & { ended_on: Day | null; covered_until: Day | null }

/** The facts that the ICHRA prices of an enrollment depend on. */
export type PersonalFacts = {
  answer: 'enrolled' | 'waived' | null
  coverage_start: Day
  plan_year_end: Day
  contribution_strategy: ContributionStrategy
  date_of_birth: Day
  state: string | null
  classes: { effective_on: Day; employee_class: string }[]
  dependents: Coverable[]
  /** The rates of each plan for the area in which the employee lives. Null if the plan has no rates for that area. */
  plans: { id: string; pricing: Pricing; rates: AreaRate[] | null; tiers: CoverageTier[] }[]
}

type Tier = {
  coverage_tier: CoverageTier
  premium_in_cents: number | null
  employer_contribution_in_cents: number | null
  employee_deduction_in_cents: number | null
}

/** The relatives that a coverage level is assumed to cover if no dependents are named. */
const relativesIn: Record<CoverageTier, { partner: boolean; children: boolean }> = {
  EE: { partner: false, children: false },
  ES: { partner: true, children: false },
  EC: { partner: false, children: true },
  EF: { partner: true, children: true },
}

/**
 * The family that a coverage level would cover from a day. Undefined if the employee's dependents do not match the
 * level.
 */
export function coveredFamily(tier: CoverageTier, dependents: Coverable[], day: Day): FamilyMember[] | undefined {
  const wanted = relativesIn[tier]
  const coverable = dependents.filter(
    (dependent) =>
      dependent.ended_on === null && dependent.date_of_birth <= day && (dependent.covered_until ?? day) >= day,
  )
  const children = coverable.filter(({ relationship }) => relationship === 'child')
  const partners = coverable.filter(({ relationship }) => relationship !== 'child')
  if ((wanted.partner && partners.length === 0) || (wanted.children && children.length === 0)) return undefined
  return [...(wanted.partner ? partners.slice(0, 1) : []), ...(wanted.children ? children : [])]
}

/** The age, class and state of the person on a day of coverage, which allowances depend on. */
const personOn = ({ classes, date_of_birth, state }: PersonalFacts, day: Day): Person => ({
  employee_class: classes.findLast(({ effective_on }) => effective_on <= day)?.employee_class ?? 'Full Time',
  age: ageOn(date_of_birth, day),
  state,
})

/** The day on which an election made today takes effect, ignoring life events. */
function dayOfElection({ answer, coverage_start, plan_year_end }: PersonalFacts, today: Day): Day {
  if (answer !== 'enrolled' || today < coverage_start) return coverage_start
  const next_month = addDays(monthEnd(today), 1)
  return next_month < plan_year_end ? next_month : plan_year_end
}

/**
 * The ICHRA plans that an employee can elect, with the employee's cost in each coverage level. A premium is null if it
 * depends on unknown dependents, or on the plan that the person buys. The contribution is then the maximum. Plans
 * without a premium in the employee's area are left out.
 */
export function withPersonalPrices<Plan extends { id: string; tiers: Tier[] }>(
  plans: Plan[],
  facts: PersonalFacts,
  today: Day,
): Plan[] {
  const day = dayOfElection(facts, today)
  const person = personOn(facts, day)
  const priced = (tier: Tier, plan: PersonalFacts['plans'][number]): Tier | undefined => {
    const { coverage_tier } = tier
    const premium = premiumIn(tier, plan, facts, day)
    if (premium === undefined) return undefined
    if (premium !== null) {
      const cost = costOf({ coverage_tier, premium_in_cents: premium }, facts.contribution_strategy, person)
      return { coverage_tier, ...cost }
    }
    const allowance = allowanceOf(facts.contribution_strategy, coverage_tier, person)
    const own = plan.pricing === 'reported' ? 0 : null
    return {
      coverage_tier,
      premium_in_cents: null,
      employer_contribution_in_cents: allowance,
      employee_deduction_in_cents: own,
    }
  }
  return plans.flatMap((shown) => {
    const plan = facts.plans.find(({ id }) => id === shown.id)!
    const tiers = shown.tiers.flatMap((tier) => priced(tier, plan) ?? [])
    return tiers.length > 0 ? [{ ...shown, tiers }] : []
  })
}

/**
 * The premium of a plan in a coverage level. Null if the premium is unknown, undefined if the plan is not available.
 */
function premiumIn(
  { coverage_tier, premium_in_cents }: Tier,
  { pricing, rates, tiers }: PersonalFacts['plans'][number],
  { dependents, date_of_birth, coverage_start }: PersonalFacts,
  day: Day,
): number | null | undefined {
  if (pricing === 'reported') return null
  const by_tier = tiers.includes(coverage_tier) ? premium_in_cents : undefined
  if (rates === null) return by_tier
  const family = coveredFamily(coverage_tier, dependents, day)
  const ages = agesOn(coverage_start, date_of_birth, family ?? [])
  const premium = premiumOf(rates, coverage_tier, ages) ?? by_tier
  const by_family = family !== undefined || rates.some((rate) => rate.coverage_tier === coverage_tier)
  return premium === undefined || by_family ? premium : null
}

/**
 * The changes that life events allow outside of regular windows. Sources: Treas. Reg. 1.125-4(c)(3), the consistency
 * rule: a change must be on account of the event and correspond with it, and after a divorce, a death or a loss of
 * dependent status only that person may be dropped (iii); 29 CFR 2590.701-6, special enrollment: people may be added,
 * in any plan, after a loss of other coverage (a) or after a marriage, birth, adoption or placement (b).
 */

type Relationship = 'spouse' | 'domestic_partner' | 'child'

type LifeEventChanges = {
  /** Whether the event allows adding the employee and dependents without coverage. */
  add: boolean
  /** The relationships of dependents that can be dropped. */
  drop: readonly Relationship[]
  change_plan: boolean
  /** Whether the employee can waive or end the whole coverage. */
  waive: boolean
}

const partners = ['spouse', 'domestic_partner'] as const
const dependents = [...partners, 'child'] as const
const nothing: LifeEventChanges = { add: false, drop: [], change_plan: false, waive: false }
const any_change: LifeEventChanges = { add: true, drop: dependents, change_plan: true, waive: true }
const arrival: LifeEventChanges = { ...nothing, add: true, change_plan: true }

/** The table of docs/integrating/enrollments.md, section "Allowed changes". */
export const changes_by_event = {
  birth: arrival,
  adoption: arrival,
  placement: arrival,
  marriage: { ...arrival, waive: true },
  loss_of_coverage: arrival,
  gain_of_coverage: { ...nothing, drop: dependents, waive: true },
  divorce: { ...nothing, drop: partners },
  // Only one dependent, because the report does not include which one has died.
  death_of_dependent: { ...nothing, drop: dependents },
  // These dependents are dropped without an election.
  dependent_coverage_ended: nothing,
  change_of_residence: { ...nothing, change_plan: true },
  // A family member starts or loses a job, and gains or loses other coverage.
  change_of_employment: any_change,
  // The operator approves the change in the description.
  other: any_change,
} as const satisfies Record<string, LifeEventChanges>

export type LifeEventKind = keyof typeof changes_by_event

/** An approved life event. `exception`: the operator allows any change, for a reason. */
export type ApprovedEvent = { type: LifeEventKind; exception: boolean }

const changesOf = ({ type, exception }: ApprovedEvent): LifeEventChanges =>
  exception ? any_change : changes_by_event[type]

/** SQL: the rows of the table as `changes`. */
export const changes_rows = `(values ${Object.entries(changes_by_event)
  .map(([type, { add, drop, change_plan, waive }]: [string, LifeEventChanges]) => {
    const [partner, child] = [drop.includes('spouse'), drop.includes('child')]
    return `('${type}', ${add}, ${partner}, ${child}, ${change_plan}, ${waive})`
  })
  .join(', ')}) as changes (type, add, drop_partner, drop_child, change_plan, waive)`

/** The union of the changes that several events allow. */
export const changesAllowedBy = (events: ApprovedEvent[]): LifeEventChanges => {
  const changes = events.map(changesOf)
  return {
    add: changes.some(({ add }) => add),
    drop: dependents.filter((dependent) => changes.some(({ drop }) => drop.includes(dependent))),
    change_plan: changes.some(({ change_plan }) => change_plan),
    waive: changes.some(({ waive }) => waive),
  }
}

/** Whether events allow all these dependents to be dropped together. A death allows one. */
export function canDropDependents(dropped: { relationship: Relationship }[], events: ApprovedEvent[]): boolean {
  const isDeath = (event: ApprovedEvent) => event.type === 'death_of_dependent' && !event.exception
  const { drop } = changesAllowedBy(events.filter((event) => !isDeath(event)))
  return dropped.filter(({ relationship }) => !drop.includes(relationship)).length <= events.filter(isDeath).length
}
