import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { BenefitPlanYear, Catalog, EmployerSetup, NewPlanYear } from 'openbenefits/operator'
import { operator, refetch } from '../../../api.ts'
import { formatCount, formatDayRange } from '../../../format.ts'
import { catalogQuery, operatedPlanYearsQuery } from '../../../operator-queries.ts'
import { RequiresRole } from '../../../parts/access/requires-role.tsx'
import { useDebounced } from '../../../parts/form/use-debounced.ts'
import { Empty, Loaded, Section, ErrorMessage, LoadingPlaceholder } from '../../../parts/page/page.tsx'
import { operatedEmployerQuery } from '../../../queries.ts'
import { BenefitOffer, offerRequest, type Offer, newOffer, copyOffers } from './benefit-offer.tsx'
import { setupQuery } from '../../setup/queries.ts'
import { type PlanYearDays, RenewalTerms, type Terms, copyTerms } from '../renewal-terms.tsx'
import { Simulation } from './simulation.tsx'

const route = getRouteApi('/partners/employers/$employer_id/plan-years/build')

/** The days that a partner requested. */
const requestedDays = (request: NonNullable<Request>): PlanYearDays => ({
  coverage_start: request.coverage_start,
  open_enrollment_start: request.open_enrollment_start ?? '',
  open_enrollment_end: request.open_enrollment_end ?? '',
})

/** The plans that a partner requested. */
const requestedOffers = ({ plans }: NonNullable<Request>, benefits: Catalog['benefits']): Offer[] =>
  benefits.flatMap((benefit) => {
    const plan_ids = plans.filter(({ benefit_id }) => benefit_id === benefit.id).map(({ id }) => id)
    return plan_ids.length > 0 ? [{ ...newOffer(benefit), plan_ids }] : []
  })

/** A plan year before it is opened, with a live cost preview. */
export const BuilderPage = () => (
  <RequiresRole area="administer">
    <BuilderSetup />
  </RequiresRole>
)

function BuilderSetup() {
  const { employer_id } = route.useParams()
  const { from } = route.useSearch()
  const about = useQuery(operatedEmployerQuery(employer_id))
  const organization_id = about.data?.organization_id
  const catalog = useQuery({ ...catalogQuery(organization_id ?? ''), enabled: organization_id !== undefined })
  const years = useQuery(operatedPlanYearsQuery(employer_id))
  const setup = useQuery(setupQuery(employer_id))
  return (
    <Loaded query={catalog} lines={10}>
      {(found) => (
        <Loaded query={years} lines={10}>
          {(opened) => (
            <Loaded query={setup} lines={10}>
              {({ plan_year_request }) => (
                <PlanYearForm
                  key={from}
                  catalog={found}
                  like={opened.find(({ id }) => id === from)}
                  request={from === undefined ? plan_year_request : null}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

type Request = EmployerSetup['plan_year_request']
type DraftProps = { catalog: Catalog; like: BenefitPlanYear | undefined; request: Request }

const titleOf = (like: BenefitPlanYear | undefined, request: Request): string =>
  like
    ? `Copy of the plan year ${formatDayRange(like.coverage_start, like.coverage_end)}`
    : request
      ? 'Requested plan year'
      : 'New plan year'

function PlanYearForm({ catalog: { benefits }, like, request }: DraftProps) {
  const { employer_id } = route.useParams()
  const navigate = route.useNavigate()
  const [terms, setTerms] = useState(() => ({ ...copyTerms(like), ...(request && requestedDays(request)) }))
  const [offers, setOffers] = useState<Offer[]>(() =>
    like ? copyOffers(like, benefits) : request ? requestedOffers(request, benefits) : [],
  )
  const body = useDebounced(JSON.stringify(planYearRequest(terms, offers, benefits)))
  const preview = useQuery({
    queryKey: ['opening', employer_id, body],
    queryFn: ({ signal }) =>
      operator.planYears.open(
        employer_id,
        { ...(JSON.parse(body) as NewPlanYear), dry_run: true, limit: 100 },
        { signal },
      ),
    enabled: offers.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const open = async () => {
    await operator.planYears.open(employer_id, JSON.parse(body) as NewPlanYear)
    await refetch(operatedPlanYearsQuery(employer_id).queryKey, setupQuery(employer_id).queryKey)
    await navigate({ to: '/partners/employers/$employer_id/plan-years', params: { employer_id } })
  }
  const change = (offer: Offer) => setOffers(offers.map((one) => (one.benefit_id === offer.benefit_id ? offer : one)))
  const toggle = (id: string) => {
    const benefit = benefits.find((one) => one.id === id)!
    const is_offered = offers.some(({ benefit_id }) => benefit_id === id)
    setOffers(is_offered ? offers.filter(({ benefit_id }) => benefit_id !== id) : [...offers, newOffer(benefit)])
  }
  return (
    <div className="beside builder">
      <div>
        <RenewalTerms title={titleOf(like, request)} terms={terms} change={setTerms} />
        <Section title="Benefits" actions={<span className="quiet">{formatCount(offers.length, 'benefit')}</span>}>
          {benefits.length === 0 && <Empty title="The partner’s catalog is empty.">Import a catalog first.</Empty>}
          {benefits.map((benefit) => (
            <BenefitOffer
              key={benefit.id}
              benefit={benefit}
              offer={offers.find(({ benefit_id }) => benefit_id === benefit.id)}
              toggle={() => toggle(benefit.id)}
              change={change}
            />
          ))}
        </Section>
      </div>
      <div className="simulation">
        {offers.length === 0 ? (
          <Empty title="Cost preview">
            Select a benefit to preview its cost for the employer and each person on the roster.
          </Empty>
        ) : preview.error ? (
          <ErrorMessage error={preview.error} retry={() => void preview.refetch()} />
        ) : preview.data?.preview ? (
          <Simulation
            opened={preview.data.data}
            like={like}
            preview={preview.data.preview}
            benefits={benefits}
            is_former={preview.isPlaceholderData}
            open={open}
            back={() => void navigate({ to: '/partners/employers/$employer_id/plan-years', params: { employer_id } })}
          />
        ) : (
          <LoadingPlaceholder lines={10} />
        )}
      </div>
    </div>
  )
}

/** Empty dates get the service's defaults. */
const planYearRequest = (terms: Terms, offers: Offer[], benefits: Catalog['benefits']) => ({
  ...Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== '')),
  benefits: offers.map((offer) =>
    offerRequest(
      offer,
      benefits.find(({ id }) => id === offer.benefit_id)!,
    ),
  ),
})
