import type { ReactNode } from 'react'
import { may, whoMay, type Area } from '../../session.ts'

type UpToProps = {
  area: Area
  /** the name of the action, if the surrounding text lacks it: `Bill a month` */
  action?: string
  children: ReactNode
}

/** Shows an action to the roles that may do it, and the required roles to others. The service checks again. */
export function UpTo({ area, action, children }: UpToProps) {
  if (may(area)) return children
  return <span className="quiet">{action ? `${action}: requires ${whoMay(area)}` : `Requires ${whoMay(area)}`}</span>
}
