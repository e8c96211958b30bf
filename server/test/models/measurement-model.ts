import type { Day } from '../../kernel/days.ts'
import type { MeasurementPolicy } from '../../modules/aca/measurement/period-rules.ts'
import type { WorkHistory } from '../../modules/aca/measurement/status-rules.ts'

/**
 * A second model of the look-back measurement method, without code of the rules: it walks through the days one by one
 * and decides each day by itself. Days are numbers.
 */
const one_day = 86_400_000
const numberOf = (day: Day): number => Date.parse(`${day}T00:00:00Z`) / one_day
const partsOf = (day: number) => {
  const date = new Date(day * one_day)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() }
}
const firstOf = (year: number, month: number): number => Date.UTC(year, month, 1) / one_day

/** The same day some months later, or the last one of a shorter month. */
function plusMonths(from: number, months: number): number {
  const { year, month, day } = partsOf(from)
  return Math.min(firstOf(year, month + months) + day - 1, firstOf(year, month + months + 1) - 1)
}

/** Moves forward to the first of a month, then `months` further firsts. */
function firstAfterMonths(from: number, months: number): number {
  let day = from
  while (partsOf(day).day !== 1) day++
  for (let passed = 0; passed < months;) if (partsOf(++day).day === 1) passed++
  return day
}

type Facts = {
  employed: boolean
  expected: boolean
  served: boolean
  reported: boolean
  hours: number
  leave: boolean
  pause: boolean
}

export class MeasurementModel {
  readonly #policy: MeasurementPolicy
  readonly #as_of: number
  readonly #first: number
  readonly #last: number
  readonly #days = new Map<number, Facts>()

