/**
 * The fraction of the usual number of cases that tests of properties and random histories run: a twentieth in
 * `npm test`, all of them in `.ci/run` (`RUNS=1`). Before you change the engine, run more: `RUNS=20`.
 */
export const share = Number(process.env.RUNS ?? 0.05)

/** The number of cases to run. With fewer than `least`, something that the test requires does not occur. */
export const caseCount = (usual: number, least = 1): number => Math.max(least, Math.ceil(usual * share))
