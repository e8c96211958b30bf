import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenMatter, ReportedLifeEvent, WebhookSubscription } from 'openbenefits/operator'
import { operator } from '../api.ts'
import { Form } from '../parts/form.tsx'
import { Empty, Page, Section, Status, Trouble } from '../parts/page.tsx'
import { useRows } from '../parts/rows.ts'
import { Table, type Column } from '../parts/table.tsx'
import { dayOf, sentence } from '../parts/words.ts'
import { disabledSubscriptions, openMatters, reportedLifeEvents } from '../queries.ts'

/** Kinds that later versions add are said by their names. */
const matter_words: Partial<Record<OpenMatter['kind'], string>> = {
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

const matter_columns: Column<OpenMatter>[] = [
  { name: 'Matter', width: 46, cell: ({ kind }) => matter_words[kind] ?? sentence(kind) },
  { name: 'Of it', only: 'middle', cell: (matter) => <span className="quiet">{detailsOf(matter)}</span> },
  { name: 'About', only: 'wide', cell: ({ resource_id }) => <code>{resource_id}</code> },
  { name: 'Since', align: 'end', width: 14, cell: ({ opened_at }) => dayOf(opened_at) },
]

const subscription_columns: Column<WebhookSubscription>[] = [
  { name: 'Address', width: 50, cell: ({ url }) => url },
  { name: 'Why', cell: ({ disabled_reason }) => <Status of={disabled_reason ?? 'disabled'} tone="bad" /> },
  { name: 'Since', align: 'end', cell: ({ disabled_at }) => disabled_at && dayOf(disabled_at) },
]

/** What needs somebody of the operator today, each with its deed. */
export function Today() {
  const matters = useRows(openMatters())
  const subscriptions = useRows(disabledSubscriptions())
  return (
    <Page title="Today">
      <LifeEvents />
      <Section title="Open matters">
        <Table
          label="Open matters"
          columns={matter_columns}
          rows={matters}
          empty={<Empty title="Nothing is open.">What the rules can’t settle by themselves comes here.</Empty>}
        />
      </Section>
      <Section title="Webhooks that are sent nothing any more">
        <Table
          label="Disabled webhooks"
          columns={subscription_columns}
          rows={subscriptions}
          empty={<Empty title="All are delivered to." />}
        />
      </Section>
    </Page>
  )
}

function LifeEvents() {
  const rows = useRows(reportedLifeEvents())
  const client = useQueryClient()
  const [declining, setDeclining] = useState<ReportedLifeEvent>()
  const refresh = () => client.invalidateQueries({ queryKey: reportedLifeEvents().key })
  const approve = useMutation({ mutationFn: (id: string) => operator.lifeEvents.approve(id), onSuccess: refresh })
  const decline = async (id: string, reason: string) => {
    await operator.lifeEvents.decline(id, { reason })
    setDeclining(undefined)
    await refresh()
  }
  const columns: Column<ReportedLifeEvent>[] = [
    { name: 'Life event', width: 24, cell: ({ type }) => sentence(type) },
    { name: 'Description', only: 'middle', cell: ({ description }) => <span className="quiet">{description}</span> },
    { name: 'Happened', align: 'end', cell: ({ occurred_on }) => dayOf(occurred_on) },
    {
      name: 'Decide',
      align: 'end',
      cell: (event) => (
        <span className="deeds">
          <button type="button" className="plain" onClick={() => approve.mutate(event.id)}>
            Approve
          </button>
          <button type="button" className="plain" onClick={() => setDeclining(event)}>
            Decline
          </button>
        </span>
      ),
    },
  ]
  return (
    <Section title="Life events to decide">
      {approve.error && <Trouble error={approve.error} />}
      <Table
        label="Life events to decide"
        columns={columns}
        rows={rows}
        isChosen={({ id }) => id === declining?.id}
        empty={<Empty title="None waits for a decision." />}
      />
      {declining && (
        <Form
          key={declining.id}
          fields={[
            { name: 'reason', label: `Why the ${sentence(declining.type).toLowerCase()} is declined`, kind: 'long' },
          ]}
          submit={({ reason = '' }) => decline(declining.id, reason)}
          button="Decline it"
        />
      )}
    </Section>
  )
}
