import { addDays, type Day } from '../../../kernel/days.ts'
import type { FormType } from './rules.ts'

/** The jurisdictions that receive copies of the forms of residents, besides the IRS. */
export const copied_states = ['CA', 'DC', 'MA', 'NJ', 'RI'] as const
export type Jurisdiction = 'IRS' | (typeof copied_states)[number]

/** The last day to furnish forms to employees or to file them with a jurisdiction. */
export type FormDeadline = { jurisdiction: Jurisdiction; step: 'furnish' | 'file'; form: string; due_on: Day }

/** The next weekday. A deadline on a weekend ends on the next business day (section 7503). */
function weekdayFrom(day: Day): Day {
  const { dayOfWeek } = Temporal.PlainDate.from(day)
  return dayOfWeek < 6 ? day : addDays(day, 8 - dayOfWeek)
}

/**
 * The last day to furnish a form: 30 days after January 31 (26 CFR 301.6056-1(g)(1), 1.6055-1(g)(4)), which is March 2,
 * or March 1 in a leap year. An employer that posts a notice by that day may furnish forms on request, by January 31 or
 * 30 days after the request (Paperwork Burden Reduction Act, IRS Notice 2025-15). The states have not adopted this.
 */
export const furnishBy = (tax_year: number): Day => weekdayFrom(addDays(`${tax_year + 1}-01-31`, 30))

/** The last day to file forms electronically with the IRS (26 CFR 301.6056-1(e)). */
export const fileBy = (tax_year: number): Day => weekdayFrom(`${tax_year + 1}-03-31`)

/**
 * The deadlines of a tax year, for the IRS and the states in which employees live. Electronic filing with the IRS ends
 * on March 31, and filing on paper on February 28 (26 CFR 301.6056-1(e), 1.6055-1(f)(1)).
 * docs/integrating/tax-forms.md lists the sources of the states. California: January 31 and March 31, with penalties
 * only after May 31. New Jersey: as the IRS. Rhode Island: January 31, except for 2020. District of Columbia: 30 days
 * after the IRS. Massachusetts: Form MA 1099-HC by January 31.
 */
export function deadlinesOf(tax_year: number, states: readonly string[], type: FormType): FormDeadline[] {
  const next = tax_year + 1
  const january = weekdayFrom(`${next}-01-31`)
  const march = fileBy(tax_year)
  const days: Record<Jurisdiction, [furnish: Day, file: Day, form: string]> = {
    IRS: [furnishBy(tax_year), march, type],
    CA: [january, march, type],
    DC: [furnishBy(tax_year), weekdayFrom(`${next}-04-30`), type],
    MA: [january, january, 'MA 1099-HC'],
    NJ: [furnishBy(tax_year), march, type],
    RI: [january, january, type],
  }
  const jurisdictions: Jurisdiction[] = ['IRS', ...copied_states.filter((state) => states.includes(state))]
  return jurisdictions.flatMap((jurisdiction) => {
    const [furnish, file, form] = days[jurisdiction]
    return [
      { jurisdiction, step: 'furnish' as const, form, due_on: furnish },
      { jurisdiction, step: 'file' as const, form, due_on: file },
    ]
  })
}
