import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { partner } from '../../operator-queries.ts'
import { Stage } from '../../parts/benefits/employer-stage.tsx'
import { NotFound, Page, Status, type Tab, Trouble } from '../../parts/page/page.tsx'
import { employerRow, operatedEmployer } from '../../queries.ts'
import { may } from '../../session.ts'

const members = getRouteApi('/employers/$employer_id')

/** The header and tabs of an employer's pages. */
export function Employer() {
  const params = members.useParams()
  const row = useQuery(employerRow(params.employer_id))
  const tabs: (Tab | false)[] = [
    { label: 'Overview', link: { to: '/employers/$employer_id', params }, exact: true },
    may('people') && { label: 'Roster', link: { to: '/employers/$employer_id/roster', params } },
    may('people') && { label: 'Enrollment', link: { to: '/employers/$employer_id/enrollment', params } },
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

const operators = getRouteApi('/partners/employers/$employer_id')

/** The header and tabs of an employer's pages, for operators. */
export function OperatedEmployer() {
  const params = operators.useParams()
  const about = useQuery(operatedEmployer(params.employer_id))
  const organization_id = about.data?.organization_id
  const organization = useQuery({ ...partner(organization_id ?? ''), enabled: organization_id !== undefined })
  const above = [
    { label: 'Partners', link: { to: '/partners' } } as const,
    ...(organization.data
      ? [
          {
            label: organization.data.name,
            link: { to: '/partners/$organization_id', params: { organization_id: organization.data.id } },
          } as const,
        ]
      : []),
  ]
  if (about.error && !about.data)
    return (
      <Page title="An employer" above={above}>
        <Trouble error={about.error} retry={() => void about.refetch()} />
      </Page>
    )
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      above={above}
      mark={about.data && <Status of={about.data.active ? 'active' : 'inactive'} />}
      tabs={[
        { label: 'Overview', link: { to: '/partners/employers/$employer_id', params }, exact: true },
        { label: 'Plan years', link: { to: '/partners/employers/$employer_id/plan-years', params } },
        { label: 'Payroll', link: { to: '/partners/employers/$employer_id/hris', params } },
        { label: 'Statements', link: { to: '/partners/employers/$employer_id/statements', params } },
        { label: 'Invoices', link: { to: '/partners/employers/$employer_id/invoices', params } },
      ]}
    >
      <Outlet />
    </Page>
  )
}
