import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { BenefitPlanYear, NewRenewalProposal } from 'openbenefits'
import { ob, refetch } from '../../../api.ts'
import { formatDay, formatNumber, formatDayRange } from '../../../format.ts'
import { useAction } from '../../../parts/form/use-action.ts'
import { useDebounced } from '../../../parts/form/use-debounced.ts'
import { useChangeSearch } from '../../../parts/page/links.tsx'
import { Loaded, Section, ErrorMessage, LoadingPlaceholder } from '../../../parts/page/page.tsx'
import { downloadLink } from '../../../parts/page/download.ts'
import { planYearQuery } from '../../../queries.ts'
import { RenewalTerms } from '../renewal-terms.tsx'
import { ProposalComparison } from './comparison.tsx'
import { type Draft, parseDraft, serializeDraft, max_scenarios } from './draft.ts'
import { type DraftScenario, ScenarioFields, scenarioRequest } from './scenario.tsx'

const route = getRouteApi('/employers/$employer_id/plan-years/$plan_year_id/renewal')

/** Compares scenarios for the next plan year, and shares them as a PDF. */
export function ProposalPage() {
  const { employer_id, plan_year_id } = route.useParams()
  const year = useQuery(planYearQuery(employer_id, plan_year_id))
  return (
    <Loaded query={year} lines={8}>
      {(current) => <ProposalEditor key={current.id} year={current} />}
    </Loaded>
  )
}

/** The request for a proposal. Without days, the service's defaults apply. */
const proposalRequest = ({ terms, scenarios }: Draft, year: BenefitPlanYear) => ({
  ...Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== '')),
  scenarios: scenarios.map((scenario) => scenarioRequest(scenario, year)),
})

function ProposalEditor({ year }: { year: BenefitPlanYear }) {
  const { draft: initial } = route.useSearch()
  const [draft, setDraft] = useState(() => parseDraft(initial, year))
  const debounced = useDebounced(draft)
  const change = useChangeSearch()
  const [first] = useState(draft)
  useEffect(() => {
    if (debounced !== first) void change({ draft: serializeDraft(debounced) })
  }, [debounced, first, change])
  const { terms, scenarios } = draft
  const setScenarios = (scenarios: DraftScenario[]) => setDraft({ ...draft, scenarios })
  const added = { name: `Scenario ${scenarios.length + 1}`, change: '', employer: '', rates: [] }
  return (
    <>
      <p className="note">
        A proposal for the plan year after{' '}
        <Link className="in-text" to="/employers/$employer_id/plan-years/$plan_year_id" params={route.useParams()}>
          {formatDayRange(year.coverage_start, year.coverage_end)}
        </Link>
        . It changes nothing: the operator opens the plan year.
      </p>
      <RenewalTerms title="Dates and renewal" terms={terms} change={(terms) => setDraft({ ...draft, terms })} />
      <Section
        title="Scenarios"
        actions={
          scenarios.length < max_scenarios && (
            <button type="button" className="button" onClick={() => setScenarios([...scenarios, added])}>
              Add scenario
            </button>
          )
        }
      >
        <div className="scenarios">
          {scenarios.map((scenario, at) => (
            <ScenarioFields
              key={at}
              of={scenario}
              number={at + 1}
              year={year}
              change={(changed) => setScenarios(scenarios.with(at, changed))}
              remove={scenarios.length > 1 ? () => setScenarios(scenarios.toSpliced(at, 1)) : undefined}
            />
          ))}
        </div>
      </Section>
      <ScenarioCosts year={year} body={JSON.stringify(proposalRequest(debounced, year))} />
    </>
  )
}

/** The cost of the scenarios in a request, as a table and as a PDF. */
function ScenarioCosts({ year, body }: { year: BenefitPlanYear; body: string }) {
  const { employer_id } = route.useParams()
  const request = JSON.parse(body) as NewRenewalProposal
  const proposal = useQuery({
    queryKey: ['renewal proposal', year.id, body],
    queryFn: ({ signal }) =>
      ob.planYears.proposeRenewal(employer_id, year.id, { ...request, dry_run: true }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const share = useAction({
    mutationFn: async () => {
      const { renewal_proposal_id } = await ob.planYears.proposeRenewal(employer_id, year.id, request)
      const { download_url } = await ob.planYears.getRenewalProposalPdf(employer_id, renewal_proposal_id!)
      downloadLink(download_url)
      await refetch(['employers', employer_id, 'plan-years', year.id])
    },
  })
  return (
    <Section title="Cost">
      {proposal.error ? (
        <ErrorMessage error={proposal.error} retry={() => void proposal.refetch()} />
      ) : proposal.data ? (
        <>
          <p className="quiet note">
            Coverage {formatDay(proposal.data.coverage_start)} – {formatDay(proposal.data.coverage_end)}, if the{' '}
            employees covered on {formatDay(year.coverage_end)} keep their plans and coverage levels:{' '}
            {formatNumber(proposal.data.enrolled_employee_count)}.
          </p>
          <ProposalComparison of={proposal.data} is_former={proposal.isPlaceholderData} />
        </>
      ) : (
        <LoadingPlaceholder lines={10} />
      )}
      {share.error && <ErrorMessage error={share.error} />}
      <div className="form-end">
        <button
          type="button"
          className="button main"
          disabled={share.isPending || !proposal.data || proposal.isPlaceholderData || proposal.isError}
          onClick={() => share.mutate()}
        >
          Download proposal as PDF
        </button>
      </div>
    </Section>
  )
}
