import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { HrisConnection, HrisRunRow, NewHrisConnection, SandboxFault } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount, formatDay, formatInstant, formatNumber, toSentence } from '../../format.ts'
import { connectionsQuery, runsList } from './queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { Confirm } from '../../parts/form/confirm.tsx'
import { FileDrop } from '../../parts/form/file-drop.tsx'
import { Form, type Values } from '../../parts/form/form.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import {
  Timestamp,
  Empty,
  Facts,
  Loaded,
  Dash,
  PayrollStatus,
  Section,
  Status,
  ErrorMessage,
} from '../../parts/page/page.tsx'
import { readText } from '../../parts/roster/file-text.ts'
import { parseSpreadsheet } from '../../parts/roster/spreadsheet.ts'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { linkColumn } from '../../parts/table/row-link.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, numberColumn, Table } from '../../parts/table/table.tsx'
import { run_causes } from './run.tsx'

const route = getRouteApi('/partners/employers/$employer_id/hris')

/** The payroll connection of an employer, with its sync runs. */
export function HrisPage() {
  const { employer_id } = route.useParams()
  const found = useQuery(connectionsQuery(employer_id))
  return (
    <Loaded query={found}>
      {(connections) => {
        const present = connections.find(({ disconnected_at }) => disconnected_at === null)
        return present ? (
          <>
            <ConnectionDetails of={present} />
            <RunList connection_id={present.id} />
          </>
        ) : (
          <ConnectForm employer_id={employer_id} />
        )
      }}
    </Loaded>
  )
}

function ConnectForm({ employer_id }: { employer_id: string }) {
  const connect = async ({ source, provider, provider_label, access_token }: Values) => {
    const body = {
      source,
      ...(provider && { provider, provider_label: provider_label || provider }),
      ...(access_token && { access_token }),
    }
    await operator.hris.connect(employer_id, body as NewHrisConnection)
    await refetch(connectionsQuery(employer_id).queryKey)
  }
  return (
    <Section title="Connect a payroll system">
      <p className="quiet note">
        Once connected, the payroll system controls the roster, and the partner can no longer change it.
      </p>
      <RequiresRole area="administer">
        <Form
          fields={[
            {
              name: 'source',
              label: 'Source',
              options: [
                ['csv', 'Uploaded files'],
                ['finch', 'Finch'],
                ['sandbox', 'Fake payroll, for sandboxes'],
              ],
            },
            {
              name: 'provider',
              label: 'Payroll system',
              required: false,
              hint: 'The provider’s short name, such as gusto.',
            },
            { name: 'provider_label', label: 'Display name', required: false },
            { name: 'access_token', label: 'Access token', required: false, hint: 'Only for Finch. Stored encrypted.' },
          ]}
          initial={{ source: 'csv' }}
          submit={connect}
          button="Connect"
        />
      </RequiresRole>
    </Section>
  )
}

function ConnectionDetails({ of }: { of: HrisConnection }) {
  return (
    <Section title={of.provider_label} actions={of.status && <PayrollStatus of={of.status} />}>
      {of.last_error && (
        <div className="trouble" role="alert">
          <p>{of.last_error.message}</p>
        </div>
      )}
      <Facts
        of={[
          ['Source', of.source === 'csv' ? 'Files' : toSentence(of.source)],
          ['Last sync attempt', of.last_attempt_at && formatInstant(of.last_attempt_at)],
          ['Last successful sync', of.last_synced_at && formatInstant(of.last_synced_at)],
          ['People', of.synced_row_count === null ? null : formatNumber(of.synced_row_count)],
          ['Next sync', of.next_sync_on && formatDay(of.next_sync_on)],
          ['Connected', formatInstant(of.connected_at)],
        ]}
      />
      <div className="note">
        <RequiresRole area="administer" action="Sync, pause and disconnect">
          {of.source === 'finch' && of.status === 'inactive' && <ReconnectForm of={of} />}
          <ConnectionActions of={of} />
          {of.source === 'csv' && of.paused_at === null && <FileUpload of={of} />}
          {of.source === 'sandbox' && <SandboxPayroll connection_id={of.id} />}
        </RequiresRole>
      </div>
    </Section>
  )
}

/** Replaces an access token that the payroll system no longer accepts. */
const ReconnectForm = ({ of: { id, employer_id } }: { of: HrisConnection }) => (
  <Form
    fields={[
      {
        name: 'access_token',
        label: 'New access token',
        hint: 'From Finch, after the employer has signed in again. Stored encrypted, and tested immediately.',
      },
    ]}
    submit={async ({ access_token = '' }) => {
      await operator.hris.renewAccess(id, { access_token })
      await refetch(connectionsQuery(employer_id).queryKey, runsList(id).key)
    }}
    button="Reconnect"
  />
)

