import type { BenefitPlanYear, Renewal } from 'openbenefits'
import { addDays, daysBetween, easternToday } from '../../format.ts'
import { Section } from '../../parts/page/page.tsx'

export type PlanYearDays = { coverage_start: string; open_enrollment_start: string; open_enrollment_end: string }
export type Terms = PlanYearDays & { renewal: Renewal }

const renewals: { value: Renewal; label: string; hint: string }[] = [
  { value: 'passive', label: 'Passive', hint: 'Employees who do not respond keep their coverage.' },
  { value: 'active', label: 'Active', hint: 'Employees who do not respond have no coverage in the new plan year.' },
]

/** Moves a day by the distance between two other days: by whole years if that is the distance, else by days. */
function shiftDay(day: string, from: string, to: string): string {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4))
  const later = (one: string) => addDays(`${Number(one.slice(0, 4)) + years}${one.slice(4)}`, 0)
  return later(from) === to ? later(day) : addDays(day, daysBetween(from, to))
}

/** The terms of a copy. The open enrollment moves with the start of coverage. */
export function copyTerms(like: BenefitPlanYear | undefined): Terms {
  const none = { open_enrollment_start: '', open_enrollment_end: '' }
  if (!like) return { coverage_start: defaultTerms(), ...none, renewal: 'active' }
  const coverage_start = addDays(like.coverage_end)
  const moved = (day: string) => shiftDay(day, like.coverage_start, coverage_start)
  const { open_enrollment_start: opens, open_enrollment_end: closes } = like
  const window = closes === null ? none : { open_enrollment_start: moved(opens), open_enrollment_end: moved(closes) }
  return { coverage_start, ...window, renewal: 'passive' }
}

/** The first day of the month after next. */
const defaultTerms = () => {
  const [year, month] = easternToday().split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month + 1, 1)).toISOString().slice(0, 10)
}

/** The first fields of a plan year: how it renews, and its days. */
type RenewalTermsProps = { title: string; terms: Terms; change: (terms: Terms) => void }

export function RenewalTerms({ title, terms, change }: RenewalTermsProps) {
  const field = (name: keyof PlanYearDays, label: string) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        type="date"
        value={terms[name]}
        onChange={({ target }) => change({ ...terms, [name]: target.value })}
      />
    </div>
  )
  return (
    <Section title={title}>
      <div className="fields">
        <div className="field wide">
          <label htmlFor="renewal">Renewal</label>
          <select
            id="renewal"
            aria-describedby="renewal-hint"
            value={terms.renewal}
            onChange={({ target }) => change({ ...terms, renewal: target.value as Renewal })}
          >
            {renewals.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <span className="hint" id="renewal-hint">
            {renewals.find(({ value }) => value === terms.renewal)!.hint}
          </span>
        </div>
        {field('coverage_start', 'Coverage starts')}
        {field('open_enrollment_start', 'Open enrollment from')}
        {field('open_enrollment_end', 'Open enrollment to')}
      </div>
    </Section>
  )
}
