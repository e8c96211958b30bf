/**
 * The changes that life events allow outside of regular windows. Sources: Treas. Reg. 1.125-4(c)(3), the consistency
 * rule: a change must be on account of the event and correspond with it, and after a divorce, a death or a loss of
 * dependent status only that person may be dropped (iii); 29 CFR 2590.701-6, special enrollment: people may be added,
 * in any plan, after a loss of other coverage (a) or after a marriage, birth, adoption or placement (b).
 */

type Relationship = 'spouse' | 'domestic_partner' | 'child'

export type LifeEventChanges = {
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
export const any_change: LifeEventChanges = { add: true, drop: dependents, change_plan: true, waive: true }
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
  const each = events.map(changesOf)
  return {
    add: each.some(({ add }) => add),
    drop: dependents.filter((one) => each.some(({ drop }) => drop.includes(one))),
    change_plan: each.some(({ change_plan }) => change_plan),
    waive: each.some(({ waive }) => waive),
  }
}

/** Whether events allow all these dependents to be dropped together. A death allows one. */
export function mayDrop(dropped: { relationship: Relationship }[], events: ApprovedEvent[]): boolean {
  const isDeath = (event: ApprovedEvent) => event.type === 'death_of_dependent' && !event.exception
  const { drop } = changesAllowedBy(events.filter((event) => !isDeath(event)))
  return dropped.filter(({ relationship }) => !drop.includes(relationship)).length <= events.filter(isDeath).length
}
