import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { BenefitPlanYear, Catalog, EmployerSetup, NewPlanYear, Renewal } from 'openbenefits/operator'
import { operator, refetch } from '../../../api.ts'
import { count, dayAfter, movedBy, presentDay } from '../../../format.ts'
import { catalogOf, operatedPlanYears } from '../../../operator-queries.ts'
import { UpTo } from '../../../parts/access/permitted.tsx'
import { Empty, Loaded, Section, Trouble, Waiting } from '../../../parts/page/page.tsx'
import { operatedEmployer } from '../../../queries.ts'
import { BenefitOffer, bodyOf, type Offer, offerOf, offersLike } from './benefit-offer.tsx'
import { setupOf } from '../../setup/queries.ts'
import { Simulation } from './simulation.tsx'

const route = getRouteApi('/partners/employers/$employer_id/plan-years/build')

type Days = { coverage_start: string; open_enrollment_start: string; open_enrollment_end: string }
type Terms = Days & { renewal: Renewal }

const renewals: { value: Renewal; label: string; hint: string }[] = [
  { value: 'passive', label: 'Passive', hint: 'Employees who do not respond keep their coverage.' },
  { value: 'active', label: 'Active', hint: 'Employees who do not respond have no coverage in the new plan year.' },
]

/** The terms of a copy. The open enrollment moves with the start of coverage. */
function termsLike(like: BenefitPlanYear | undefined): Terms {
  const none = { open_enrollment_start: '', open_enrollment_end: '' }
  if (!like) return { coverage_start: soon(), ...none, renewal: 'active' }
  const coverage_start = dayAfter(like.coverage_end)
  const moved = (day: string) => movedBy(day, like.coverage_start, coverage_start)
  const { open_enrollment_start: opens, open_enrollment_end: closes } = like
  const window = closes === null ? none : { open_enrollment_start: moved(opens), open_enrollment_end: moved(closes) }
  return { coverage_start, ...window, renewal: 'passive' }
}

/** The days that a partner requested. */
const termsIn = (request: NonNullable<Request>): Days => ({
  coverage_start: request.coverage_start,
  open_enrollment_start: request.open_enrollment_start ?? '',
  open_enrollment_end: request.open_enrollment_end ?? '',
})

/** The plans that a partner requested. */
const offersIn = ({ plans }: NonNullable<Request>, benefits: Catalog['benefits']): Offer[] =>
  benefits.flatMap((benefit) => {
    const plan_ids = plans.filter(({ benefit_id }) => benefit_id === benefit.id).map(({ id }) => id)
    return plan_ids.length > 0 ? [{ ...offerOf(benefit), plan_ids }] : []
  })

/** The first day of the month after next. */
const soon = () => {
  const [year, month] = presentDay().split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month + 1, 1)).toISOString().slice(0, 10)
}

/** A plan year before it is opened, with a live cost preview. */
export const Builder = () => (
  <UpTo area="administer">
    <Opening />
  </UpTo>
)

function Opening() {
  const { employer_id } = route.useParams()
  const { from } = route.useSearch()
  const about = useQuery(operatedEmployer(employer_id))
  const organization_id = about.data?.organization_id
  const catalog = useQuery({ ...catalogOf(organization_id ?? ''), enabled: organization_id !== undefined })
  const years = useQuery(operatedPlanYears(employer_id))
  const setup = useQuery(setupOf(employer_id))
  return (
    <Loaded query={catalog} lines={10}>
      {(found) => (
        <Loaded query={years} lines={10}>
          {(opened) => (
            <Loaded query={setup} lines={10}>
              {({ plan_year_request }) => (
                <Draft
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

/** Debounces a value, so that a moving slider does not send a request per step. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setRested(value), 250)
    return () => clearTimeout(wait)
  }, [value])
  return rested
}

type Request = EmployerSetup['plan_year_request']
type DraftProps = { catalog: Catalog; like: BenefitPlanYear | undefined; request: Request }

function Draft({ catalog: { benefits }, like, request }: DraftProps) {
  const { employer_id } = route.useParams()
  const navigate = route.useNavigate()
  const [terms, setTerms] = useState(() => ({ ...termsLike(like), ...(request && termsIn(request)) }))
  const [offers, setOffers] = useState<Offer[]>(() =>
    like ? offersLike(like, benefits) : request ? offersIn(request, benefits) : [],
  )
  const body = useRested(JSON.stringify(wantedOf(terms, offers, benefits)))
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
    await refetch(operatedPlanYears(employer_id).queryKey, setupOf(employer_id).queryKey)
    await navigate({ to: '/partners/employers/$employer_id/plan-years', params: { employer_id } })
  }
  const change = (offer: Offer) => setOffers(offers.map((one) => (one.benefit_id === offer.benefit_id ? offer : one)))
  const toggle = (id: string) => {
    const benefit = benefits.find((one) => one.id === id)!
    const is_offered = offers.some(({ benefit_id }) => benefit_id === id)
    setOffers(is_offered ? offers.filter(({ benefit_id }) => benefit_id !== id) : [...offers, offerOf(benefit)])
  }
  return (
    <div className="beside builder">
      <div>
        <TermsOf terms={terms} change={setTerms} />
        <Section title="Benefits" actions={<span className="quiet">{count(offers.length, 'benefit')}</span>}>
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
          <Trouble error={preview.error} retry={() => void preview.refetch()} />
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
          <Waiting lines={10} />
        )}
      </div>
    </div>
  )
}

/** Empty dates get the service's defaults. */
const wantedOf = (terms: Terms, offers: Offer[], benefits: Catalog['benefits']) => ({
  ...Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== '')),
  benefits: offers.map((offer) =>
    bodyOf(
      offer,
      benefits.find(({ id }) => id === offer.benefit_id)!,
    ),
  ),
})

function TermsOf({ terms, change }: { terms: Terms; change: (terms: Terms) => void }) {
  const field = (name: keyof Days, label: string) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        type="date"
        value={terms[name]}
        onChange={({ target }) => change({ ...terms, [name]: target.value })}
      />
    </div>
  )
  return (
    <Section title="Dates and renewal">
      <div className="fields">
        <div className="field wide">
          <label htmlFor="renewal">Renewal</label>
          <select
            id="renewal"
            aria-describedby="renewal-hint"
            value={terms.renewal}
            onChange={({ target }) => change({ ...terms, renewal: target.value as Renewal })}
          >
            {renewals.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <span className="hint" id="renewal-hint">
            {renewals.find(({ value }) => value === terms.renewal)!.hint}
          </span>
        </div>
        {field('coverage_start', 'Coverage starts')}
        {field('open_enrollment_start', 'Open enrollment from')}
        {field('open_enrollment_end', 'Open enrollment to')}
      </div>
    </Section>
  )
}
