/**
 * The orderly shutdown of a process: requests and jobs get time to finish, then everything that was opened is closed in
 * reverse order.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { withDeadline } from '../../kernel/concurrency/deadline.ts'
import { stop_timeout_with_jobs_ms } from '../../jobs/worker.ts'
import { output } from './output.ts'

type Drain = (serve_on_ms: number) => Promise<unknown>

const draining: Drain[] = []
const closing: (() => Promise<unknown>)[] = []

export const shutdown = {
  /** Milliseconds that requests and jobs may take to finish. */
  timeout_ms: stop_timeout_with_jobs_ms,
  has_begun: false,

  /** Adds requests or jobs that finish by themselves if they get time. */
  drain(finish: Drain): void {
    draining.push(finish)
  },

  /** Adds something to close after requests and jobs have finished. */
  close(close: () => Promise<unknown>): void {
    closing.push(close)
  },

  /**
   * Drains and closes everything within 10 seconds. New requests are served for the first `serve_on_ms`, so that load
   * balancers have time to notice the shutdown.
   */
  async run(serve_on_ms = 0): Promise<void> {
    shutdown.has_begun = true
    await Promise.all(draining.splice(0).map((finish) => finish(serve_on_ms)))
    for (const close of closing.splice(0).reverse()) await close()
    // The last lines may be audit entries that are stored nowhere else.
    await waitAtMost(1000, output.drained())
  },
}

/** Waits until something ends, with or without an error, but not longer than `ms`. */
export const waitAtMost = (ms: number, ending: Promise<unknown>): Promise<unknown> =>
  withDeadline(ms, ending).catch(() => undefined)

export const drainServer = (app: { close(): Promise<unknown> }): void =>
  shutdown.drain(async (serve_on_ms) => {
    await pause(serve_on_ms)
    await waitAtMost(shutdown.timeout_ms, app.close())
  })
