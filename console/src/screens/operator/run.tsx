import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { CensusFailure, CensusOutcome, HrisRun, HrisRunPerson } from 'openbenefits/operator'
import { labelOf, rowNumber } from 'openbenefits/census-columns'
import { Changed } from '../../parts/changed.tsx'
import { operator } from '../../api.ts'
import { Several } from '../../parts/filters.tsx'
import { Names } from '../../parts/names.tsx'
import { At, Empty, Facts, Loaded, Nothing, Page, Section, Status } from '../../parts/page.tsx'
import { RowLink } from '../../parts/row-link.tsx'
import { rowsOf, useRows } from '../../parts/rows.ts'
import { Table, type Column } from '../../parts/table.tsx'
import { TerminateMissing } from '../../parts/terminate-missing.tsx'
import { UpTo } from '../../parts/up-to.tsx'
import { count, instantOf, inWords, nameOf, reasonOf, sentence, withDays } from '../../parts/words.ts'
import { runOf, runPeople } from '../../operator-queries.ts'
import { run_causes } from './run-causes.ts'
import { run_outcomes } from '../../routes.tsx'

const route = getRouteApi('/partners/runs/$run_id')

const is_under_way = ['waiting', 'queued', 'processing']

/** One time that a payroll system told its roster, and the fate of each row. */
export function Run() {
  const { run_id } = route.useParams()
  const found = useQuery({
    ...runOf(run_id),
    refetchInterval: ({ state: { data } }) => (data && is_under_way.includes(data.state) ? 1000 : false),
  })
  const employer_id = found.data?.employer_id
  return (
    <Page
      title={found.data ? `Run of ${instantOf(found.data.requested_at)}` : '\u00a0'}
      above={[
        { label: 'Partners', link: { to: '/partners' } },
        ...(employer_id
          ? [
              {
                label: 'Payroll',
                link: { to: '/partners/employers/$employer_id/hris', params: { employer_id } },
              } as const,
            ]
          : []),
      ]}
      mark={found.data && <Status of={found.data.state} />}
    >
      <Loaded query={found}>{(run) => <Fate of={run} />}</Loaded>
    </Page>
  )
}

