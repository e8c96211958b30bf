import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type {
  AcaStatus,
  Day,
  DeductionProof,
  Dependent,
  Employee,
  Enrollment,
  LifeEvent,
  WageEntry,
} from 'openbenefits'
import { formatAddress, formatDay, fullName, easternToday } from '../../format.ts'
import { describeClass } from '../../parts/benefits/labels.ts'
import { formatDaysIn } from '../../reasons.ts'
import { HereLink, useChangeSearch } from '../../parts/page/links.tsx'
import { Notes } from '../../parts/notes/notes.tsx'
import { type Breadcrumb, Facts, Loaded, Page, Section, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { timelineRange, Timeline } from '../../parts/page/timeline.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import {
  dependentsQuery,
  eligibilityQuery,
  employeeQuery,
  enrollmentsQuery,
  lifeEventsQuery,
  memberQuery,
  deductionProofQuery,
  organizationTodayQuery,
  wagesQuery,
} from '../../queries.ts'
import { isOperator, isRoleAllowed } from '../../session.ts'
import { acaStatusQuery } from '../aca/queries.ts'
import { Messages } from '../enrollment/messages.tsx'
import { PersonActivity } from '../activity/activity.tsx'
import { AddDependent, ReportLifeEvent } from './add.tsx'
import { Beneficiaries } from '../dependents/beneficiaries.tsx'
import { CoverageOnDay } from './coverage.tsx'
import { answerOf } from './coverage-status.ts'
import { Dependents } from '../dependents/dependents.tsx'
import { lanesOf } from './lanes.ts'
import { BenefitsStatement, EmployeeInvoices, EmployeePaychecks } from './money.tsx'
import { Deductions, Enrollments, LifeEvents } from './tables.tsx'
import { SpanReasons } from './reasons.tsx'

const route = getRouteApi('/people/$employee_id')

/** The page of a person at an employer. */
export function PersonPage() {
  const { employee_id } = route.useParams()
  const about = useQuery(employeeQuery(employee_id))
  if (about.error && !about.data)
    return (
      <Page title="A person" breadcrumbs={[{ label: 'People', link: { to: '/people' } }]}>
        <ErrorMessage error={about.error} retry={() => void about.refetch()} />
      </Page>
    )
  const found = about.data
  return (
    <Page
      title={found ? fullName(found) : '\u00a0'}
      breadcrumbs={breadcrumbsOf(found)}
      badge={found && <Status of={found.status} />}
      actions={
        found && (
          <>
            {!isOperator() && isRoleAllowed('employment') && <TaxForm of={found} />}
            {(isOperator() ? isRoleAllowed('administer') : isRoleAllowed('employment')) && (
              <Link
                className="button"
                to="/people/$employee_id/change"
                params={{ employee_id }}
                search={{ action: 'end' }}
              >
                {found.status === 'terminated' ? 'Reinstate' : 'Terminate'}
              </Link>
            )}
            {(!isOperator() || isRoleAllowed('administer')) && (
              <Link className="button" to="/people/$employee_id/change" params={{ employee_id }}>
                Correct
              </Link>
            )}
          </>
        )
      }
    >
      <Loaded query={about} lines={12}>
        {(found) => <PersonTimeline employee={found} />}
      </Loaded>
    </Page>
  )
}

/** The link to the tax form of a person. The list of forms lacks people for whom none is due. */
const TaxForm = ({ of }: { of: Employee }) => (
  <Link
    className="button"
    to="/employers/$employer_id/aca"
    params={{ employer_id: of.employer_id }}
    search={{ show: 'forms', employee: of.id }}
  >
    Tax form
  </Link>
)

/** The breadcrumbs, which differ between members and operators. */
function breadcrumbsOf(found: Employee | undefined): Breadcrumb[] {
  const [all, its] = isOperator()
    ? ([{ to: '/partners' }, '/partners/employers/$employer_id'] as const)
    : ([{ to: '/employers' }, '/employers/$employer_id'] as const)
  return [
    { label: isOperator() ? 'Partners' : 'Employers', link: all },
    ...(found ? [{ label: found.employer_name, link: { to: its, params: { employer_id: found.employer_id } } }] : []),
  ]
}

