import { getRouteApi } from '@tanstack/react-router'
import type { OperatedOrganization, OrganizationType } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount, formatDay, toSentence } from '../../format.ts'
import { partnersList } from '../../operator-queries.ts'
import { RequiresRecentSignIn } from '../../parts/access/credentials.tsx'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { AddLink, useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { AddSection, Empty, Dash, Page, Status } from '../../parts/page/page.tsx'
import { SearchField } from '../../parts/table/filters.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, numberColumn, Table } from '../../parts/table/table.tsx'
import { min_search_length } from '../../queries.ts'
import { isRoleAllowed } from '../../session.ts'

const route = getRouteApi('/partners')

const columns: Column<OperatedOrganization>[] = [
  linkColumn(
    'Partner',
    ({ id, name }) => [name, { to: '/partners/$organization_id', params: { organization_id: id } }],
    { width: 30 },
  ),
  { name: 'Type', only: 'middle', cell: ({ type }) => (type ? toSentence(type.toLowerCase()) : <Dash />) },
  { name: 'Mode', only: 'middle', cell: ({ sandbox }) => (sandbox ? 'Sandbox' : 'Live') },
  numberColumn('Employers', 'employer_count'),
  numberColumn('People', 'member_count', { only: 'wide' }),
  {
    name: 'Current day',
    align: 'end',
    width: 20,
    phone: 36,
    cell: ({ today, late }) => (
      <>
        {late && <Status of="late" />} {formatDay(today)}
      </>
    ),
  },
]

const exported: ExportColumn<OperatedOrganization>[] = [
  { name: 'Partner', of: ({ name }) => name },
  { name: 'Type', of: ({ type }) => type && toSentence(type.toLowerCase()) },
  { name: 'Mode', of: ({ sandbox }) => (sandbox ? 'Sandbox' : 'Live') },
  { name: 'Employers', of: ({ employer_count }) => employer_count },
  { name: 'People', of: ({ member_count }) => member_count },
  { name: 'Current day', kind: 'day', of: ({ today }) => today },
]

const types: OrganizationType[] = [
  'BROKERAGE',
  'TPA',
  'GENERAL_AGENT',
  'CHANNEL_PARTNER',
  'CONSULTING_FIRM',
  'API_PLATFORM',
]

const fields: Field[] = [
  { name: 'name', label: 'Name' },
  {
    name: 'type',
    label: 'Type',
    required: false,
    options: [['', 'Not given'], ...types.map((value) => [value, toSentence(value.toLowerCase())] as const)],
  },
  {
    name: 'sandbox',
    label: 'Mode',
    hint: 'You can’t change this later.',
    options: [
      ['', 'Same as this installation'],
      ['yes', 'Sandbox: fictional people and a movable clock'],
      ['no', 'Live: real people and the calendar date'],
    ],
  },
]

/** The form to add an organization. Its users are invited next. */
function AddPartner() {
  const navigate = route.useNavigate()
  const create = async ({ name = '', type, sandbox }: Values) => {
    const { id } = await operator.organizations.create({
      name,
      ...(type && { type: type as OrganizationType }),
      ...(sandbox && { sandbox: sandbox === 'yes' }),
    })
    await refetch(['partners'], ['organizations'])
    await navigate({
      to: '/partners/$organization_id/members',
      params: { organization_id: id },
      search: { add: 'yes' as const },
    })
  }
  return (
    <AddSection title="New partner">
      <RequiresRecentSignIn>
        <Form fields={fields} submit={create} button="Add partner" />
      </RequiresRecentSignIn>
    </AddSection>
  )
}

/** The organizations of the installation. */
export function Partners() {
  const { search, add } = route.useSearch()
  const may_add = isRoleAllowed('administer')
  const change = useChangeSearch()
  const list = partnersList(search)
  const rows = useRows(list)
  return (
    <Page
      title="Partners"
      badge={rows.total !== undefined && <span className="quiet">{formatCount(rows.total, 'organization')}</span>}
      actions={
        <>
          <Export name="partners" list={list} columns={exported} />
          {may_add && !add && <AddLink>Add partner</AddLink>}
        </>
      }
    >
      {may_add && add && <AddPartner />}
      <div className="filters">
        <SearchField
          label="Name or id"
          least={min_search_length}
          value={search}
          search={(search) => void change({ search })}
        />
      </div>
      <Table
        label="Partners"
        columns={columns}
        rows={rows}
        empty={search ? <NoMatches rows="partners" /> : <Empty title="No partners yet." />}
      />
    </Page>
  )
}
