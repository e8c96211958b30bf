import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { EnrollmentReminders, EnrollmentWindow } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { ChangePlan, type PlannedChange } from '../../parts/form/change-plan.tsx'
import { Loaded } from '../../parts/page/page.tsx'
import { formatCount } from '../../format.ts'
import { reminderPreviewQuery } from './queries.ts'

const route = getRouteApi('/employers/$employer_id/enrollment')

const reasons: Record<EnrollmentReminders['skipped'][number]['reason'], string> = {
  not_in_plan_year: 'without a benefit in this plan year',
  answered: 'have responded for every benefit',
  window_closed: 'without an open window',
  other_status: 'with another status',
  messaged_today: 'already got a message today',
  no_email: 'without an email address',
  address_bounced: 'with an email address that bounced',
  unsubscribed: 'unsubscribed from reminders',
}

/** Shows the email of a message. A preview contains links that do not work. */
export const EmailText = ({ of: { subject, text } }: { of: { subject: string; text: string } }) => (
  <>
    <p>
      <strong>{subject}</strong>
    </p>
    <section className="letter" aria-label="Email">
      {text}
    </section>
  </>
)

/** The recipients, and the skipped people counted by reason. */
function plannedReminders({ recipients, skipped, preview }: EnrollmentReminders): PlannedChange[] {
  const by_reason = Map.groupBy(skipped, ({ reason }) => reason)
  return [
    {
      name: 'will be reminded',
      count: recipients.length,
      tone: 'good',
      ...(preview && { details: <EmailText of={preview} /> }),
    },
    ...[...by_reason].map(([reason, those]): PlannedChange => ({
      name: reasons[reason],
      count: those.length,
      tone: 'wait',
    })),
  ]
}

type RemindProps = {
  window: EnrollmentWindow
  /** the selected people. Undefined for everyone with unanswered benefits */
  chosen: string[] | undefined
  done: (people: number) => void
  back: () => void
}

/** Shows the recipients and the email of a reminder before it is sent. */
export function RemindForm({ window: { benefit_plan_year_id }, chosen, done, back }: RemindProps) {
  const { employer_id } = route.useParams()
  const request = { benefit_plan_year_id, ...(chosen && { employee_ids: chosen }) }
  const preview = useQuery(reminderPreviewQuery(employer_id, request))
  const send = async () => {
    const { recipients } = await ob.enrollmentWindows.remind(employer_id, request)
    await refetch(['employers', employer_id, 'enrollment'])
    done(recipients.length)
  }
  return (
    <Loaded query={preview} lines={8}>
      {(found) => {
        const { length } = found.recipients
        const is_event = found.enrollment_messages === 'events'
        return (
          <ChangePlan
            title={is_event ? 'Publish reminders as events' : 'Send reminders'}
            parts={plannedReminders(found)}
            button={is_event ? `Publish ${formatCount(length, 'event')}` : `Send ${formatCount(length, 'reminder')}`}
            unless={length === 0 ? 'No one can be reminded now.' : undefined}
            apply={send}
            back={back}
          />
        )
      }}
    </Loaded>
  )
}
