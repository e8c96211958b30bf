import type { LinkProps } from '@tanstack/react-router'
import type { Tone } from '../../format.ts'

/** The facts that a timeline draws, each with its days. */

export type Span = {
  id: string
  label: string
  /** the first day. Null if unknown */
  start: string | null
  /** the last day. Null if there is no end */
  end: string | null
  tone: Tone
  link?: LinkProps
}

export type Lane = { name: string; spans: Span[] }
