import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Job } from 'openbenefits/operator'
import { useDeed } from '../../parts/deed.ts'
import { operator } from '../../api.ts'
import { Several } from '../../parts/filters.tsx'
import { Empty, Nothing, Page, Status, Trouble } from '../../parts/page.tsx'
import { useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { count, instantOf, sentence } from '../../parts/words.ts'
import { jobsIn } from '../../operator-queries.ts'
import { job_states } from '../../routes.tsx'

const route = getRouteApi('/jobs')

const tones = { waiting: 'wait', running: 'good', gave_up: 'bad' } as const

const columnsOf = (again: (id: string) => void, is_busy: boolean): Column<Job>[] => [
  { name: 'Job', width: 24, cell: ({ task }) => sentence(task) },
  { name: 'State', width: 12, cell: ({ state }) => <Status of={state} tone={tones[state]} /> },
  {
    name: 'Of',
    only: 'wide',
    width: 22,
    cell: ({ organization_id }) => (organization_id ? <code>{organization_id}</code> : <Nothing />),
  },
  {
    name: 'Attempts',
    align: 'end',
    only: 'middle',
    cell: ({ attempts, max_attempts }) => `${attempts} of ${max_attempts}`,
  },
  { name: 'Next', align: 'end', only: 'middle', width: 18, cell: ({ run_at }) => instantOf(run_at) },
  {
    name: 'Deed',
    align: 'end',
    width: 14,
    cell: ({ id, state }) =>
      state === 'gave_up' ? (
        <UpTo area="administer">
          <button type="button" className="plain" disabled={is_busy} onClick={() => again(id)}>
            Run it again
          </button>
        </UpTo>
      ) : (
        <Nothing />
      ),
  },
]

const empty_words = {
  gave_up: ['None was given up.', 'What fails for days, at each of its attempts, waits here for somebody to run it.'],
  waiting: ['Nothing waits.', 'What is asked for is done in the background within a second or two.'],
  running: ['Nothing runs just now.', 'What takes longer, such as a large census, is here while it is worked off.'],
} as const

/** What the service does in the background: what waits, what runs, and what was given up. */
export function Jobs() {
  const { state } = route.useSearch()
  const navigate = route.useNavigate()
  const client = useQueryClient()
  const [only = 'gave_up'] = state ?? []
  const rows = useRows(jobsIn({ state: only }))
  const again = useDeed({
    mutationFn: (id: string) => operator.jobs.run(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  })
  return (
    <Page title="Jobs" mark={rows.total !== undefined && <span className="quiet">{count(rows.total, 'job')}</span>}>
      <div className="filters">
        <Several
          label="State"
          options={job_states.map((value) => ({ value, label: sentence(value) }))}
          chosen={[only]}
          choose={(values) =>
            void navigate({
              search: (before) => ({
                ...before,
                state: values?.filter((one) => one !== only) as (typeof job_states)[number][] | undefined,
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
