import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useRouteContext } from '@tanstack/react-router'
import type { Day, LifeEventId, OpenMatter, ReportedLifeEvent } from 'openbenefits/operator'
import { useDeed } from '../parts/deed.ts'
import { operator } from '../api.ts'
import { Form } from '../parts/form.tsx'
import { Empty, Nothing, Page, Section, Trouble } from '../parts/page.tsx'
import { allOf, useRows } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { UpTo } from '../parts/up-to.tsx'
import { dayOf, sentence } from '../parts/words.ts'
import { openMatters, reportedLifeEvents } from '../operator-queries.ts'
import { may } from '../session.ts'
import { Documents } from '../parts/documents.tsx'
import { Happened } from './happened.tsx'

const route = getRouteApi('/today')

/** Kinds that later versions add are said by their names. */
const matter_words: Partial<Record<OpenMatter['kind'], string>> = {
  life_event_pending: 'Somebody reported a life event',
  census_held: 'A census would end many people, and waits',
  hris_access_lost: 'A payroll system lets us in no longer',
  webhook_disabled: 'A webhook is sent nothing any more',
  webhook_deliveries_failed: 'A receiver did not take something in 14 attempts',
  invoice_drafted: 'An invoice is drafted, and issued by itself soon',
  job_gave_up: 'Work failed as often as it may',
  daily_run_late: 'The day of a partner is late',
  termination_beyond_reach: 'A roster tells of a last day more than 60 days ago',
  reinstatement_beyond_reach: 'A roster tells again of somebody who was left out more than 60 days ago',
  enrollment_lapsing: 'Was enrolled, has not answered for the next plan year, and is not carried over',
  enrollment_superseded: 'A loss was withdrawn after something else had been elected: the former enrollment goes on',
  choice_group_doubled: 'Holds two benefits of which only one can be had',
}

/** What days and reasons are known of a matter, in a few words. */
const detailsOf = ({ details }: OpenMatter): string =>
  Object.entries(details)
    .filter(([name, value]) => value !== null && !name.endsWith('_id') && !name.endsWith('_ids'))
    .map(([name, value]) => {
      const said = String(value)
      const is_day = /^\d{4}-\d\d-\d\d$/.test(said)
      return `${sentence(name.replace(/_on$/, ''))}: ${is_day ? dayOf(said) : said.replaceAll('_', ' ')}`
    })
    .join(' · ')

/** What settles a matter, by what it is about. */
const deeds = {
  approve: ({ resource_id: id }: OpenMatter) => operator.lifeEvents.approve(id),
  confirm: ({ resource_id: id }: OpenMatter) => operator.census.confirm(id),
  discard: ({ resource_id: id }: OpenMatter) => operator.census.discard(id),
  run: ({ resource_id: id }: OpenMatter) => operator.jobs.run(id),
  runDay: ({ resource_id: id }: OpenMatter) => operator.organizations.runDay(id),
  issue: ({ resource_id: id, employer_id }: OpenMatter) => operator.invoices.issue(employer_id!, id),
  resume: ({ resource_id: id }: OpenMatter) => operator.webhookSubscriptions.resume(id),
}

type Act = { deed: keyof typeof deeds; matter: OpenMatter }
type Deeds = { act: (act: Act) => void; decline: (id: string) => void; is_busy: boolean }

/** What is done about a matter at once; others are looked at first. */
const deeds_of: Partial<Record<OpenMatter['kind'], [label: string, deed: Act['deed']][]>> = {
  life_event_pending: [['Approve', 'approve']],
  census_held: [
    ['End them', 'confirm'],
    ['End nobody', 'discard'],
  ],
  job_gave_up: [['Run it again', 'run']],
  daily_run_late: [['Run it now', 'runDay']],
  invoice_drafted: [['Issue it', 'issue']],
  webhook_disabled: [['Send what it missed', 'resume']],
  webhook_deliveries_failed: [['Send what it missed', 'resume']],
}

/** The buttons that settle a matter, and the way to where it is looked at. */
function DeedsOf({ of: matter, act, decline, is_busy }: Deeds & { of: OpenMatter }) {
  const button = (label: string, press: () => void) => (
    <button key={label} type="button" className="plain" disabled={is_busy} onClick={press}>
      {label}
    </button>
  )
  const deeds = deeds_of[matter.kind]
  return (
    <span className="deeds">
      {deeds && (
        <UpTo area={matter.kind === 'invoice_drafted' ? 'bill' : 'administer'}>
          {deeds.map(([label, deed]) => button(label, () => act({ deed, matter })))}
          {matter.kind === 'life_event_pending' && button('Decline', () => decline(matter.resource_id))}
        </UpTo>
      )}
      <Where of={matter} />
    </span>
  )
}

/** The way to where a matter is settled or looked at, where that says more than its partner and employer do. */
function Where({ of: matter }: { of: OpenMatter }) {
  const { kind, employer_id, resource_id, details } = matter
  if (employer_id !== null && kind in pages) {
    const [to, label] = pages[kind as keyof typeof pages]
    return (
      <Link to={to} params={{ employer_id }}>
        {label}
      </Link>
    )
  }
  const correction = corrections[kind]
  if (!correction) return null
  const { label, whose, search } = correction
  return (
    <Link
      to="/people/$employee_id/change"
      params={{ employee_id: whose === 'employee' ? resource_id : String(details.employee_id) }}
      search={search(matter)}
    >
      {label}
    </Link>
  )
}

