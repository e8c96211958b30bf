import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { EmployerRow, EmployerSetup } from 'openbenefits'
import { Suspense } from 'react'
import { formatDay } from '../../format.ts'
import { screen } from '../../frame/screen.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Section, EnrolledShare, Status, LoadingPlaceholder } from '../../parts/page/page.tsx'
import type { setup_steps } from '../../routes/filter-values.ts'
import { isOperator, isRoleAllowed } from '../../session.ts'
import { setupQuery } from './queries.ts'

type SetupItem = EmployerSetup['steps'][number]
type Step = (typeof setup_steps)[number]

const titles: Record<Step, [title: string, hint: string]> = {
  details: ['Company details', 'Name, EIN and address.'],
  eligibility: ['Eligibility', 'The eligible classes and the waiting period.'],
  payroll_calendar: ['Payroll calendar', 'The pay frequency and the first payday.'],
  contacts: ['Contacts', 'The people at the employer who administer benefits.'],
  plan_year: ['Plan year', 'Benefits, contributions and open enrollment.'],
  census: ['Employees', 'A roster from a file, the payroll system or the API.'],
  invitations: ['Invitations', 'The messages that employees get about enrollment.'],
  go_live: ['Go-live', 'The first day of coverage.'],
}

const isKnown = (item: SetupItem): item is SetupItem & { step: Step } => item.step in titles

/** The steps that a member or an operator completes on this page. */
const member_steps: Step[] = [
  'details',
  'eligibility',
  'payroll_calendar',
  'contacts',
  'plan_year',
  'census',
  'invitations',
]
const operator_steps: Step[] = ['plan_year', 'go_live']

/** The party and the event that a step waits for. */
function stepNote({ step, status, actor, starts_on }: SetupItem, { is_subscribed }: EmployerSetup): string | undefined {
  if (status === 'done')
    return step === 'plan_year' && starts_on ? `Coverage starts ${formatDay(starts_on)}.` : undefined
  if (step === 'plan_year') {
    if (isOperator()) return status === 'waiting' ? 'The partner requested a plan year.' : undefined
    return status === 'waiting' ? 'Requested. The operator creates it.' : 'The operator creates the plan year.'
  }
  if (actor === 'operator') return isOperator() ? 'Start the subscription.' : 'The operator starts the subscription.'
  if (isOperator() && actor === 'organization') return 'The partner completes this step.'
  if (step === 'census' && status === 'waiting') return 'Available once the subscription starts.'
  if (step !== 'go_live') return undefined
  return starts_on
    ? `Coverage starts ${formatDay(starts_on)}.`
    : is_subscribed
      ? 'Begins with the plan year.'
      : 'Begins with the subscription and the plan year.'
}

const labels = { done: ['Done', 'good'], open: ['To do', 'wait'], waiting: ['Waiting', 'over'] } as const

const StepForm = screen(() => import('./step-form.tsx'), 'StepForm')

function SetupRow({
  item,
  setup,
  chosen,
}: {
  item: SetupItem & { step: Step }
  setup: EmployerSetup
  chosen: boolean
}) {
  const [title, hint] = titles[item.step]
  const [word, tone] = labels[item.status as keyof typeof labels]
  const can_act = isOperator()
    ? isRoleAllowed('administer') && operator_steps.includes(item.step) && item.actor === 'operator'
    : member_steps.includes(item.step) && !(item.step === 'plan_year' && item.status === 'done')
  const verb =
    item.status === 'done'
      ? 'Edit'
      : item.step !== 'plan_year' || isOperator()
        ? 'Start'
        : item.status === 'waiting'
          ? 'View'
          : 'Request'
  return (
    <li>
      <div className="setup-step">
        <span>
          <Status of={word} tone={tone} />
        </span>
        <span>
          <strong>{title}</strong>
          <span className="quiet block">{stepNote(item, setup) ?? hint}</span>
        </span>
        {can_act && (
          <HereLink
            change={{ step: chosen ? undefined : item.step }}
            aria-label={`${chosen ? 'Close' : verb}: ${title}`}
          >
            {chosen ? 'Close' : verb}
          </HereLink>
        )}
      </div>
      {chosen && can_act && (
        <div className="setup-form">
          <Suspense fallback={<LoadingPlaceholder />}>
            <StepForm />
          </Suspense>
        </div>
      )}
    </li>
  )
}

/** Whether the first coverage of an employer has not started. */
export const isInSetup = ({ benefit_lifecycle_stage: { stage } }: EmployerRow): boolean => stage === 'onboarding'

/** The checklist of an employer until its first coverage. */
export function SetupPage({ employer_id }: { employer_id: string }) {
  const { step } = useSearch({ strict: false })
  const query = useQuery({ ...setupQuery(employer_id), enabled: isOperator() || isRoleAllowed('settings') })
  const setup = query.data
  if (!setup || setup.done_count === setup.step_count) return null
  return (
    <Section
      title="Setup"
      actions={<EnrolledShare of="steps are done" enrolled={setup.done_count} eligible={setup.step_count} />}
    >
      <ol className="setup">
        {setup.steps.filter(isKnown).map((item) => (
          <SetupRow key={item.step} item={item} setup={setup} chosen={item.step === step} />
        ))}
      </ol>
    </Section>
  )
}
