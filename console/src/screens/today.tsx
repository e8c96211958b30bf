import { useMutation, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Job, LifeEventId, OpenMatter, ReportedLifeEvent } from 'openbenefits/operator'
import { operator } from '../api.ts'
import { Form } from '../parts/form.tsx'
import { Empty, Nothing, Page, Section, Trouble } from '../parts/page.tsx'
import { allOf, useRows } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { dayOf, instantOf, sentence } from '../parts/words.ts'
import { jobsIn, openMatters, reportedLifeEvents } from '../operator-queries.ts'

const route = getRouteApi('/today')

/** Kinds that later versions add are said by their names. */
const matter_words: Partial<Record<OpenMatter['kind'], string>> = {
  life_event_pending: 'Somebody reported a life event',
  census_held: 'A census would end many people, and waits',
  hris_access_lost: 'A payroll system lets us in no longer',
  webhook_disabled: 'A webhook is sent nothing any more',
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

type Act = { deed: 'approve' | 'confirm' | 'discard'; id: string }
type Deeds = { act: (act: Act) => void; decline: (id: string) => void }

/** The button or two that settle a matter, or the way to where it is settled. */
function DeedOf({ of: { kind, resource_id: id, employer_id }, act, decline }: Deeds & { of: OpenMatter }) {
  const button = (label: string, press: () => void) => (
    <button type="button" className="plain" onClick={press}>
      {label}
    </button>
  )
  if (kind === 'life_event_pending')
    return (
      <span className="deeds">
        {button('Approve', () => act({ deed: 'approve', id }))}
        {button('Decline', () => decline(id))}
      </span>
    )
  if (kind === 'census_held')
    return (
      <span className="deeds">
        {button('End them', () => act({ deed: 'confirm', id }))}
        {button('End nobody', () => act({ deed: 'discard', id }))}
      </span>
    )
  if (employer_id === null) return <Nothing />
  return kind === 'hris_access_lost' ? (
    <Link to="/partners/employers/$employer_id/hris" params={{ employer_id }}>
      Connection
    </Link>
  ) : (
    <Link to="/partners/employers/$employer_id" params={{ employer_id }}>
      Employer
    </Link>
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
    width: 52,
    phone: 60,
    wraps: true,
    cell: (matter) => (
      <>
        {titleOf(matter, life_events)}
        <span className="quiet block">
          {[detailsOf(matter), life_events.find(({ id }) => id === matter.resource_id)?.description]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </>
    ),
  },
  { name: 'About', only: 'wide', cell: ({ resource_id }) => <code>{resource_id}</code> },
  { name: 'Since', align: 'end', only: 'middle', width: 13, cell: ({ opened_at }) => dayOf(opened_at) },
  { name: 'Deed', align: 'end', width: 17, cell: (matter) => <DeedOf of={matter} {...deeds} /> },
]

/** What needs somebody of the operator today, each with its deed. */
export function Today() {
  return (
    <Page title="Today">
      <Matters />
      <GivenUp />
    </Page>
  )
}

function Matters() {
  const { declining } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const rows = useRows(openMatters())
  const life_events = allOf(useRows(reportedLifeEvents()))
  const refresh = () => client.invalidateQueries({ queryKey: openMatters().key })
  const choose = (declining: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, declining }), replace: true, resetScroll: false })
  const act = useMutation<unknown, Error, Act>({
    mutationFn: ({ deed, id }) =>
      deed === 'approve'
        ? operator.lifeEvents.approve(id)
        : deed === 'confirm'
          ? operator.census.confirm(id)
          : operator.census.discard(id),
    onSuccess: refresh,
  })
  const declined = allOf(rows).find(({ resource_id }) => resource_id === declining)
  return (
    <Section title="Open matters">
      {act.error && <Trouble error={act.error} />}
      <Table
        label="Open matters"
        columns={columnsOf({ act: act.mutate, decline: choose }, life_events)}
        rows={rows}
        isChosen={({ id }) => id === declined?.id}
        empty={<Empty title="Nothing is open.">What the rules can’t settle by themselves comes here.</Empty>}
      />
      {declined && (
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

/** What the service tried again and again in the background, and does no more. */
function GivenUp() {
  const client = useQueryClient()
  const rows = useRows(jobsIn({ state: 'gave_up' }))
  const again = useMutation({
    mutationFn: (id: string) => operator.jobs.run(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  })
  const columns: Column<Job>[] = [
    { name: 'Job', width: 36, cell: ({ task }) => sentence(task) },
    { name: 'Attempts', align: 'end', only: 'middle', cell: ({ attempts }) => attempts },
    { name: 'Since', align: 'end', only: 'middle', cell: ({ created_at }) => instantOf(created_at) },
    {
      name: 'Deed',
      align: 'end',
      cell: ({ id }) => (
        <button type="button" className="plain" onClick={() => again.mutate(id)}>
          Run it again
        </button>
      ),
    },
  ]
  return (
    <Section title="Jobs that gave up" actions={<Link to="/jobs">All jobs</Link>}>
      {again.error && <Trouble error={again.error} />}
      <Table label="Jobs that gave up" columns={columns} rows={rows} empty={<Empty title="None has." />} />
    </Section>
  )
}
