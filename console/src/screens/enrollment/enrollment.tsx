import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { EnrollmentWindow, EnrollmentWindowPerson } from 'openbenefits'
import { Export } from '../../parts/table/export.tsx'
import { SearchField, ToggleFilter } from '../../parts/table/filters.tsx'
import { Timestamp, Empty, Loaded, Dash, orDash, Section, EnrolledShare, Status, Tabs } from '../../parts/page/page.tsx'
import { HereLink, useChangeSearch, NoMatches } from '../../parts/page/links.tsx'
import { RowLink } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { formatCount, formatDay, formatNumber, toSentence } from '../../format.ts'
import { enrollmentWindowsQuery, windowPeopleList } from './queries.ts'
import { participation_statuses } from '../../routes/filter-values.ts'
import { classLabel } from '../../parts/benefits/labels.ts'
import { Messages } from './messages.tsx'
import { RemindForm } from './remind-form.tsx'
import { ReminderSchedule } from './schedule.tsx'

const route = getRouteApi('/employers/$employer_id/enrollment')

const tones = { enrolled: 'good', waived: 'over', in_progress: 'wait', not_started: 'wait' } as const

/** The polling interval while a window is open. */
const poll_ms = 10_000

/** The enrollment center of an employer: the progress of each open window, reminders, and their schedule. */
export function EnrollmentCenter() {
  const { employer_id } = route.useParams()
  const { year, remind } = route.useSearch()
  const windows = useQuery({ ...enrollmentWindowsQuery(employer_id), refetchInterval: poll_ms })
  return (
    <>
      <Loaded query={windows} lines={6}>
        {(found) => {
          const window = found.find(({ benefit_plan_year_id }) => benefit_plan_year_id === year) ?? found[0]
          return window ? (
            <>
              {found.length > 1 && <WindowList of={found} />}
              <WindowProgress window={window} />
              <WindowPeople window={window} />
            </>
          ) : (
            <Empty title="No enrollment window is open.">
              A window appears here when open enrollment is planned, or when a new hire has benefits to choose.
            </Empty>
          )
        }}
      </Loaded>
      {!remind && (
        <>
          <ReminderSchedule employer_id={employer_id} />
          <Messages employer_id={employer_id} />
        </>
      )}
    </>
  )
}

const WindowList = ({ of }: { of: EnrollmentWindow[] }) => {
  const { employer_id } = route.useParams()
  return (
    <Tabs
      label="Enrollment windows"
      tabs={of.map(({ benefit_plan_year_id, coverage_start }) => ({
        label: `Coverage from ${formatDay(coverage_start)}`,
        link: {
          to: '/employers/$employer_id/enrollment',
          params: { employer_id },
          search: { year: benefit_plan_year_id },
        },
      }))}
    />
  )
}

function describeWindow({ open_enrollment_start, open_enrollment_end, days_left, is_open }: EnrollmentWindow): string {
  if (open_enrollment_end && is_open)
    return [
      `Closes ${formatDay(open_enrollment_end)}`,
      days_left === 0 ? 'today' : `${formatCount(days_left ?? 0, 'day')} left`,
    ].join(', ')
  return open_enrollment_start && open_enrollment_end
    ? `Open enrollment ${formatDay(open_enrollment_start)} – ${formatDay(open_enrollment_end)}`
    : 'New hires only'
}

function WindowProgress({ window }: { window: EnrollmentWindow }) {
  const { eligible, enrolled, waived, in_progress, not_started } = window.people
  return (
    <Section
      title={`Enrollment for coverage from ${formatDay(window.coverage_start)}`}
      actions={<span className="quiet">{describeWindow(window)}</span>}
    >
      <div className="headline">
        <EnrolledShare of="people" enrolled={enrolled + waived} eligible={eligible} />{' '}
        <span className="quiet">
          have responded for every benefit. {formatNumber(enrolled)} enrolled, {formatNumber(waived)} waived,{' '}
          {formatNumber(in_progress)} in progress, {formatNumber(not_started)} not started.
        </span>
      </div>
      <div className="beside enrollment-parts">
        <ProgressTable
          title="By benefit"
          of={window.benefits.map(({ benefit_id, benefit_name, eligible, unanswered }) => ({
            id: benefit_id,
            name: benefit_name,
            answered: eligible - unanswered,
            eligible,
          }))}
        />
        <ProgressTable
          title="By class"
          of={window.classes.map(({ employee_class, eligible, enrolled, waived }) => ({
            id: employee_class,
            name: classLabel(employee_class),
            answered: enrolled + waived,
            eligible,
          }))}
        />
      </div>
    </Section>
  )
}

type ProgressRow = { id: string; name: string; answered: number; eligible: number }

