import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { PartnerTask } from 'openbenefits'
import { EmployerStage } from '../../parts/benefits/employer-stage.tsx'
import { useChangeSearch } from '../../parts/page/links.tsx'
import { Empty, Loaded, Page, LoadingPlaceholder } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { MenuFilter } from '../../parts/table/menu.tsx'
import { formatCount, easternToday } from '../../format.ts'
import { colleaguesQuery, firstEmployersQuery, firstTasksQuery, tasksQuery } from '../../queries.ts'
import { task_kinds } from '../../routes/filter-values.ts'
import { isRoleAllowed, session } from '../../session.ts'
import { Suspense } from 'react'
import { lazyPart } from '../../frame/screen.ts'
import { OtherTasks } from './other-tasks.tsx'
import { section_kinds, TaskSection } from './sections.tsx'
import { taskFacts, taskTitle } from './task-words.ts'

/** Charts load after the tasks. */
const Trends = lazyPart(() => import('../../parts/charts/trends.tsx'), 'Trends')

const route = getRouteApi('/')

const exported: ExportColumn<PartnerTask>[] = [
  { name: 'Task', of: taskTitle },
  { name: 'Facts', of: taskFacts },
  { name: 'People', of: ({ people_count }) => people_count },
  { name: 'Employer', of: ({ employer_name }) => employer_name },
  { name: 'Owner', of: ({ owner }) => owner?.name },
  { name: 'Due', kind: 'day', of: ({ due_on }) => due_on },
  { name: 'Open since', of: ({ opened_at }) => opened_at },
]

const organizationToday = () =>
  session.organizations.find(({ id }) => id === session.organization_id)?.today ?? easternToday()

/**
 * The first page of members: the work that waits for them, open enrollment, renewals and overdue money. With only one
 * employer, the page is about that employer.
 */
export function Home() {
  const { owner } = route.useSearch()
  const change = useChangeSearch()
  const found = useQuery(firstTasksQuery([...task_kinds], owner))
  const employers = useQuery(firstEmployersQuery())
  const today = organizationToday()
  const total = found.data?.groups.reduce((sum, group) => sum + group.total, 0)
  const only = employers.data?.pagination.total === 1 ? employers.data.data[0] : undefined
  return (
    <Page
      title="Today"
      badge={
        <>
          {only && (
            <>
              <Link to="/employers/$employer_id" params={{ employer_id: only.id }}>
                {only.name}
              </Link>
              <EmployerStage of={only.benefit_lifecycle_stage} />
            </>
          )}
          {total !== undefined && total > 0 && <span className="quiet">{formatCount(total, 'task')}</span>}
        </>
      }
      actions={
        <>
          {!!total && <Export name="tasks" list={tasksQuery(undefined, owner)} columns={exported} />}
          {employers.data && employers.data.pagination.total > 1 && (
            <OwnerFilter chosen={owner} choose={(owner) => void change({ owner })} />
          )}
        </>
      }
    >
      <Loaded query={employers} lines={8}>
        {({ pagination }) => (
          <Loaded query={found} lines={8}>
            {(tasks) => {
              const of_one_employer = pagination.total === 1
              return (
                <>
                  {total === 0 && <NoTasks employer_count={pagination.total} is_filtered={owner !== undefined} />}
                  <OtherTasks of={tasks} today={today} of_one_employer={of_one_employer} />
                  {section_kinds
                    .filter((kind) => tasks.groups.some((group) => group.kind === kind))
                    .map((kind) => (
                      <TaskSection key={kind} kind={kind} today={today} of_one_employer={of_one_employer} />
                    ))}
                  {pagination.total > 0 && (
                    <Suspense fallback={<LoadingPlaceholder lines={6} />}>
                      <Trends />
                    </Suspense>
                  )}
                </>
              )
            }}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

type OwnerFilterProps = { chosen: string[] | undefined; choose: (owners: string[] | undefined) => void }

/** Filters the tasks by the members who own them. The user is first. */
function OwnerFilter({ chosen, choose }: OwnerFilterProps) {
  const members = useQuery(colleaguesQuery()).data ?? []
  const others = members.map(({ user_id }) => user_id).filter((id) => id !== session.user.id)
  return (
    <MenuFilter
      label="Owner"
      end
      values={[session.user.id, ...others]}
      labelOf={(id) => (id === session.user.id ? 'Me' : members.find(({ user_id }) => user_id === id)!.name)}
      counts={undefined}
      chosen={chosen}
      choose={choose}
    />
  )
}

/** Shown when there are no tasks. An organization without employers gets a link to add its first one. */
function NoTasks({ employer_count, is_filtered }: { employer_count: number; is_filtered: boolean }) {
  if (is_filtered)
    return (
      <Empty title="No employer of these owners needs attention today.">
        The details of an employer show its owner.
      </Empty>
    )
  if (employer_count > 0)
    return (
      <Empty title="Nothing needs your attention today.">
        <p>Life events, open enrollment, renewals, censuses and overdue invoices appear here.</p>
        <Link className="button" to="/employers/ahead">
          See upcoming dates
        </Link>
      </Empty>
    )
  return (
    <Empty title="No employers yet.">
      <p>Tasks appear here once you have employers.</p>
      {isRoleAllowed('settings') && (
        <Link className="button main" to="/employers/add">
          Add your first employer
        </Link>
      )}
    </Empty>
  )
}
