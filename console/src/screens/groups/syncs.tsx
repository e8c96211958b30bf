import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { GroupMemberFailure, GroupMemberSyncRow } from 'openbenefits'
import { At, Empty, Loaded, orNothing, Section, Status } from '../../parts/page/page.tsx'
import { rowsOf, useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { inWords, reasonOf, sentence } from '../../format.ts'
import { groupMembers, groupSync, groupSyncs } from '../../queries.ts'
import { HereLink } from '../../parts/page/here-link.tsx'
import { refetch } from '../../api.ts'

const route = getRouteApi('/groups/$group_id')

const columns: Column<GroupMemberSyncRow>[] = [
  {
    name: 'Accepted',
    width: 30,
    phone: 32,
    cell: ({ request_id, accepted_at }) => (
      <HereLink className="row-link" change={{ sync: request_id }}>
        <At of={accepted_at} />
      </HereLink>
    ),
  },
  {
    name: 'State',
    only: 'middle',
    cell: ({ completed_at }) => <Status of={completed_at ? 'completed' : 'processing'} />,
  },
  { name: 'Added', align: 'end', cell: ({ added_count }) => orNothing(added_count, inWords) },
  { name: 'Removed', align: 'end', cell: ({ removed_count }) => orNothing(removed_count, inWords) },
  { name: 'Failed', align: 'end', cell: ({ failure_count }) => orNothing(failure_count, inWords) },
]

/** The member lists sent for a group, with their failed rows. */
export function Syncs() {
  const { group_id } = route.useParams()
  const { sync } = route.useSearch()
  const rows = useRows(groupSyncs(group_id), (syncs) => syncs.some(({ completed_at }) => completed_at === null))
  return (
    <Section title="Syncs">
      <Table
        label="Syncs"
        columns={columns}
        rows={rows}
        isChosen={({ request_id }) => request_id === sync}
        empty={<Empty title="No syncs yet." />}
      />
      {sync && <Failures key={sync} request_id={sync} />}
    </Section>
  )
}

const failure_columns: Column<GroupMemberFailure>[] = [
  { name: 'Your reference', width: 24, cell: ({ reference_id }) => reference_id },
  { name: 'Change', only: 'middle', width: 16, cell: ({ operation }) => sentence(operation) },
  { name: 'Reason', wraps: true, cell: ({ reason }) => reasonOf(reason) },
]

function Failures({ request_id }: { request_id: string }) {
  const { group_id } = route.useParams()
  const found = useQuery({
    ...groupSync(group_id, request_id),
    refetchInterval: ({ state: { data } }) => (data?.completed_at === null ? 1000 : false),
  })
  const is_under_way = found.data?.completed_at === null
  const [was_under_way, setWasUnderWay] = useState(false)
  if (is_under_way && !was_under_way) setWasUnderWay(true)
  const has_ended = was_under_way && !is_under_way
  useEffect(() => {
    if (has_ended) void refetch(groupMembers(group_id).key, groupSyncs(group_id).key)
  }, [group_id, has_ended])
  return (
    <div className="note">
      <Loaded query={found} lines={2}>
        {({ results }) => (
          <Table
            label="Failed rows"
            columns={failure_columns}
            rows={rowsOf(results?.failures ?? [])}
            empty={<Empty title={results ? 'No failed rows.' : 'In progress.'} />}
          />
        )}
      </Loaded>
    </div>
  )
}
