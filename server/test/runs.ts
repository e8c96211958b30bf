/**
 * How many cases a property is tried on: few in `npm test`, so that it stays quick, and `RUNS=20` times as many before
 * what it holds is changed.
 */
export const runs = (usual: number): number => usual * Number(process.env.RUNS ?? 1)
