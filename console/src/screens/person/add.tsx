import type { NewDependent, NewEmployee, NewLifeEvent } from 'openbenefits'
import { useNavigate } from '@tanstack/react-router'
import { ob, refetch } from '../../api.ts'
import { toSentence } from '../../format.ts'
import { classLabel, employee_classes } from '../../parts/benefits/labels.ts'
import { type Field, Form, type Values } from '../../parts/form/form.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { AddSection } from '../../parts/page/page.tsx'
import { dependent_fields } from '../dependents/correct-dependent.tsx'

/** The forms that add one employee, one dependent of an employee, and a life event. */

const optionsOf = (values: readonly string[]) => values.map((value) => [value, toSentence(value)] as const)

/** Without empty fields, because the service refuses them. */
const filledValues = <Body,>(values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== '')) as Body

const employee_fields: Field[] = [
  { name: 'first_name', label: 'First name' },
  { name: 'last_name', label: 'Last name' },
  { name: 'email', label: 'Email', kind: 'email' },
  { name: 'date_of_birth', label: 'Date of birth', kind: 'date' },
  { name: 'start_date', label: 'First day of employment', kind: 'date' },
  {
    name: 'employee_class',
    label: 'Class',
    options: employee_classes.map((value) => [value, classLabel(value)] as const),
  },
  {
    name: 'compensation_type',
    label: 'Pay',
    required: false,
    options: [
      ['', 'Not given'],
      ['Salary', 'Salary'],
      ['Hourly', 'Hourly'],
    ],
  },
  { name: 'phone', label: 'Phone', required: false },
  { name: 'reference_id', label: 'Your reference', required: false, hint: 'The employee’s id in your own systems.' },
]

/** Hires one employee. A census adds many. */
export function AddEmployee({ employer_id }: { employer_id: string }) {
  const navigate = useNavigate()
  const add = async (values: Values) => {
    const { id } = await ob.employees.create(employer_id, filledValues<NewEmployee>(values))
    await refetch(['employers', employer_id], ['members'])
    await navigate({ to: '/people/$employee_id', params: { employee_id: id } })
  }
  return (
    <AddSection title="New employee">
      <Form fields={employee_fields} initial={{ employee_class: 'Full Time' }} submit={add} button="Add employee" />
    </AddSection>
  )
}

/** Adds a dependent. The coverage of a dependent begins with an election. */
export function AddDependent({ employee_id }: { employee_id: string }) {
  const change = useChangeSearch()
  const add = async (values: Values) => {
    await ob.dependents.create(employee_id, filledValues<NewDependent>(values))
    // Closes first, because the user may open another form during the refetch.
    await change({ add: undefined })
    await refetch(['employees', employee_id])
  }
  return (
    <AddSection title="New dependent">
      <p className="quiet">The dependent is covered once the employee elects coverage for them.</p>
      <Form fields={dependent_fields} initial={{ relationship: 'child' }} submit={add} button="Add dependent" />
    </AddSection>
  )
}

const life_event_types: NewLifeEvent['type'][] = [
  'marriage',
  'divorce',
  'birth',
  'adoption',
  'placement',
  'death_of_dependent',
  'loss_of_coverage',
  'gain_of_coverage',
  'change_of_residence',
  'change_of_employment',
  'other',
]

/** Reports a life event for an employee. The operator decides about it. */
export function ReportLifeEvent({ employee_id }: { employee_id: string }) {
  const change = useChangeSearch()
  const report = async (values: Values) => {
    await ob.lifeEvents.create(employee_id, filledValues<NewLifeEvent>(values))
    await change({ add: undefined })
    await refetch(['employees', employee_id], ['tasks'])
  }
  return (
    <AddSection title="New life event">
      <p className="quiet">The operator decides about it. An approval opens a special enrollment period of 30 days.</p>
      <Form
        fields={[
          { name: 'type', label: 'Event', options: optionsOf(life_event_types) },
          { name: 'occurred_on', label: 'Day of the event', kind: 'date', hint: 'Up to 60 days ago.' },
          {
            name: 'description',
            label: 'Description',
            kind: 'long',
            required: false,
            hint: 'Required for other events.',
          },
        ]}
        initial={{ type: 'marriage' }}
        submit={report}
        button="Report life event"
      />
    </AddSection>
  )
}
