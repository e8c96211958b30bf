import type { ReactNode } from 'react'
import { isRoleAllowed, allowedRoles, type Area } from '../../session.ts'

type RequiresRoleProps = {
  area: Area
  /** the name of the action, if the surrounding text lacks it: `Bill a month` */
  action?: string
  children: ReactNode
}

/** Shows an action to the roles that may do it, and the required roles to others. The service checks again. */
export function RequiresRole({ area, action, children }: RequiresRoleProps) {
  if (isRoleAllowed(area)) return children
  return (
    <span className="quiet">
      {action ? `${action}: requires ${allowedRoles(area)}` : `Requires ${allowedRoles(area)}`}
    </span>
  )
}
