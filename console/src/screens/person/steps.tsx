import type { ReactNode } from 'react'
import { dayOf, sentence } from '../../parts/words.ts'

export type Step = { day: string | null; what: ReactNode; because: ReactNode }

/** Days in the order in which one follows from the other. */
export const Steps = ({ of }: { of: Step[] }) => (
  <ol className="steps">
    {of.map(({ day, what, because }, at) => (
      <li key={at}>
        <span className="number">{day ? dayOf(day) : '–'}</span>
        <span>
          {what}
          <span className="quiet block">{because}</span>
        </span>
      </li>
    ))}
  </ol>
)

/** A rule or a role of the interface, within a sentence. */
export const words = (rule: string) => sentence(rule).toLowerCase()
