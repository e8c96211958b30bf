import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EnrollmentAgreement } from 'openbenefits'
import { formatDay, formatDayRange } from '../../format.ts'
import { takeFocus } from '../../parts/page/interaction.ts'
import { AddLink, HereLink } from '../../parts/page/links.tsx'
import { Timestamp, Loaded, Page, Status } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { fixedRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { settingsTabs } from '../organization/settings-tabs.ts'
import { agreementsQuery, latestAgreement } from './queries.ts'
import { NewAgreement } from './new-agreement.tsx'
import { AgreementTexts } from './texts.tsx'

const route = getRouteApi('/settings/agreements')

/** The id of a version in the URL. The default text has none. */
const keyOf = ({ id }: EnrollmentAgreement) => id ?? 'default'

const versionLabel = ({ version }: EnrollmentAgreement) => (version === 0 ? 'Default text' : `Version ${version}`)

const scopeOf = ({ plan_year }: EnrollmentAgreement): string =>
  plan_year
    ? `${plan_year.employer_name}, ${formatDayRange(plan_year.coverage_start, plan_year.coverage_end)}`
    : 'All plan years'

const statusOf = (all: EnrollmentAgreement[], one: EnrollmentAgreement) =>
  latestAgreement(all, one.benefit_plan_year_id) === one ? 'Current' : 'Replaced'

const exportedColumns = (all: EnrollmentAgreement[]): ExportColumn<EnrollmentAgreement>[] => [
  { name: 'Agreement', of: versionLabel },
  { name: 'Signed for', of: scopeOf },
  { name: 'Status', of: (one) => statusOf(all, one) },
  { name: 'Created', of: ({ created_at }) => created_at },
]

const columnsOf = (all: EnrollmentAgreement[]): Column<EnrollmentAgreement>[] => [
  {
    name: 'Agreement',
    width: 24,
    phone: 42,
    wraps: true,
    cell: (one) => (
      <>
        <HereLink className="row-link" change={{ shown: keyOf(one), add: undefined }}>
          {versionLabel(one)}
        </HereLink>
        <span className="quiet only-phone">{scopeOf(one)}</span>
      </>
    ),
  },
  { name: 'Signed for', only: 'middle', cell: scopeOf },
  {
    name: 'Status',
    width: 16,
    phone: 28,
    cell: (one) => {
      const status = statusOf(all, one)
      return <Status of={status} tone={status === 'Current' ? 'good' : 'over'} />
    },
  },
  {
    name: 'Created',
    align: 'end',
    width: 16,
    phone: 30,
    cell: ({ created_at }) => (created_at ? formatDay(created_at) : <span className="quiet">Built in</span>),
  },
]

/**
 * The agreements that employees sign with their elections: the versions, one of them in full, and a form for the next.
 */
export function Agreements() {
  const { add, shown } = route.useSearch()
  const found = useQuery(agreementsQuery())
  return (
    <Page
      title="Settings"
      tabs={settingsTabs()}
      actions={
        <>
          {found.data && <Export name="agreements" list={found.data} columns={exportedColumns(found.data)} />}
          {!add && <AddLink>New version</AddLink>}
        </>
      }
    >
      <Loaded query={found} lines={8}>
        {(all) => {
          const chosen = all.find((one) => keyOf(one) === shown)
          return (
            <>
              {add && <NewAgreement all={all} />}
              {!add && chosen && <AgreementText key={keyOf(chosen)} of={chosen} />}
              <p className="quiet note">
                Employees sign the current text of their plan year, or else the one for all plan years.
              </p>
              <Table
                label="Agreements"
                columns={columnsOf(all)}
                rows={fixedRows(all)}
                isChosen={(one) => !add && one === chosen}
                empty={null}
              />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

function AgreementText({ of }: { of: EnrollmentAgreement }) {
  return (
    <section className="section">
      <div className="section-head">
        <h2 tabIndex={-1} ref={takeFocus}>
          {versionLabel(of)}
        </h2>
        <HereLink className="plain" change={{ shown: undefined }}>
          Close
        </HereLink>
      </div>
      <p className="quiet">
        {scopeOf(of)}
        {of.created_at && (
          <>
            {', '}
            <Timestamp of={of.created_at} />
          </>
        )}
      </p>
      <AgreementTexts of={of} />
    </section>
  )
}
