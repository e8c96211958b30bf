import type { EmployerRow } from 'openbenefits'
import { Status } from './page.tsx'
import { dayOf } from './words.ts'

export type StageOf = EmployerRow['benefit_lifecycle_stage']

/** What happens on the day of a stage, or has happened since. */
const on_its_day: Partial<Record<StageOf['stage'], string>> = {
  onboarding: 'starts',
  open_enrollment: 'closes',
  renewal: 'renews',
}

/** Where an employer stands in its year, and since or until when. */
export const Stage = ({ of: { stage, as_of_date } }: { of: StageOf }) => (
  <>
    <Status of={stage} />{' '}
    {as_of_date && (
      <span className="quiet only-wide">
        {on_its_day[stage] ?? 'since'} {dayOf(as_of_date)}
      </span>
    )}
  </>
)
