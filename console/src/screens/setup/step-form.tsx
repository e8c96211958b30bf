import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { Day } from 'openbenefits'
import { operator, refetch } from '../../api.ts'
import { easternToday } from '../../format.ts'
import { Form } from '../../parts/form/form.tsx'
import { Loaded } from '../../parts/page/page.tsx'
import { isOperator } from '../../session.ts'
import { EmployerDetails } from '../employer/details.tsx'
import { Policies } from '../employer/policies.tsx'
import { Payroll } from '../employer/settings.tsx'
import { ReminderSchedule } from '../enrollment/schedule.tsx'
import { EmployerContacts } from './contacts.tsx'
import { PlanYearRequest } from './plan-year-request.tsx'
import { setupQuery } from './queries.ts'

/** The form of the chosen step. The settings and the enrollment center show the same forms. */
export function StepForm() {
  const { employer_id = '' } = useParams({ strict: false })
  const { step } = useSearch({ strict: false })
  const employer = { employer_id }
  if (isOperator()) return step === 'go_live' ? <SubscriptionStep {...employer} /> : <PlanYearStep {...employer} />
  if (step === 'details') return <EmployerDetails {...employer} />
  if (step === 'eligibility') return <Policies {...employer} />
  if (step === 'payroll_calendar') return <Payroll {...employer} />
  if (step === 'contacts') return <EmployerContacts {...employer} />
  if (step === 'plan_year') return <PlanYearRequest {...employer} />
  if (step === 'invitations') return <ReminderSchedule {...employer} />
  return <CensusStep {...employer} />
}

type EmployerProps = { employer_id: string }

/** The census is a page of its own, because it has several steps. */
function CensusStep({ employer_id }: EmployerProps) {
  const setup = useQuery(setupQuery(employer_id))
  return (
    <Loaded query={setup} lines={2}>
      {({ is_subscribed }) =>
        is_subscribed ? (
          <p>
            <Link className="button main" to="/employers/$employer_id/census" params={{ employer_id }}>
              Upload a roster
            </Link>
          </p>
        ) : (
          <p className="quiet">Employees can be added once the operator has started the subscription.</p>
        )
      }
    </Loaded>
  )
}

const PlanYearStep = ({ employer_id }: EmployerProps) => (
  <>
    <PlanYearRequest employer_id={employer_id} />
    <div className="form-end">
      <Link className="button main" to="/partners/employers/$employer_id/plan-years/build" params={{ employer_id }}>
        Build plan year
      </Link>
    </div>
  </>
)

/** Starts the subscription of an employer. */
const SubscriptionStep = ({ employer_id }: EmployerProps) => (
  <Form
    fields={[{ name: 'started_on', label: 'Subscription starts', kind: 'date' }]}
    initial={{ started_on: easternToday() }}
    submit={async ({ started_on = '' }) => {
      await operator.subscriptions.grant(employer_id, { started_on: started_on as Day })
      await refetch(['employers', employer_id], ['operated-employers'])
    }}
    button="Start subscription"
  />
)
