/**
 * The share of the usual cases that properties and random histories are tried on: a tenth in `npm test`, all of them
 * in `.ci/run` by `RUNS=1`. Before you change the engine, run more: `RUNS=20`.
 */
export const share = Number(process.env.RUNS ?? 0.1)

/** `least`: with fewer cases, something that the test requires does not occur. */
export const caseCount = (usual: number, least = 1): number => Math.max(least, Math.ceil(usual * share))
