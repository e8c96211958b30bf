import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { BenefitPlanYear, Catalog, NewPlanYear } from 'openbenefits/operator'
import { operator } from '../../../api.ts'
import { Empty, Loaded, Section, Trouble, Waiting } from '../../../parts/page.tsx'
import { UpTo } from '../../../parts/up-to.tsx'
import { count, dayAfter, presentDay } from '../../../parts/words.ts'
import { catalogOf, operatedPlanYears } from '../../../operator-queries.ts'
import { operatedEmployer } from '../../../queries.ts'
import { BenefitOffer } from './benefit-offer.tsx'
import { bodyOf, offerOf, offersLike, type Offer } from './offer.ts'
import { Simulation } from './simulation.tsx'

const route = getRouteApi('/partners/employers/$employer_id/plan-years/build')

type Days = { coverage_start: string; open_enrollment_start: string; open_enrollment_end: string }

/** The first day of the month after next. */
const soon = () => {
  const [year, month] = presentDay().split('-').map(Number) as [number, number]
  return new Date(Date.UTC(year, month + 1, 1)).toISOString().slice(0, 10)
}

/** A plan year as it would be opened, with who would pay what while one still moves it. */
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
  return (
    <Loaded query={catalog} lines={10}>
      {(found) => (
        <Loaded query={years} lines={10}>
          {(opened) => <Draft key={from} catalog={found} like={opened.find(({ id }) => id === from)} />}
        </Loaded>
      )}
    </Loaded>
  )
}

/** A value once it has rested for a moment: not each step of a slider is asked about. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setRested(value), 250)
    return () => clearTimeout(wait)
  }, [value])
  return rested
}

function Draft({ catalog: { benefits }, like }: { catalog: Catalog; like: BenefitPlanYear | undefined }) {
  const { employer_id } = route.useParams()
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const [days, setDays] = useState<Days>({
    coverage_start: like ? dayAfter(like.coverage_end) : soon(),
    open_enrollment_start: '',
    open_enrollment_end: '',
  })
  const [offers, setOffers] = useState<Offer[]>(() => (like ? offersLike(like, benefits) : []))
  const body = useRested(JSON.stringify(wantedOf(days, offers, benefits, like !== undefined)))
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
    await client.invalidateQueries(operatedPlanYears(employer_id))
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
        <DaysOf days={days} change={setDays} />
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
          <Empty title="Cost preview">Choose a benefit to see what it costs whom, from the roster.</Empty>
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

/** What is empty is the service's to decide. A plan year after another renews it: who does not answer keeps what they had. */
const wantedOf = (days: Days, offers: Offer[], benefits: Catalog['benefits'], renews: boolean) => ({
  ...Object.fromEntries(Object.entries(days).filter(([, day]) => day !== '')),
  ...(renews && { renewal: 'passive' }),
  benefits: offers.map((offer) =>
    bodyOf(
      offer,
      benefits.find(({ id }) => id === offer.benefit_id)!,
    ),
  ),
})

function DaysOf({ days, change }: { days: Days; change: (days: Days) => void }) {
  const field = (name: keyof Days, label: string) => (
    <div className="field">
      <label htmlFor={name}>{label}</label>
      <input
        id={name}
        type="date"
        value={days[name]}
        onChange={({ target }) => change({ ...days, [name]: target.value })}
      />
    </div>
  )
  return (
    <Section title="Dates">
      <div className="fields">
        {field('coverage_start', 'Coverage starts')}
        {field('open_enrollment_start', 'Open enrollment from')}
        {field('open_enrollment_end', 'Open enrollment to')}
      </div>
    </Section>
  )
}
