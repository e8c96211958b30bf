import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { GroupMember, Plan } from 'openbenefits'
import { Empty, Nothing, Page, Section, Status, Trouble } from '../../parts/page.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf, nameOf } from '../../parts/words.ts'
import { group, groupMembers, planList } from '../../queries.ts'
import { Syncs } from './syncs.tsx'

const route = getRouteApi('/groups/$group_id')

const columnsOf = (plans: Plan[]): Column<GroupMember>[] => [
  { name: 'Name', width: 24, cell: nameOf },
  {
    name: 'Plan',
    width: 26,
    cell: ({ plan_id }) => plans.find(({ id }) => id === plan_id)?.name ?? <code>{plan_id}</code>,
  },
  { name: 'Your reference', only: 'middle', cell: ({ reference_id }) => reference_id },
  { name: 'E-mail', only: 'wide', cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Joined', align: 'end', cell: ({ joined_at }) => dayOf(joined_at) },
]

/** Who belongs to a group now, and in which plan. */
export function Group() {
  const { group_id } = route.useParams()
  const about = useQuery(group(group_id))
  const members = useRows(groupMembers(group_id))
  const plans = allOf(useRows(planList()))
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      above={[{ label: 'Groups', link: { to: '/groups' } }]}
      mark={about.data && <Status of={about.data.external_reference_id} tone="over" />}
    >
      {about.error && <Trouble error={about.error} retry={() => void about.refetch()} />}
      <Section
        title="Members"
        actions={members.total !== undefined && <span className="quiet">{count(members.total, 'member')}</span>}
      >
        <Table
          label="Members"
          columns={columnsOf(plans)}
          rows={members}
          empty={
            <Empty title="Nobody belongs to it.">
              Your systems send all of its members with <code>POST /v1/groups/…/members/sync</code>.
            </Empty>
          }
        />
      </Section>
      <Syncs />
    </Page>
  )
}
