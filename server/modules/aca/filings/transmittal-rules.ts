import type { YearCounts } from '../forms/derivation-rules.ts'
import type { FormType } from '../forms/rules.ts'
import { passesOfferTest } from '../offers/rules.ts'

/** A value of Form 1094-C, and why it has that value. */
type TransmittalCell<Value> = { value: Value; reason: string }
const cell = <Value>(value: Value, reason: string): TransmittalCell<Value> => ({ value, reason })

/** The values of Form 1094-C or 1094-B without the identity of the employer. */
export type Transmittal = {
  is_authoritative: TransmittalCell<boolean>
  form_count: TransmittalCell<number>
  is_in_group: TransmittalCell<boolean>
  has_qualifying_offer: TransmittalCell<boolean>
  uses_98_percent_method: TransmittalCell<boolean>
  months: {
    month: number
    minimum_essential_coverage: TransmittalCell<boolean>
    full_time_count: TransmittalCell<number | null>
    total_count: TransmittalCell<number>
  }[]
}

/** The share of people with a form who need an affordable offer for the 98% Offer Method, in percent. */
const min_affordable = 98

/** Line 22, box D of Form 1094-C: the 98% Offer Method, if the employer uses it and is eligible. */
function ninetyEightPercent(
  { form_count, affordable_form_count }: YearCounts,
  is_used: boolean,
): TransmittalCell<boolean> {
  const share = `${affordable_form_count} of ${form_count} people with a form had an affordable offer in all months.`
  if (!is_used) return cell(false, 'The employer does not use the method.')
  return cell(form_count > 0 && affordable_form_count * 100 >= form_count * min_affordable, share)
}

type TransmittalSettings = { form_type: FormType; uses_98_percent_method: boolean; other_member_count: number }

/** Form 1094-B, which has only the number of forms. */
function transmittalOfCoverage({ form_count }: YearCounts): Transmittal {
  const none = cell(false, 'Form 1094-B does not report this.')
  return {
    is_authoritative: none,
    form_count: cell(form_count, 'The forms that are due, by the last derivation.'),
    is_in_group: none,
    has_qualifying_offer: none,
    uses_98_percent_method: none,
    months: [],
  }
}

/**
 * Form 1094-C of an ALE member, one for all its Forms 1095-C (Instructions for Forms 1094-C and 1095-C). The 98% Offer
 * Method leaves column (b) empty.
 */
export function transmittalOf(
  counts: YearCounts,
  { form_type, uses_98_percent_method, other_member_count }: TransmittalSettings,
): Transmittal {
  if (form_type === '1095-B') return transmittalOfCoverage(counts)
  const by_98_percent = ninetyEightPercent(counts, uses_98_percent_method)
  return {
    is_authoritative: cell(true, 'One transmittal contains all forms of the ALE member.'),
    form_count: cell(counts.form_count, 'The forms that are due, by the last derivation.'),
    is_in_group: cell(
      other_member_count > 0,
      other_member_count > 0
        ? `The aggregated ALE group has ${other_member_count} other ${other_member_count === 1 ? 'member' : 'members'}.`
        : 'The employer is in no aggregated ALE group.',
    ),
    has_qualifying_offer: cell(
      counts.has_qualifying_offer,
      counts.has_qualifying_offer
        ? 'At least one employee got a qualifying offer for all months as a full-time employee.'
        : 'No employee got a qualifying offer for all months as a full-time employee.',
    ),
    uses_98_percent_method: by_98_percent,
    months: counts.months.map((month, at) => ({
      month: at + 1,
      minimum_essential_coverage: cell(
        passesOfferTest(month),
        `${month.offered_count} of ${month.full_time_count} full-time employees were offered coverage.`,
      ),
      full_time_count: by_98_percent.value
        ? cell<number | null>(null, 'The 98% Offer Method does not require the count.')
        : cell<number | null>(
            month.full_time_count,
            'Full-time employees without those in a limited non-assessment period.',
          ),
      total_count: cell(month.total_count, 'The employees on the last day of the month.'),
    })),
  }
}

/** The members of a group that Part IV lists. */
const max_members = 30

/** Part IV: the other ALE members, by their average number of full-time employees, the highest first. */
export function listedMembers<Member extends { counts: YearCounts | null }>(members: readonly Member[]): Member[] {
  const sizeOf = ({ counts }: Member) => counts?.months.reduce((sum, month) => sum + month.full_time_count, 0) ?? 0
  return members.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, max_members)
}
