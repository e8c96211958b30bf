import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  CorrectedEmployee,
  Day,
  Election,
  Employee,
  Enrollment,
  EnrollmentChange,
  EnrollmentCorrection,
  EnrollmentDetail,
  OperatorEmployeeChanges,
} from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatDay, formatDollars, fullName } from '../../format.ts'
import { classLabel, employee_classes, coverageLevelLabel } from '../../parts/benefits/labels.ts'
import { operatedEnrollmentQuery } from '../../operator-queries.ts'
import { type Field, Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { type PlannedChange, ChangePlan } from '../../parts/form/change-plan.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { ChangedField, Empty, Loaded, ErrorMessage, LoadingPlaceholder } from '../../parts/page/page.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { enrollmentsQuery } from '../../queries.ts'
import { enrollmentStatus } from './coverage-status.ts'

const route = getRouteApi('/people/$employee_id/change')

const reason: Field = { name: 'reason', label: 'Reason', kind: 'long', hint: 'Stored in the audit log.' }

type CorrectionOutcome = { enrollments: EnrollmentChange[]; warnings?: CorrectedEmployee['warnings'] }
type Difference = { field: string; before: string | null; after: string }
/** A correction that is dry-run first and applied after the user has seen its effects. */
type Correction = { action: string; changes?: Difference[]; perform: (dry_run: boolean) => Promise<CorrectionOutcome> }

type CorrectedProps = {
  title: string
  fields: Field[]
  initial: Values
  toCorrection: (values: Values) => Correction
}

/** An operator's correction: the form, a preview from the service, then the action. */
function CorrectionForm({ title, fields, initial, toCorrection }: CorrectedProps) {
  const { employee_id } = route.useParams()
  const navigate = route.useNavigate()
  const [typed, setTyped] = useState(initial)
  const [planned, setPlanned] = useState<Correction & { answered: CorrectionOutcome }>()
  if (!planned)
    return (
      <Form
        fields={[...fields, reason]}
        initial={typed}
        submit={async (values) => {
          setTyped(values)
          const correction = toCorrection(values)
          setPlanned({ ...correction, answered: await correction.perform(true) })
        }}
        button="Preview changes"
      />
    )
  const apply = async () => {
    await planned.perform(false)
    await refetch(['employees', employee_id], ['tasks'])
    await navigate({ to: '/people/$employee_id', params: { employee_id } })
  }
  return (
    <ChangePlan
      title={title}
      parts={plannedChanges(planned.answered, planned.changes)}
      button={planned.action}
      apply={apply}
      back={() => setPlanned(undefined)}
    />
  )
}

const DifferenceList = ({ of }: { of: Difference[] }) =>
  of.map((difference) => (
    <span key={difference.field} className="block">
      <ChangedField {...difference} />
    </span>
  ))

const plannedChanges = (
  { enrollments, warnings = [] }: CorrectionOutcome,
  changes: Difference[] = [],
): PlannedChange[] => [
  ...(changes.length > 0
    ? [
        {
          name: changes.length === 1 ? 'detail changed' : 'details changed',
          count: changes.length,
          tone: 'wait' as const,
          details: <DifferenceList of={changes} />,
        },
      ]
    : []),
  {
    name: enrollments.length === 1 ? 'enrollment changed' : 'enrollments changed',
    count: enrollments.length,
    tone: 'wait',
    details: (
      <ul className="lines">
        {enrollments.map(({ before, after }) => (
          <li key={after.id}>
            <span>{after.benefit.name}</span>
            <span>
              <DifferenceList of={differencesOf(before, after)} />
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    name: warnings.length === 1 ? 'possible rescission' : 'possible rescissions',
    count: warnings.length,
    tone: 'bad',
    details: warnings[0] && <p className="note">{warnings[0].message}</p>,
  },
]

const enrollmentFacts = (enrollment: Enrollment | null): [field: string, value: string | null][] => [
  ['Status', enrollment?.status ?? null],
  ['Plan', enrollment?.plan?.name ?? null],
  ['Coverage level', enrollment ? coverageLevelLabel(enrollment.coverage_tier) : null],
  ['From', enrollment ? formatDay(enrollment.coverage_start) : null],
  ['To', enrollment?.coverage_end ? formatDay(enrollment.coverage_end) : null],
  ['Employee pays', enrollment?.status === 'enrolled' ? formatDollars(enrollment.employee_deduction_in_cents) : null],
]

function differencesOf(before: Enrollment | null, after: Enrollment): Difference[] {
  const was = enrollmentFacts(before)
  return enrollmentFacts(after).flatMap(([field, value], at) =>
    value === was[at]![1] ? [] : [{ field, before: was[at]![1], after: value ?? 'none' }],
  )
}

export const bargaining_unit: Field = {
  name: 'bargaining_unit',
  label: 'Bargaining unit',
  required: false,
  hint: 'By collective bargaining agreement. Leave empty for none.',
}

const withNoChange = (values: string[]) =>
  ['', ...values].map((value) => [value, value ? classLabel(value) : 'No change'] as const)

/**
 * Corrects class, compensation type, bargaining unit and hire date, with no limit in the past. A task may suggest the
 * hire date.
 */
export function CorrectEmployment({ of: about, today }: { of: Employee; today: string }) {
  const { day } = route.useSearch()
  return (
    <CorrectionForm
      title={`Correction for ${fullName(about)}`}
      fields={[
        { name: 'employee_class', label: 'Class', options: withNoChange(employee_classes), required: false },
        {
          name: 'compensation_type',
          label: 'Pay',
          options: withNoChange(['Salary', 'Hourly']),
          required: false,
        },
        bargaining_unit,
        {
          name: 'effective_date',
          label: 'Effective date',
          kind: 'date',
          hint: 'For the class, pay and bargaining unit.',
        },
        { name: 'start_date', label: 'Hire date', kind: 'date' },
      ]}
      initial={{
        bargaining_unit: about.bargaining_unit ?? '',
        effective_date: today,
        start_date: day ?? about.start_date ?? '',
      }}
      toCorrection={({ reason = '', start_date, bargaining_unit: unit, ...values }) => ({
        action: 'Correct',
        changes: employmentDifferences(about, { ...values, start_date: start_date ?? '', bargaining_unit: unit ?? '' }),
        perform: (dry_run) =>
          operator.employees.correct(about.id, {
            ...filledValues(values),
            ...((unit || null) !== about.bargaining_unit && { bargaining_unit: unit || null }),
            ...(start_date && start_date !== about.start_date && { start_date: start_date as Day }),
            reason,
            dry_run,
          }),
      })}
    />
  )
}

/** The changed details of an employment. An empty class, compensation type or hire date changes nothing. */
const employmentDifferences = (about: Employee, values: Values): Difference[] =>
  (
    [
      ['Class', about.employee_class, values.employee_class || about.employee_class, classLabel],
      ['Pay', about.compensation_type, values.compensation_type || about.compensation_type, String],
      ['Bargaining unit', about.bargaining_unit, values.bargaining_unit || null, String],
      ['Hire date', about.start_date, values.start_date || about.start_date, formatDay],
    ] as const
  ).flatMap(([field, before, after, inWords]) =>
    before === after ? [] : [{ field, before: before && inWords(before), after: after ? inWords(after) : 'none' }],
  )

const filledValues = (values: Values) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value)) as Omit<OperatorEmployeeChanges, 'reason'>

/** Terminates an employee on any past day, or reinstates a terminated one. */
export function CorrectEnd({ of: about, today }: { of: Employee; today: string }) {
  const { day } = route.useSearch()
  if (about.status === 'terminated')
    return (
      <CorrectionForm
        title={`${fullName(about)} is reinstated`}
        fields={[]}
        initial={{}}
        toCorrection={({ reason = '' }) => ({
          action: 'Reinstate',
          perform: (dry_run) => operator.employees.reinstate(about.id, { reason, dry_run }),
        })}
      />
    )
  return (
    <CorrectionForm
      title={`${fullName(about)} leaves ${about.employer_name}`}
      fields={[{ name: 'termination_date', label: 'Last day', kind: 'date', hint: 'Any past or future day.' }]}
      initial={{ termination_date: day ?? today }}
      toCorrection={(values) => ({
        action: 'Terminate',
        perform: (dry_run) => operator.employees.terminate(about.id, { ...(values as EmploymentEnd), dry_run }),
      })}
    />
  )
}
type EmploymentEnd = { termination_date: Day; reason: string }

/** Corrects the election of a benefit and its coverage dates. */
export function CorrectEnrollment({ of: about }: { of: Employee }) {
  const { enrollment } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(enrollmentsQuery(about.id))
  const all = loadedRows(rows)
  const chosen = enrollment ?? all[0]?.id
  if (rows.total === undefined)
    return rows.error ? <ErrorMessage error={rows.error} retry={rows.retry} /> : <LoadingPlaceholder />
  if (rows.total === 0)
    return <Empty title="No enrollments.">Eligible people get an enrollment for each benefit.</Empty>
  return (
    <>
      <div className="field form note">
        <label htmlFor="enrollment">Enrollment</label>
        <select
          id="enrollment"
          value={chosen ?? ''}
          onChange={({ target }) => void change({ enrollment: target.value })}
        >
          {all.map((one) => (
            <option key={one.id} value={one.id}>
              {one.benefit.name} from {formatDay(one.coverage_start)}, {enrollmentStatus(one)}
            </option>
          ))}
        </select>
      </div>
      {chosen && <EnrollmentCorrectionForm key={chosen} id={chosen} />}
    </>
  )
}

function EnrollmentCorrectionForm({ id }: { id: string }) {
  const found = useQuery(operatedEnrollmentQuery(id))
  return (
    <Loaded query={found} lines={6}>
      {(enrollment) => (
        <CorrectionForm
          title={`Correction of ${enrollment.benefit.name}`}
          fields={[
            {
              name: 'choice',
              label: 'Election',
              options: [['', 'No change'], ['waive', 'Waived'], ...offerOptions(enrollment)],
            },
            { name: 'coverage_start', label: 'First day of coverage', kind: 'date' },
            { name: 'coverage_end', label: 'Last day of coverage', kind: 'date', required: false },
          ]}
          initial={{ coverage_start: enrollment.coverage_start, coverage_end: enrollment.coverage_end ?? '' }}
          toCorrection={(values) => {
            const correction = correctionRequest(enrollment, values)
            return {
              action: `Correct ${enrollment.benefit.name}`,
              perform: (dry_run) => operator.enrollments.correct(id, { ...correction, dry_run }),
            }
          }}
        />
      )}
    </Loaded>
  )
}

const offerOptions = ({ plans }: EnrollmentDetail) =>
  plans.flatMap(({ id, name, tiers }) =>
    tiers.map(({ coverage_tier, employee_deduction_in_cents: cents }) => {
      const price = cents === null ? '' : `: ${formatDollars(cents)} a month`
      return [`${id} ${coverage_tier}`, `${name}, ${coverageLevelLabel(coverage_tier)}${price}`] as const
    }),
  )

/** The changed fields. An empty date follows from the rules. */
function correctionRequest(enrollment: EnrollmentDetail, { choice = '', reason = '', ...days }: Values) {
  const [plan_id, coverage_tier] = choice.split(' ')
  const changed = (['coverage_start', 'coverage_end'] as const).filter(
    (name) => (days[name] ?? '') !== (enrollment[name] ?? ''),
  )
  if (choice === '' && changed.length === 0)
    throw new FieldError('choice', 'or a date must differ from its current value')
  return {
    reason,
    ...(choice === 'waive' && { waive: true }),
    ...(coverage_tier && { election: { plan_id, coverage_tier } as Election }),
    ...Object.fromEntries(changed.map((name) => [name, days[name] || null])),
  } satisfies EnrollmentCorrection
}
