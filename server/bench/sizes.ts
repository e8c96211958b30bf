/** Whether the benchmarks only have to run, at their smallest size: what they print then is no figure. */
export const is_smoke = process.argv.includes('--smoke')

/** How many, and how long: as a figure needs it, or the least with which a benchmark runs. */
export const sized = (usual: number, smallest: number): number => (is_smoke ? smallest : usual)
