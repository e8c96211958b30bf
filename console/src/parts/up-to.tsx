import { useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { operates, whoOperates, type OperatorArea } from '../session.ts'

/** What operators of some roles do; others are told whose it is. The service asks anew all the same. */
export function UpTo({ area, children }: { area: OperatorArea; children: ReactNode }) {
  const { session } = useRouteContext({ from: '__root__' })
  return operates(session, area) ? children : <span className="quiet">Up to {whoOperates(area)}</span>
}
