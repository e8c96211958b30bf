import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  AcaOverview,
  MeasurementPeriod,
  MeasurementPolicies,
  MeasurementPolicy,
  NewMeasurementPolicies,
} from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { addDays, formatDay, toSentence } from '../../format.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { refreshLater } from '../../parts/form/use-action.ts'
import { useDebounced } from '../../parts/form/use-debounced.ts'
import { Empty, Loaded, Section, ErrorMessage, LoadingPlaceholder } from '../../parts/page/page.tsx'
import type { Lane, Span } from '../../parts/page/spans.ts'
import { Timeline } from '../../parts/page/timeline.tsx'
import { acaKey, measurementPoliciesQuery, policyPreviewQuery } from './queries.ts'

/** The measurement policies of an employer, and the form that changes them. */
export function Measurement({ employer_id, overview }: { employer_id: string; overview: AcaOverview }) {
  const stored = useQuery(measurementPoliciesQuery(employer_id))
  return (
    <Loaded query={stored} lines={8}>
      {(found) => <Policies key={JSON.stringify(found)} of={found} today={overview.as_of} />}
    </Loaded>
  )
}

const months = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String(first + at)).map((one) => [one, `${one} months`] as const)

/** The fields of a new policy in addition to other ones: its category and its first day. */
const category_fields: Field[] = [
  {
    name: 'effective_on',
    label: 'Applies from',
    kind: 'date',
    required: false,
    hint: 'The day from which the new periods of a category apply. Stability periods that have begun keep their end.',
  },
  {
    name: 'bargaining_unit',
    label: 'Bargaining unit',
    required: false,
    hint: 'As on the roster. Leave empty for all.',
  },
  {
    name: 'is_collectively_bargained',
    label: 'Collectively bargained',
    required: false,
    options: [
      ['', 'All employees'],
      ['true', 'In a bargaining unit'],
      ['false', 'Not in a bargaining unit'],
    ],
  },
  {
    name: 'state',
    label: 'State',
    required: false,
    hint: 'The state of the worksite in two letters. Leave empty for all.',
  },
  {
    name: 'compensation_type',
    label: 'Pay',
    required: false,
    options: [
      ['', 'All employees'],
      ['Hourly', 'Hourly'],
      ['Salary', 'Salary'],
    ],
  },
]

const administrative_month_options = [
  ['0', 'The partial month'],
  ['1', 'One full month'],
  ['2', 'Two full months'],
] as const

const fields: Field[] = [
  {
    name: 'method',
    label: 'Method',
    options: [
      ['look_back', 'Look-back: past hours decide a stability period'],
      ['monthly', 'Monthly: the hours of each month decide'],
    ],
  },
  {
    name: 'standard_starts_on',
    label: 'First day of a standard measurement',
    kind: 'date',
    hint: 'The other standard measurements precede and follow it.',
  },
  { name: 'standard_months', label: 'Standard measurement', options: months(3, 12) },
  {
    name: 'administrative_months',
    label: 'Administrative period after the standard measurement',
    options: administrative_month_options,
  },
  { name: 'stability_months', label: 'Stability period', options: months(6, 12) },
  {
    name: 'initial_months',
    label: 'Initial measurement of new employees',
    options: months(3, 12),
    hint: 'For new employees whose hours vary.',
  },
  {
    name: 'initial_starts',
    label: 'Initial measurement begins',
    options: [
      ['start_date', 'On the start date'],
      ['first_of_month', 'On the first of the month'],
    ],
  },
  {
    name: 'initial_administrative_months',
    label: 'Administrative period after the initial measurement',
    options: administrative_month_options,
  },
]

const numbers = [
  'standard_months',
  'administrative_months',
  'stability_months',
  'initial_months',
  'initial_administrative_months',
]

/** The policy as the form shows it. The monthly method has no periods, so they start with the usual ones. */
const policyValues = (policy: MeasurementPolicy, today: string): Values =>
  Object.fromEntries(
    fields.map(({ name }) => [
      name,
      String(policy[name as keyof MeasurementPolicy] ?? defaultValues(today)[name] ?? ''),
    ]),
  )

/** The policy that the form describes. Fields without an input keep their values. */
const parsePolicy = (values: Values, before: MeasurementPolicy | undefined): MeasurementPolicy =>
  ({
    ...before,
    ...Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, numbers.includes(name) ? Number(value) : value || null]),
    ),
    ...(values.is_collectively_bargained && { is_collectively_bargained: values.is_collectively_bargained === 'true' }),
  }) as MeasurementPolicy

const defaultValues = (today: string): Values => ({
  method: 'look_back',
  standard_starts_on: `${Number(today.slice(0, 4)) - 1}-10-15`,
  standard_months: '12',
  administrative_months: '2',
  stability_months: '12',
  initial_months: '12',
  initial_starts: 'start_date',
  initial_administrative_months: '1',
})

type PoliciesProps = { of: MeasurementPolicies; today: string }

