import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { GroupMember, GroupMemberFailure, GroupMemberSyncRow, Plan } from 'openbenefits'
import { useEffect, useState } from 'react'
import { refetch } from '../../api.ts'
import { formatCount, fullName, toSentence } from '../../format.ts'
import { formatReason } from '../../reasons.ts'
import { HereLink } from '../../parts/page/links.tsx'
import { Timestamp, Empty, Loaded, Dash, Page, Section, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { loadedRows, fixedRows, useRows } from '../../parts/table/rows.ts'
import { type Column, dateColumn, numberColumn, Table } from '../../parts/table/table.tsx'
import { groupQuery, groupMembersList, groupSyncQuery, groupSyncsList, plansList } from './queries.ts'
import { GroupListUpload } from './list-upload.tsx'

const route = getRouteApi('/groups/$group_id')

const memberColumns = (plans: Plan[]): Column<GroupMember>[] => [
  { name: 'Name', width: 20, cell: fullName },
  {
    name: 'Plan',
    width: 21,
    cell: ({ plan_id }) => plans.find(({ id }) => id === plan_id)?.name ?? <code>{plan_id}</code>,
  },
  { name: 'Your reference', only: 'middle', cell: ({ reference_id }) => reference_id },
  { name: 'Email', only: 'wide', width: 26, cell: ({ email }) => email ?? <Dash /> },
  dateColumn('Joined', 'joined_at'),
]

const exportedMembers = (plans: Plan[]): ExportColumn<GroupMember>[] => [
  { name: 'First name', of: ({ first_name }) => first_name },
  { name: 'Last name', of: ({ last_name }) => last_name },
  { name: 'Email', of: ({ email }) => email },
  { name: 'Plan', of: ({ plan_id }) => plans.find(({ id }) => id === plan_id)?.name ?? plan_id },
  { name: 'Your reference', of: ({ reference_id }) => reference_id },
  { name: 'Joined', of: ({ joined_at }) => joined_at },
]

/** The current members of a group, with their plans. */
export function GroupPage() {
  const { group_id } = route.useParams()
  const { send } = route.useSearch()
  const about = useQuery(groupQuery(group_id))
  const members = useRows(groupMembersList(group_id))
  const plans = loadedRows(useRows(plansList()))
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      breadcrumbs={[{ label: 'Groups', link: { to: '/groups' } }]}
      badge={about.data && <span className="quiet">{about.data.external_reference_id}</span>}
      actions={
        about.data &&
        !send && (
          <HereLink className="button main" change={{ send: 'yes' }}>
            Upload members
          </HereLink>
        )
      }
    >
      {about.error && <ErrorMessage error={about.error} retry={() => void about.refetch()} />}
      {about.data && send && <GroupListUpload plans={plans} />}
      <Section
        title="Members"
        actions={
          <>
            {members.total !== undefined && <span className="quiet">{formatCount(members.total, 'member')}</span>}
            <Export name="group-members" list={groupMembersList(group_id)} columns={exportedMembers(plans)} />
          </>
        }
      >
        <Table
          label="Members"
          columns={memberColumns(plans)}
          rows={members}
          empty={
            <Empty title="No members yet.">
              Upload a file of all members, or send them with <code>POST /v1/groups/…/members/sync</code>.
            </Empty>
          }
        />
      </Section>
      <GroupSyncs />
    </Page>
  )
}

const sync_columns: Column<GroupMemberSyncRow>[] = [
  {
    name: 'Accepted',
    width: 30,
    phone: 32,
    cell: ({ request_id, accepted_at }) => (
      <HereLink className="row-link" change={{ sync: request_id }}>
        <Timestamp of={accepted_at} />
      </HereLink>
    ),
  },
  {
    name: 'State',
    only: 'middle',
    cell: ({ completed_at }) => <Status of={completed_at ? 'completed' : 'processing'} />,
  },
  numberColumn('Added', 'added_count'),
  numberColumn('Removed', 'removed_count'),
  numberColumn('Failed', 'failure_count'),
]

/** The member lists sent for a group, with their failed rows. */
function GroupSyncs() {
  const { group_id } = route.useParams()
  const { sync } = route.useSearch()
  const rows = useRows(groupSyncsList(group_id), (syncs) => syncs.some(({ completed_at }) => completed_at === null))
  return (
    <Section title="Syncs">
      <Table
        label="Syncs"
        columns={sync_columns}
        rows={rows}
        isChosen={({ request_id }) => request_id === sync}
        empty={<Empty title="No syncs yet." />}
      />
      {sync && <SyncFailures key={sync} request_id={sync} />}
    </Section>
  )
}

const failure_columns: Column<GroupMemberFailure>[] = [
  { name: 'Your reference', width: 24, cell: ({ reference_id }) => reference_id },
  { name: 'Change', only: 'middle', width: 16, cell: ({ operation }) => toSentence(operation) },
  { name: 'Reason', wraps: true, cell: ({ reason }) => formatReason(reason) },
]

function SyncFailures({ request_id }: { request_id: string }) {
  const { group_id } = route.useParams()
  const found = useQuery({
    ...groupSyncQuery(group_id, request_id),
    refetchInterval: ({ state: { data } }) => (data?.completed_at === null ? 1000 : false),
  })
  const is_under_way = found.data?.completed_at === null
  const [was_under_way, setWasUnderWay] = useState(false)
  if (is_under_way && !was_under_way) setWasUnderWay(true)
  const has_ended = was_under_way && !is_under_way
  useEffect(() => {
    if (has_ended) void refetch(groupMembersList(group_id).key, groupSyncsList(group_id).key)
  }, [group_id, has_ended])
  return (
    <div className="note">
      <Loaded query={found} lines={2}>
        {({ results }) => (
          <Table
            label="Failed rows"
            columns={failure_columns}
            rows={fixedRows(results?.failures ?? [])}
            empty={<Empty title={results ? 'No failed rows.' : 'In progress.'} />}
          />
        )}
      </Loaded>
    </div>
  )
}
