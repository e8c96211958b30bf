import { Link } from '@tanstack/react-router'
import { isOperator } from '../session.ts'

/** The id of what an event or a request is of, as the way to its page where there is one. */
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
      <Link
        to={isOperator() ? '/partners/employers/$employer_id' : '/employers/$employer_id'}
        params={{ employer_id: id }}
      >
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
