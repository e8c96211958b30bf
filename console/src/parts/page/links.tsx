import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { isOperator } from '../../session.ts'
import { Empty } from './page.tsx'

const useSearchOfAnyPage = () => useSearch({ strict: false })

/** Values for the search of a page. Undefined removes a value. */
export type SearchChange = Partial<ReturnType<typeof useSearchOfAnyPage>>

const mergeSearch = (change: SearchChange) => ((before: object) => ({ ...before, ...change })) as never

type HereLinkProps = {
  change: SearchChange
  /** the scroll target. Without it, the page does not scroll */
  hash?: string
  className?: string
  'aria-label'?: string
  children: ReactNode
}

/** A link to the current page with changed search values. */
export const HereLink = ({ change, hash, ...props }: HereLinkProps) => (
  <Link {...props} to="." search={mergeSearch(change)} {...(hash ? { hash } : { resetScroll: false })} />
)

/** Opens the form that adds a row to a list. See `Adding`. */
export const AddLink = ({ children }: { children: ReactNode }) => (
  <HereLink className="button main" change={{ add: 'yes' }}>
    {children}
  </HereLink>
)

const no_filters: SearchChange = {
  search: undefined,
  status: undefined,
  stage: undefined,
  family: undefined,
  hris: undefined,
  payroll: undefined,
  owner: undefined,
  age: undefined,
  from: undefined,
  to: undefined,
  actor: undefined,
  operation: undefined,
  resource_id: undefined,
  trace_id: undefined,
  outcome: undefined,
}

/** Shown when no row matches the filters of a list. `rows` names them in the plural. */
export const NoMatches = ({ rows, children }: { rows: string; children?: ReactNode }) => (
  <Empty title={`No ${rows} match.`}>
    {children && <p>{children}</p>}
    <HereLink change={no_filters}>Clear filters</HereLink>
  </Empty>
)

/** Changes search values of the current page and replaces its history entry. */
export function useChangeSearch(): (change: SearchChange) => Promise<void> {
  const navigate = useNavigate()
  return useCallback(
    (change) => navigate({ to: '.', search: mergeSearch(change), replace: true, resetScroll: false }),
    [navigate],
  )
}

/** The path of an employer's page, which differs between members and operators. */
export const employerPath = <const Page extends string>(page: Page) =>
  `${isOperator() ? '/partners/employers/$employer_id' : '/employers/$employer_id'}${page}` as const

/** The id of a resource, as a link to its page if it has one. */
export function ResourceLink({ id }: { id: string }) {
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
