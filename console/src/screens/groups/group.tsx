import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { GroupMember, Plan } from 'openbenefits'
import { Empty, Nothing, Page, Section, Trouble } from '../../parts/page/page.tsx'
import { allOf, useRows } from '../../parts/table/rows.ts'
import { Table, type Column } from '../../parts/table/table.tsx'
import { count, dayOf, nameOf } from '../../format.ts'
import { group, groupMembers, planList } from '../../queries.ts'
import { SendList } from './send-list.tsx'
import { Syncs } from './syncs.tsx'
import { HereLink } from '../../parts/page/here-link.tsx'

const route = getRouteApi('/groups/$group_id')

const columnsOf = (plans: Plan[]): Column<GroupMember>[] => [
  { name: 'Name', width: 20, cell: nameOf },
  {
    name: 'Plan',
    width: 21,
    cell: ({ plan_id }) => plans.find(({ id }) => id === plan_id)?.name ?? <code>{plan_id}</code>,
  },
  { name: 'Your reference', only: 'middle', cell: ({ reference_id }) => reference_id },
  { name: 'Email', only: 'wide', width: 26, cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Joined', align: 'end', cell: ({ joined_at }) => dayOf(joined_at) },
]

/** The current members of a group, with their plans. */
export function Group() {
  const { group_id } = route.useParams()
  const { send } = route.useSearch()
  const about = useQuery(group(group_id))
  const members = useRows(groupMembers(group_id))
  const plans = allOf(useRows(planList()))
  return (
    <Page
      title={about.data?.name ?? '\u00a0'}
      above={[{ label: 'Groups', link: { to: '/groups' } }]}
      mark={about.data && <span className="quiet">{about.data.external_reference_id}</span>}
      actions={
        about.data &&
        !send && (
          <HereLink className="button main" change={{ send: 'yes' }}>
            Upload members
          </HereLink>
        )
      }
    >
      {about.error && <Trouble error={about.error} retry={() => void about.refetch()} />}
      {about.data && send && <SendList plans={plans} />}
      <Section
        title="Members"
        actions={members.total !== undefined && <span className="quiet">{count(members.total, 'member')}</span>}
      >
        <Table
          label="Members"
          columns={columnsOf(plans)}
          rows={members}
          empty={
            <Empty title="No members yet.">
              Upload a file of all members, or send them with <code>POST /v1/groups/…/members/sync</code>.
            </Empty>
          }
        />
      </Section>
      <Syncs />
    </Page>
  )
}
