import { setImmediate } from 'node:timers/promises'

/**
 * How long work holds the event loop before others are let in, in milliseconds. A request waits for a slice at each of
 * its steps, and there are several; to let others in takes some microseconds.
 */
const slice_ms = 1

/** Does work that has steps, and lets others in between them: however long it takes, nobody waits for much of it. */
export async function unhurried<Result>(work: Generator<void, Result>): Promise<Result> {
  for (let since = performance.now(); ;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - since < slice_ms) continue
    await setImmediate()
    since = performance.now()
  }
}

/** Does the same at once. */
export function atOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** What becomes of each item, one step for each. */
export function* each<Item, Result>(
  items: Item[],
  work: (item: Item, at: number) => Result,
): Generator<void, Result[]> {
  const results: Result[] = []
  for (const [at, item] of items.entries()) {
    results.push(work(item, at))
    yield
  }
  return results
}
