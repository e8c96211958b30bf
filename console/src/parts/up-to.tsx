import { useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { may, whoMay, type Area } from '../session.ts'

/** What some roles do; others are told whose it is. The service asks anew all the same. */
export function UpTo({ area, children }: { area: Area; children: ReactNode }) {
  const { session } = useRouteContext({ from: '__root__' })
  return may(session, area) ? children : <span className="quiet">Only for {whoMay(area)}</span>
}
