import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { NotFound, Page, Trouble, type Tab } from '../../parts/page/page.tsx'
import { Stage } from '../../parts/benefits/stage.tsx'
import { employerRow } from '../../queries.ts'
import { may } from '../../session.ts'

const route = getRouteApi('/employers/$employer_id')

/** The header and tabs of an employer's pages. */
export function Employer() {
  const params = route.useParams()
  const row = useQuery(employerRow(params.employer_id))
  const tabs: (Tab | false)[] = [
    { label: 'Overview', link: { to: '/employers/$employer_id', params }, exact: true },
    may('people') && { label: 'Roster', link: { to: '/employers/$employer_id/roster', params } },
    { label: 'Plan years', link: { to: '/employers/$employer_id/plan-years', params } },
    may('employment') && { label: 'Census', link: { to: '/employers/$employer_id/census', params } },
    may('money') && { label: 'Statements', link: { to: '/employers/$employer_id/statements', params } },
    may('money') && { label: 'Invoices', link: { to: '/employers/$employer_id/invoices', params } },
    may('webhooks') && { label: 'Events', link: { to: '/employers/$employer_id/events', params } },
    may('settings') && { label: 'Settings', link: { to: '/employers/$employer_id/settings', params } },
  ]
  if (row.data === null || (row.error && !row.data))
    return (
      <Page title="An employer" above={[{ label: 'Employers', link: { to: '/employers' } }]}>
        {row.error ? <Trouble error={row.error} retry={() => void row.refetch()} /> : <NotFound />}
      </Page>
    )
  return (
    <Page
      title={row.data?.name ?? '\u00a0'}
      above={[{ label: 'Employers', link: { to: '/employers' } }]}
      mark={row.data && <Stage of={row.data.benefit_lifecycle_stage} />}
      tabs={tabs.filter((tab) => tab !== false)}
    >
      <Outlet />
    </Page>
  )
}
