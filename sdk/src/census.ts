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

/** The maximum rows of a submission. */
const max_rows = 10_000

/** Milliseconds between polls of a running census: initially, and at most. */
const first_poll_ms = 250
const max_poll_ms = 5000

/** A census, possibly split into several submissions. */
export type SubmittedCensus = {
  employer_id: EmployerId
  /** The id of each submission in order, for `resume`. Empty for a dry run. */
  census_sync_ids: CensusSyncId[]
  accepted_at: CensusAcceptance['accepted_at']
}

/** The outcome of a census. Several submissions are added up, and indexes are positions in your rows. */
export type CensusResult = Omit<CensusOutcome, 'census_sync_id'> & SubmittedCensus

export type CensusProgress = Pick<CensusResult, 'census_sync_ids' | 'state' | 'processed_count' | 'row_count'>

export type CensusSyncOptions = CallOptions & {
  /** Whether missing people are terminated. Defaults to the employer's setting. */
  mode?: CensusMode
  /** Only previews the changes. */
  dry_run?: boolean
  /** Waits until the census is completed or held. */
  wait?: boolean
  /** Called on progress. Store `census_sync_ids`: with them, a later call can continue where this one ended. */
  onProgress?: (progress: CensusProgress) => void
  /** The ids of submissions of the same rows that were already accepted. They are not sent again. */
  resume?: CensusSyncId[]
}

export type SyncCensus = {
  /**
   * Submits the roster of an employer, and with `wait` follows it until it is completed or held. More than 10,000 rows
   * are split into several submissions. A census in `replace` mode must fit in one submission, because each would
   * terminate the people in the others. Otherwise this throws a `RangeError` before anything is sent.
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

/** A part of the rows with its offset, and its outcome so far. */
type Submission = { rows: CensusRow[]; from: number; outcome: CensusOutcome }

/** Builds `census.sync` from the operations that submit and read a census. */
export function censusSync(
  client: Client,
  census: CensusMethods,
  settingsOf: (employer_id: EmployerId, options: CallOptions) => Promise<EmployerSettings>,
): SyncCensus['sync'] {
  const sync = async (employer_id: EmployerId, rows: CensusRow[], options: CensusSyncOptions = {}) => {
    const { mode, dry_run, wait, onProgress, resume = [], idempotencyKey, ...call } = options
    const parts = split(rows)
    const is_split = parts.length > 1
    const effective_mode = mode ?? (is_split ? (await settingsOf(employer_id, call)).census_mode : undefined)
    if (is_split && effective_mode === 'replace')
      throw new RangeError(`A census in replace mode can have at most ${max_rows} rows.`)
    const query = { ...(effective_mode && { mode: effective_mode }), ...(dry_run && { dry_run }) }

    const submitted: Submission[] = []
    const report = () => onProgress?.(combined(employer_id, submitted, rows.length))
    for (const [index, part] of parts.entries()) {
      const known = resume[index]
      const key = idempotencyKey && { idempotencyKey: is_split ? `${idempotencyKey}-${index}` : idempotencyKey }
      const outcome = known
        ? await census.get(employer_id, known, call)
        : asOutcome(await census.submit(employer_id, { employees: part.rows }, query, { ...call, ...key }))
      submitted.push({ ...part, outcome })
      report()
    }
    if (wait) for (const submission of submitted) await follow(submission, report)
    const result = combined(employer_id, submitted, rows.length)
    const { census_sync_ids, accepted_at } = result
    return wait || dry_run ? result : { employer_id, census_sync_ids, accepted_at }

    async function follow(submission: Submission, report: () => void): Promise<void> {
      for (let poll = first_poll_ms; isUnderWay(submission.outcome); poll = Math.min(poll * 1.5, max_poll_ms)) {
        await (client.options.sleep ?? sleep)(poll, call.signal)
        const { census_sync_id, processed_count } = submission.outcome
        submission.outcome = await census.get(employer_id, census_sync_id!, call)
        if (submission.outcome.processed_count !== processed_count || !isUnderWay(submission.outcome)) report()
      }
    }
  }
  return sync as SyncCensus['sync']
}

function split(rows: CensusRow[]): Omit<Submission, 'outcome'>[] {
  const parts: Omit<Submission, 'outcome'>[] = []
  for (let from = 0; from < Math.max(rows.length, 1); from += max_rows)
    parts.push({ from, rows: rows.slice(from, from + max_rows) })
  return parts
}

const isUnderWay = ({ state }: CensusOutcome) => state === 'queued' || state === 'processing'

const nothing_done: CensusCounts = { created: 0, updated: 0, unchanged: 0, rehired: 0, terminated: 0, failed: 0 }

/** The outcome of a census when it is accepted. A dry run is complete immediately. */
const asOutcome = (accepted: CensusAcceptance | CensusOutcome): CensusOutcome =>
  'state' in accepted
    ? accepted
    : ({
        ...accepted,
        state: 'queued',
        processed_count: 0,
        counts: nothing_done,
        failures: [],
        warnings: [],
        planned: null,
      } as Partial<CensusOutcome> as CensusOutcome)

/** The states of a submission. A census of several submissions has the first of these states that occurs. */
const states = ['failed', 'held', 'processing', 'queued', 'completed'] as const

function combined(employer_id: EmployerId, submitted: Submission[], row_count: number): CensusResult {
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
    failures: submitted.flatMap(({ outcome, from }) => withOffset(outcome.failures, from)),
    warnings: submitted.flatMap(({ outcome, from }) => withOffset(outcome.warnings, from)),
    planned: last.planned && submitted.flatMap(({ outcome, from }) => withOffset(outcome.planned ?? [], from)),
    accepted_at: outcomes[0]!.accepted_at,
  }
}

const withOffset = <Reported extends { index: number }>(reported: Reported[], from: number): Reported[] =>
  reported.map((row) => ({ ...row, index: row.index + from }))
