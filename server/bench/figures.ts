/** The middle value, or the mean of the two in the middle. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[at]! : (sorted[at - 1]! + sorted[at]!) / 2
}

const figure = (value: number): string => value.toLocaleString('en-US', { maximumSignificantDigits: 3 })

/** `name   median   (least – most) unit`, as one line of a report. */
export function line(name: string, values: number[], unit = ''): string {
  const spread = `(${figure(Math.min(...values))} – ${figure(Math.max(...values))})`
  return `    ${name.padEnd(12)} ${figure(median(values)).padStart(8)}  ${spread.padEnd(20)} ${unit}`.trimEnd()
}

/** What two series give when they are divided round by round: noise that lasts longer than a round cancels out. */
export const ratios = (values: number[], beside: number[]): number[] => values.map((value, at) => value / beside[at]!)

/** Runs `work` and tells the seconds that it took. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}
