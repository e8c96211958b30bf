import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import type { EmployerRow } from 'openbenefits/operator'
import { Search } from '../../parts/table/filters.tsx'
import { Empty, Nothing, Page, PayrollStatus, Share, Status, Trouble } from '../../parts/page/page.tsx'
import { Stage } from '../../parts/benefits/stage.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { operatedEmployers, partner } from '../../operator-queries.ts'
import { least_known } from '../../queries.ts'
import { useChangeSearch } from '../../parts/page/here-link.tsx'

const route = getRouteApi('/partners/$organization_id')

/** The header and tabs of an organization's pages, for operators. */
export function Partner() {
  const params = route.useParams()
  const about = useQuery(partner(params.organization_id))
  if (about.error && !about.data)
    return (
      <Page title="A partner" above={[{ label: 'Partners', link: { to: '/partners' } }]}>
        <Trouble error={about.error} retry={() => void about.refetch()} />
      </Page>
    )
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      above={[{ label: 'Partners', link: { to: '/partners' } }]}
      mark={about.data && <Status of={about.data.sandbox ? 'sandbox' : 'live'} tone="over" />}
      tabs={[
        { label: 'Employers', link: { to: '/partners/$organization_id', params }, exact: true },
        { label: 'Money', link: { to: '/partners/$organization_id/money', params } },
        { label: 'Users', link: { to: '/partners/$organization_id/members', params } },
        { label: 'API keys', link: { to: '/partners/$organization_id/keys', params } },
        { label: 'Catalog', link: { to: '/partners/$organization_id/catalog', params } },
      ]}
    >
      <Outlet />
    </Page>
  )
}

const employers = getRouteApi('/partners/$organization_id/')

const employer_columns: Column<EmployerRow>[] = [
  {
    name: 'Employer',
    width: 28,
    phone: 38,
    cell: ({ id, name }) => (
      <RowLink to="/partners/employers/$employer_id" params={{ employer_id: id }}>
        {name}
      </RowLink>
    ),
  },
  {
    name: 'Stage',
    phone: 38,
    width: 27,
    cell: ({ benefit_lifecycle_stage }) => <Stage of={benefit_lifecycle_stage} />,
  },
  {
    name: 'Enrolled',
    width: 20,
    phone: 24,
    cell: ({ enrollment_rate_summary: { enrolled, eligible } }) => (
      <Share of="eligible people enrolled" enrolled={enrolled} eligible={eligible} />
    ),
  },
  {
    name: 'Payroll',
    only: 'middle',
    cell: ({ hris_status }) =>
      hris_status ? (
        <>
          {hris_status.provider_label} <PayrollStatus of={hris_status.status} />
        </>
      ) : (
        <Nothing />
      ),
  },
]

export function PartnerEmployers() {
  const { organization_id } = employers.useParams()
  const { search } = employers.useSearch()
  const change = useChangeSearch()
  const rows = useRows(operatedEmployers({ organization_id: organization_id, ...(search && { search }) }))
  return (
    <>
      <div className="filters">
        <Search
          label="Name, EIN or id"
          least={least_known}
          value={search}
          search={(search) => void change({ search })}
        />
      </div>
      <Table
        label="Employers"
        columns={employer_columns}
        rows={rows}
        empty={<Empty title={search ? 'No employers match.' : 'No employers yet.'} />}
      />
    </>
  )
}
