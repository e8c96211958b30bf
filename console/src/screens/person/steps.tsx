import type { ReactNode } from 'react'
import { dayOf, sentence } from '../../format.ts'

export type Step = { day: string | null; what: ReactNode; because: ReactNode }

/** The days that explain a date, in order. */
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

/** A rule or role of the API as words within a sentence. */
export const words = (rule: string) => sentence(rule).toLowerCase()
