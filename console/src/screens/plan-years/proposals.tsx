import { getRouteApi } from '@tanstack/react-router'
import type { RenewalProposalSummary } from 'openbenefits'
import { ob } from '../../api.ts'
import { formatDay, formatDollars } from '../../format.ts'
import { useAction } from '../../parts/form/use-action.ts'
import { downloadLink } from '../../parts/page/download.ts'
import { Section, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { pagedList } from '../../queries.ts'

const route = getRouteApi('/employers/$employer_id/plan-years/$plan_year_id')

/** Each scenario with its premium per year and the change from the current plan year. */
const describeScenarios = ({ scenarios }: RenewalProposalSummary) => (
  <ul>
    {scenarios.map(({ name, per_year: { premium_in_cents, premium_change_percent: change } }) => (
      <li key={name}>
        {name}: {formatDollars(premium_in_cents)}
        {change !== null && <span className="quiet"> {change > 0 ? `+${change}` : change}%</span>}
      </li>
    ))}
  </ul>
)

type OpenProposal = (proposal: RenewalProposalSummary) => void

const columnsOf = (open: OpenProposal, is_busy: boolean): Column<RenewalProposalSummary>[] => [
  { name: 'Proposed', width: 20, phone: 28, cell: ({ created_at }) => formatDay(created_at) },
  { name: 'Premium per year', wraps: true, phone: 48, cell: describeScenarios },
  dateColumn('Coverage starts', 'coverage_start', { only: 'middle', width: 20 }),
  {
    name: 'Action',
    align: 'end',
    width: 14,
    phone: 24,
    cell: (proposal) => (
      <button type="button" className="plain" disabled={is_busy} onClick={() => open(proposal)}>
        PDF
      </button>
    ),
  },
]

const exported: ExportColumn<RenewalProposalSummary>[] = [
  { name: 'Proposed', of: ({ created_at }) => created_at },
  { name: 'Coverage starts', kind: 'day', of: ({ coverage_start }) => coverage_start },
  { name: 'Coverage ends', kind: 'day', of: ({ coverage_end }) => coverage_end },
  ...[0, 1, 2, 3].flatMap((at): ExportColumn<RenewalProposalSummary>[] => [
    { name: `Scenario ${at + 1}`, of: ({ scenarios }) => scenarios[at]?.name },
    { name: `Premium ${at + 1}`, kind: 'cents', of: ({ scenarios }) => scenarios[at]?.per_year.premium_in_cents },
    { name: `Change ${at + 1} in %`, of: ({ scenarios }) => scenarios[at]?.per_year.premium_change_percent },
  ]),
]

/** The stored renewal proposals of a plan year. The section is absent without one. */
export function Proposals() {
  const { employer_id, plan_year_id } = route.useParams()
  const list = pagedList(['employers', employer_id, 'plan-years', plan_year_id, 'proposals'], (paging, options) =>
    ob.planYears.listRenewalProposals(employer_id, plan_year_id, paging, options),
  )
  const rows = useRows(list)
  const open = useAction({
    mutationFn: async ({ renewal_proposal_id }: RenewalProposalSummary) => {
      const { download_url } = await ob.planYears.getRenewalProposalPdf(employer_id, renewal_proposal_id)
      downloadLink(download_url)
    },
  })
  if (!rows.total) return null
  return (
    <Section title="Renewal proposals" actions={<Export name="proposals" list={list} columns={exported} />}>
      {open.error && <ErrorMessage error={open.error} />}
      <Table label="Renewal proposals" columns={columnsOf(open.mutate, open.isPending)} rows={rows} empty={null} />
    </Section>
  )
}