function ConnectionActions({ of: { id, employer_id, paused_at, source } }: { of: HrisConnection }) {
  const refresh = async () => {
    await refetch(connectionsQuery(employer_id).queryKey, runsList(id).key)
  }
  const sync = useAction({ mutationFn: () => operator.hris.sync(id), onSuccess: refresh })
  const toggle = useAction({
    mutationFn: () => (paused_at ? operator.hris.resume(id) : operator.hris.pause(id)),
    onSuccess: refresh,
  })
  const disconnect = async () => {
    await operator.hris.disconnect(id)
    await refresh()
  }
  const error = sync.error ?? toggle.error
  return (
    <>
      {error && <ErrorMessage error={error} />}
      <div className="form-end">
        {source !== 'csv' && (
          <button type="button" className="button" disabled={sync.isPending} onClick={() => sync.mutate()}>
            Sync now
          </button>
        )}
        <button type="button" className="button" disabled={toggle.isPending} onClick={() => toggle.mutate()}>
          {paused_at ? 'Resume' : 'Pause'}
        </button>
        <Confirm action="Disconnect" act={disconnect}>
          The roster stays unchanged, and the partner can edit it again. A new connection starts over.
        </Confirm>
      </div>
    </>
  )
}

type DroppedFile = { name: string; text: string; row_count: number }

/** Uploads the whole roster from a file. Warns about terminations first, then opens the page of the run. */
function FileUpload({ of: { id, synced_row_count } }: { of: HrisConnection }) {
  const navigate = route.useNavigate()
  const [file, setFile] = useState<DroppedFile>()
  const read = async (dropped: File) => {
    const text = await readText(dropped)
    setFile({ name: dropped.name, text, row_count: parseSpreadsheet(dropped.name, text).lines.length })
  }
  const send = async ({ text }: DroppedFile) => {
    const { id: run_id } = await operator.hris.uploadFile(id, text)
    await refetch(runsList(id).key)
    await navigate({ to: '/partners/runs/$run_id', params: { run_id } })
  }
  return (
    <>
      <h3>Upload a payroll file</h3>
      {file ? (
        <Confirm
          action={`Send ${file.name}, ${formatCount(file.row_count, 'row')}`}
          act={() => send(file)}
          back={() => setFile(undefined)}
        >
          This file replaces the whole roster
          {synced_row_count !== null && `, which had ${formatCount(synced_row_count, 'row')} last time`}. People missing
          from the file are terminated as of today. If many are missing, the run is held until you confirm it.
        </Confirm>
      ) : (
        <FileDrop read={read}>
          Upload the payroll system’s export with one row per employee. The first line must contain the column names.
        </FileDrop>
      )}
    </>
  )
}

const sandbox_faults: SandboxFault[] = [
  'late',
  'duplicate',
  'rehire',
  'future_termination',
  'changed_email',
  'half_page',
  'server_errors',
  'rate_limited',
  'garbage',
  'access_lost',
]

/** Selects how the fake payroll system misbehaves in the next sync. */
function SandboxPayroll({ connection_id }: { connection_id: string }) {
  const setBehavior = ({ fault }: Values) =>
    operator.hris.setSandboxPayroll(connection_id, {
      fault: fault === '' ? null : (fault as SandboxFault),
    })
  return (
    <>
      <h3>Fake payroll</h3>
      <Form
        fields={[
          {
            name: 'fault',
            label: 'Behavior',
            options: [['', 'Normal'], ...sandbox_faults.map((value) => [value, toSentence(value)] as const)],
          },
        ]}
        submit={setBehavior}
        button="Apply"
      />
    </>
  )
}

const columns: Column<HrisRunRow>[] = [
  linkColumn(
    'Started',
    ({ id, requested_at }) => [
      <Timestamp of={requested_at} />,
      { to: '/partners/runs/$run_id', params: { run_id: id } },
    ],
    { width: 26, phone: 40 },
  ),
  { name: 'State', phone: 38, cell: ({ state }) => <Status of={state} /> },
  { name: 'Started by', only: 'middle', cell: ({ cause }) => run_causes[cause] },
  numberColumn('People', 'row_count', { only: 'middle' }),
  {
    name: 'Changed',
    align: 'end',
    only: 'middle',
    cell: ({ counts }) =>
      counts ? formatNumber(counts.created + counts.updated + counts.rehired + counts.terminated) : <Dash />,
  },
  {
    name: 'Refused',
    align: 'end',
    cell: ({ counts }) => (counts ? formatNumber(counts.failed) : <Dash />),
  },
]

const exported: ExportColumn<HrisRunRow>[] = [
  { name: 'Started', of: ({ requested_at }) => requested_at },
  { name: 'State', of: ({ state }) => toSentence(state) },
  { name: 'Started by', of: ({ cause }) => run_causes[cause] },
  { name: 'People', of: ({ row_count }) => row_count },
  { name: 'Created', of: ({ counts }) => counts?.created },
  { name: 'Updated', of: ({ counts }) => counts?.updated },
  { name: 'Rehired', of: ({ counts }) => counts?.rehired },
  { name: 'Terminated', of: ({ counts }) => counts?.terminated },
  { name: 'Refused', of: ({ counts }) => counts?.failed },
]

const RunList = ({ connection_id }: { connection_id: string }) => {
  const list = runsList(connection_id)
  const rows = useRows(list)
  return (
    <Section title="Runs" actions={<Export name="payroll-runs" list={list} columns={exported} />}>
      <Table
        label="Runs"
        columns={columns}
        rows={rows}
        empty={
          <Empty title="No runs yet.">
            A run starts each night, when you select Sync now, and with each uploaded file.
          </Empty>
        }
      />
    </Section>
  )
}