  constructor(history: WorkHistory, policy: MeasurementPolicy, as_of: Day, first: Day, last: Day) {
    this.#policy = policy
    this.#as_of = numberOf(as_of)
    this.#first = numberOf(first)
    this.#last = numberOf(last)
    for (let day = this.#first - 800; day <= this.#last + 800; day++) this.#days.set(day, noFacts())
    for (const { starts_on, ends_on, is_full_time } of history.positions)
      this.#each(starts_on, ends_on, (facts) => {
        facts.employed = true
        facts.expected ||= is_full_time
      })
    for (const { starts_on, ends_on, kind, hundredths } of history.hours)
      this.#each(starts_on, ends_on, (facts, length) => {
        facts.reported = true
        if (kind === 'special_unpaid_leave') facts.leave = true
        else if (kind === 'employment_break') facts.pause = true
        else facts.hours += hundredths / length
      })
    this.#markServed()
    this.#markPauses()
  }

  #each(starts_on: Day, ends_on: Day | null, change: (facts: Facts, length: number) => void) {
    const [from, to] = [numberOf(starts_on), ends_on === null ? this.#last + 800 : numberOf(ends_on)]
    for (let day = from; day <= to && this.#days.has(day); day++) change(this.#days.get(day)!, to - from + 1)
  }

  /** Days with service: all of an employment until its first credited hours, and later only days with hours. */
  #markServed() {
    let run: number[] = []
    const finish = () => {
      const credited = run.filter((day) => this.#days.get(day)!.hours > 0)
      for (const day of run) this.#days.get(day)!.served = credited.length === 0 || day < credited[0]! || this.#has(day)
      run = []
    }
    for (const [day, facts] of this.#days) {
      if (facts.employed) run.push(day)
      else finish()
    }
    finish()
  }

  #has = (day: number): boolean => (this.#days.get(day)?.hours ?? 0) > 0

  /** A pause of fewer than 28 consecutive days is not an employment break period. */
  #markPauses() {
    let run: number[] = []
    const finish = () => {
      if (run.length < 28) for (const day of run) this.#days.get(day)!.pause = false
      run = []
    }
    for (const [day, facts] of this.#days) {
      if (facts.pause) run.push(day)
      else finish()
    }
    finish()
  }

  /** Whether each employed day is full-time, by day number. */
  fullTimeDays(): Map<Day, boolean> {
    const result = new Map<Day, boolean>()
    let start = Number.NaN
    let last_served = Number.NaN
    const starts: number[] = []
    for (const [day, { served }] of this.#days) {
      if (!served) continue
      const away = day - last_served - 1
      const is_new =
        !(away < (this.#policy.educational ? 182 : 91)) ||
        (this.#policy.parity && away >= 28 && away > last_served - start + 1)
      if (is_new) starts.push((start = day))
      last_served = day
    }
    starts.forEach((from, index) => {
      const until = starts[index + 1] ?? Infinity
      let last: boolean | undefined
      // The first days on which the position is no longer, or newly, expected to be full-time.
      let [demoted_on, promoted_on] = [Infinity, Infinity]
      for (let day = from; day < until && day <= this.#last; day++) {
        const { employed, expected } = this.#days.get(day)!
        if (day > from && employed && !expected && this.#begins(day)) demoted_on = Math.min(demoted_on, day)
        if (day > from && expected && this.#begins(day)) promoted_on = Math.min(promoted_on, day)
        last = this.#isFullTime(from, day, demoted_on, promoted_on) ?? last
        if (employed && day >= this.#first && day <= this.#last)
          result.set(new Date(day * one_day).toISOString().slice(0, 10), last!)
      }
    })
    return result
  }

  #payrollStart(day: number): number {
    const { payroll } = this.#policy
    if (!payroll) return day
    const payday = numberOf(payroll.first_pay_date!)
    while ((day - payday - 1) % 14 !== 0) day--
    return day
  }

  /** Decides a measurement from `from` to the day before `next`. Undefined if it has not ended. */
  #measured(from: number, next: number): boolean | undefined {
    const [first, after] = [this.#payrollStart(from), this.#payrollStart(next)]
    if (after - 1 >= this.#as_of) return undefined
    let [hours, days, pauses, reported] = [0, 0, 0, false]
    const by_year = new Map<number, number>()
    for (let day = first; day < after; day++) {
      const facts = this.#days.get(day) ?? noFacts()
      hours += facts.hours
      reported ||= facts.reported
      if (facts.leave) continue
      days++
      if (!facts.pause || !this.#policy.educational) continue
      pauses++
      const { year } = partsOf(day)
      by_year.set(year, (by_year.get(year) ?? 0) + 1)
    }
    if (!reported) return this.#days.get(after - 1)?.expected ?? false
    hours = Math.ceil(hours - 1e-6)
    if (hours === 0 || days === pauses) return false
    const rate = hours / (days - pauses)
    for (const count of by_year.values()) hours += Math.min(50_100, rate * count)
    return (hours * 7) / days >= 3000 - 1e-9
  }

  #standard(index: number) {
    const { standard_starts_on, standard_months, administrative_months, stability_months } = this.#policy
    const from = plusMonths(numberOf(standard_starts_on), index * standard_months)
    const next = plusMonths(numberOf(standard_starts_on), (index + 1) * standard_months)
    const stable = firstAfterMonths(next, administrative_months)
    return { from, next, stable, until: firstAfterMonths(stable, stability_months) }
  }

  #initial(start: number) {
    const { initial_starts, initial_months, initial_administrative_months, stability_months } = this.#policy
    const from = initial_starts === 'start_date' ? start : firstAfterMonths(start, 0)
    const next = plusMonths(from, initial_months)
    const limit = firstAfterMonths(plusMonths(start, 12), 1)
    let months = initial_administrative_months
    const stableAfter = () => (months >= 0 ? firstAfterMonths(next, months) : Number.NaN)
    while (stableAfter() > limit || from - start + stableAfter() - next > 90) months--
    return { from, next, stable: stableAfter(), until: firstAfterMonths(stableAfter(), stability_months) }
  }

  /** Whether a day of the service that began on `start` is full-time. Undefined if it is not known yet. */
  #isFullTime(start: number, day: number, demoted_on: number, promoted_on: number): boolean | undefined {
    const expected = this.#days.get(start)!.expected
    const { initial, initial_result, first } = this.#memo(start)
    const unknown_from = Math.min(
      ...(initial && initial_result === undefined ? [initial.stable] : []),
      ...first.filter(({ result }) => result === undefined).map(({ stable }) => stable),
    )
    if (day >= unknown_from) return undefined
    if (first.some(({ result, stable, until }) => result && day >= stable && day < until)) return true
    if (initial_result && day >= initial!.stable && day < initial!.until) return true
    if (day >= first[0]!.stable) return false
    if (expected) return day < demoted_on
    if (initial_result && day >= initial!.stable) return true
    return promoted_on < this.#payrollStart(initial!.next) && day >= firstAfterMonths(promoted_on, 3)
  }

  /** Whether the expectation or the employment begins on a day. */
  #begins(day: number): boolean {
    const [now, before] = [this.#days.get(day)!, this.#days.get(day - 1)]
    return now.expected !== before?.expected || now.employed !== before?.employed
  }

  readonly #periods = new Map<number, Periods>()

  /** The periods of a service. They are kept, because each day needs them. */
  #memo(start: number): Periods {
    let found = this.#periods.get(start)
    if (found) return found
    const initial = this.#days.get(start)!.expected ? undefined : this.#initial(start)
    found = { initial, initial_result: initial && this.#measured(initial.from, initial.next), first: [] }
    for (let index = -40; index < 40; index++) {
      const { from, next, stable, until } = this.#standard(index)
      if (from < start || from > this.#last + 400) continue
      found.first.push({ stable, until, result: this.#measured(from, next) })
    }
    this.#periods.set(start, found)
    return found
  }
}

type Periods = {
  initial: { next: number; stable: number; until: number } | undefined
  initial_result: boolean | undefined
  first: { stable: number; until: number; result: boolean | undefined }[]
}

const noFacts = (): Facts => ({
  employed: false,
  expected: false,
  served: false,
  reported: false,
  hours: 0,
  leave: false,
  pause: false,
})
