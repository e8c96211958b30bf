import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Enrolled, enrollmentYear } from '../../parts/benefits/enrollment-rate.tsx'
import { Facts, Loaded, Page, Section, Status, Trouble } from '../../parts/page/page.tsx'
import { Stage } from '../../parts/benefits/stage.tsx'
import { dayOf, instantOf } from '../../format.ts'
import { operatedPlanYears, operatedEmployerRow, partner } from '../../operator-queries.ts'
import { operatedEmployer } from '../../queries.ts'

const route = getRouteApi('/partners/employers/$employer_id')

/** The header and tabs of an employer's pages, for operators. */
export function OperatedEmployer() {
  const params = route.useParams()
  const about = useQuery(operatedEmployer(params.employer_id))
  const organization_id = about.data?.organization_id
  const organization = useQuery({ ...partner(organization_id ?? ''), enabled: organization_id !== undefined })
  const above = [
    { label: 'Partners', link: { to: '/partners' } } as const,
    ...(organization.data && organization_id
      ? [
          {
            label: organization.data.name,
            link: { to: '/partners/$organization_id', params: { organization_id } },
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

export function OperatedOverview() {
  const { employer_id } = route.useParams()
  const about = useQuery(operatedEmployer(employer_id))
  const row = useQuery(operatedEmployerRow(employer_id))
  const years = useQuery(operatedPlanYears(employer_id))
  return (
    <>
      <Section title="Enrollment">
        <Loaded query={years} lines={1}>
          {(found) => (
            <Enrolled year={enrollmentYear(found)}>
              {row.data && <Stage of={row.data.benefit_lifecycle_stage} />}
            </Enrolled>
          )}
        </Loaded>
      </Section>
      <Loaded query={about} lines={5}>
        {({ legal_name, ein, email, phone_number, reference_id, address, created_at, id }) => (
          <Section title="Details">
            <Facts
              of={[
                ['Legal name', legal_name],
                ['EIN', <span className="number">{ein}</span>],
                ['Email', email],
                ['Phone', phone_number],
                ['Address', `${address.address_line_1}, ${address.city}, ${address.state} ${address.zipcode}`],
                ['Partner’s reference', reference_id],
                ['Added', <span title={instantOf(created_at)}>{dayOf(created_at)}</span>],
                ['Id', <code>{id}</code>],
              ]}
            />
          </Section>
        )}
      </Loaded>
    </>
  )
}
