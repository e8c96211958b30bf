import type { Client } from './core/client.ts';
import type { CallOptions } from './core/options.ts';
import type { CensusMethods } from './v1/methods.gen.ts';
import type { CensusAcceptance, CensusMode, CensusOutcome, CensusRow, CensusSyncId, EmployerId, EmployerSettings } from './v1/types.gen.ts';
/** A census, in as many submissions as it took. */
export type SubmittedCensus = {
    employer_id: EmployerId;
    /** Of each submission in their order; to be handed to `resume`. None of a dry run. */
    census_sync_ids: CensusSyncId[];
    accepted_at: CensusAcceptance['accepted_at'];
};
/** What became of a census: of several submissions added up, with the places of rows in what was handed over. */
export type CensusResult = Omit<CensusOutcome, 'census_sync_id'> & SubmittedCensus;
export type CensusProgress = Pick<CensusResult, 'census_sync_ids' | 'state' | 'processed_count' | 'row_count'>;
export type CensusSyncOptions = CallOptions & {
    /** What becomes of people who are not in it: the employer's setting unless said. */
    mode?: CensusMode;
    /** Only tells what would happen. */
    dry_run?: boolean;
    /** Waits until it is worked off, or held. */
    wait?: boolean;
    /** Called whenever more is known. Keep `census_sync_ids`: with them a later call goes on where this one ended. */
    onProgress?: (progress: CensusProgress) => void;
    /** The submissions of the same rows that were accepted before: they are not sent again. */
    resume?: CensusSyncId[];
};
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
    sync(employer_id: EmployerId, rows: CensusRow[], options: CensusSyncOptions & ({
        wait: true;
    } | {
        dry_run: true;
    })): Promise<CensusResult>;
    sync(employer_id: EmployerId, rows: CensusRow[], options?: CensusSyncOptions): Promise<SubmittedCensus>;
};
export type Census = CensusMethods & SyncCensus;
/** Makes `census.sync` out of the operations that submit a census and look after it. */
export declare function censusSync(client: Client, census: CensusMethods, settingsOf: (employer_id: EmployerId, options: CallOptions) => Promise<EmployerSettings>): SyncCensus['sync'];
