import { Link } from '@tanstack/react-router'
import { isOperator } from '../../session.ts'
import { employerPath } from './employer-path.ts'

/** The id of a resource, as a link to its page if it has one. */
export function Resource({ id }: { id: string }) {
  const code = <code>{id}</code>
  const kind = id.slice(0, id.indexOf('_'))
  if (kind === 'empl')
    return (
      <Link to="/people/$employee_id" params={{ employee_id: id }}>
        {code}
      </Link>
    )
  if (kind === 'empr')
    return (
      <Link to={employerPath('')} params={{ employer_id: id }}>
        {code}
      </Link>
    )
  if (kind === 'wsub' && !isOperator())
    return (
      <Link to="/developers/webhooks/$subscription_id" params={{ subscription_id: id }}>
        {code}
      </Link>
    )
  return code
}
