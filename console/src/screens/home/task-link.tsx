import { Link } from '@tanstack/react-router'
import type { PartnerTask } from 'openbenefits'

/** A link to the page on which a task is resolved. */
export function TaskLink({ of: { kind, employer_id, employee_id, resource_id } }: { of: PartnerTask }) {
  if (employee_id !== null)
    return (
      <Link to="/people/$employee_id" params={{ employee_id }}>
        Review
      </Link>
    )
  if (employer_id === null)
    return (
      <Link to="/developers/webhooks/$subscription_id" params={{ subscription_id: resource_id }}>
        Review
      </Link>
    )
  if (kind === 'invoice_drafted')
    return (
      <Link to="/employers/$employer_id/invoices/$invoice_id" params={{ employer_id, invoice_id: resource_id }}>
        Review
      </Link>
    )
  if (kind === 'census_held' || kind === 'census_failed')
    return (
      <Link to="/employers/$employer_id/census" params={{ employer_id }} search={{ sync: resource_id }}>
        See rows
      </Link>
    )
  if (kind === 'full_time_trend')
    return (
      <Link to="/employers/$employer_id/aca" params={{ employer_id }}>
        See people
      </Link>
    )
  return (
    <Link to="/employers/$employer_id" params={{ employer_id }}>
      {kind === 'employer_setup' ? 'Continue' : 'See employer'}
    </Link>
  )
}
