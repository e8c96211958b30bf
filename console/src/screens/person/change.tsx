import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Employee, EmployeeChanges } from 'openbenefits'
import { ob, refetch } from '../../api.ts'
import { addDays, formatCount, formatDay, fullName } from '../../format.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { type Field, FieldError, Form, type Values } from '../../parts/form/form.tsx'
import { ChangePlan } from '../../parts/form/change-plan.tsx'
import { Loaded, Page, type Tab } from '../../parts/page/page.tsx'
import { employeeQuery, organizationTodayQuery } from '../../queries.ts'
import { isOperator } from '../../session.ts'
import { classLabel, employee_classes } from '../../parts/benefits/labels.ts'
import { bargaining_unit, CorrectEmployment, CorrectEnd, CorrectEnrollment } from './correct.tsx'

const route = getRouteApi('/people/$employee_id/change')

const toOptions = (values: string[]) =>
  ['', ...values].map((value) => [value, value ? classLabel(value) : 'Not given'] as const)

const effective_date: Field = {
  name: 'effective_date',
  label: 'Effective date',
  kind: 'date',
  hint: 'For a past date, eligibility and deductions are recalculated starting on that date.',
}

const genders = ['Male', 'Female', 'Transgender', 'Non-binary', 'Prefer not to respond'].map(
  (value) => [value, value] as const,
)

const fields: Field[] = [
  { name: 'employee_class', label: 'Class', options: toOptions(employee_classes) },
  { name: 'compensation_type', label: 'Pay', options: toOptions(['Salary', 'Hourly']) },
  bargaining_unit,
  { name: 'start_date', label: 'First day', kind: 'date' },
  { name: 'email', label: 'Email', kind: 'email' },
  { name: 'phone', label: 'Phone', required: false },
  { name: 'gender', label: 'Gender', required: false, options: [['', 'Not given'], ...genders] },
]

const date_fields = ['start_date', 'termination_date']
const formatValue = (name: string, value: string) => (date_fields.includes(name) && value ? formatDay(value) : value)

const employeeValues = (about: Employee): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, (about[name as keyof Employee] as string | null) ?? '']))

type Difference = { name: string; label: string; before: string; after: string }

const differencesOf = (before: Values, after: Values): Difference[] =>
  fields
    .filter(({ name }) => before[name] !== after[name])
    .map(({ name, label }) => ({ name, label, before: before[name] ?? '', after: after[name] ?? '' }))

/** Corrections, termination and reinstatement of an employment. Each shows a preview first. */
export function ChangePerson() {
  const { employee_id } = route.useParams()
  const { action } = route.useSearch()
  const is_choice = action === 'enrollment' && isOperator()
  const about = useQuery(employeeQuery(employee_id))
  const today = useQuery({ ...organizationTodayQuery(employee_id), enabled: !is_choice })
  const name = about.data ? fullName(about.data) : 'A person'
  return (
    <Page
      title={about.data ? `${action === 'end' ? endAction(about.data) : 'Correct'} ${name}` : '\u00a0'}
      breadcrumbs={[{ label: name, link: { to: '/people/$employee_id', params: { employee_id } } }]}
      tabs={about.data && tabsOf(about.data, action)}
    >
      <Loaded query={about} lines={8}>
        {(found) =>
          is_choice ? (
            <RequiresRole area="administer">
              <CorrectEnrollment of={found} />
            </RequiresRole>
          ) : (
            <Loaded query={today}>{(today) => <ActionForm of={found} today={today} />}</Loaded>
          )
        }
      </Loaded>
    </Page>
  )
}

const endAction = ({ status }: Employee): string => (status === 'terminated' ? 'Reinstate' : 'Terminate')

type ActionName = 'end' | 'enrollment' | undefined

function tabsOf({ id: employee_id, status }: Employee, chosen: ActionName): Tab[] {
  const tab = (label: string, action: ActionName): Tab => ({
    label,
    link: {
      to: '/people/$employee_id/change',
      params: { employee_id },
      // Keeps other search values of the URL.
      search: action === chosen ? true : action ? { action } : {},
    },
  })
  return [
    tab('Details', undefined),
    tab(status === 'terminated' ? 'Reinstatement' : 'Termination', 'end'),
    ...(isOperator() ? [tab('Enrollments', 'enrollment')] : []),
  ]
}

/** The actions of members, and those of operators, who can change facts further in the past. */
function ActionForm({ of: about, today }: { of: Employee; today: string }) {
  const { action } = route.useSearch()
  if (isOperator())
    return (
      <RequiresRole area="administer">
        {action === 'end' ? <CorrectEnd of={about} today={today} /> : <CorrectEmployment of={about} today={today} />}
      </RequiresRole>
    )
  if (action !== 'end') return <EmployeeChangeForm of={about} today={today} />
  return (
    <RequiresRole area="employment">
      {about.status === 'terminated' ? <ReinstateForm of={about} /> : <TerminateForm of={about} today={today} />}
    </RequiresRole>
  )
}

