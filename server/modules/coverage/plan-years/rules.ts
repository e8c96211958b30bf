import { max_plan_year_days } from './schemas.ts'
import { isDeepStrictEqual } from 'node:util'
import { addDays, type Day, daysBetween, yearsAfter } from '../../../kernel/days.ts'
import { Refusal, type Detail, type RefusalKind } from '../../../kernel/refusal.ts'
import { refusals, type Offer, type OfferInput } from './offer-rules.ts'

export type PlanYear = {
  year: number
  coverage_start: Day
  coverage_end: Day
  open_enrollment_start: Day | null
  open_enrollment_end: Day | null
  offered_states: string[]
}

type Why = Refusal | RefusalKind | undefined

/** Applies changes to a plan year. Its `year` follows its first day until it is set explicitly. */
export function withChanges(former: PlanYear, changes: { [field in keyof PlanYear]?: PlanYear[field] | undefined }) {
  const sent = Object.entries(changes).filter(([, value]) => value !== undefined)
  const year: PlanYear = { ...former, ...Object.fromEntries(sent) }
  const follows = changes.year === undefined && former.year === defaultYearOf(former.coverage_start)
  return follows ? { ...year, year: defaultYearOf(year.coverage_start) } : year
}

/** The default `year` of a plan year that begins on a day. */
export const defaultYearOf = (coverage_start: Day): number => Number(coverage_start.slice(0, 4))

export const isOpenOn = ({ open_enrollment_start: opens, open_enrollment_end: closes }: PlanYear, day: Day): boolean =>
  opens !== null && closes !== null && opens <= day && day <= closes

/** A benefit that another plan year of the employer offers on overlapping days. */
export type Overlap = { benefit_id: string; plan_year_id: string; coverage_start: Day; coverage_end: Day }

/** Returns why a plan year can't be opened with the benefits in `input`. `former` is the plan year before a change. */
export const whyNotOpen = (year: PlanYear, overlaps: Overlap[], input: OfferInput[] = [], former?: PlanYear): Why =>
  overlaps.length > 0
    ? new Refusal(
        refusals.plan_year_overlaps,
        overlaps.map((overlap) => detailOf(overlap, input)),
      )
    : whyDaysDontFit(year, former)

/** Returns why a plan year does not follow another one. */
export const whyNotFollow = (year: PlanYear, { coverage_end }: PlanYear): Why =>
  year.coverage_start > coverage_end
    ? undefined
    : new Refusal(refusals.invalid_plan_year, [{ field: 'coverage_start', message: `must be after ${coverage_end}` }])

function detailOf({ benefit_id, plan_year_id, coverage_start, coverage_end }: Overlap, input: OfferInput[]): Detail {
  const index = input.findIndex((benefit) => benefit.benefit_id === benefit_id && !benefit.taken_over)
  const message = `is in the plan year ${plan_year_id} from ${coverage_start} to ${coverage_end}`
  return index < 0
    ? { field: '', message: `benefit ${benefit_id}: ${message}` }
    : { field: `benefits[${index}].benefit_id`, message }
}

/** A requested change of a plan year, with the facts that decide whether it is allowed. */
export type Change = {
  former: PlanYear & { is_amended: boolean; offers: Offer[] }
  year: PlanYear
  /** Undefined if the benefits do not change. */
  input: OfferInput[] | undefined
  overlaps: Overlap[]
  has_elections: boolean
}

/**
 * Returns why a plan year can't be changed: it has started, an employee has elected, or another plan year has one of
 * its benefits.
 */
export function whyNotChange({ former, year, input, overlaps, has_elections }: Change, today: Day): Why {
  if (former.coverage_start <= today) return refusals.plan_year_has_started
  if (former.is_amended) return refusals.plan_year_is_amended
  const moves = former.coverage_start !== year.coverage_start || former.coverage_end !== year.coverage_end
  if (has_elections && (moves || (input && !former.offers.every((offer) => isSameOffer(offer, input)))))
    return refusals.plan_year_has_elections
  return whyNotOpen(year, overlaps, input, former)
}

/** Whether an offer is listed again without differences. */
function isSameOffer(
  { benefit_id, starts_on, contribution_strategy, rates, choice_group }: Offer,
  input: OfferInput[],
): boolean {
  const again = input.find((benefit) => benefit.benefit_id === benefit_id)
  if (!again) return false
  const { contribution_tiers, ichra_contribution_classes } = contribution_strategy
  const isUnchanged = (now: unknown, before: unknown) => now === undefined || isDeepStrictEqual(now, before)
  return (
    isUnchanged(again.starts_on, starts_on) &&
    isUnchanged(again.choice_group, choice_group) &&
    isUnchanged(again.plan_ids && new Set(again.plan_ids), new Set(rates.map((rate) => rate.plan_id))) &&
    isUnchanged(again.contribution_tiers, contribution_tiers) &&
    isUnchanged(again.ichra_contribution_classes, ichra_contribution_classes)
  )
}

/**
 * Returns why the days of a plan year don't fit together. If a change sent one of two conflicting days, the refusal
 * names that one.
 */
function whyDaysDontFit(year: PlanYear, former?: PlanYear): Refusal | undefined {
  const { coverage_start, coverage_end, open_enrollment_start: opens, open_enrollment_end: closes } = year
  const invalid = (...sides: [field: keyof PlanYear, message: string][]) => {
    const [field, message] = sides.find(([name]) => former?.[name] !== year[name]) ?? sides[0]!
    return new Refusal(refusals.invalid_plan_year, [{ field, message }])
  }
  if (coverage_end <= coverage_start)
    return invalid(['coverage_end', 'must be after coverage_start'], ['coverage_start', 'must be before coverage_end'])
  if (coverage_end > addDays(coverage_start, max_plan_year_days - 1))
    return invalid(
      ['coverage_end', `must be within ${max_plan_year_days} days`],
      ['coverage_start', `must be within ${max_plan_year_days} days of coverage_end`],
    )
  if (opens === null && closes === null) return undefined
  if (opens === null) return invalid(['open_enrollment_start', 'is required with open_enrollment_end'])
  if (closes === null) return invalid(['open_enrollment_end', 'is required with open_enrollment_start'])
  if (closes < opens)
    return invalid(
      ['open_enrollment_end', 'must not be before open_enrollment_start'],
      ['open_enrollment_start', 'must not be after open_enrollment_end'],
    )
  if (closes > coverage_end)
    return invalid(
      ['open_enrollment_end', 'must not be after coverage_end'],
      ['coverage_end', 'must not be before open_enrollment_end'],
    )
  return undefined
}

/**
 * The open enrollment of a copy that starts on a day: that of the previous plan year, moved by the same number of days
 * as the start of coverage. Null if the previous plan year has none, or if it would end before today.
 */
export function windowOfCopy(
  { coverage_start: former_start, open_enrollment_start: opens, open_enrollment_end: closes }: PlanYear,
  coverage_start: Day,
  today: Day,
): Pick<PlanYear, 'open_enrollment_start' | 'open_enrollment_end'> {
  const none = { open_enrollment_start: null, open_enrollment_end: null }
  if (opens === null || closes === null) return none
  const years = Number(coverage_start.slice(0, 4)) - Number(former_start.slice(0, 4))
  const is_whole_years = yearsAfter(former_start, years) === coverage_start
  const days = daysBetween(former_start, coverage_start)
  const moved = (day: Day) => (is_whole_years ? yearsAfter(day, years) : addDays(day, days))
  return moved(closes) < today ? none : { open_enrollment_start: moved(opens), open_enrollment_end: moved(closes) }
}
