import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet, useRouterState } from '@tanstack/react-router'
import { partnerQuery } from '../../operator-queries.ts'
import { EmployerStage } from '../../parts/benefits/employer-stage.tsx'
import { NotFound, Page, Status, type Tab, Tabs, ErrorMessage } from '../../parts/page/page.tsx'
import { employerRowQuery, operatedEmployerQuery } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'

const members = getRouteApi('/employers/$employer_id')

/** The pages of an employer by subject. A subject with several pages shows them as tabs of their own. */
function navigationGroups(params: { employer_id: string }): { label: string; tabs: Tab[] }[] {
  const only = (...tabs: (Tab | false)[]) => tabs.filter((tab) => tab !== false)
  return [
    { label: 'Overview', tabs: [{ label: 'Overview', link: { to: '/employers/$employer_id', params }, exact: true }] },
    {
      label: 'Employees',
      tabs: only(
        isRoleAllowed('people') && { label: 'Roster', link: { to: '/employers/$employer_id/roster', params } },
        isRoleAllowed('people') && { label: 'Enrollment', link: { to: '/employers/$employer_id/enrollment', params } },
        isRoleAllowed('employment') && { label: 'Census', link: { to: '/employers/$employer_id/census', params } },
      ),
    },
    {
      label: 'Plans',
      tabs: [
        { label: 'Plan years', link: { to: '/employers/$employer_id/plan-years', params } },
        { label: 'Documents', link: { to: '/employers/$employer_id/documents', params } },
      ],
    },
    {
      label: 'Billing',
      tabs: only(
        isRoleAllowed('money') && { label: 'Invoices', link: { to: '/employers/$employer_id/invoices', params } },
        isRoleAllowed('money') && { label: 'Statements', link: { to: '/employers/$employer_id/statements', params } },
      ),
    },
    {
      label: 'ACA',
      tabs: only(isRoleAllowed('employment') && { label: 'ACA', link: { to: '/employers/$employer_id/aca', params } }),
    },
    {
      label: 'Activity',
      tabs: only(
        isRoleAllowed('people') && { label: 'Activity', link: { to: '/employers/$employer_id/activity', params } },
      ),
    },
    {
      label: 'Settings',
      tabs: only(
        isRoleAllowed('settings') && { label: 'Settings', link: { to: '/employers/$employer_id/settings', params } },
      ),
    },
  ]
}

/** The header and tabs of an employer's pages. */
export function Employer() {
  const params = members.useParams()
  const row = useQuery(employerRowQuery(params.employer_id))
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const subjects = navigationGroups(params).filter(({ tabs }) => tabs.length > 0)
  const isOpen = ({ link, exact }: Tab) => {
    const page = link.to!.replace('$employer_id', params.employer_id)
    return exact ? path.replace(/\/$/, '').endsWith(page) : path.includes(page)
  }
  const open = subjects.find(({ tabs }) => tabs.some(isOpen))
  if (row.data === null || (row.error && !row.data))
    return (
      <Page title="An employer" breadcrumbs={[{ label: 'Employers', link: { to: '/employers' } }]}>
        {row.error ? <ErrorMessage error={row.error} retry={() => void row.refetch()} /> : <NotFound />}
      </Page>
    )
  return (
    <Page
      title={row.data?.name ?? '\u00a0'}
      breadcrumbs={[{ label: 'Employers', link: { to: '/employers' } }]}
      badge={row.data && <EmployerStage of={row.data.benefit_lifecycle_stage} />}
      tabs={subjects.map((subject) => ({
        ...subject.tabs[0]!,
        label: subject.label,
        is_current: subject === open && subject.tabs.length > 1,
      }))}
    >
      {open && open.tabs.length > 1 && (
        <div className="subtabs">
          <Tabs label={open.label} tabs={open.tabs} />
        </div>
      )}
      <Outlet />
    </Page>
  )
}

const operators = getRouteApi('/partners/employers/$employer_id')

/** The header and tabs of an employer's pages, for operators. */
export function OperatedEmployer() {
  const params = operators.useParams()
  const about = useQuery(operatedEmployerQuery(params.employer_id))
  const organization_id = about.data?.organization_id
  const organization = useQuery({ ...partnerQuery(organization_id ?? ''), enabled: organization_id !== undefined })
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
      <Page title="An employer" breadcrumbs={above}>
        <ErrorMessage error={about.error} retry={() => void about.refetch()} />
      </Page>
    )
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      breadcrumbs={above}
      badge={about.data && <Status of={about.data.active ? 'active' : 'inactive'} />}
      tabs={[
        { label: 'Overview', link: { to: '/partners/employers/$employer_id', params }, exact: true },
        { label: 'Employees', link: { to: '/partners/employers/$employer_id/employees', params } },
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
