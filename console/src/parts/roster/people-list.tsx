import { type ReactNode, useState } from 'react'
import type { CensusMissing, CensusOutcome } from 'openbenefits'
import { formatCount, formatNumber } from '../../format.ts'
import { Confirm } from '../form/confirm.tsx'

type Named = { first_name?: string; last_name?: string; reference_id?: string | null }

const shown_at_first = 20

/** Lists people by name. `total` is the full number if only the first are listed. */
export function PeopleNames({ title, of, total = of.length }: { title?: string; of: Named[]; total?: number }) {
  const [most, setMost] = useState(shown_at_first)
  return (
    <>
      {title && (
        <h3>
          {formatNumber(total)} {title}
        </h3>
      )}
      <ul className="lines">
        {of.slice(0, most).map(({ first_name, last_name, reference_id }, at) => (
          <li key={at}>
            <span>{[first_name, last_name].filter(Boolean).join(' ')}</span>
            <span className="quiet">{reference_id}</span>
          </li>
        ))}
      </ul>
      {of.length > most && (
        <button type="button" className="button more" onClick={() => setMost(of.length)}>
          Show all {formatNumber(of.length)}
        </button>
      )}
      {total > of.length && most >= of.length && (
        <p className="quiet">And {formatNumber(total - of.length)} more, not listed here.</p>
      )}
    </>
  )
}

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
    action={`Terminate ${formatPeople(missing_count)}`}
    people={missing_count}
    is_main
    details={missing && <PeopleNames of={missing} total={missing_count} />}
    act={act}
    {...(back && { back })}
  >
    {among ? `${formatNumber(missing_count)} of ${among} ` : `${formatPeople(missing_count)} `}
    {missing_count === 1 ? 'is' : 'are'} missing from the roster. Their employment and coverage end.
  </Confirm>
)

/** `12 people` */
export const formatPeople = (of: number): string => formatCount(of, 'person', 'people')

/** The rows of a roster by outcome. */
export const OutcomeCounts = ({ of }: { of: Record<string, number> }) => (
  <ul className="counts">
    {Object.entries(of).map(([name, number]) => (
      <li key={name} className={number > 0 ? '' : 'none'}>
        <strong className="number">{formatNumber(number)}</strong> {name}
      </li>
    ))}
  </ul>
)

type MissingPeopleProps = {
  of: Pick<CensusOutcome, 'missing' | 'missing_count'>
  source: 'file' | 'roster'
  /** the action that terminates them */
  children: ReactNode
}

/** The people missing from a held roster, who are too many to be terminated without a confirmation. */
export const MissingPeople = ({ of: { missing, missing_count }, source, children }: MissingPeopleProps) => (
  <>
    <h3>
      {formatPeople(missing_count ?? 0)} missing from the {source}
    </h3>
    <p className="quiet note">They are not terminated until you confirm.</p>
    <PeopleNames of={missing ?? []} total={missing_count ?? 0} />
    <div className="form-end">{children}</div>
  </>
)
