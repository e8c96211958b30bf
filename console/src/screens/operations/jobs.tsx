import { getRouteApi } from '@tanstack/react-router'
import type { Job } from 'openbenefits/operator'
import { operator, refetch } from '../../api.ts'
import { formatCount, formatInstant, toSentence } from '../../format.ts'
import { jobsList } from '../../operator-queries.ts'
import { RequiresRole } from '../../parts/access/requires-role.tsx'
import { useAction } from '../../parts/form/use-action.ts'
import { Empty, Id, Dash, Page, Status, ErrorMessage } from '../../parts/page/page.tsx'
import { Export, type ExportColumn } from '../../parts/table/export.tsx'
import { ToggleFilter } from '../../parts/table/filters.tsx'
import { useRows } from '../../parts/table/rows.ts'
import { type Column, Table } from '../../parts/table/table.tsx'
import { job_states } from '../../routes/filter-values.ts'

const route = getRouteApi('/jobs')

const tones = { waiting: 'wait', running: 'good', failed: 'bad' } as const

const columnsOf = (again: (id: string) => void, is_busy: boolean): Column<Job>[] => [
  { name: 'Job', width: 24, cell: ({ task }) => toSentence(task) },
  { name: 'State', width: 12, cell: ({ state }) => <Status of={state} tone={tones[state]} /> },
  {
    name: 'Organization',
    only: 'wide',
    width: 22,
    cell: ({ organization_id }) => (organization_id ? <Id of={organization_id} /> : <Dash />),
  },
  {
    name: 'Attempts',
    align: 'end',
    only: 'middle',
    cell: ({ attempts, max_attempts }) => `${attempts} of ${max_attempts}`,
  },
  { name: 'Next', align: 'end', only: 'middle', width: 18, cell: ({ run_at }) => formatInstant(run_at) },
  {
    name: 'Action',
    align: 'end',
    width: 14,
    cell: ({ id, state }) =>
      state === 'failed' ? (
        <RequiresRole area="administer">
          <button type="button" className="plain" disabled={is_busy} onClick={() => again(id)}>
            Retry
          </button>
        </RequiresRole>
      ) : (
        <Dash />
      ),
  },
]

const exported: ExportColumn<Job>[] = [
  { name: 'Job', of: ({ task }) => toSentence(task) },
  { name: 'State', of: ({ state }) => toSentence(state) },
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
export function JobsPage() {
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const [only = 'failed'] = state ?? []
  const list = jobsList({ state: only })
  const rows = useRows(list)
  const again = useAction({
    mutationFn: (id: string) => operator.jobs.run(id),
    onSuccess: () => refetch(['jobs']),
  })
  return (
    <Page
      title="Jobs"
      badge={rows.total !== undefined && <span className="quiet">{formatCount(rows.total, 'job')}</span>}
      actions={<Export name="jobs" list={list} columns={exported} />}
    >
      <div className="filters">
        <ToggleFilter
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
      {again.error && <ErrorMessage error={again.error} />}
      <Table
        label="Jobs"
        columns={columnsOf(again.mutate, again.isPending)}
        rows={rows}
        empty={<Empty title={empty_words[only][0]}>{empty_words[only][1]}</Empty>}
      />
    </Page>
  )
}