function Policies({ of: { employer_id, policies }, today }: PoliciesProps) {
  const general = policies.findIndex((policy) => describeCategory(policy) === all_employees)
  const [chosen, choose] = useState(Math.max(general, 0))
  const before = policies[chosen]
  const is_another = before === undefined && policies.length > 0
  const [proposed, setProposed] = useState<MeasurementPolicy>()
  const shown = proposed ?? before
  const setChosen = (at: number) => {
    choose(at)
    setProposed(undefined)
  }
  const others = policies.filter((_, at) => at !== chosen)
  const save = async (replacement: MeasurementPolicy[]) => {
    await ob.measurementPolicies.set(employer_id, { policies: [...others, ...replacement] } as NewMeasurementPolicies)
    await refetch(acaKey(employer_id))
    refreshLater(() => refetch(acaKey(employer_id)))
  }
  return (
    <>
      {policies.length > 0 && (
        <p className="aca-line">
          <label>
            Policy for{' '}
            <select value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
              {policies.map((policy, at) => (
                <option key={describeCategory(policy)} value={at}>
                  {describeCategory(policy)}
                </option>
              ))}
              <option value={policies.length}>New policy</option>
            </select>
          </label>
        </p>
      )}
      <Section title="Periods">
        {shown ? (
          <PolicyPeriods employer_id={employer_id} policy={shown} today={today} />
        ) : (
          <Empty title={is_another ? 'Not previewed yet.' : 'No measurement policy yet.'}>
            Preview a policy below to see its periods.
          </Empty>
        )}
      </Section>
      <Section title={before ? 'Change policy' : 'New policy'}>
        {proposed ? (
          <Confirm action="Save policy" variant="main" act={() => save([proposed])} back={() => setProposed(undefined)}>
            All employees are measured again by their recorded hours. Full-time status can change, and with it
            eligibility for coverage. Webhooks report each change.
          </Confirm>
        ) : (
          <Form
            key={chosen}
            fields={is_another ? [...category_fields, ...fields] : fields}
            initial={before ? policyValues(before, today) : defaultValues(today)}
            submit={async (values) => {
              const policy = parsePolicy(values, before)
              await ob.measurementPolicies.preview(employer_id, { policies: [policy] } as NewMeasurementPolicies)
              setProposed(policy)
            }}
            button="Preview"
            success=""
          />
        )}
        {before && describeCategory(before) !== all_employees && !proposed && (
          <Confirm key={describeCategory(before)} action="Remove policy" act={() => save([])}>
            The employees of this category are measured by the next policy that applies to them. Full-time status can
            change.
          </Confirm>
        )}
      </Section>
    </>
  )
}

const all_employees = 'All employees'

/** The category of a policy, and its first day: `Local 12, Hourly, TX, from May 1, 2026`. */
function describeCategory(policy: MeasurementPolicy): string {
  const { bargaining_unit, is_collectively_bargained, compensation_type, state, effective_on } = policy
  const any_unit = is_collectively_bargained ? 'In a bargaining unit' : 'Not in a bargaining unit'
  const unit = bargaining_unit ?? (is_collectively_bargained === null ? null : any_unit)
  const category = [unit, compensation_type, state].filter(Boolean).join(', ') || all_employees
  return effective_on ? `${category}, from ${formatDay(effective_on)}` : category
}

const periodSpans = (
  id: string,
  { measurement_period, administrative_period, stability_period }: MeasurementPeriod,
) => {
  const span = (name: string, days: { starts_on: string; ends_on: string }, tone: Span['tone']): Span => ({
    id: `${id} ${name}`,
    label: toSentence(name),
    start: days.starts_on,
    end: days.ends_on,
    tone,
  })
  return [
    span('measurement', measurement_period, 'wait'),
    ...(administrative_period ? [span('administrative', administrative_period, 'over')] : []),
    span('stability', stability_period, 'good'),
  ]
}

const names = ['Previous standard', 'Current standard', 'Next standard']

/** The periods of a policy as a picture. */
function PolicyPeriods({
  employer_id,
  policy,
  today,
}: {
  employer_id: string
  policy: MeasurementPolicy
  today: string
}) {
  const body = useDebounced(JSON.stringify({ policies: [policy] }))
  const preview = useQuery({ ...policyPreviewQuery(employer_id, body), placeholderData: keepPreviousData })
  if (preview.error) return <ErrorMessage error={preview.error} />
  const [found] = preview.data?.policies ?? []
  if (!found) return <LoadingPlaceholder lines={4} />
  if (policy.method === 'monthly') return <p>The hours of each calendar month decide about that month.</p>
  const { standard_periods, initial_period } = found
  const lanes: Lane[] = [
    ...standard_periods.map((period, at) => ({
      name: names[at + names.length - standard_periods.length]!,
      spans: periodSpans(`standard ${at}`, period),
    })),
    ...(initial_period ? [{ name: 'Hired today', spans: periodSpans('initial', initial_period) }] : []),
  ]
  const days = lanes.flatMap(({ spans }) => spans.flatMap(({ start, end }) => [start!, end!])).toSorted()
  const stretch = { from: addDays(days[0]!, -15), to: addDays(days.at(-1)!, 15) }
  return (
    <>
      <Timeline label="Measurement periods" lanes={lanes} stretch={stretch} today={today} />
      <p className="quiet aca-line">
        The hours of a measurement decide the status in its stability period. Coverage is offered in the gray
        administrative period between them.
      </p>
    </>
  )
}