function Fate({ of: run }: { of: HrisRun }) {
  const { cause, attempt_count, fetched_at, ended_at, error, outcome, state } = run
  return (
    <>
      {error && (
        <div className="trouble" role="alert">
          <p>{error.message}</p>
        </div>
      )}
      <Section title="About">
        <Facts
          of={[
            ['Started by', run_causes[cause]],
            ['Attempts', inWords(attempt_count)],
            ['Fetched', fetched_at && instantOf(fetched_at)],
            ['Ended', ended_at && instantOf(ended_at)],
            ['Processed', outcome && `${inWords(outcome.processed_count)} of ${count(outcome.row_count, 'row')}`],
          ]}
        />
      </Section>
      {state === 'held' && outcome && <Held run_id={run.id} of={outcome} />}
      {outcome && (
        <Section title="Rows">
          <ul className="counts">
            {Object.entries(outcome.counts).map(([name, number]) => (
              <li key={name} className={number > 0 ? '' : 'none'}>
                <strong className="number">{inWords(number)}</strong> {name}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {outcome && outcome.processed_count > 0 && (
        <PeopleChanged run_id={run.id} is_under_way={is_under_way.includes(state)} />
      )}
      {outcome && (
        <Section title="Refused rows">
          <Table
            label="Refused rows"
            columns={row_columns}
            rows={rowsOf(outcome.failures)}
            empty={<Empty title={is_under_way.includes(state) ? 'None so far.' : 'No row was refused.'} />}
          />
        </Section>
      )}
      {outcome && outcome.warnings.length > 0 && (
        <Section title="Rows to check">
          <Table label="Rows to check" columns={row_columns} rows={rowsOf(outcome.warnings)} empty={<Nothing />} />
        </Section>
      )}
    </>
  )
}

const people_columns: Column<HrisRunPerson>[] = [
  {
    name: 'Name',
    width: 20,
    phone: 30,
    cell: (person) => (
      <RowLink to="/people/$employee_id" params={{ employee_id: person.employee_id }}>
        {nameOf(person)}
      </RowLink>
    ),
  },
  {
    name: 'Outcome',
    width: 14,
    phone: 28,
    cell: ({ outcome }) => <Status of={outcome} tone={tones[outcome]} />,
  },
  {
    name: 'Changes',
    wraps: true,
    cell: (person) => <Changes of={person} />,
  },
  { name: 'Reference', only: 'middle', width: 12, cell: ({ reference_id }) => reference_id ?? <Nothing /> },
  { name: 'Time', align: 'end', only: 'wide', width: 18, cell: ({ changed_at }) => <At of={changed_at} /> },
]
const tones = { created: 'good', rehired: 'good', reinstated: 'good', terminated: 'bad', updated: 'wait' } as const

/** Columns beside what is new of somebody tell these. */
const told_beside = ['first_name', 'last_name', 'reference_id']

/** What a run changed of somebody; of who is new, what their row told. */
function Changes({ of: { outcome, differences } }: { of: HrisRunPerson }) {
  if (!differences?.length) return <Nothing />
  if (outcome !== 'created')
    return differences.map(({ field, before, after }) => (
      <span key={field} className="block">
        <Changed field={labelOf(field)} before={before && withDays(before)} after={withDays(after ?? 'nothing')} />
      </span>
    ))
  const [lines, others] = [true, false].map((is_line) =>
    differences.filter(({ field }) => field.startsWith('address.') === is_line && !told_beside.includes(field)),
  )
  const facts = others!.map(({ field, after }) => [labelOf(field), withDays(after!)])
  if (lines!.length > 0) facts.push(['Address', lines!.map(({ after }) => after).join(', ')])
  return (
    <span className="told">
      {facts.map(([name, value]) => (
        <span key={name}>
          <span className="quiet">{name}</span> {value}
        </span>
      ))}
    </span>
  )
}

type ChangedByRun = { run_id: string; is_under_way: boolean }

/** Whom the run changed, one by one and field by field; of whom nothing changed the number is told. */
function PeopleChanged({ run_id, is_under_way }: ChangedByRun) {
  const { outcome } = route.useSearch()
  const navigate = route.useNavigate()
  const rows = useRows(runPeople(run_id, outcome ? { outcome } : {}), () => is_under_way)
  return (
    <Section title="People changed">
      <div className="filters">
        <Several
          label="Outcome"
          options={run_outcomes.map((value) => ({ value, label: sentence(value) }))}
          chosen={outcome}
          choose={(outcome) =>
            void navigate({
              search: (before) => ({ ...before, outcome: outcome as (typeof run_outcomes)[number][] }),
              replace: true,
              resetScroll: false,
            })
          }
        />
        <span className="quiet" role="status">
          {rows.total !== undefined && count(rows.total, 'person', 'people')}
        </span>
      </div>
      <Table
        label="People changed"
        columns={people_columns}
        rows={rows}
        empty={
          <Empty title={outcome ? 'Nobody had this outcome.' : 'Nobody was changed.'}>
            Refused rows are below; nothing changed for anyone else.
          </Empty>
        }
      />
    </Section>
  )
}

const row_columns: Column<CensusFailure>[] = [
  { name: 'Row', width: 10, phone: 14, cell: ({ index }) => inWords(rowNumber(index)) },
  { name: 'Reference', width: 18, phone: 26, cell: ({ reference_id }) => reference_id ?? <Nothing /> },
  { name: 'Field', width: 18, only: 'middle', cell: ({ field }) => (field ? <code>{field}</code> : <Nothing />) },
  { name: 'What is wrong', wraps: true, cell: ({ reason }) => reasonOf(reason) },
]

/** So many people are missing from the roster that their employment ends only when somebody confirms it. */
function Held({ run_id, of: { missing, missing_count } }: { run_id: string; of: CensusOutcome }) {
  const client = useQueryClient()
  const act = async () => {
    await operator.hris.confirmRun(run_id)
    await client.invalidateQueries(runOf(run_id))
  }
  return (
    <Section title="Held">
      <h3>{count(missing_count ?? 0, 'person', 'people')} missing from the roster</h3>
      <p className="quiet note">Nothing happens to them until this is confirmed.</p>
      <Names of={missing ?? []} total={missing_count ?? 0} />
      <div className="form-end">
        <UpTo area="administer" action="End their employment">
          <TerminateMissing missing={null} missing_count={missing_count ?? 0} act={act} />
        </UpTo>
      </div>
    </Section>
  )
}
