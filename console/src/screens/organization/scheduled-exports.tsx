import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { NewScheduledExport, ScheduledExport } from 'openbenefits'
import { export_lists } from 'openbenefits/list-columns'
import { ob, refetch } from '../../api.ts'
import { formatCount, formatDay, toSentence, type Tone } from '../../format.ts'
import { Confirm } from '../../parts/form/confirm.tsx'
import { type Field, Form, type Values, FieldError } from '../../parts/form/form.tsx'
import { AddLink, useChangeSearch } from '../../parts/page/links.tsx'
import { AddSection, Empty, Loaded, Dash, orDash, Page, Status, LoadingPlaceholder } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { loadedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, Table } from '../../parts/table/table.tsx'
import { colleaguesQuery, employerQuery, pagedList } from '../../queries.ts'
import { session } from '../../session.ts'
import { settingsTabs } from './settings-tabs.ts'

const route = getRouteApi('/settings/exports')

type ListName = NewScheduledExport['list']
type Parameters = ScheduledExport['parameters']

const isList = (name: string | undefined): name is ListName => name !== undefined && Object.hasOwn(export_lists, name)

const scheduledExportsQuery = () =>
  pagedList(['scheduled-exports'], (paging, options) => ob.scheduledExports.list(paging, options))

const intervals: Record<ScheduledExport['frequency'], string> = {
  daily: 'Every day',
  weekly: 'Each Monday',
  monthly: 'On the 1st of each month',
}
const formats: Record<ScheduledExport['format'], string> = { csv: 'CSV', xlsx: 'Excel' }

/** The lists of the whole organization. Others are scheduled from the page that shows them. */
const whole_lists: ListName[] = ['employers', 'people', 'invoices', 'receivables', 'statements']

/** The filters of a list in words. Ids are omitted, because the name of the export explains them. */
const describeFilters = (parameters: Parameters): string =>
  Object.entries(parameters)
    .filter(([name]) => !/_id$|^include_drafts$|^sort$|^order$/.test(name))
    .map(([name, value]) => `${toSentence(name)}: ${[value].flat().map(toSentence).join(', ')}`)
    .join(' · ')

const deliveryFailures = ({ latest_deliveries }: ScheduledExport) =>
  latest_deliveries
    .filter(({ status }) => status === 'failed')
    .map(({ name, reason }) => `${name}: ${toSentence(reason ?? '').toLowerCase()}`)

/** The state of the last day: the worst one of its deliveries. */
function latestOutcome(one: ScheduledExport): [words: string, tone: Tone] {
  const failed = deliveryFailures(one).length
  if (failed > 0) return [`${failed} failed`, 'bad']
  const statuses = one.latest_deliveries.map(({ status }) => status)
  if (statuses.includes('queued') || statuses.includes('sending')) return ['Sending', 'wait']
  return statuses.includes('sent') ? ['Sent', 'good'] : ['Not sent', 'over']
}

function LatestDelivery({ of: one }: { of: ScheduledExport }) {
  if (one.latest_on === null) return <Dash />
  const [words, tone] = latestOutcome(one)
  return (
    <>
      <Status of={words} tone={tone} />
      <span className="quiet block">{deliveryFailures(one).join(', ') || formatDay(one.latest_on)}</span>
    </>
  )
}

const exported: ExportColumn<ScheduledExport>[] = [
  { name: 'Export', of: ({ name }) => name },
  { name: 'List', of: ({ list }) => export_lists[list].title },
  { name: 'Format', of: ({ format }) => formats[format] },
  { name: 'Filters', of: ({ parameters }) => describeFilters(parameters) },
  { name: 'Sent', of: ({ frequency }) => intervals[frequency] },
  { name: 'Recipients', of: ({ recipients }) => recipients.map(({ name }) => name).join(', ') },
  { name: 'Next', kind: 'day', of: ({ next_on }) => next_on },
  { name: 'Last', kind: 'day', of: ({ latest_on }) => latest_on },
  { name: 'Status', of: (one) => (one.latest_on === null ? null : latestOutcome(one)[0]) },
  { name: 'Failures', of: (one) => deliveryFailures(one).join(', ') },
]

const columnsOf = (remove: (id: string) => void): Column<ScheduledExport>[] => [
  {
    name: 'Export',
    width: 30,
    phone: 50,
    wraps: true,
    cell: ({ name, list, format, parameters }) => (
      <>
        {name}
        <span className="quiet block">
          {[`${export_lists[list].title}, ${formats[format]}`, describeFilters(parameters)].filter(Boolean).join(' · ')}
        </span>
      </>
    ),
  },
  { name: 'Sent', only: 'middle', width: 14, wraps: true, cell: ({ frequency }) => intervals[frequency] },
  {
    name: 'Recipients',
    only: 'middle',
    wraps: true,
    cell: ({ recipients }) => orDash(recipients.map(({ name }) => name).join(', ') || null, (names) => names),
  },
  dateColumn('Next', 'next_on', { only: 'middle', width: 12 }),
  { name: 'Last', width: 14, phone: 28, wraps: true, cell: (one) => <LatestDelivery of={one} /> },
  {
    name: 'Action',
    align: 'end',
    width: 10,
    phone: 22,
    cell: ({ id, name }) => (
      <button type="button" className="plain" aria-label={`Delete ${name}`} onClick={() => remove(id)}>
        Delete
      </button>
    ),
  },
]

