import { useQuery } from '@tanstack/react-query'
import { ob, refetch } from '../../api.ts'
import { Form, type Field, type Values } from '../../parts/form/form.tsx'
import { Loaded, Section } from '../../parts/page/page.tsx'
import { enrollmentScheduleQuery } from './queries.ts'
import { isRoleAllowed } from '../../session.ts'

const entries = [
  ['opening', 'Invitation when a window opens'],
  ['half_way', 'Reminder halfway through'],
  ['three_days_before', 'Reminder 3 days before the last day'],
  ['one_day_before', 'Reminder the day before the last day'],
] as const

const fields: Field[] = [
  {
    name: 'entries',
    label: 'When to send',
    kind: 'several',
    options: [...entries],
    hint: 'For employees who have not responded, during open enrollment and the first 30 days of new hires.',
  },
]

/** The messages that employees get automatically. */
export function ReminderSchedule({ employer_id }: { employer_id: string }) {
  const schedule = useQuery(enrollmentScheduleQuery(employer_id))
  return (
    <Section title="Automatic messages">
      <Loaded query={schedule} lines={5}>
        {(found) => {
          const active = entries.filter(([entry]) => found[entry])
          const save = async (values: Values) => {
            const chosen = values.entries?.split(' ') ?? []
            const changed = Object.fromEntries(entries.map(([entry]) => [entry, chosen.includes(entry)]))
            await ob.enrollmentWindows.setSchedule(employer_id, changed)
            await refetch(enrollmentScheduleQuery(employer_id).queryKey, ['employers', employer_id, 'setup'])
          }
          if (!isRoleAllowed('settings'))
            return <p>{active.length > 0 ? active.map(([, label]) => label).join(', ') : 'None.'}</p>
          return (
            <Form
              fields={fields}
              initial={{ entries: active.map(([entry]) => entry).join(' ') }}
              submit={save}
              button="Save messages"
              is_secondary
            />
          )
        }}
      </Loaded>
    </Section>
  )
}