/** Returns to the person's page and refreshes it with the effects of the change. */
function useDone(employee_id: string) {
  const navigate = route.useNavigate()
  return async () => {
    await refetch(['employees', employee_id], ['members'])
    await navigate({ to: '/people/$employee_id', params: { employee_id } })
  }
}

function EmployeeChangeForm({ of: about, today }: { of: Employee; today: string }) {
  const done = useDone(about.id)
  const before = employeeValues(about)
  const [planned, setPlanned] = useState<Values>()
  const [typed, setTyped] = useState<Values>()
  if (!planned)
    return (
      <>
        <p className="quiet note">
          To correct a name or a date of birth, upload the employee in a{' '}
          <Link to="/employers/$employer_id/census" params={{ employer_id: about.employer_id }}>
            census
          </Link>
          .
        </p>
        <Form
          fields={[...fields, effective_date]}
          initial={typed ?? { ...before, effective_date: today }}
          submit={async (values) => setPlanned(values)}
          button="Preview changes"
        />
      </>
    )
  const differences = differencesOf(before, planned)
  const apply = async () => {
    const changes = differences.map(({ name, after }) => [name, after === '' ? null : after])
    const body = { effective_date: planned.effective_date, ...Object.fromEntries(changes) }
    await ob.employees.update(about.id, body as EmployeeChanges)
    await done()
  }
  return (
    <ChangePlan
      title={`Changes for ${fullName(about)}`}
      parts={[
        { name: 'changed', count: differences.length, tone: 'wait', details: <DifferenceList of={differences} /> },
      ]}
      button={`Change from ${planned.effective_date ? formatDay(planned.effective_date) : 'today'}`}
      unless={differences.length === 0 ? 'Nothing would change.' : undefined}
      apply={apply}
      back={() => {
        setTyped(planned)
        setPlanned(undefined)
      }}
    />
  )
}

const DifferenceList = ({ of }: { of: Difference[] }) => (
  <ul className="lines">
    {of.map(({ name, label, before, after }) => (
      <li key={name}>
        <span>{label}</span>
        <span className="changes">
          <del>{formatValue(name, before) || 'Not given'}</del> <ins>{formatValue(name, after) || 'Not given'}</ins>
        </span>
      </li>
    ))}
  </ul>
)

/** How many days ago the last day may be. Operators can go further back. */
const max_days_back = 60

function TerminateForm({ of: about, today }: { of: Employee; today: string }) {
  const done = useDone(about.id)
  const first_day = addDays(today, -max_days_back)
  const [planned, setPlanned] = useState<Values>()
  const [typed, setTyped] = useState<Values>()
  const held = about.enrollments.filter(({ status }) => status === 'enrolled')
  if (!planned)
    return (
      <Form
        fields={[
          {
            name: 'termination_date',
            label: 'Last day',
            kind: 'date',
            hint: `Up to ${max_days_back} days ago, or in the future.`,
            min: first_day,
          },
          { name: 'reason', label: 'Reason', required: false },
        ]}
        initial={typed ?? { termination_date: today }}
        submit={async (values) => {
          const { termination_date = '' } = values
          if (termination_date < first_day)
            throw new FieldError('termination_date', `must not be before ${formatDay(first_day)}`)
          setPlanned(values)
        }}
        button="Preview changes"
      />
    )
  const { termination_date = '', reason } = planned
  const apply = async () => {
    await ob.employees.terminate(about.id, { termination_date: termination_date as never, ...(reason && { reason }) })
    await done()
  }
  return (
    <ChangePlan
      title={[
        `${fullName(about)} leaves ${about.employer_name}`,
        termination_date && `on ${formatDay(termination_date)}`,
      ]
        .filter(Boolean)
        .join(' ')}
      parts={[
        { name: 'employment ends', count: 1, tone: 'bad' },
        ...(held.length === 0
          ? []
          : [
              {
                name: held.length === 1 ? 'enrollment ends' : 'enrollments end',
                count: held.length,
                tone: 'bad' as const,
                details: (
                  <p className="note">
                    Coverage ends with the month in which eligibility is lost. Elections stay on record. Amounts already
                    deducted or invoiced for later months are refunded on the next statement and invoice.
                  </p>
                ),
              },
            ]),
      ]}
      button={`Terminate${held.length > 0 ? ` and end ${formatCount(held.length, 'enrollment')}` : ''}`}
      apply={apply}
      back={() => {
        setTyped(planned)
        setPlanned(undefined)
      }}
    />
  )
}

function ReinstateForm({ of: about }: { of: Employee }) {
  const done = useDone(about.id)
  return (
    <>
      <p className="note">
        {about.termination_date && `The last day is ${formatDay(about.termination_date)}. `}
        After reinstatement, employment and elections continue as if they had never ended.
      </p>
      <Form
        fields={[{ name: 'reason', label: 'Reason', required: false }]}
        submit={async ({ reason }) => {
          await ob.employees.reinstate(about.id, reason ? { reason } : {})
          await done()
        }}
        button="Reinstate"
      />
    </>
  )
}