/** Lists that members receive by email on a schedule. */
export function ScheduledExports() {
  const { add, deleting } = route.useSearch()
  const change = useChangeSearch()
  const rows = useRows(scheduledExportsQuery())
  const chosen = loadedRows(rows).find(({ id }) => id === deleting)
  return (
    <Page
      title="Settings"
      tabs={settingsTabs()}
      actions={
        <>
          <Export name="scheduled-exports" list={scheduledExportsQuery()} columns={exported} />
          {!add && <AddLink>Schedule an export</AddLink>}
        </>
      }
    >
      {add && (
        <AddSection title="New scheduled export">
          <NewExport />
        </AddSection>
      )}
      {chosen && (
        <Confirm
          key={chosen.id}
          action="Delete"
          act={async () => {
            await ob.scheduledExports.delete(chosen.id)
            await refetch(scheduledExportsQuery().key)
          }}
          back={() => void change({ deleting: undefined })}
        >
          {chosen.name} is no longer sent to {formatCount(chosen.recipients.length, 'recipient')}.
        </Confirm>
      )}
      <Table
        label="Scheduled exports"
        columns={columnsOf((id) => void change({ deleting: id }))}
        rows={rows}
        isChosen={({ id }) => id === deleting}
        empty={
          <Empty title="No scheduled exports yet.">
            Members of your organization can receive lists by email, such as the employer book each Monday. Schedule one
            here, or with Export above a list.
          </Empty>
        }
      />
    </Page>
  )
}

/** The parameters in the URL. Empty if they are damaged. */
function parseParameters(text: string | undefined): Parameters {
  try {
    return text === undefined ? {} : (JSON.parse(text) as Parameters)
  } catch {
    return {}
  }
}

function NewExport() {
  const { list: wanted, parameters: text } = route.useSearch()
  const list = isList(wanted) ? wanted : undefined
  const parameters = parseParameters(text)
  const { employer_id } = parameters
  const known = useQuery({ ...employerQuery(String(employer_id)), enabled: typeof employer_id === 'string' })
  const members = useQuery(colleaguesQuery())
  if (typeof employer_id === 'string' && !known.data) return <LoadingPlaceholder lines={6} />
  return (
    <Loaded query={members} lines={6}>
      {(found) => (
        <ExportForm
          key={list}
          list={list}
          parameters={parameters}
          about={known.data?.name}
          recipients={found.map(({ user_id, name }) => [user_id, name] as const)}
        />
      )}
    </Loaded>
  )
}

type ExportFormProps = {
  /** the list of the page from which the export is scheduled */
  list: ListName | undefined
  parameters: Parameters
  /** the employer of the list */
  about: string | undefined
  recipients: (readonly [user_id: string, name: string])[]
}

function ExportForm({ list, parameters, about, recipients }: ExportFormProps) {
  const change = useChangeSearch()
  const filters = describeFilters(parameters)
  const fields: Field[] = [
    { name: 'name', label: 'Name', hint: 'The subject of the emails.' },
    ...(list
      ? []
      : [{ name: 'list', label: 'List', options: whole_lists.map((one) => [one, export_lists[one].title] as const) }]),
    { name: 'format', label: 'Format', options: Object.entries(formats) },
    { name: 'frequency', label: 'Send', options: Object.entries(intervals) },
    {
      name: 'recipients',
      label: 'Recipients',
      kind: 'several',
      options: recipients,
      hint: 'Each file has only what its recipient may see.',
    },
  ]
  const title = list && export_lists[list].title
  const initial: Values = {
    name: title && about ? `${about}: ${title.replace(/ of an employer$/, '').toLowerCase()}` : (title ?? ''),
    list: list ?? 'employers',
    format: 'xlsx',
    frequency: 'weekly',
    recipients: session.user.id,
  }
  const submit = async ({ name = '', recipients: chosen = '', ...rest }: Values) => {
    if (chosen.trim() === '') throw new FieldError('recipients', 'are required')
    const wanted = { ...rest, name, parameters, recipient_user_ids: chosen.split(' ') }
    await ob.scheduledExports.create(wanted as unknown as NewScheduledExport)
    await refetch(scheduledExportsQuery().key)
    await change({ add: undefined, list: undefined, parameters: undefined })
  }
  return (
    <Form fields={fields} initial={initial} submit={submit} button="Schedule export">
      {filters && <p className="quiet">Filters: {filters}</p>}
    </Form>
  )
}
