import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useRouteContext } from '@tanstack/react-router'
import { Page, Status, Trouble, type Tab } from '../../parts/page.tsx'
import { employer, employerRow } from '../../queries.ts'
import { may } from '../../session.ts'

const route = getRouteApi('/employers/$employer_id')

/** What all pages of an employer have in common: its name, its stage, and the tabs. */
export function Employer() {
  const params = route.useParams()
  const { session } = useRouteContext({ from: '__root__' })
  const about = useQuery(employer(params.employer_id))
  const row = useQuery(employerRow(params.employer_id))
  const tabs: (Tab | false)[] = [
    { label: 'Overview', link: { to: '/employers/$employer_id', params }, exact: true },
    may(session, 'people') && { label: 'Roster', link: { to: '/employers/$employer_id/roster', params } },
    { label: 'Plan years', link: { to: '/employers/$employer_id/plan-years', params } },
    may(session, 'settings') && { label: 'Census', link: { to: '/employers/$employer_id/census', params } },
    may(session, 'money') && { label: 'Statements', link: { to: '/employers/$employer_id/statements', params } },
    may(session, 'money') && { label: 'Invoices', link: { to: '/employers/$employer_id/invoices', params } },
    may(session, 'webhooks') && { label: 'Events', link: { to: '/employers/$employer_id/events', params } },
    may(session, 'settings') && { label: 'Settings', link: { to: '/employers/$employer_id/settings', params } },
  ]
  if (about.error && !about.data)
    return (
      <Page title="An employer" above={[{ label: 'Employers', link: { to: '/employers' } }]}>
        <Trouble error={about.error} retry={() => void about.refetch()} />
      </Page>
    )
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      above={[{ label: 'Employers', link: { to: '/employers' } }]}
      mark={row.data && <Status of={row.data.benefit_lifecycle_stage.stage} />}
      tabs={tabs.filter((tab) => tab !== false)}
    >
      <Outlet />
    </Page>
  )
}
