/** How a call has gone so far. `repeatable`: the service knows repeats of it, or it may be done twice. */
export type SoFar = {
    attempt: number;
    repeatable: boolean;
    waited: number;
};
/**
 * For how many milliseconds to wait before a call is tried again; undefined when it is not to be. Tried again is what
 * may go through, as long as trying again does no harm. A 429 did nothing, whatever it was.
 */
export declare function pauseBeforeRetry(error: unknown, { attempt, repeatable, waited }: SoFar): number | undefined;
/** Waits, unless the signal comes first. */
export declare function sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