const pages = {
  hris_access_lost: ['/partners/employers/$employer_id/hris', 'Renew access'],
  invoice_drafted: ['/partners/employers/$employer_id/invoices', 'Invoices'],
} as const

type Way = { deed: 'end' | 'enrollment'; enrollment?: string; day?: Day }
type Settling = { label: string; whose: 'employee' | 'enrollment'; search: (matter: OpenMatter) => Way }

const itsEnrollment = ({ resource_id }: OpenMatter): Way => ({ deed: 'enrollment', enrollment: resource_id })

/** What is set right at a person: of whom it is, and which of their facts. */
const corrections: Partial<Record<OpenMatter['kind'], Settling>> = {
  enrollment_lapsing: { label: 'Choose for them', whose: 'enrollment', search: itsEnrollment },
  enrollment_superseded: { label: 'Set it right', whose: 'enrollment', search: itsEnrollment },
  choice_group_doubled: {
    label: 'Set it right',
    whose: 'employee',
    search: ({ details }) => ({ deed: 'enrollment', enrollment: String(details.enrollment_id) }),
  },
  termination_beyond_reach: {
    label: 'End it',
    whose: 'employee',
    search: ({ details }) => ({ deed: 'end', day: details.last_day_employed as Day }),
  },
  reinstatement_beyond_reach: { label: 'Take it back', whose: 'employee', search: () => ({ deed: 'end' }) },
}

/** Whose a matter is: the employer, and the partner who keeps it. */
function Whose({ of: { employer_id, employer_name, organization_id, organization_name } }: { of: OpenMatter }) {
  if (organization_id === null) return <Nothing />
  const partner = (
    <Link to="/partners/$organization_id" params={{ organization_id }}>
      {organization_name ?? organization_id}
    </Link>
  )
  if (employer_id === null) return partner
  return (
    <>
      <Link to="/partners/employers/$employer_id" params={{ employer_id }}>
        {employer_name ?? employer_id}
      </Link>
      <span className="quiet block">{organization_name}</span>
    </>
  )
}

const titleOf = ({ kind, resource_id }: OpenMatter, life_events: ReportedLifeEvent[]): string => {
  const told = matter_words[kind] ?? sentence(kind)
  const event = life_events.find(({ id }) => id === resource_id)
  return event ? `${told}: ${sentence(event.type).toLowerCase()}` : told
}

const columnsOf = (deeds: Deeds, life_events: ReportedLifeEvent[]): Column<OpenMatter>[] => [
  {
    name: 'Matter',
    width: 44,
    phone: 68,
    wraps: true,
    cell: (matter) => (
      <>
        {titleOf(matter, life_events)}
        <span className="quiet block">
          {[detailsOf(matter), life_events.find(({ id }) => id === matter.resource_id)?.description]
            .filter(Boolean)
            .join(' · ')}
          <Documents of={life_events.find(({ id }) => id === matter.resource_id)} />
        </span>
        <span className="only-phone">
          <Whose of={matter} />
        </span>
      </>
    ),
  },
  { name: 'Whose', only: 'middle', wraps: true, cell: (matter) => <Whose of={matter} /> },
  { name: 'Since', align: 'end', only: 'middle', width: 15, cell: ({ opened_at }) => dayOf(opened_at) },
  {
    name: 'Deed',
    align: 'end',
    width: 18,
    phone: 32,
    wraps: true,
    cell: (matter) => <DeedsOf of={matter} {...deeds} />,
  },
]

/** What needs somebody of the operator today, each with its deed. */
export function Today() {
  return (
    <Page title="Today">
      <Happened />
      <Matters />
    </Page>
  )
}

const soon_ms = 2000

function Matters() {
  const { declining } = route.useSearch()
  const { session } = useRouteContext({ from: '__root__' })
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const rows = useRows(openMatters())
  const life_events = allOf(useRows(reportedLifeEvents()))
  const refresh = () => client.invalidateQueries({ queryKey: openMatters().key })
  const choose = (declining: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, declining }), replace: true, resetScroll: false })
  const act = useDeed<unknown, Act>({
    mutationFn: async ({ deed, matter }) => deeds[deed](matter),
    // What was refused may have been settled by somebody else; what a job does is done a moment later.
    onSettled: () => {
      setTimeout(() => void refresh(), soon_ms)
      return refresh()
    },
  })
  const declined = allOf(rows).find(({ resource_id }) => resource_id === declining)
  return (
    <Section
      title="Open matters"
      actions={
        <span role="status" className="quiet">
          {act.isSuccess && 'On its way: what is settled leaves the list.'}
        </span>
      }
    >
      {act.error && <Trouble error={act.error} />}
      <Table
        label="Open matters"
        columns={columnsOf({ act: act.mutate, decline: choose, is_busy: act.isPending }, life_events)}
        rows={rows}
        isChosen={({ id }) => id === declined?.id}
        empty={<Empty title="Nothing is open.">What the rules can’t settle by themselves comes here.</Empty>}
      />
      {declined && may(session, 'administer') && (
        <div className="note">
          <Form
            key={declined.id}
            fields={[{ name: 'reason', label: 'Why it is declined', kind: 'long', hint: detailsOf(declined) }]}
            submit={async ({ reason = '' }) => {
              await operator.lifeEvents.decline(declined.resource_id as LifeEventId, { reason })
              choose(undefined)
              await refresh()
            }}
            button="Decline it"
          />
        </div>
      )}
    </Section>
  )
}
