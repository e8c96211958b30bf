import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import type { EmployerRow } from 'openbenefits/operator'
import { operatedEmployersList, partnerQuery } from '../../operator-queries.ts'
import { enrolled_column, payroll_column, stage_column } from '../../parts/benefits/employer-stage.tsx'
import { useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { Empty, Page, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { SearchField } from '../../parts/table/filters.tsx'
import { Export } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { min_search_length } from '../../queries.ts'

const route = getRouteApi('/partners/$organization_id')

/** The header and tabs of an organization's pages, for operators. */
export function Partner() {
  const params = route.useParams()
  const about = useQuery(partnerQuery(params.organization_id))
  if (about.error && !about.data)
    return (
      <Page title="A partner" breadcrumbs={[{ label: 'Partners', link: { to: '/partners' } }]}>
        <ErrorMessage error={about.error} retry={() => void about.refetch()} />
      </Page>
    )
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      breadcrumbs={[{ label: 'Partners', link: { to: '/partners' } }]}
      badge={about.data && <Status of={about.data.sandbox ? 'sandbox' : 'live'} tone="over" />}
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
  linkColumn(
    'Employer',
    ({ id, name }) => [name, { to: '/partners/employers/$employer_id', params: { employer_id: id } }],
    { width: 28, phone: 38 },
  ),
  stage_column,
  enrolled_column,
  { ...payroll_column, only: 'middle' },
]

export function PartnerEmployers() {
  const { organization_id } = employers.useParams()
  const { search } = employers.useSearch()
  const change = useChangeSearch()
  const list = operatedEmployersList({ organization_id, ...(search && { search }) })
  const rows = useRows(list)
  return (
    <>
      <div className="filters">
        <SearchField
          label="Name, EIN or id"
          least={min_search_length}
          value={search}
          search={(search) => void change({ search })}
        />
        <Export name="employers" list={list} scheduled={{ list: 'employers' }} />
      </div>
      <Table
        label="Employers"
        columns={employer_columns}
        rows={rows}
        empty={
          search ? (
            <NoMatches rows="employers" />
          ) : (
            <Empty title="No employers yet.">The partner adds employers in its console or through the API.</Empty>
          )
        }
      />
    </>
  )
}
