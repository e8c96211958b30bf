import type { CensusMissing } from 'openbenefits'
import { Confirm } from '../form/confirm.tsx'
import { Names } from './people-list.tsx'
import { count, inWords } from '../../format.ts'

type TerminateMissingProps = {
  /** null until they are known */
  missing: CensusMissing[] | null
  missing_count: number
  /** the name of the employer, for the text `20 people of Maple Row Clinic`. Absent if the page already shows it */
  among?: string
  act: () => Promise<unknown>
  /** returns to the page that opened the confirmation */
  back?: () => void
}

/** Terminates the people missing from a held roster. Lists their names and requires confirmation. */
export const TerminateMissing = ({ missing, missing_count, among, act, back }: TerminateMissingProps) => (
  <Confirm
    action={`Terminate ${count(missing_count, 'person', 'people')}`}
    people={missing_count}
    is_main
    details={missing && <Names of={missing} total={missing_count} />}
    act={act}
    {...(back && { back })}
  >
    {among ? `${inWords(missing_count)} of ${among} ` : `${count(missing_count, 'person', 'people')} `}
    {missing_count === 1 ? 'is' : 'are'} missing from the roster. Their employment and coverage end.
  </Confirm>
)
