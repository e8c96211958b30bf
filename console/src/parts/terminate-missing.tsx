import type { CensusMissing } from 'openbenefits'
import { Confirm } from './confirm.tsx'
import { Names } from './names.tsx'
import { count, inWords } from './words.ts'

type TerminateMissingProps = {
  /** null where they are not known yet */
  missing: CensusMissing[] | null
  missing_count: number
  /** the employer they belong to, if the page does not show it: `20 people of Maple Row Clinic` */
  among?: string
  act: () => Promise<unknown>
  /** returns to the page that opened the confirmation */
  back?: () => void
}

/** Terminates the people who are missing from a roster that is held. It names them and requires confirmation. */
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
