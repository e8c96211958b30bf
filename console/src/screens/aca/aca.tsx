import './aca.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { HereLink } from '../../parts/page/links.tsx'
import { Empty, Loaded, Tabs } from '../../parts/page/page.tsx'
import { TaxFiling } from './filing.tsx'
import { Forms } from './forms.tsx'
import { Hours } from './hours.tsx'
import { Measurement } from './measurement.tsx'
import { Offers } from './offers.tsx'
import { acaOverviewQuery } from './queries.ts'
import { Workforce } from './workforce.tsx'

const route = getRouteApi('/employers/$employer_id/aca')

const views = {
  status: { label: 'Status', Shown: Workforce },
  offers: { label: 'Offers', Shown: Offers },
  forms: { label: 'Forms', Shown: Forms },
  filing: { label: 'Filing', Shown: TaxFiling },
  hours: { label: 'Hours', Shown: Hours },
  measurement: { label: 'Measurement', Shown: Measurement },
} as const

/** The employer mandate at an employer: status of people, offers, tax forms, hours and measurement policies. */
export function Aca() {
  const params = route.useParams()
  const { show = 'status' } = route.useSearch()
  const overview = useQuery(acaOverviewQuery(params.employer_id))
  const open = show in views ? (show as keyof typeof views) : 'status'
  const { Shown } = views[open]
  return (
    <Loaded query={overview} lines={10}>
      {(found) => (
        <>
          <div className="subtabs">
            <Tabs
              label="ACA"
              tabs={Object.entries(views).map(([name, { label }]) => ({
                label,
                link: { to: '/employers/$employer_id/aca', params, search: name === 'status' ? {} : { show: name } },
                is_current: name === open,
              }))}
            />
          </div>
          {open === 'status' && !found.has_measurement_policies && found.hours_reported_through === null ? (
            <NotMeasured />
          ) : (
            <Shown employer_id={params.employer_id} overview={found} />
          )}
        </>
      )}
    </Loaded>
  )
}

const NotMeasured = () => (
  <Empty title="Hours are not measured.">
    <p>
      This page shows which employees are full-time under the Affordable Care Act, once the employer measures hours of
      service.
    </p>
    <p>
      <HereLink className="button main" change={{ show: 'measurement' }}>
        Set a measurement policy
      </HereLink>
    </p>
  </Empty>
)
