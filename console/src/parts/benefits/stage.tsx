import type { EmployerRow } from 'openbenefits'
import { Status } from '../page/page.tsx'
import { dayOf } from '../../format.ts'

export type StageOf = EmployerRow['benefit_lifecycle_stage']

/** Labels of the date that belongs to each stage. */
const on_its_day: Partial<Record<StageOf['stage'], string>> = {
  onboarding: 'starts',
  open_enrollment: 'closes',
  renewal: 'renews',
}

/** The stage of an employer, with its date. */
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
