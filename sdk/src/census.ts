import type { Client } from './core/client.ts'
import type { CallOptions } from './core/options.ts'
import { sleep } from './core/retries.ts'
import type { CensusMethods } from './v1/methods.gen.ts'
import type {
  CensusAcceptance,
  CensusCounts,
  CensusMode,
  CensusOutcome,
  CensusRow,
  CensusSyncId,
  EmployerId,
  EmployerSettings,
} from './v1/types.gen.ts'

/** As many rows as one submission takes. */
const most_rows = 10_000

/** Milliseconds between two looks at a census that is worked off: at first, and at most. */
const first_look = 250
const longest_look = 5000

/** A census, in as many submissions as it took. */
export type SubmittedCensus = {
  employer_id: EmployerId
  /** Of each submission in their order; to be handed to `resume`. None of a dry run. */
  census_sync_ids: CensusSyncId[]
  accepted_at: CensusAcceptance['accepted_at']
}

/** What became of a census: of several submissions added up, with the places of rows in what was handed over. */
export type CensusResult = Omit<CensusOutcome, 'census_sync_id'> & SubmittedCensus

export type CensusProgress = Pick<CensusResult, 'census_sync_ids' | 'state' | 'processed_count' | 'row_count'>

export type CensusSyncOptions = CallOptions & {
  /** What becomes of people who are not in it: the employer's setting unless said. */
  mode?: CensusMode
  /** Only tells what would happen. */
  dry_run?: boolean
  /** Waits until it is worked off, or held. */
  wait?: boolean
  /** Called whenever more is known. Keep `census_sync_ids`: with them a later call goes on where this one ended. */
  onProgress?: (progress: CensusProgress) => void
  /** The submissions of the same rows that were accepted before: they are not sent again. */
  resume?: CensusSyncId[]
}

export type SyncCensus = {
  /**
   * Hands over the roster of an employer, and with `wait` follows it until it is worked off or held. More than 10,000
   * rows go in several submissions; those can't end who is missing, since each would end the people of all others: a
   * census that replaces must fit in one, or it throws a `RangeError` before anything is sent.
   *
   * @example
   * ```ts
   * const onProgress = ({ state, processed_count }: CensusProgress) => console.log(state, processed_count)
   * const outcome = await ob.census.sync(employer_id, rows, { wait: true, onProgress })
   * for (const { index, reason } of outcome.failures) console.error(rows[index], reason)
   * ```
   */
  sync(
    employer_id: EmployerId,
    rows: CensusRow[],
    options: CensusSyncOptions & ({ wait: true } | { dry_run: true }),
  ): Promise<CensusResult>
  sync(employer_id: EmployerId, rows: CensusRow[], options?: CensusSyncOptions): Promise<SubmittedCensus>
}

export type Census = CensusMethods & SyncCensus

/** Some of the rows, from the place where they stand among all, and what is known of them. */
type Submission = { rows: CensusRow[]; from: number; outcome: CensusOutcome }

/** Makes `census.sync` out of the operations that submit a census and look after it. */
export function censusSync(
  client: Client,
  census: CensusMethods,
  settingsOf: (employer_id: EmployerId, options: CallOptions) => Promise<EmployerSettings>,
): SyncCensus['sync'] {
  const sync = async (employer_id: EmployerId, rows: CensusRow[], options: CensusSyncOptions = {}) => {
    const { mode, dry_run, wait, onProgress, resume = [], idempotencyKey, ...call } = options
    const parts = split(rows)
    const is_split = parts.length > 1
    const meant = mode ?? (is_split ? (await settingsOf(employer_id, call)).census_mode : undefined)
    if (is_split && meant === 'replace') throw new RangeError(`A census that replaces has at most ${most_rows} rows.`)
    const query = { ...(meant && { mode: meant }), ...(dry_run && { dry_run }) }

    const submitted: Submission[] = []
    const tell = () => onProgress?.(added(employer_id, submitted, rows.length))
    for (const [at, part] of parts.entries()) {
      const known = resume[at]
      const key = idempotencyKey && { idempotencyKey: is_split ? `${idempotencyKey}-${at}` : idempotencyKey }
      const outcome = known
        ? await census.get(employer_id, known, call)
        : asOutcome(await census.submit(employer_id, { employees: part.rows }, query, { ...call, ...key }))
      submitted.push({ ...part, outcome })
      tell()
    }
    if (wait) for (const each of submitted) await follow(each, tell)
    const result = added(employer_id, submitted, rows.length)
    const { census_sync_ids, accepted_at } = result
    return wait || dry_run ? result : { employer_id, census_sync_ids, accepted_at }

    async function follow(each: Submission, tell: () => void): Promise<void> {
      for (let look = first_look; isUnderWay(each.outcome); look = Math.min(look * 1.5, longest_look)) {
        await (client.options.sleep ?? sleep)(look, call.signal)
        const { census_sync_id, processed_count } = each.outcome
        each.outcome = await census.get(employer_id, census_sync_id!, call)
        if (each.outcome.processed_count !== processed_count || !isUnderWay(each.outcome)) tell()
      }
    }
  }
  return sync as SyncCensus['sync']
}

function split(rows: CensusRow[]): Omit<Submission, 'outcome'>[] {
  const parts: Omit<Submission, 'outcome'>[] = []
  for (let from = 0; from < Math.max(rows.length, 1); from += most_rows)
    parts.push({ from, rows: rows.slice(from, from + most_rows) })
  return parts
}

const isUnderWay = ({ state }: CensusOutcome) => state === 'queued' || state === 'processing'

const nothing_done: CensusCounts = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }

/** What is known of a census when it is accepted; of a dry run all is known at once. */
const asOutcome = (answer: CensusAcceptance | CensusOutcome): CensusOutcome =>
  'state' in answer
    ? answer
    : ({
        ...answer,
        state: 'queued',
        processed_count: 0,
        counts: nothing_done,
        failures: [],
        warnings: [],
        planned: null,
      } as Partial<CensusOutcome> as CensusOutcome)

/** Of several states the one that needs most attention. */
const states = ['failed', 'held', 'processing', 'queued', 'completed'] as const

function added(employer_id: EmployerId, submitted: Submission[], row_count: number): CensusResult {
  const outcomes = submitted.map(({ outcome }) => outcome)
  const { census_sync_id: _, ...last } = outcomes.at(-1)!
  const counts = { ...nothing_done }
  for (const outcome of outcomes)
    for (const [name, count] of Object.entries(outcome.counts)) counts[name as keyof CensusCounts] += count
  return {
    ...last,
    employer_id,
    census_sync_ids: outcomes.flatMap(({ census_sync_id }) => census_sync_id ?? []),
    state: states.find((state) => outcomes.some((outcome) => outcome.state === state))!,
    row_count,
    processed_count: outcomes.reduce((sum, { processed_count }) => sum + processed_count, 0),
    counts,
    failures: submitted.flatMap(({ outcome, from }) => placed(outcome.failures, from)),
    warnings: submitted.flatMap(({ outcome, from }) => placed(outcome.warnings, from)),
    planned: last.planned && submitted.flatMap(({ outcome, from }) => placed(outcome.planned ?? [], from)),
    accepted_at: outcomes[0]!.accepted_at,
  }
}

const placed = <Told extends { index: number }>(told: Told[], from: number): Told[] =>
  told.map((each) => ({ ...each, index: each.index + from }))
