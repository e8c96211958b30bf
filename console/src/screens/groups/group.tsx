import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { GroupMember, Plan } from 'openbenefits'
import { Empty, Nothing, Page, Section, Trouble } from '../../parts/page.tsx'
import { allOf, useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { count, dayOf, nameOf } from '../../parts/words.ts'
import { group, groupMembers, planList } from '../../queries.ts'
import { SendList } from './send-list.tsx'
import { Syncs } from './syncs.tsx'

const route = getRouteApi('/groups/$group_id')

const columnsOf = (plans: Plan[]): Column<GroupMember>[] => [
  { name: 'Name', width: 20, cell: nameOf },
  {
    name: 'Plan',
    width: 21,
    cell: ({ plan_id }) => plans.find(({ id }) => id === plan_id)?.name ?? <code>{plan_id}</code>,
  },
  { name: 'Your reference', only: 'middle', cell: ({ reference_id }) => reference_id },
  { name: 'E-mail', only: 'wide', width: 26, cell: ({ email }) => email ?? <Nothing /> },
  { name: 'Joined', align: 'end', cell: ({ joined_at }) => dayOf(joined_at) },
]

/** Who belongs to a group now, and in which plan. */
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
          <Link
            className="button main"
            from="/groups/$group_id"
            to="."
            search={(before) => ({ ...before, send: 'yes' as const })}
          >
            Upload a list
          </Link>
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
              Upload a list of all members, or have your systems send it with{' '}
              <code>POST /v1/groups/…/members/sync</code>.
            </Empty>
          }
        />
      </Section>
      <Syncs />
    </Page>
  )
}
