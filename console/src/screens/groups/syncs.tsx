import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { GroupMemberFailure, GroupMemberSyncRow } from 'openbenefits'
import { At, Empty, Loaded, Nothing, Section, Status } from '../../parts/page.tsx'
import { rowsOf, useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { inWords, reasonOf, sentence } from '../../parts/words.ts'
import { groupMembers, groupSync, groupSyncs } from '../../queries.ts'

const route = getRouteApi('/groups/$group_id')

const number = (count: number | null) => (count === null ? <Nothing /> : inWords(count))

const columns: Column<GroupMemberSyncRow>[] = [
  {
    name: 'Accepted',
    width: 30,
    phone: 32,
    cell: ({ request_id, accepted_at }) => (
      <Link
        className="row-link"
        from="/groups/$group_id"
        to="."
        search={(before) => ({ ...before, sync: request_id })}
        resetScroll={false}
      >
        <At of={accepted_at} />
      </Link>
    ),
  },
  {
    name: 'State',
    only: 'middle',
    cell: ({ completed_at }) => <Status of={completed_at ? 'completed' : 'processing'} />,
  },
  { name: 'Added', align: 'end', cell: ({ added_count }) => number(added_count) },
  { name: 'Removed', align: 'end', cell: ({ removed_count }) => number(removed_count) },
  { name: 'Failed', align: 'end', cell: ({ failure_count }) => number(failure_count) },
]

/** Each time that all members of a group were told, and which rows of it failed. */
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
        empty={<Empty title="No list was uploaded yet." />}
      />
      {sync && <Failures key={sync} request_id={sync} />}
    </Section>
  )
}

const failure_columns: Column<GroupMemberFailure>[] = [
  { name: 'Your reference', width: 24, cell: ({ reference_id }) => reference_id },
  { name: 'Change', only: 'middle', width: 16, cell: ({ operation }) => sentence(operation) },
  { name: 'What is wrong', wraps: true, cell: ({ reason }) => reasonOf(reason) },
]

function Failures({ request_id }: { request_id: string }) {
  const { group_id } = route.useParams()
  const client = useQueryClient()
  const found = useQuery({
    ...groupSync(group_id, request_id),
    refetchInterval: ({ state: { data } }) => (data?.completed_at === null ? 1000 : false),
  })
  const is_under_way = found.data?.completed_at === null
  const [was_under_way, setWasUnderWay] = useState(false)
  if (is_under_way && !was_under_way) setWasUnderWay(true)
  const has_ended = was_under_way && !is_under_way
  useEffect(() => {
    if (!has_ended) return
    void client.invalidateQueries({ queryKey: groupMembers(group_id).key })
    void client.invalidateQueries({ queryKey: groupSyncs(group_id).key })
  }, [client, group_id, has_ended])
  return (
    <div className="note">
      <Loaded query={found} lines={2}>
        {({ results }) => (
          <Table
            label="Rows that failed"
            columns={failure_columns}
            rows={rowsOf(results?.failures ?? [])}
            empty={<Empty title={results ? 'No rows failed.' : 'In progress.'} />}
          />
        )}
      </Loaded>
    </div>
  )
}
