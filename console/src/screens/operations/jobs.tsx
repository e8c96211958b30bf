import { getRouteApi } from '@tanstack/react-router'
import type { Job } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { count, instantOf, sentence } from '../../format.ts'
import { jobsIn } from '../../operator-queries.ts'
import { UpTo } from '../../parts/access/permitted.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { Empty, Id, Nothing, Page, Status, Trouble } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { Toggles } from '../../parts/table/filters.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { job_states } from '../../routes/filter-values.ts'

const route = getRouteApi('/jobs')

const tones = { waiting: 'wait', running: 'good', failed: 'bad' } as const

const columnsOf = (again: (id: string) => void, is_busy: boolean): Column<Job>[] => [
  { name: 'Job', width: 24, cell: ({ task }) => sentence(task) },
  { name: 'State', width: 12, cell: ({ state }) => <Status of={state} tone={tones[state]} /> },
  {
    name: 'Organization',
    only: 'wide',
    width: 22,
    cell: ({ organization_id }) => (organization_id ? <Id of={organization_id} /> : <Nothing />),
  },
  {
    name: 'Attempts',
    align: 'end',
    only: 'middle',
    cell: ({ attempts, max_attempts }) => `${attempts} of ${max_attempts}`,
  },
  { name: 'Next', align: 'end', only: 'middle', width: 18, cell: ({ run_at }) => instantOf(run_at) },
  {
    name: 'Action',
    align: 'end',
    width: 14,
    cell: ({ id, state }) =>
      state === 'failed' ? (
        <UpTo area="administer">
          <button type="button" className="plain" disabled={is_busy} onClick={() => again(id)}>
            Retry
          </button>
        </UpTo>
      ) : (
        <Nothing />
      ),
  },
]

const exported: ExportColumn<Job>[] = [
  { name: 'Job', of: ({ task }) => sentence(task) },
  { name: 'State', of: ({ state }) => sentence(state) },
  { name: 'Organization', of: ({ organization_id }) => organization_id },
  { name: 'Attempts', of: ({ attempts }) => attempts },
  { name: 'Next', of: ({ run_at }) => run_at },
  { name: 'Id', of: ({ id }) => id },
]

const empty_words = {
  failed: ['No failed jobs.', 'Jobs that failed all attempts wait here for a retry.'],
  waiting: ['No waiting jobs.', 'Most jobs start within a second or two.'],
  running: ['No running jobs.', 'Longer jobs, such as a large census, appear here while they run.'],
} as const

/** Background jobs: waiting, running and failed. */
export function Jobs() {
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const [only = 'failed'] = state ?? []
  const list = jobsIn({ state: only })
  const rows = useRows(list)
  const again = useAction({
    mutationFn: (id: string) => operator.jobs.run(id),
    onSuccess: () => refetch(['jobs']),
  })
  return (
    <Page
      title="Jobs"
      mark={rows.total !== undefined && <span className="quiet">{count(rows.total, 'job')}</span>}
      actions={<Export name="jobs" list={list} columns={exported} />}
    >
      <div className="filters">
        <Toggles
          label="State"
          values={job_states}
          chosen={[only]}
          choose={(values) =>
            void navigate({
              search: (before) => ({
                ...before,
                state: values?.filter((one) => one !== only),
              }),
              replace: true,
            })
          }
        />
      </div>
      {again.error && <Trouble error={again.error} />}
      <Table
        label="Jobs"
        columns={columnsOf(again.mutate, again.isPending)}
        rows={rows}
        empty={<Empty title={empty_words[only][0]}>{empty_words[only][1]}</Empty>}
      />
    </Page>
  )
}
