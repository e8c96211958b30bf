import { useRouteContext } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { may, whoMay, type Area } from '../session.ts'

type UpToProps = {
  area: Area
  /** what it is, where nothing about it says so: `Bill a month` */
  action?: string
  children: ReactNode
}

/** What some roles do; others are told whose it is. The service asks anew all the same. */
export function UpTo({ area, action, children }: UpToProps) {
  const { session } = useRouteContext({ from: '__root__' })
  if (may(session, area)) return children
  return <span className="quiet">{action ? `${action}: only for ${whoMay(area)}` : `Only for ${whoMay(area)}`}</span>
}