const ProgressTable = ({ title, of }: { title: string; of: ProgressRow[] }) => (
  <div>
    <h3>{title}</h3>
    <ul className="lines">
      {of.map(({ id, name, answered, eligible }) => (
        <li key={id}>
          <span>{name}</span>
          <EnrolledShare of="people have responded" enrolled={answered} eligible={eligible} />
        </li>
      ))}
    </ul>
  </div>
)

const email_words: Record<EnrollmentWindowPerson['email_status'], string | null> = {
  reachable: null,
  missing: 'No email',
  bounced: 'Email bounced',
  unsubscribed: 'Unsubscribed',
}

/** The columns of the list. People who can answer have a checkbox. */
const peopleColumns = (
  chosen: readonly string[],
  choose: (employee_id: string) => void,
): Column<EnrollmentWindowPerson>[] => [
  {
    name: 'Person',
    width: 24,
    phone: 52,
    cell: ({ employee_id, member_first_name, member_last_name, window_ends_on }) => (
      <span className="pick">
        <input
          type="checkbox"
          aria-label={`Choose ${member_first_name} ${member_last_name}`}
          disabled={window_ends_on === null}
          checked={chosen.includes(employee_id)}
          onChange={() => choose(employee_id)}
        />
        <RowLink to="/people/$employee_id" params={{ employee_id }}>
          {member_first_name} {member_last_name}
        </RowLink>
      </span>
    ),
  },
  {
    name: 'Progress',
    width: 18,
    cell: ({ status, answered_count, benefit_count }) => (
      <>
        <Status of={status} tone={tones[status]} />{' '}
        {status === 'in_progress' && (
          <span className="quiet">
            {answered_count} of {benefit_count}
          </span>
        )}
      </>
    ),
  },
  { name: 'Last day', align: 'end', only: 'middle', cell: ({ window_ends_on }) => orDash(window_ends_on, formatDay) },
  {
    name: 'Last message',
    align: 'end',
    only: 'middle',
    cell: ({ last_message }) => orDash(last_message, ({ due_on }) => formatDay(due_on)),
  },
  {
    name: 'Last activity',
    align: 'end',
    only: 'wide',
    width: 19,
    cell: ({ last_activity_at }) => orDash(last_activity_at, (at) => <Timestamp of={at} />),
  },
  {
    name: 'Email',
    width: 24,
    only: 'wide',
    cell: ({ email, email_status }) => (
      <>
        {email ?? <Dash />}{' '}
        {email_words[email_status] && <Status of={email_words[email_status]} tone={email ? 'bad' : 'over'} />}
      </>
    ),
  },
]

function WindowPeople({ window }: { window: EnrollmentWindow }) {
  const { employer_id } = route.useParams()
  const { search, status, chosen, remind } = route.useSearch()
  const { benefit_plan_year_id: year_id, can_answer, people } = window
  const change = useChangeSearch()
  const [reminded, setReminded] = useState<number>()
  const list = windowPeopleList(employer_id, year_id, { ...(search && { search }), ...(status && { status }) })
  const rows = useRows(list)
  const columns = useMemo(() => {
    const picked = chosen ?? []
    const toggle = (id: string) => {
      const next = picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id]
      void change({ chosen: next.length > 0 ? next : undefined })
    }
    return peopleColumns(picked, toggle)
  }, [chosen, change])
  if (remind)
    return (
      <RemindForm
        window={window}
        chosen={chosen}
        done={(people) => {
          setReminded(people)
          void change({ remind: undefined, chosen: undefined })
        }}
        back={() => void change({ remind: undefined })}
      />
    )
  const recipients = chosen?.length ?? can_answer
  return (
    <Section
      title="People"
      actions={
        <>
          <Export
            name="enrollment"
            list={list}
            scheduled={{
              list: 'enrollment_people',
              parameters: { employer_id, benefit_plan_year_id: year_id, search, status },
            }}
          />
          {recipients > 0 && (
            <HereLink className="button main" change={{ remind: 'yes' }}>
              Remind {formatNumber(recipients)}
            </HereLink>
          )}
        </>
      }
    >
      {reminded !== undefined && (
        <p role="status" className="quiet note">
          {formatCount(reminded, 'person was', 'people were')} reminded.
        </p>
      )}
      <div className="filters">
        <SearchField label="Name or email" value={search} search={(search) => void change({ search })} />
        <ToggleFilter
          label="Progress"
          values={participation_statuses}
          labelOf={(value) => `${toSentence(value)} ${people[value]}`}
          chosen={status}
          choose={(status) => void change({ status })}
        />
      </div>
      <Table
        label="People"
        columns={columns}
        rows={rows}
        empty={search || status ? <NoMatches rows="people" /> : <Empty title="No one is eligible yet." />}
      />
    </Section>
  )
}