function PersonTimeline({ employee: about }: { employee: Employee }) {
  const { as_of, add } = route.useSearch()
  const may_add = !isOperator() && isRoleAllowed('people')
  const explained = useQuery(eligibilityQuery(about.id, as_of))
  const enrollments = useRows(enrollmentsQuery(about.id, as_of))
  const dependents = useRows(dependentsQuery(about.id))
  const life_events = useRows(lifeEventsQuery(about.id))
  const wages = useQuery({ ...wagesQuery(about.id), enabled: isRoleAllowed('employment') })
  const aca = useQuery({ ...acaStatusQuery(about.id, as_of), enabled: isRoleAllowed('employment') })
  const year = yearOf(explained.data?.as_of ?? as_of)
  const sees_money = isRoleAllowed('money') || isOperator()
  const proof = useQuery({ ...deductionProofQuery(about.id, year), enabled: sees_money })
  return (
    <>
      <Section title="Coverage" actions={<DayPicker day={explained.data?.as_of ?? as_of} />}>
        <Loaded query={explained} lines={1}>
          {(explained) => (
            <>
              <p className="verdict">
                <Status of={explained.status} /> {formatDaysIn(explained.reason)}
              </p>
              {enrollments.total !== undefined && (
                <CoverageOnDay explained={explained} enrollments={loadedRows(enrollments)} />
              )}
            </>
          )}
        </Loaded>
        <PersonLanes
          employee={about}
          explained={explained.data}
          enrollments={loadedRows(enrollments)}
          is_loading={enrollments.total === undefined}
          dependents={loadedRows(dependents)}
          life_events={loadedRows(life_events)}
          wages={wages.data ?? []}
          proof={proof.data}
          aca={aca.data}
        />
      </Section>
      <Section title="Enrollments">
        <Enrollments rows={enrollments} />
      </Section>
      {sees_money && (
        <Section
          title={`Deductions in ${year}`}
          actions={!isOperator() && isRoleAllowed('people') && <BenefitsStatement of={about} year={year} />}
        >
          <Loaded query={proof} lines={3}>
            {(found) => <Deductions of={found} enrollments={loadedRows(enrollments)} />}
          </Loaded>
        </Section>
      )}
      {sees_money && (
        <div className="beside">
          {isRoleAllowed('people') && !isOperator() && <EmployeePaychecks of={about} year={year} />}
          {loadedRows(enrollments).some((one) => answerOf(one) === 'elected') && <EmployeeInvoices of={about} />}
        </div>
      )}
      <Section
        title="Dependents"
        actions={may_add && add !== 'dependent' && <AddRecordLink form="dependent">Add dependent</AddRecordLink>}
      >
        {may_add && add === 'dependent' && <AddDependent employee_id={about.id} />}
        <Dependents of={about} rows={dependents} />
      </Section>
      {!isOperator() && <Beneficiaries employee_id={about.id} />}
      <Section
        title="Life events"
        actions={may_add && add !== 'life-event' && <AddRecordLink form="life-event">Report life event</AddRecordLink>}
      >
        {may_add && add === 'life-event' && <ReportLifeEvent employee_id={about.id} />}
        <LifeEvents rows={life_events} />
      </Section>
      <PersonDetails employee={about} />
      <Notes of={{ employee_id: about.id }} />
      {isRoleAllowed('people') && !isOperator() && <Messages employer_id={about.employer_id} employee_id={about.id} />}
      {!isOperator() && <PersonActivity employee_id={about.id} />}
    </>
  )
}

const AddRecordLink = ({ form, children }: { form: 'dependent' | 'life-event'; children: string }) => (
  <HereLink className="button" change={{ add: form }}>
    {children}
  </HereLink>
)

const yearOf = (day: string | undefined) => Number((day ?? easternToday()).slice(0, 4))

/** Selects the day of the page, which is in the URL. */
function DayPicker({ day }: { day: string | undefined }) {
  const { whole } = route.useSearch()
  const change = useChangeSearch()
  return (
    <span className="as-of-day">
      <HereLink change={{ whole: whole ? undefined : 'yes' }}>{whole ? 'Last two years' : 'Full history'}</HereLink>
      <label>
        As of{' '}
        <input
          type="date"
          value={day ?? ''}
          onChange={({ target }) => void change({ as_of: (target.value as Day) || undefined })}
        />
      </label>
    </span>
  )
}

type LineProps = {
  employee: Employee
  explained: Parameters<typeof lanesOf>[0]['eligibility']
  enrollments: Enrollment[]
  is_loading: boolean
  dependents: Dependent[]
  life_events: LifeEvent[]
  wages: WageEntry[]
  proof: DeductionProof | undefined
  aca: AcaStatus | undefined
}

function PersonLanes({ employee: about, explained, is_loading, ...facts }: LineProps) {
  const { as_of, why, whole } = route.useSearch()
  // Without a selected day, the explanation provides today's date.
  const known = useQuery({ ...organizationTodayQuery(about.id), enabled: as_of !== undefined })
  const linkTo = (why: string, on?: string) =>
    ({
      from: '/people/$employee_id',
      to: '.',
      search: (before: object) => ({ ...before, why, ...(on && { as_of: on }) }),
      resetScroll: false,
    }) as never
  const lanes = lanesOf({ employee: about, eligibility: explained, as_of, ...facts }, linkTo)
  const today = (as_of === undefined ? explained?.as_of : known.data) ?? easternToday()
  const stretch = timelineRange(today, lanes, whole === 'yes')
  return (
    <>
      <Timeline label="Timeline" lanes={lanes} stretch={stretch} today={today} as_of={as_of} chosen={why} />
      {why && !(is_loading && why.startsWith('enrl_')) && (
        <SpanReasons key={why} why={why} employee={about} eligible={explained} as_of={as_of} {...facts} />
      )}
    </>
  )
}

function PersonDetails({ employee: about }: { employee: Employee }) {
  const person = useQuery(memberQuery(about.member_id))
  const elsewhere = person.data?.employments.filter(({ employee_id }) => employee_id !== about.id) ?? []
  return (
    <Section title="Details">
      <Facts
        of={[
          ['Date of birth', formatDay(about.date_of_birth)],
          ['Email', about.email],
          ['Phone', about.phone],
          ['Address', about.address && formatAddress(about.address)],
          ['Class', describeClass(about)],
          ...(about.bargaining_unit === null ? [] : [['Bargaining unit', about.bargaining_unit]]),
          ['Reference', about.reference_id],
          [
            'Other employments',
            elsewhere.length > 0 &&
              elsewhere.map(({ employee_id, employer_name, status }) => (
                <Link key={employee_id} to="/people/$employee_id" params={{ employee_id }}>
                  {employer_name} ({status}){' '}
                </Link>
              )),
          ],
          ['Id', <code>{about.id}</code>],
        ].map(([name, value]) => [name, value === false ? null : value] as [string, React.ReactNode])}
      />
    </Section>
  )
}
