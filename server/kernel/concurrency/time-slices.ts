import { setImmediate } from 'node:timers/promises'

/**
 * Milliseconds for which work occupies the event loop before it yields. A request has several steps, and each may wait
 * for a slice. A yield takes a few microseconds.
 */
const slice_ms = 1

/**
 * Runs work in steps and yields to the event loop between them, so that long work delays other requests only briefly.
 */
export async function runInSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  for (let since = performance.now(); ;) {
    const step = work.next()
    if (step.done) return step.value
    if (performance.now() - since < slice_ms) continue
    await setImmediate()
    since = performance.now()
  }
}

/** Runs the same work without yielding. */
export function runToEnd<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
  }
}

/** Maps items, one step per item. */
export function* mapInSteps<Item, Result>(
  items: Item[],
  work: (item: Item, index: number) => Result,
): Generator<void, Result[]> {
  const results: Result[] = []
  for (const [index, item] of items.entries()) {
    results.push(work(item, index))
    yield
  }
  return results
}
